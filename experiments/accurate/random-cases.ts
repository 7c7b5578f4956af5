/**
 * Random networks and flows for A11: does ACCurate find the max-min rates wherever it is put? Four
 * families: a fat tree, a torus, parking lots of depth 1 to 8, and random graphs with links of
 * 2.5, 5 and 10 Gb/s. Flows start in the first 100 us; then some stop while others start, and
 * rates must settle again. Every flow has a path of its own, drawn among shortest ones.
 */
import { Random } from '@weir/engine'
import { buildGraph } from '@weir/fabric'
import type { Graph } from '@weir/fabric'
import { routings } from '@weir/routing'
import { loadSpec } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'
import { maxMin } from '@weir/theory'
import { US } from './measures.ts'

export const FAMILIES = ['fat-tree', 'torus', 'parking-lot', 'random-graph'] as const
export type Family = (typeof FAMILIES)[number]

export const RRP_PS: number = 20 * US
const ALPHA = 0.05
/** Changes of a phase fall into this time. */
const CHANGES_PS = 100 * US

export interface Phase {
  /** After the last change, and before the next. */
  readonly fromPs: number
  readonly toPs: number
  /** Flows that are there, their max-min rates less alpha, and how many of these differ. */
  readonly flows: readonly string[]
  readonly ratesBps: readonly number[]
  readonly levels: number
}

export interface Case {
  readonly family: Family
  readonly seed: number
  readonly spec: ValidSpec
  readonly phases: readonly Phase[]
}

interface Network {
  readonly topology: object
  /** Pairs of hosts that flows go between, by name. */
  readonly pairs: readonly (readonly [string, string])[]
}

interface Flow {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly startPs: number
  /** 0: none. */
  readonly stopPs: number
}

/** The case of a seed, with so many periods for each phase, under other settings if given. */
export function caseOf(seed: number, rrps: number, settings: readonly string[] = []): Case {
  const random = new Random(seed, 'accurate.case')
  const family = FAMILIES[seed % FAMILIES.length] as Family
  const { topology, pairs } = networkOf(family, random)
  const changePs = rrps * RRP_PS
  const flows = pairs.map(([from, to], i) => drawFlow(`f${i}`, from, to, i > 0, changePs, random))
  const graph = graphOf(topology)
  const paths = pathsOf(graph, flows, seed)
  const capacities = graph.links.flatMap(({ rateBps }) => [rateBps, rateBps])
  const shareable = capacities.map((rate) => rate * (1 - ALPHA))
  const phaseOf = (fromPs: number, toPs: number): Phase => {
    const isActive = ({ startPs, stopPs }: Flow): boolean =>
      startPs <= fromPs && (stopPs === 0 || stopPs >= toPs)
    const active = flows.filter(isActive)
    const { ratesBps } = maxMin(
      shareable,
      paths.filter((_, i) => isActive(flows[i] as Flow)),
    )
    const levels = new Set(Array.from(ratesBps, (rate) => Math.round(rate / 1e3))).size
    return { fromPs, toPs, flows: active.map(({ name }) => name), ratesBps: [...ratesBps], levels }
  }
  const text = JSON.stringify(
    specText(`${family}-${seed}`, seed, topology, graph, flows, paths, changePs),
  )
  return {
    family,
    seed,
    spec: loadSpec({ text, sourceName: `${family}-${seed}`, files: () => undefined, settings }),
    phases: [phaseOf(CHANGES_PS, changePs), phaseOf(changePs + CHANGES_PS, 2 * changePs)],
  }
}

/** A quarter of the flows start only after the change, a quarter stop at it. */
function drawFlow(
  name: string,
  from: string,
  to: string,
  mayChange: boolean,
  changePs: number,
  random: Random,
): Flow {
  const isLate = mayChange && random.below(4) === 0
  const isLeaving = !isLate && mayChange && random.below(3) === 0
  const moment = Math.floor((random.uniform() * CHANGES_PS) / 1000) * 1000
  const startPs = isLate ? changePs + moment : moment
  const stopPs = isLeaving ? changePs + Math.floor(random.uniform() * 100) * US : 0
  return { name, from, to, startPs, stopPs }
}

/** One of the shortest paths of each flow, as ports. */
function pathsOf(graph: Graph, flows: readonly Flow[], seed: number): (readonly number[])[] {
  const routing = routings.ecmp.create(graph, { hashSeed: seed })
  const index = new Map<string, number>()
  graph.nodes.forEach(({ name, aliases }, i) => [name, ...aliases].map((one) => index.set(one, i)))
  return flows.map(({ from, to }, i) => routing.path(index.get(from) ?? 0, index.get(to) ?? 0, i))
}

/** ACCurate's fabric (section III), as in `variants.ts`. */
function specText(
  name: string,
  seed: number,
  topology: object,
  graph: Graph,
  flows: readonly Flow[],
  paths: readonly (readonly number[])[],
  changePs: number,
): object {
  const switchesOf = (ports: readonly number[]): string[] =>
    ports.slice(1).map((port) => {
      const link = graph.links[port >> 1]
      return graph.nodes[(port & 1 ? link?.b : link?.a) ?? 0]?.name ?? ''
    })
  return {
    name,
    seed,
    topology,
    fabric: { switch: 'input-buffered', buffer: '2500B', flowControl: 'credits', classes: 2 },
    hosts: { mtu: '240B', header: '16B', ack: 'none' },
    workload: [
      {
        flows: flows.map(({ name: flow, from, to, startPs, stopPs }, i) => ({
          name: flow,
          from,
          to,
          start: `${startPs}ps`,
          ...(stopPs > 0 ? { stop: `${stopPs}ps` } : {}),
          path: switchesOf(paths[i] ?? []),
        })),
      },
    ],
    scheme: { name: 'accurate' },
    run: { until: `${2 * changePs}ps` },
    metrics: { interval: `${RRP_PS}ps`, series: ['accurate.rate.*', 'rate.*'] },
  }
}

function graphOf(topology: object): Graph {
  const text = JSON.stringify({
    topology,
    workload: [{ generate: { arrivals: 'once', sizes: '1KB' } }],
  })
  return buildGraph(loadSpec({ text, sourceName: 'case', files: () => undefined }).topology)
}

function networkOf(family: Family, random: Random): Network {
  switch (family) {
    case 'fat-tree': {
      const topology = { kind: 'fat-tree', k: 4, rate: '10Gbps', delay: '100ns' }
      return { topology, pairs: drawPairs(hostsOf(16), 4 + random.below(36), random) }
    }
    case 'torus': {
      const topology = { kind: 'torus', dimensions: [4, 4], rate: '10Gbps', delay: '100ns' }
      return { topology, pairs: drawPairs(hostsOf(16), 4 + random.below(36), random) }
    }
    case 'parking-lot':
      return parkingLot(1 + random.below(8), random)
    case 'random-graph':
      return randomGraph(random)
  }
}

function hostsOf(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `h${i}`)
}

function drawPairs(hosts: readonly string[], count: number, random: Random): [string, string][] {
  return Array.from({ length: count }, () => {
    const from = random.below(hosts.length)
    const to = (from + 1 + random.below(hosts.length - 1)) % hosts.length
    return [hosts[from] ?? '', hosts[to] ?? '']
  })
}

/** A row of links; one flow along all of them, and a few that join at each and leave after some. */
function parkingLot(depth: number, random: Random): Network {
  const switches = Array.from({ length: depth + 1 }, (_, i) => `s${i}`)
  const hosts: string[] = []
  const links: string[] = switches.slice(1).map((name, i) => `s${i} ${name}`)
  const hostAt = (place: number): string => {
    const name = `h${hosts.length}`
    hosts.push(name)
    links.push(`${name} s${place}`)
    return name
  }
  const pairs: [string, string][] = [[hostAt(0), hostAt(depth)]]
  for (let place = 0; place < depth; place++) {
    for (let n = random.below(4); n >= 0; n--) {
      const end = place + 1 + random.below(depth - place)
      pairs.push([hostAt(place), hostAt(end)])
    }
  }
  const topology = { kind: 'graph', hosts, switches, rate: '10Gbps', delay: '100ns', links }
  return { topology, pairs }
}

/** Switches, and the pairs of them that are joined: a random tree with half as many links more. */
export function joinedSwitches(
  random: Random,
  count: number,
): { readonly switches: string[]; readonly joined: ReadonlySet<string> } {
  const switches = Array.from({ length: count }, (_, i) => `s${i}`)
  const joined = new Set<string>()
  for (let i = 1; i < count; i++) joined.add(`s${random.below(i)} s${i}`)
  for (let n = 0; n < count / 2; n++) {
    const a = random.below(count)
    const b = random.below(count)
    if (a !== b) joined.add(`s${Math.min(a, b)} s${Math.max(a, b)}`)
  }
  return { switches, joined }
}

/** A random tree with half as many links more; 1 to 3 hosts a switch. */
function randomGraph(random: Random): Network {
  const count = 3 + random.below(10)
  const { switches, joined } = joinedSwitches(random, count)
  const rates = ['2.5Gbps', '5Gbps', '10Gbps']
  const links: object[] = [...joined].map((pair) => ({
    a: pair.split(' ')[0],
    b: pair.split(' ')[1],
    rate: rates[random.below(3)],
  }))
  const hosts: string[] = []
  switches.forEach((name) => {
    for (let n = random.below(3); n >= 0; n--) {
      links.push({ a: `h${hosts.length}`, b: name, rate: '10Gbps' })
      hosts.push(`h${hosts.length}`)
    }
  })
  const topology = { kind: 'graph', hosts, switches, rate: '10Gbps', delay: '100ns', links }
  return { topology, pairs: drawPairs(hosts, 4 + random.below(30), random) }
}
