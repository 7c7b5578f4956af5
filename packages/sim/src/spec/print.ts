/**
 * A `ValidSpec` back as the YAML that a user could have written, with units and every default
 * filled in. Loading that text gives the same `ValidSpec`; files that the first text named are
 * written out in it, so that it stands alone.
 */
import { Document, isCollection, isMap, isPair, isScalar, visit } from 'yaml'
import type { Node, Pair } from 'yaml'
import { formatRate, formatSize, formatTime } from '@weir/engine'
import { schemes } from '@weir/schemes'
import { sizeTables } from '@weir/workloads'
import { paramText } from './complete-scheme.ts'
import type { Card } from './card.ts'
import type {
  FabricSpec,
  FlowSpec,
  GenerateSpec,
  HostsSpec,
  MessagesSpec,
  MetricsSpec,
  SchemeSpec,
  SizesSpec,
  TopologySpec,
  ValidSpec,
  WorkloadSpec,
} from './valid-spec.ts'

type Tree = Record<string, unknown>

const LINE_WIDTH = 100

/** `ecnNote` stands beside `ecn`, as a comment: what `auto` comes to. */
export function printSpec(
  spec: ValidSpec,
  cards: readonly Card[] = schemes,
  ecnNote: string = '',
): string {
  const document = new Document(userTree(spec, cards), { aliasDuplicateObjects: false })
  const ecn = document.getIn(['fabric', 'ecn'], true)
  if (ecnNote !== '' && isScalar(ecn)) ecn.comment = ` ${ecnNote}`
  visit(document, {
    Collection: (_, node, ancestors) => {
      // A flow, a link or a list of sizes reads best on its line; sections read best as blocks.
      const children = (node.items as (Node | Pair)[]).map((item) =>
        isPair(item) ? item.value : item,
      )
      if (children.some((child) => isCollection(child)) || ancestors.length < 3) return
      const width = JSON.stringify(node.toJS(document)).length + ancestors.length
      if (width < LINE_WIDTH - 10) node.flow = true
    },
  })
  const { contents } = document
  const description = isMap(contents) ? contents.get('description', true) : undefined
  if (isScalar(description)) description.type = 'BLOCK_FOLDED'
  return document.toString({ lineWidth: LINE_WIDTH, flowCollectionPadding: false })
}

/** The same as a tree: what `validateSpec` takes. */
export function userTree(spec: ValidSpec, cards: readonly Card[] = schemes): Tree {
  return {
    name: spec.name,
    title: spec.title,
    description: spec.description,
    seed: spec.seed,
    ...(spec.chanceSeed === spec.seed ? {} : { chanceSeed: spec.chanceSeed }),
    topology: topologyTree(spec.topology),
    fabric: fabricTree(spec.fabric),
    hosts: hostsTree(spec.hosts),
    routing: { ...spec.routing },
    workload: spec.workload.map(workloadTree),
    scheme: schemeTree(spec.scheme, spec.fabric, cards),
    run: {
      until: formatTime(spec.run.untilPs),
      drain: orNone(spec.run.drainPs, formatTime),
      eventsMax: spec.run.eventsMax || 'none',
    },
    metrics: metricsTree(spec.metrics),
  }
}

const orNone = (value: number, format: (value: number) => string): string =>
  value === 0 ? 'none' : format(value)

/** Keys of a topology say their unit by their ending; the user form has the unit in the value. */
function topologyTree(topology: TopologySpec): Tree {
  if (topology.kind === 'graph') {
    const { kind, hosts, switches, links } = topology
    const lines = links.map(
      ({ a, b, rateBps, delayPs }) => `${a} ${b} ${formatRate(rateBps)} ${formatTime(delayPs)}`,
    )
    return { kind, hosts, switches, links: lines }
  }
  return Object.fromEntries(
    Object.entries(topology).map(([key, value]): [string, unknown] => {
      if (key.endsWith('Bps')) return [key.slice(0, -3), formatRate(value as number)]
      if (key.endsWith('Ps')) return [key.slice(0, -2), formatTime(value as number)]
      return [key, value]
    }),
  )
}

type Limit =
  | { readonly kind: 'static'; readonly bytes: number }
  | { readonly kind: 'dynamic'; readonly alpha: number }

const limitTree = (limit: Limit): unknown =>
  limit.kind === 'static' ? formatSize(limit.bytes) : { ...limit }

function fabricTree(fabric: FabricSpec): Tree {
  const { buffer, scheduler } = fabric
  return {
    switch: fabric.switch,
    forwarding: fabric.forwarding,
    switchDelay: formatTime(fabric.switchDelayPs),
    classes: fabric.classes,
    scheduler: scheduler.kind === 'weighted-round-robin' ? { ...scheduler } : scheduler.kind,
    buffer: {
      size: formatSize(buffer.bytes),
      threshold: limitTree(buffer.threshold),
      ...(fabric.switch === 'input-buffered'
        ? {
            inputQueue: buffer.inputQueue,
            outputQueue: orNone(buffer.outputQueueBytes, formatSize),
          }
        : {}),
      dropAt: buffer.dropAt,
    },
    flowControl: flowControlTree(fabric.flowControl, fabric.classes),
    ecn: ecnTree(fabric.ecn),
  }
}

function flowControlTree(flowControl: FabricSpec['flowControl'], classes: number): unknown {
  switch (flowControl.kind) {
    case 'none':
      return 'none'
    case 'credits':
      return { kind: 'credits', credit: formatSize(flowControl.creditBytes) }
    case 'pause':
    case 'pfc': {
      const { kind, xoff, xonGapBytes, headroomBytes, frameBytes, losslessClasses } = flowControl
      return {
        kind,
        xoff: limitTree(xoff),
        xonGap: formatSize(xonGapBytes),
        headroom: headroomBytes === 'auto' ? 'auto' : formatSize(headroomBytes),
        headroomDelays: flowControl.headroomDelays,
        reserve: formatSize(flowControl.reserveBytes),
        referenceRate: orNone(flowControl.referenceRateBps, formatRate),
        lossless: losslessClasses.length === classes ? 'all' : losslessClasses,
        frame: formatSize(frameBytes),
      }
    }
  }
}

function ecnTree(ecn: FabricSpec['ecn']): unknown {
  if (ecn === 'auto') return 'auto'
  switch (ecn.kind) {
    case 'none':
      return 'none'
    case 'threshold':
      return {
        kind: 'threshold',
        k: formatSize(ecn.kBytes),
        at: ecn.at,
        referenceRate: orNone(ecn.referenceRateBps, formatRate),
      }
    case 'red':
      return {
        kind: 'red',
        kmin: formatSize(ecn.kminBytes),
        kmax: formatSize(ecn.kmaxBytes),
        pmax: ecn.pmax,
        at: ecn.at,
        referenceRate: orNone(ecn.referenceRateBps, formatRate),
      }
  }
}

function hostsTree(hosts: HostsSpec): Tree {
  const { ack, injection, injectionFifoPackets } = hosts
  return {
    mtu: formatSize(hosts.mtuBytes),
    header: formatSize(hosts.headerBytes),
    ack: {
      every: ack.every,
      size: formatSize(ack.bytes),
      class: ack.class,
      path: ack.path,
      ecn: ack.ecn,
    },
    reliability: hosts.reliability,
    tcp: tcpTree(hosts.tcp),
    window: windowTree(hosts.window),
    rto: orNone(hosts.rtoPs, formatTime),
    injection:
      injection === 'per-flow' ? injection : { kind: injection, packets: injectionFifoPackets },
    rateCap: rateCapTree(hosts.rateCap),
    burst: hosts.burst,
    service: hosts.service,
    dataClass: hosts.dataClass,
  }
}

function rateCapTree({ sendBps, takeBps, counts }: HostsSpec['rateCap']): Tree | string {
  if (sendBps === takeBps && (counts === 'wire' || sendBps === 0))
    return orNone(sendBps, formatRate)
  return { send: orNone(sendBps, formatRate), take: orNone(takeBps, formatRate), counts }
}

function windowTree(window: HostsSpec['window']): unknown {
  switch (window.kind) {
    case 'none':
      return 'none'
    case 'fixed': {
      const { kind, bytes, followsRate } = window
      return { kind, size: formatSize(bytes), followsRate }
    }
    case 'bdp':
      return { ...window }
  }
}

function tcpTree(tcp: HostsSpec['tcp']): Tree {
  return {
    rtoMin: formatTime(tcp.rtoMinPs),
    rtoMax: formatTime(tcp.rtoMaxPs),
    granularity: orNone(tcp.granularityPs, formatTime),
    receiveWindow: orNone(tcp.receiveWindowBytes, formatSize),
    delayedAck: formatTime(tcp.delayedAckPs),
    sack: tcp.sack,
    connection: tcp.connection,
    idleRestart: tcp.idleRestart,
  }
}

function workloadTree(item: WorkloadSpec): Tree {
  switch (item.kind) {
    case 'flows':
      return { flows: item.flows.map(flowTree) }
    case 'generate':
      return { generate: generateTree(item) }
    case 'messages':
      return { messages: messagesTree(item) }
  }
}

function messagesTree(item: MessagesSpec): Tree {
  return {
    name: item.name,
    processes: item.processes,
    program: programTree(item.program),
    start: formatTime(item.startPs),
    sendOverhead: formatTime(item.sendOverheadPs),
    receiveOverhead: formatTime(item.receiveOverheadPs),
    localDelay: formatTime(item.localDelayPs),
    localRate: formatRate(item.localRateBps),
    ...(item.class === -1 ? {} : { class: item.class }),
  }
}

function programTree(program: MessagesSpec['program']): Tree {
  switch (program.kind) {
    case 'ping-pong':
    case 'allreduce':
      return {
        kind: program.kind,
        size: formatSize(program.bytes),
        iterations: program.iterations,
      }
    case 'ring': {
      const { kind, bytes, iterations, orders, isOverlapped } = program
      return { kind, size: formatSize(bytes), iterations, orders, overlap: isOverlapped }
    }
    case 'ptrans': {
      const { kind, order, memoryBytesPerSecond } = program
      return { kind, order, memoryRate: formatRate(memoryBytesPerSecond * 8) }
    }
    case 'random-access': {
      const { kind, rounds, lookahead, updatesPerSecond } = program
      return { kind, rounds, lookahead, updateRate: updatesPerSecond }
    }
    case 'fft':
      return { kind: program.kind, points: program.points, flops: program.flopsPerSecond }
    case 'hpl': {
      const { kind, order, block, flopsPerSecond } = program
      return { kind, order, block, flops: flopsPerSecond }
    }
    case 'text':
      return { kind: program.kind, text: program.text }
  }
}

/** What a flow does not have is left out: lists of flows are long. */
function flowTree(flow: FlowSpec): Tree {
  return {
    name: flow.name,
    from: flow.from,
    to: flow.to,
    ...(flow.sizeBytes === 0 ? {} : { size: formatSize(flow.sizeBytes) }),
    start: formatTime(flow.startPs),
    ...(flow.stopPs === 0 ? {} : { stop: formatTime(flow.stopPs) }),
    ...(flow.path.length === 0 ? {} : { path: flow.path }),
    ...(flow.class === -1 ? {} : { class: flow.class }),
    ...(flow.weight === 1 ? {} : { weight: flow.weight }),
  }
}

function generateTree(item: GenerateSpec): Tree {
  const { pattern } = item
  return {
    name: item.name,
    arrivals: arrivalsTree(item.arrivals),
    sizes: sizesTree(item.sizes),
    pattern:
      pattern.kind === 'incast' && pattern.receiver === ''
        ? { kind: 'incast', senders: pattern.senders, drawSenders: pattern.drawSenders }
        : { ...pattern },
    ...(item.hosts.length === 0 ? {} : { hosts: item.hosts }),
    start: formatTime(item.startPs),
    stop: orNone(item.stopPs, formatTime),
    flowsMax: item.flowsMax || 'none',
    ...(item.class === -1 ? {} : { class: item.class }),
  }
}

function arrivalsTree(arrivals: GenerateSpec['arrivals']): unknown {
  switch (arrivals.kind) {
    case 'poisson':
      return { kind: 'poisson', load: arrivals.load }
    case 'poisson-rate':
      return { kind: 'poisson', interval: formatTime(arrivals.meanIntervalPs) }
    case 'periodic': {
      const { periodPs, count } = arrivals
      if (periodPs === 0 && count === 1) return 'once'
      return { kind: 'periodic', period: formatTime(periodPs), count: count || 'none' }
    }
  }
}

function sizesTree(sizes: SizesSpec): unknown {
  switch (sizes.kind) {
    case 'fixed':
      return formatSize(sizes.bytes)
    case 'mixture':
      return {
        kind: 'mixture',
        parts: sizes.parts.map(({ weight, bytes }) => ({ weight, size: formatSize(bytes) })),
      }
    case 'pareto':
      return {
        kind: 'pareto',
        shape: sizes.shape,
        mean: formatSize(sizes.meanBytes),
        max: orNone(sizes.maxBytes, formatSize),
      }
    case 'cdf': {
      const table = sizeTables.find(({ name }) => name === sizes.source)
      const isTable = JSON.stringify(table?.rows) === JSON.stringify(sizes.rows)
      return isTable ? sizes.source : { kind: 'cdf', source: sizes.source, rows: sizes.rows }
    }
  }
}

/** Where the fabric says how to mark, the scheme's marking is not read, and must not be written. */
function schemeTree(scheme: SchemeSpec, { ecn }: FabricSpec, cards: readonly Card[]): Tree {
  const card = cards.find(({ name }) => name === scheme.name)
  const tree = (values: SchemeSpec['params']): Tree =>
    Object.fromEntries(
      Object.entries(values)
        .filter(([name]) => ecn === 'auto' || card?.params[name]?.isMarking !== true)
        .map(([name, value]): [string, unknown] => {
          const param = card?.params[name]
          const hasUnit = param !== undefined && ['time', 'size', 'rate'].includes(param.unit)
          return [name, hasUnit ? paramText(param, value as number) : value]
        }),
    )
  const changes = scheme.changes?.map(({ atPs, where, params }) => ({
    at: formatTime(atPs),
    where,
    params: tree(params),
  }))
  return {
    name: scheme.name,
    ...(scheme.preset === '' ? {} : { preset: scheme.preset }),
    params: tree(scheme.params),
    ...(changes === undefined ? {} : { changes }),
  }
}

function metricsTree(metrics: MetricsSpec): Tree {
  return {
    interval: orNone(metrics.intervalPs, formatTime),
    series: metrics.series,
    buckets: metrics.bucketsBytes.map((bytes) => formatSize(bytes)),
    convergenceWithin: metrics.convergenceFraction,
  }
}
