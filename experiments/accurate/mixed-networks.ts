/**
 * Random networks for the question whether flows *get* what ACCurate allows them: a random tree of
 * switches with links more, rates mixed at the hosts too, few sending hosts with several flows
 * each, one shortest path a flow. Flows start in the first 100 us and do not end.
 *
 * At most 16 flows, and no link below 5 Gb/s: 16 FRPs (or responses) every 20 us are 128 Mb/s, half
 * of the 5% that alpha leaves free on the slowest link, so that what waits can drain.
 */
import { Random } from '@weir/engine'
import { buildGraph } from '@weir/fabric'
import type { Graph } from '@weir/fabric'
import { routings } from '@weir/routing'
import { loadSpec } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'
import { maxMin } from '@weir/theory'
import { joinedSwitches } from './random-cases.ts'

const ALPHA = 0.05
const MS = 1e9
const US = 1e6
const RATES = [5, 10, 25, 40]
const PACKET_BYTES = 256
/** Start-up backlog is gone by then. */
export const SETTLED_PS: number = 2 * MS
/** Packets that the slowest flow brings over while it is measured: what one of them is worth. */
const PACKETS_MIN = 400

export interface MixedNetwork {
  readonly seed: number
  readonly spec: ValidSpec
  readonly flows: readonly string[]
  /** Exact max-min rates of links less alpha, on the wire. */
  readonly ratesBps: readonly number[]
  /** Flows whose host sends others too. */
  readonly siblings: readonly boolean[]
}

interface Pair {
  readonly from: string
  readonly to: string
}

/** Shared memory that never blocks nor drops: what is lost here is lost at the hosts. */
export const ROOMY: readonly string[] = [
  'fabric.switch=shared-memory',
  'fabric.buffer.size=200MB',
  'fabric.buffer.threshold.kind=dynamic',
  'fabric.buffer.threshold.alpha=16',
  'fabric.flowControl=none',
]
/** ACCurate's inputs of 2.5 KB under credits (section III), as one FIFO or a queue an output. */
export const SHALLOW_FIFO: readonly string[] = [
  'fabric.switch=input-buffered',
  'fabric.buffer.size=2500B',
  'fabric.flowControl=credits',
]
export const SHALLOW_VOQ: readonly string[] = [...SHALLOW_FIFO, 'fabric.buffer.inputQueue=voq']

export function mixedNetwork(seed: number, settings: readonly string[]): MixedNetwork {
  const random = new Random(seed, 'accurate.mixed')
  const topology = drawTopology(random)
  const pairs = drawPairs(topology.hosts, random)
  const graph = graphOf(topology)
  const paths = pathsOf(graph, pairs, seed)
  const shareable = graph.links.flatMap(({ rateBps }) => [rateBps, rateBps])
  const { ratesBps } = maxMin(
    shareable.map((rate) => rate * (1 - ALPHA)),
    paths,
  )
  const slowestBps = Math.min(...ratesBps)
  const measuredPs = Math.max(MS, (PACKETS_MIN * PACKET_BYTES * 8e12) / slowestBps)
  const untilPs = SETTLED_PS + Math.ceil(measuredPs / (100 * US)) * 100 * US
  const name = `mixed-${seed}`
  const text = JSON.stringify({
    name,
    seed,
    topology,
    fabric: { classes: 2 },
    hosts: { mtu: '240B', header: '16B', ack: 'none' },
    workload: [{ flows: pairs.map((pair, i) => flowOf(pair, i, graph, paths[i] ?? [], random)) }],
    scheme: { name: 'accurate' },
    run: { until: `${untilPs}ps` },
    metrics: { interval: '100us', series: ['rate.*', 'accurate.rate.*'] },
  })
  return {
    seed,
    spec: loadSpec({ text, sourceName: name, files: () => undefined, settings }),
    flows: pairs.map((_, i) => `f${i}`),
    ratesBps: [...ratesBps],
    siblings: pairs.map(({ from }) => pairs.filter((other) => other.from === from).length > 1),
  }
}

interface Topology {
  readonly kind: 'graph'
  readonly hosts: readonly string[]
  readonly switches: readonly string[]
  readonly delay: string
  readonly links: readonly object[]
}

/** A random tree with half as many links more, one to three hosts a switch. */
function drawTopology(random: Random): Topology {
  const count = 2 + random.below(7)
  const { switches, joined } = joinedSwitches(random, count)
  const rate = (): string => `${RATES[random.below(RATES.length)]}Gbps`
  const links: object[] = [...joined].map((pair) => {
    const [a, b] = pair.split(' ')
    return { a, b, rate: rate() }
  })
  const hosts: string[] = []
  for (const name of switches) {
    for (let n = random.below(3); n >= 0; n--) {
      links.push({ a: `h${hosts.length}`, b: name, rate: rate() })
      hosts.push(`h${hosts.length}`)
    }
  }
  return { kind: 'graph', hosts, switches, delay: '100ns', links }
}

/** Two to four hosts send, to any. */
function drawPairs(hosts: readonly string[], random: Random): Pair[] {
  const senders = Math.min(hosts.length, 2 + random.below(3))
  const count = 4 + random.below(13)
  return Array.from({ length: count }, () => {
    const from = random.below(senders)
    const to = (from + 1 + random.below(hosts.length - 1)) % hosts.length
    return { from: hosts[from] ?? '', to: hosts[to] ?? '' }
  })
}

function graphOf(topology: Topology): Graph {
  const text = JSON.stringify({
    topology,
    workload: [{ generate: { arrivals: 'once', sizes: '1KB' } }],
  })
  return buildGraph(loadSpec({ text, sourceName: 'network', files: () => undefined }).topology)
}

function pathsOf(graph: Graph, pairs: readonly Pair[], seed: number): (readonly number[])[] {
  const routing = routings.ecmp.create(graph, { hashSeed: seed })
  const index = new Map(graph.nodes.map(({ name }, i) => [name, i]))
  return pairs.map(({ from, to }, i) => routing.path(index.get(from) ?? 0, index.get(to) ?? 0, i))
}

function flowOf(
  pair: Pair,
  i: number,
  graph: Graph,
  ports: readonly number[],
  random: Random,
): object {
  const path = ports.slice(1).map((port) => {
    const link = graph.links[port >> 1]
    return graph.nodes[(port & 1 ? link?.b : link?.a) ?? 0]?.name ?? ''
  })
  return { name: `f${i}`, ...pair, start: `${random.below(100_000)}ns`, path }
}
