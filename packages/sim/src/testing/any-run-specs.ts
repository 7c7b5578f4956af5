/**
 * Random specs for tests of identity, with what `anySchemeSpec` leaves alone: samples, runs that
 * are cut or drain, flows that never end or are told to stop, generators, links that fail and come
 * back, bit errors, managers, presets, TCP, windows, NIC services, and every routing.
 */
import fc from 'fast-check'
import { Random } from '@weir/engine'
import { buildGraph } from '@weir/fabric'
import { isNumberParam, schemes } from '@weir/schemes'
import { SpecError } from '../spec/index.ts'
import { userTree } from '../spec/print.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'
import { anySchemeSpec } from './any-scheme-specs.ts'
import { specOf } from './specs.ts'
import type { Tree } from './specs.ts'

/** Each of them in half of all cases; what does not go with the rest is left out. */
export function anyRunSpec(): fc.Arbitrary<ValidSpec> {
  return fc.tuple(anySchemeSpec(), fc.nat()).map(([spec, seed]) => {
    const random = new Random(seed, 'extras')
    return random.shuffle([...EXTRAS]).reduce((before, extra) => {
      if (random.below(2) === 0) return before
      const tree = userTree(before)
      return orNot({ ...tree, ...extra(tree, random, before) }, before)
    }, spec)
  })
}

function orNot(tree: Tree, before: ValidSpec): ValidSpec {
  try {
    return specOf(tree)
  } catch (error) {
    if (!(error instanceof SpecError)) throw error
    return before
  }
}

type Extra = (tree: Tree, random: Random, spec: ValidSpec) => Tree

const EXTRAS: readonly Extra[] = [
  samples,
  cut,
  bounded,
  moreFlows,
  generator,
  links,
  routing,
  transport,
  manager,
  preset,
]

function one<T>(random: Random, of: readonly T[]): T {
  return of[random.below(of.length)]!
}

/** Of a run that is not long: there are hundreds of series. */
function samples(tree: Tree, random: Random): Tree {
  const metrics = { interval: one(random, ['1us', '3001ns', '17us']), series: ['**'] }
  return { metrics, run: { ...(tree.run as Tree), until: '200us', drain: '60ms' } }
}

/** The run ends before its flows do, or lets them. */
function cut(tree: Tree, random: Random): Tree {
  const until = `${5_000 + random.below(120_000)}ns`
  return { run: { ...(tree.run as Tree), until, drain: one(random, ['none', '40us', '3ms']) } }
}

function bounded(tree: Tree, random: Random): Tree {
  return { run: { ...(tree.run as Tree), eventsMax: 1 + random.below(8_000) } }
}

function hostsOf(spec: ValidSpec): string[] {
  const { nodes } = buildGraph(spec.topology)
  return nodes.flatMap(({ kind, name }) => (kind === 'host' ? [name] : []))
}

function moreFlows({ workload }: Tree, random: Random, spec: ValidSpec): Tree {
  const names = hostsOf(spec)
  const flows = Array.from({ length: 1 + random.below(4) }, () => {
    const [from, to] = random.shuffle([...names])
    const start = random.below(20_000)
    const stop = one(random, [{}, { stop: `${start + 1 + random.below(60_000)}ns` }])
    return { from, to, start: `${start}ns`, ...stop, weight: one(random, [1, 0.3, 7]) }
  })
  return { workload: [...(workload as Tree[]), { flows }] }
}

function generator({ workload }: Tree, random: Random): Tree {
  const arrivals = one<unknown>(random, [
    { kind: 'poisson', load: 0.4 },
    { kind: 'poisson', interval: '2us' },
    { kind: 'periodic', period: '7us', count: 3 },
  ])
  const pattern = one<unknown>(random, ['uniform', 'permutation', { kind: 'incast', senders: 1 }])
  const generate = { arrivals, pattern, sizes: one(random, ['3KB', '20KB']), flowsMax: 12 }
  return { workload: [...(workload as Tree[]), { generate }] }
}

function links(_: Tree, random: Random, spec: ValidSpec): Tree {
  const graph = buildGraph(spec.topology)
  const changes = Array.from({ length: 1 + random.below(4) }, () => {
    const { a, b } = one(random, graph.links)
    const between = [graph.nodes[a]!.name, graph.nodes[b]!.name]
    const at = random.below(60_000)
    const down = { at: `${at}ns`, between, state: 'down' }
    return one<readonly Tree[]>(random, [
      [down],
      [down, { ...down, at: `${at + 1 + random.below(40_000)}ns`, state: 'up' }],
      [{ at: `${at}ns`, between, errors: one(random, ['1e-6', '1e-4']) }],
      [{ at: `${at}ns`, between, rate: one(random, ['3Gbps', '100Gbps']) }],
    ])
  }).flat()
  const detection = one(random, ['none', '1us', '13us', '100us'])
  return { links: { detection, pauseTime: one(random, ['auto', 'none', '9us']), changes } }
}

const ROUTINGS: readonly unknown[] = [
  ...['shortest-path', 'packet-spray', 'paths-in-turn', 'reps', 'dimension-order', 'vlb', 'romm'],
  ...['wlb', { kind: 'choice', of: ['dimension-order', 'vlb', 'wlb'], begin: 'hash' }],
]

function routing(_: Tree, random: Random): Tree {
  return { routing: one(random, ROUTINGS) }
}

function transport(tree: Tree, random: Random): Tree {
  const tcp = {
    reliability: 'tcp',
    tcp: {
      ...{ rtoMin: '50us', granularity: '10us', delayedAck: '5us' },
      ...{ sack: random.below(2) === 0, idleRestart: random.below(2) === 0 },
      connection: one(random, ['per-flow', 'persistent']),
    },
  }
  const some = [
    tcp,
    { reliability: one(random, ['unordered', 'none', 'selective-repeat']) },
    {
      window: one<unknown>(random, [
        'bdp',
        '4KB',
        { kind: 'bdp', of: 'fabric', followsRate: true },
      ]),
    },
    { service: one(random, ['round-robin', 'shortest-first', 'next-service-time']) },
    { ack: 'none' },
    { burst: random.below(5) },
  ]
  return { hosts: { ...(tree.hosts as Tree), ...one<Tree>(random, some) } }
}

/** A parameter becomes another, everywhere or at one switch. */
function manager(tree: Tree, random: Random, spec: ValidSpec): Tree {
  const card = schemes.find(({ name }) => name === spec.scheme.name)!
  const numbers = Object.entries(card.params).filter(([, param]) => isNumberParam(param))
  if (numbers.length === 0) return {}
  const [name, param] = one(random, numbers)
  const value = Number(spec.scheme.params[name]) * one(random, [0.5, 2])
  const suffix = { time: 'ps', size: 'B', rate: 'bps' }[param.unit as string] ?? ''
  const { nodes } = buildGraph(spec.topology)
  const where = one(random, [[], [one(random, nodes).name]])
  const change = { at: `${random.below(40)}us`, where, params: { [name]: `${value}${suffix}` } }
  return { scheme: { ...(tree.scheme as Tree), changes: [change] } }
}

function preset(_: Tree, random: Random, spec: ValidSpec): Tree {
  const { name, presets } = schemes.find((card) => card.name === spec.scheme.name)!
  const names = Object.keys(presets)
  return names.length === 0 ? {} : { scheme: { name, preset: one(random, names) } }
}
