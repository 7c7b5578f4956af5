/**
 * Random networks and flows for A11: does ACCurate find the max-min rates wherever it is put? Four
 * families: a fat tree, a torus, parking lots of depth 1 to 8, and random graphs with links of 2.5, 5
 * and 10 Gb/s. Flows start in the first 100 us; then some stop while others start, and rates must
 * settle again. Every flow has a path of its own, drawn among shortest ones.
 */
import { Random } from '@weir/engine'
import { buildGraph } from '@weir/fabric'
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
  /** Flows that are there, their max-min rates less alpha, and how many different ones there are. */
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

/** The case of a seed, with so many periods for each phase, under other settings if given. */
export function caseOf(seed: number, rrps: number, settings: readonly string[] = []): Case {
  const random = new Random(seed, 'accurate.case')
  const family = FAMILIES[seed % FAMILIES.length] as Family
  const { topology, pairs } = networkOf(family, random)
  const changePs = rrps * RRP_PS
  const flows = pairs.map(([from, to], i) => {
    const isLate = i > 0 && random.below(4) === 0
    const isLeaving = !isLate && i > 0 && random.below(3) === 0
    const moment = Math.floor((random.uniform() * CHANGES_PS) / 1000) * 1000
    const start = isLate ? changePs + moment : moment
    const stop = isLeaving ? changePs + Math.floor(random.uniform() * 100) * US : 0
    return { name: `f${i}`, from, to, startPs: start, stopPs: stop }
  })
  const graph = graphOf(topology)
  const routing = routings.ecmp.create(graph, { hashSeed: seed })
  const index = new Map<string, number>()
  graph.nodes.forEach(({ name, aliases }, i) => [name, ...aliases].map((one) => index.set(one, i)))
  const paths = flows.map(({ from, to }, i) =>
    routing.path(index.get(from) ?? 0, index.get(to) ?? 0, i),
  )
  const inner = (ports: readonly number[]): string[] =>
    ports.slice(1).map((port) => {
      const link = graph.links[port >> 1]
      return graph.nodes[(port & 1 ? link?.b : link?.a) ?? 0]?.name ?? ''
    })
  const spec = {
    name: `${family}-${seed}`,
    seed,
    topology,
    fabric: {
      switch: 'input-buffered',
      buffer: '2500B',
      flowControl: 'credits',
      classes: 2,
    },
    hosts: { mtu: '240B', header: '16B', ack: 'none' },
    workload: [
      {
        flows: flows.map(({ name, from, to, startPs, stopPs }, i) => ({
          name,
          from,
          to,
          start: `${startPs}ps`,
          ...(stopPs > 0 ? { stop: `${stopPs}ps` } : {}),
          path: inner(paths[i] ?? []),
        })),
      },
    ],
    scheme: { name: 'accurate' },
    run: { until: `${2 * changePs}ps` },
    metrics: { interval: `${RRP_PS}ps`, series: ['accurate.rate.*'] },
  }
  const text = JSON.stringify(spec)
  const valid = loadSpec({ text, sourceName: spec.name, files: () => undefined, settings })
  const capacities = graph.links.flatMap(({ rateBps }) => [rateBps, rateBps])
  const phaseOf = (fromPs: number, toPs: number): Phase => {
    const active = flows.filter(
      ({ startPs, stopPs }) => startPs <= fromPs && (stopPs === 0 || stopPs >= toPs),
    )
    const chosen = active.map((flow) => paths[flows.indexOf(flow)] ?? [])
    const { ratesBps } = maxMin(
      capacities.map((rate) => rate * (1 - ALPHA)),
      chosen,
    )
    const levels = new Set(Array.from(ratesBps, (rate) => Math.round(rate / 1e3))).size
    return { fromPs, toPs, flows: active.map(({ name }) => name), ratesBps: [...ratesBps], levels }
  }
  return {
    family,
    seed,
    spec: valid,
    phases: [phaseOf(CHANGES_PS, changePs), phaseOf(changePs + CHANGES_PS, 2 * changePs)],
  }
}

function graphOf(topology: object): ReturnType<typeof buildGraph> {
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

/** A random tree with half as many links more; 1 to 3 hosts a switch. */
function randomGraph(random: Random): Network {
  const count = 3 + random.below(10)
  const switches = Array.from({ length: count }, (_, i) => `s${i}`)
  const joined = new Set<string>()
  for (let i = 1; i < count; i++) joined.add(`s${random.below(i)} s${i}`)
  for (let n = 0; n < count / 2; n++) {
    const a = random.below(count)
    const b = random.below(count)
    if (a !== b) joined.add(`s${Math.min(a, b)} s${Math.max(a, b)}`)
  }
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
