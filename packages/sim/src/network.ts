/**
 * From a valid spec to a network: graph, fabric, switches, hosts and the scheme's points, wired.
 * The only place that knows all of them.
 */
import { Calendar, Fingerprint, Random, Windows } from '@weir/engine'
import {
  buildGraph,
  contend,
  CLASSES,
  Credits,
  Fabric,
  Forwarding,
  goBackN,
  Hosts,
  InputBuffered,
  markArrivals,
  markDepartures,
  Marker,
  noReliability,
  Observer,
  Packets,
  Paths,
  PortView,
  roundRobin,
  selectiveRepeat,
  SharedMemory,
  strict,
  tcpRecovery,
  tcpSack,
  Telemetry,
  watchDepartures,
  weightedRoundRobin,
} from '@weir/fabric'
import type {
  ClassScheduler,
  ContentionPoint,
  Control,
  FlowSink,
  Graph,
  HostsParams,
  Marking,
  Reliability,
  Routing,
} from '@weir/fabric'
import { routings } from '@weir/routing'
import { schemeByName } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { cellsOf } from './cells.ts'
import type { Cells } from './cells.ts'
import { headroomOf, inputXoffBytes, pfcParams } from './pfc-params.ts'
import type { FabricSpec, ValidSpec } from './spec/valid-spec.ts'
import { longestRttPs, windowParams } from './window.ts'

export interface Network {
  readonly graph: Graph
  /** Nodes that run together. */
  readonly cells: Cells
  /** What happens at nodes, and what happens outside of them. */
  readonly windows: Windows
  readonly outside: Calendar
  /** Nodes that run apart affect each other no sooner than this. */
  readonly windowPs: number
  readonly fingerprint: Fingerprint
  readonly fabric: Fabric
  /** What ports look like from outside. */
  readonly observer: Observer
  readonly hosts: Hosts
  readonly paths: Paths
  readonly routing: Routing
  readonly control: Control
  /** By port; undefined where no contention point is. */
  readonly portViews: readonly (PortView | undefined)[]
  /** Every class that packets of this run travel in. */
  readonly classesUsed: readonly number[]
  readonly switches: SharedMemory | InputBuffered
}

export function buildNetwork(
  spec: ValidSpec,
  sink: FlowSink,
  own?: Scheme,
  cellsFor: typeof cellsOf = cellsOf,
): Network {
  const graph = buildGraph(spec.topology)
  const cells = cellsFor(graph)
  const { cellOf, windowPs } = cells
  const windows = new Windows(cells.cells)
  const fingerprint = new Fingerprint(graph.nodes.length)
  const telemetry = new Telemetry()
  const random = (name: string): Random => new Random(spec.chanceSeed, name)
  const scheme = own ?? schemeByName(spec.scheme.name)
  if (scheme === undefined) throw new Error(`there is no scheme "${spec.scheme.name}"`)
  const control = controlOf(spec, graph, scheme, telemetry)
  const { flowControl } = spec.fabric
  const isCredits = flowControl.kind === 'credits'
  const isCutThrough = spec.fabric.forwarding === 'cut-through'
  const paths = new Paths()
  const fabric = new Fabric({
    graph,
    windows,
    cellOf,
    fingerprint,
    packets: new Packets(),
    paths,
    telemetry,
    scheduler: schedulerOf(spec.fabric),
    switchDelayPs: spec.fabric.switchDelayPs,
    cutThroughBytes: isCutThrough ? Math.max(1, spec.hosts.headerBytes) : 0,
    credits: isCredits
      ? new Credits(graph.links.length * 2, spec.fabric.buffer.bytes, flowControl.creditBytes)
      : undefined,
  })
  const kind = routings[spec.routing.kind]
  const hashSeed = spec.routing.kind === 'ecmp' ? spec.routing.hashSeed : 0
  const routing = kind.create(graph, { hashSeed })
  let longestPs = 0
  const params = hostsParams(spec, windowParams(spec, fabric, routing, control), () => {
    return (longestPs ||= longestRttPs(spec, fabric, routing, control))
  })
  const hosts = new Hosts(fabric, params, control, random, sink)
  fabric.hosts = hosts

  const classesUsed = classesOf(spec)
  const markers = makeMarkers(spec, fabric, control, random)
  const longest = longestPacketBytes(spec, control)
  const switches = makeSwitches(spec, fabric, paths, routing, random, markers, longest, classesUsed)
  fabric.switches = switches
  if (isCredits) makeHostsWatchCredits(fabric)
  const portViews = makeContention(spec, fabric, hosts, paths, routing, control)
  return {
    graph,
    cells,
    windows,
    outside: new Calendar(),
    windowPs,
    fingerprint,
    fabric,
    observer: new Observer(fabric),
    hosts,
    paths,
    routing,
    control,
    portViews,
    classesUsed,
    switches,
  }
}

/** The scheme at work in a network: what it adds to packets is known from here on. */
export function controlOf(
  spec: ValidSpec,
  graph: Graph,
  scheme: Pick<Scheme, 'create'>,
  telemetry: Telemetry = new Telemetry(),
): Control {
  const { mtuBytes, headerBytes } = spec.hosts
  return scheme.create(spec.scheme.params, {
    mtuBytes,
    packetBytes: mtuBytes + headerBytes,
    hostRateBps: hostRateBps(graph),
    linkRateBps: graph.links.reduce((fastest, { rateBps }) => Math.max(fastest, rateBps), 0),
    telemetry,
    random: (name) => new Random(spec.chanceSeed, name),
    nodes: graph.nodes.length,
    bufferBytes: spec.fabric.buffer.bytes,
    hostNames: graph.nodes.filter(({ kind }) => kind === 'host').map(({ name }) => name),
  })
}

/** On the wire: data, ACKs or the scheme's own packets, whichever are longest. */
export function longestPacketBytes({ hosts }: ValidSpec, control: Control): number {
  const dataBytes = hosts.mtuBytes + hosts.headerBytes + control.dataHeaderBytes
  const ackBytes = hosts.ack.every > 0 ? hosts.ack.bytes + control.ackHeaderBytes : 0
  return Math.max(dataBytes, ackBytes, control.controlBytesMax ?? 0)
}

function hostRateBps(graph: Graph): number {
  let fastest = 0
  for (const link of graph.links) {
    const isHosts = [link.a, link.b].some((node) => graph.nodes[node]?.kind === 'host')
    if (isHosts && link.rateBps > fastest) fastest = link.rateBps
  }
  return fastest
}

function schedulerOf({ scheduler }: FabricSpec): ClassScheduler {
  switch (scheduler.kind) {
    case 'strict':
      return strict
    case 'round-robin':
      return roundRobin
    case 'weighted-round-robin':
      return weightedRoundRobin(scheduler.weights)
  }
}

/**
 * A NIC that answers every n packets answers what it has after this long: NICs have such a timer.
 */
const COALESCED_ACK_PS = 50e6

/** Control packets go in the highest class that the fabric has. */
function controlClassOf(spec: ValidSpec): number {
  return Math.min(spec.fabric.classes, CLASSES) - 1
}

export function classesOf(spec: ValidSpec): number[] {
  const classes = new Set([spec.hosts.dataClass, controlClassOf(spec)])
  for (const item of spec.workload) {
    const given = item.kind === 'flows' ? item.flows.map((flow) => flow.class) : [item.class]
    for (const trafficClass of given) if (trafficClass >= 0) classes.add(trafficClass)
  }
  return [...classes].sort((a, b) => a - b)
}

function hostsParams(
  spec: ValidSpec,
  window: HostsParams['window'],
  longestRttPs: () => number,
): HostsParams {
  const { hosts, fabric } = spec
  const { flowControl } = fabric
  const isPausing = flowControl.kind === 'pfc' || flowControl.kind === 'pause'
  // So much on the wire takes as long to be taken in as a payload, whichever of them is counted.
  const cappedBytes = hosts.mtuBytes + (hosts.rateCap.counts === 'payload' ? hosts.headerBytes : 0)
  const reliabilities: Record<typeof hosts.reliability, Reliability> = {
    'go-back-n': goBackN,
    'selective-repeat': selectiveRepeat,
    tcp: hosts.tcp.sack ? tcpSack(hosts.tcp) : tcpRecovery(hosts.tcp),
    none: noReliability,
  }
  return {
    mtuBytes: hosts.mtuBytes,
    headerBytes: hosts.headerBytes,
    ackEvery: hosts.ack.every,
    ackBytes: hosts.ack.bytes,
    ackClass: hosts.ack.class === 'control' ? controlClassOf(spec) : -1,
    ackEcn: hosts.ack.ecn,
    controlClass: controlClassOf(spec),
    reliability: reliabilities[hosts.reliability],
    rtoPs: hosts.rtoPs,
    longestRttPs,
    window,
    connections:
      hosts.reliability === 'tcp' && hosts.tcp.connection === 'persistent' ? hosts.tcp : undefined,
    delayedAckPs: hosts.reliability === 'tcp' ? hosts.tcp.delayedAckPs : COALESCED_ACK_PS,
    fifoPackets: hosts.injection === 'shared-fifo' ? hosts.injectionFifoPackets : 0,
    sendCapBps: hosts.rateCap.sendBps,
    takeCapBps: hosts.rateCap.takeBps,
    capsPayload: hosts.rateCap.counts === 'payload',
    burst: hosts.burst,
    service: hosts.service,
    // A capped host holds a few packets before it pauses its link.
    takeInXoffBytes: isPausing && hosts.rateCap.takeBps > 0 ? 16 * cappedBytes : 0,
    pauseFrameBytes: isPausing ? flowControl.frameBytes : 0,
  }
}

/** What a port of this rate marks by: the spec's own setting, or what the scheme recommends. */
function markingOf(spec: ValidSpec, control: Control, rateBps: number): Marking | undefined {
  const { ecn } = spec.fabric
  if (ecn === 'auto') return control.marking(rateBps)
  switch (ecn.kind) {
    case 'none':
      return undefined
    case 'threshold': {
      const scale = ecn.referenceRateBps > 0 ? rateBps / ecn.referenceRateBps : 1
      const kBytes = Math.round(ecn.kBytes * scale)
      return { kminBytes: kBytes, kmaxBytes: kBytes, pmax: 1, at: ecn.at }
    }
    case 'red': {
      const scale = ecn.referenceRateBps > 0 ? rateBps / ecn.referenceRateBps : 1
      const kminBytes = Math.round(ecn.kminBytes * scale)
      return { kminBytes, kmaxBytes: Math.round(ecn.kmaxBytes * scale), pmax: ecn.pmax, at: ecn.at }
    }
  }
}

/** Markers at arrivals are returned; those at departures are the fabric's own. */
function makeMarkers(
  spec: ValidSpec,
  fabric: Fabric,
  control: Control,
  random: (name: string) => Random,
): (Marker | undefined)[] {
  const { ports, packets } = fabric
  const markers = new Array<Marker | undefined>(ports.count).fill(undefined)
  for (let port = 0; port < ports.count; port++) {
    if (ports.fromHost[port] === 1) continue
    const marking = markingOf(spec, control, ports.rateBps[port])
    if (marking === undefined) continue
    const marker = new Marker(packets, ports, marking, random(`marking.${port}`))
    if (marking.at === 'enqueue') {
      markers[port] = marker
      markArrivals(fabric, port, marking.kminBytes)
    } else markDepartures(fabric, port, marker)
  }
  return markers
}

/** A host's port looks for credits before each packet. */
function makeHostsWatchCredits(fabric: Fabric): void {
  for (let port = 0; port < fabric.ports.count; port++) {
    if (fabric.ports.fromHost[port] === 1) watchDepartures(fabric, port)
  }
}

function makeSwitches(
  spec: ValidSpec,
  fabric: Fabric,
  paths: Paths,
  routing: Routing,
  random: (name: string) => Random,
  markers: readonly (Marker | undefined)[],
  packetBytes: number,
  classesUsed: readonly number[],
): SharedMemory | InputBuffered {
  const { flowControl, buffer } = spec.fabric
  const isPausing = flowControl.kind === 'pfc' || flowControl.kind === 'pause'
  const draws = routing.perPacket
    ? fabric.graph.nodes.map(({ name }) => random(`routing.${name}`))
    : []
  const forwarding = new Forwarding(fabric.packets, paths, routing, draws)
  if (spec.fabric.switch === 'input-buffered') {
    const pfc = isPausing
      ? {
          xoffBytes: headroomOf(fabric.ports, flowControl, packetBytes, classesUsed.length).map(
            (headroom) => inputXoffBytes(flowControl.xoff, buffer.bytes, headroom),
          ),
          xonGapBytes: flowControl.xonGapBytes,
          frameBytes: flowControl.frameBytes,
        }
      : undefined
    const params = {
      bufferBytes: buffer.bytes,
      queue: buffer.inputQueue,
      outputBytes: buffer.outputQueueBytes,
      pfc,
    }
    return new InputBuffered(fabric, params, forwarding, markers)
  }
  const pfc = isPausing ? pfcParams(fabric, flowControl, packetBytes, classesUsed) : undefined
  const { threshold, dropAt } = buffer
  const params = { bufferBytes: buffer.bytes, threshold, dropAt, pfc }
  return new SharedMemory(fabric, params, forwarding, markers)
}

function makeContention(
  spec: ValidSpec,
  fabric: Fabric,
  hosts: Hosts,
  paths: Paths,
  routing: Routing,
  control: Control,
): (PortView | undefined)[] {
  const { ports } = fabric
  const views = new Array<PortView | undefined>(ports.count).fill(undefined)
  fabric.stamping = control.telemetry
  for (let port = 0; port < ports.count; port++) {
    const view = new PortView(fabric, hosts, paths, routing, port, spec.chanceSeed)
    const point: ContentionPoint | undefined = control.contention(view)
    const isSwitch = ports.fromHost[port] === 0
    if (point !== undefined) {
      views[port] = view
      contend(fabric, port, point)
    }
    if (control.telemetry && isSwitch) watchDepartures(fabric, port)
  }
  return views
}
