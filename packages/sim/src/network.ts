/**
 * From a valid spec to a network: graph, fabric, switches, hosts and the scheme's points, wired.
 * The only place that knows all of them.
 */
import { Agenda, Fingerprint, Random, Windows } from '@weir/engine'
import {
  Agents,
  buildGraph,
  contend,
  CLASSES,
  Credits,
  Fabric,
  Forwarding,
  goBackN,
  Hosts,
  InputBuffered,
  lanesReached,
  noReliability,
  Observer,
  Packets,
  Paths,
  PerFlowQueues,
  PortView,
  roundRobin,
  selectiveRepeat,
  SharedMemory,
  strict,
  tcpRecovery,
  tcpSack,
  Telemetry,
  unordered,
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
  Lanes,
  Marker,
  Reliability,
  Routing,
} from '@weir/fabric'
import { makeRouting, routings } from '@weir/routing'
import { schemeByName } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { cellsOf } from './cells.ts'
import type { Cells } from './cells.ts'
import { CurrentRouting } from './current-routing.ts'
import { lanesOf } from './lanes-of.ts'
import { linksOf } from './link-changes.ts'
import { makeMarkers } from './markers.ts'
import { headroomOf, inputXoffBytes, pfcParams } from './pfc-params.ts'
import type { FabricSpec, ValidSpec } from './spec/valid-spec.ts'
import { perFlowXoffBytes } from './per-flow-params.ts'
import { longestRttPs, windowParams } from './window.ts'

export interface Network {
  readonly graph: Graph
  /** Nodes that run together. */
  readonly cells: Cells
  /** What happens at nodes, and what happens outside of them. */
  readonly windows: Windows
  readonly outside: Agenda
  /** Nodes that run apart affect each other no sooner than this. */
  readonly windowPs: number
  readonly fingerprint: Fingerprint
  readonly fabric: Fabric
  /** What ports look like from outside. */
  readonly observer: Observer
  readonly hosts: Hosts
  readonly paths: Paths
  readonly routing: Routing
  readonly scheme: Scheme
  readonly control: Control
  /** By port; undefined where no contention point is. */
  readonly portViews: readonly (PortView | undefined)[]
  /** Every class that packets of this run travel in. */
  readonly classesUsed: readonly number[]
  readonly switches: SharedMemory | InputBuffered | PerFlowQueues
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
  const scheme = own ?? namedScheme(spec)
  const control = controlOf(spec, graph, scheme, telemetry)
  const isCutThrough = spec.fabric.forwarding === 'cut-through'
  const paths = new Paths()
  const routing = routingOf(spec, graph, scheme)
  const fabric = new Fabric({
    graph,
    windows,
    cellOf,
    fingerprint,
    packets: new Packets(Packets.roomFor(graph.links.length), hasRoutes(routing)),
    paths,
    telemetry,
    scheduler: schedulerOf(spec.fabric, graph),
    switchDelayPs: spec.fabric.switchDelayPs,
    packetBytes: spec.hosts.mtuBytes + spec.hosts.headerBytes,
    cutThroughBytes: isCutThrough ? Math.max(1, spec.hosts.headerBytes) : 0,
    credits: creditsOf(spec, graph),
  })
  const window = windowParams(spec, fabric, routing, control)
  const params = hostsParams(spec, routing, window, () =>
    longestRttPs(spec, fabric, routing, control),
  )
  const hosts = new Hosts(fabric, params, control, random, sink)
  fabric.hosts = hosts
  fabric.links = linksOf(fabric, spec)
  fabric.lanes = lanesOf(spec, graph)
  fabric.agents = agentsOf(spec, fabric, routing, control)
  const classesUsed = classesOf(spec, control, fabric.lanes)
  const markers = makeMarkers(spec, fabric, control, random)
  const forwarding = forwardingOf(fabric, routing, random)
  const switches = makeSwitches(spec, fabric, forwarding, markers, control, classesUsed)
  fabric.switches = switches
  if (fabric.credits !== undefined) makeHostsWatchCredits(fabric)
  const portViews = makeContention(spec, fabric, hosts, paths, routing, control)
  return {
    graph,
    cells,
    windows,
    outside: new Agenda(),
    windowPs,
    fingerprint,
    fabric,
    observer: new Observer(fabric),
    hosts,
    paths,
    routing,
    scheme,
    control,
    portViews,
    classesUsed,
    switches,
  }
}

function namedScheme({ scheme: { name } }: ValidSpec): Scheme {
  const scheme = schemeByName(name)
  if (scheme === undefined) throw new Error(`there is no scheme "${name}"`)
  return scheme
}

/** Undefined: the fabric has none. */
function creditsOf(spec: ValidSpec, graph: Graph): Credits | undefined {
  const { buffer, flowControl } = spec.fabric
  if (flowControl.kind !== 'credits') return undefined
  return new Credits(graph.links.length * 2, buffer.bytes, flowControl.creditBytes)
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
    classes: spec.fabric.classes,
    hostNames: graph.nodes.filter(({ kind }) => kind === 'host').map(({ name }) => name),
    graph,
    routing: spec.routing,
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

function schedulerOf({ scheduler }: FabricSpec, { links }: Graph): ClassScheduler {
  switch (scheduler.kind) {
    case 'strict':
      return strict
    case 'round-robin':
      return roundRobin
    case 'weighted-round-robin':
      return weightedRoundRobin(scheduler.weights, 2 * links.length)
  }
}

/**
 * A NIC that answers every n packets answers what it has after this long: NICs have such a timer.
 */
export const COALESCED_ACK_PS = 50e6

/** Control packets go in the highest class that the fabric has. */
function controlClassOf(spec: ValidSpec): number {
  return Math.min(spec.fabric.classes, CLASSES) - 1
}

export function classesOf(spec: ValidSpec, control: Control, lanes: Lanes | undefined): number[] {
  const own = control.classes ?? []
  const classes = new Set([spec.hosts.dataClass, controlClassOf(spec), ...own])
  for (const item of spec.workload) {
    const given = item.kind === 'flows' ? item.flows.map((flow) => flow.class) : [item.class]
    for (const trafficClass of given) if (trafficClass >= 0) classes.add(trafficClass)
  }
  return [...lanesReached(lanes, classes)].sort((a, b) => a - b)
}

function hostsParams(
  spec: ValidSpec,
  routing: Routing,
  window: HostsParams['window'],
  longestRttPs: () => number,
): HostsParams {
  const { hosts, fabric } = spec
  const { flowControl } = fabric
  let longestPs = 0
  const isPausing = flowControl.kind === 'pfc' || flowControl.kind === 'pause'
  // So much on the wire takes as long to be taken in as a payload, whichever of them is counted.
  const cappedBytes = hosts.mtuBytes + (hosts.rateCap.counts === 'payload' ? hosts.headerBytes : 0)
  const reliabilities: Record<typeof hosts.reliability, Reliability> = {
    'go-back-n': goBackN,
    'selective-repeat': selectiveRepeat,
    unordered,
    tcp: hosts.tcp.sack ? tcpSack(hosts.tcp) : tcpRecovery(hosts.tcp),
    none: noReliability,
  }
  return {
    // What hosts read by the name that it has in a spec.
    ...hosts,
    routing,
    ackEvery: hosts.ack.every,
    ackBytes: hosts.ack.bytes,
    ackClass: hosts.ack.class === 'control' ? controlClassOf(spec) : -1,
    ackEcn: hosts.ack.ecn,
    controlClass: controlClassOf(spec),
    reliability: reliabilities[hosts.reliability],
    longestRttPs: () => (longestPs ||= longestRttPs()),
    window,
    connections:
      hosts.reliability === 'tcp' && hosts.tcp.connection === 'persistent' ? hosts.tcp : undefined,
    delayedAckPs: hosts.reliability === 'tcp' ? hosts.tcp.delayedAckPs : COALESCED_ACK_PS,
    fifoPackets: hosts.injection.kind === 'shared-fifo' ? hosts.injection.packets : 0,
    acksInFifo: hosts.injection.kind === 'shared-fifo' && hosts.injection.acks === 'behind',
    sendCapBps: hosts.rateCap.sendBps,
    takeCapBps: hosts.rateCap.takeBps,
    capsPayload: hosts.rateCap.counts === 'payload',
    // A capped host holds a few packets before it pauses its link.
    takeInXoffBytes: isPausing && hosts.rateCap.takeBps > 0 ? 16 * cappedBytes : 0,
    pauseFrameBytes: isPausing ? flowControl.frameBytes : 0,
    reorders: routings[spec.routing.kind].reorders === true,
  }
}

/** A host's port looks for credits before each packet. */
function makeHostsWatchCredits(fabric: Fabric): void {
  for (let port = 0; port < fabric.ports.count; port++) {
    if (fabric.ports.fromHost[port] === 1) watchDepartures(fabric, port)
  }
}

function agentsOf(spec: ValidSpec, fabric: Fabric, routing: Routing, control: Control): Agents {
  const { headerBytes, mtuBytes } = spec.hosts
  const packetBytes = mtuBytes + headerBytes + control.dataHeaderBytes
  const controlClass = controlClassOf(spec)
  return new Agents(fabric, { control, routing, controlClass, packetBytes, seed: spec.chanceSeed })
}

function routingOf({ links, routing }: ValidSpec, graph: Graph, { routing: own }: Scheme): Routing {
  const first = makeRouting(graph, routing, undefined, own)
  return links === undefined ? first : new CurrentRouting(first)
}

/** Senders write routes into packets. */
function hasRoutes({ members = [], route }: Routing): boolean {
  return route !== undefined || members.some(hasRoutes)
}

/** Each switch has a stream of its own, where it draws. */
function forwardingOf(
  fabric: Fabric,
  routing: Routing,
  random: (name: string) => Random,
): Forwarding {
  const draws = routing.perPacket
    ? fabric.graph.nodes.map(({ name }) => random(`routing.${name}`))
    : []
  return new Forwarding(fabric.packets, fabric.paths, routing, draws, fabric.lanes)
}

function makeSwitches(
  spec: ValidSpec,
  fabric: Fabric,
  forwarding: Forwarding,
  markers: readonly (Marker | undefined)[],
  control: Control,
  classesUsed: readonly number[],
): Network['switches'] {
  const { flowControl, buffer } = spec.fabric
  const longest = longestPacketBytes(spec, control)
  const trimmed = { bytes: control.trimmedBytes ?? 0, class: controlClassOf(spec) }
  if (flowControl.kind === 'per-flow') {
    const xoffBytes = perFlowXoffBytes(fabric, flowControl.xoffBytes, longest, forwarding.sprays)
    const params = { bufferBytes: buffer.bytes, trimmed, xoffBytes, quantumBytes: longest }
    return new PerFlowQueues(fabric, params, forwarding, markers)
  }
  const isPausing = flowControl.kind === 'pfc' || flowControl.kind === 'pause'
  if (spec.fabric.switch === 'input-buffered') {
    const pfc = isPausing
      ? {
          xoffBytes: headroomOf(fabric.ports, flowControl, longest, classesUsed.length).map(
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
      trimmed,
      pfc,
    }
    return new InputBuffered(fabric, params, forwarding, markers)
  }
  const pfc = isPausing ? pfcParams(fabric, flowControl, longest, classesUsed) : undefined
  const { threshold, dropAt } = buffer
  const params = { bufferBytes: buffer.bytes, threshold, dropAt, trimmed, pfc }
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
