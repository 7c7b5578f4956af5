/**
 * A routing protocol for each flow, in packets: what the rack delivers when its nodes choose, over
 * what it delivers with one protocol for all flows and with a random one for each, beside the rates
 * that are computed for the same flows.
 *
 * P. Costa et al., "R2C2", SIGCOMM 2015, section 5.2, Fig. 18 (`fig18.ts` has it without packets):
 * a fraction L of the nodes send one long flow each, to nodes that receive at most one. Flows begin
 * sprayed over all shortest ways, 'used equally'; nodes choose in turn between that and VLB.
 *
 * Ours: links of 1 Gb/s, so that fewer packets do (rates in Gb/s are a tenth of the paper's rack);
 * a headroom of 15%, since queues of links that are 95% busy take longer to fill than a run lasts
 * (with it VLB's flows delivered 3% less than they sent at L = 1, and more each millisecond); rates
 * each 100 us; turns each 500 us, of which three are over when measuring begins.
 *
 * Changed after first results: a gain of what is delivered was one however small, and agreed at
 * 0.41% where `fig18.ts` has draws in which nothing beats one protocol. Delivered and computed are
 * up to 0.3% apart in the mean: rates computed for the same routes have to gain in each draw, too.
 * That rule decided the verdict of what is delivered, whose row did not show it; it has rows of its
 * own now. On 64 nodes what is delivered is above one in all five draws at both loads, and agrees;
 * what is computed is not (0.00 and -0.72% in one draw each), and differs. 'Always' holds if both
 * agree.
 */
import { Random } from '@weir/engine'
import { mean, meanInterval } from '@weir/metrics'
import type { Result, ValidSpec } from '@weir/sim'
import { validateSpec } from '@weir/sim'
import type { LinkFractions } from '@weir/theory'
import { Cube, RouteProblem, ShortestWays, spraying, Translated, valiant } from '@weir/theory'
import { drawn, drawsOf, needsFull, ours, seedsOf } from '../figure.ts'
import type { Check, Curve, Figure, FigureContext, FigureResult } from '../figure.ts'
import { CITE } from './cite.ts'
import { gainCheck, partialPermutation } from './fig18.ts'

const LINK_BPS = 1e9
const HEADROOM = 0.15
const HALF_US = 2000
const WIRE = 1048 / 1000

const SPRAY = { kind: 'packet-spray', evenOver: 'paths' }
const BOTH = { kind: 'choice', of: [SPRAY, 'vlb'] }

/** The first is the one that chooses. */
const WAYS = [
  { name: 'adaptive', routing: BOTH, params: { routes: 'adaptive' } },
  { name: 'RPS', routing: SPRAY, params: {} },
  { name: 'VLB', routing: 'vlb', params: {} },
  { name: 'random', routing: { ...BOTH, begin: 'hash' }, params: {} },
] as const

export const fig18Packets: Figure = {
  id: 'r2c2/fig18-packets',
  title: 'Throughput delivered with a routing protocol chosen for each flow by the rack',
  cite: `${CITE}, section 5.2, Fig. 18`,
  claim:
    'With the routing protocol of each flow selected (adaptive), throughput is always above that ' +
    'with random packet spraying over shortest paths (RPS) for all, with VLB, which goes by way ' +
    'of a random node, for all, and with a random one of the two for each flow. Of those, ' +
    'spraying is best where half of the nodes or more send (L = 0.5), VLB at low load.',
  switches: [
    {
      name: 'the choice of routes',
      without: ({ scheme }) =>
        scheme.params['routes'] === 'adaptive' ? ['scheme.params.routes=fixed'] : [],
      breaks: ['adaptive over the best'],
    },
  ],
  reproduce,
}

interface Size {
  readonly dimensions: readonly number[]
  readonly loads: readonly number[]
  readonly evaluations: number
}

const SMALL: Size = { dimensions: [4, 4, 4], loads: [0.125, 1], evaluations: 600 }
const WHOLE: Size = { dimensions: [8, 8, 8], loads: [0.125, 0.25, 0.5, 1], evaluations: 1500 }

/** Of one way of routing: by load and seed, Gb/s on the wire. */
interface Point {
  readonly load: number
  /** `delivered[way][seed]` and `computed[way][seed]`. */
  readonly delivered: readonly (readonly number[])[]
  readonly computed: readonly (readonly number[])[]
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const size = isFull ? WHOLE : SMALL
  const nodes = isFull ? 512 : 64
  const seeds = seedsOf({ ...context, size: 'full' })
  const points: Point[] = []
  for (const [i, load] of size.loads.entries()) {
    context.progress(i / size.loads.length, `load ${load}`)
    points.push(await pointOf(context, size, load, seeds))
  }
  return {
    checks: [
      ...points.flatMap(adaptiveChecks),
      ...points.flatMap((point) => singleChecks(point, isFull)),
      ...points.map(packetsCheck),
    ],
    plots: [
      {
        title: `Fig. 18 in packets: routes chosen over each baseline, delivered, ${nodes} nodes`,
        kind: 'lines',
        x: { label: 'load L, nodes that send', unit: 'of all' },
        y: { label: 'adaptive over baseline', unit: 'ratio', isMagnified: true },
        curves: [
          ...WAYS.slice(1).map(({ name }, w) => ratioCurve(`over ${name}`, points, w + 1)),
          {
            name: 'one: no gain (computed)',
            x: points.map(({ load }) => load),
            y: points.map(() => 1),
            isExpected: true,
          },
        ],
      },
      {
        title: `Delivered by each routing, ${nodes} nodes`,
        kind: 'lines',
        x: { label: 'load L, nodes that send', unit: 'of all' },
        y: { label: 'sum over flows', unit: 'Gb/s' },
        curves: WAYS.map(({ name }, w) => curve(name, points, ({ delivered }) => delivered[w]!)),
      },
    ],
    draws: drawsOf(seeds),
    notes: [
      'Delivered is what receivers got in the second half of each run, headers counted; computed ' +
        'is the sum of max-min rates for the routes that flows had at its end.',
      'The curves of Fig. 18 are not in the text.',
      ...(isFull ? [] : ['64 nodes here, 512 with --full.']),
    ],
  }
}

async function pointOf(
  context: FigureContext,
  size: Size,
  load: number,
  seeds: readonly number[],
): Promise<Point> {
  const routes = new Routes(new Cube([...size.dimensions]))
  const runs = await Promise.all(
    WAYS.map((way) =>
      Promise.all(
        seeds.map(async (seed) => {
          const pairs = pairsOf(routes.cube, load, seed)
          const result = await context.simulate(specOf(size, way, pairs, seed))
          return { delivered: deliveredOf(result), computed: routes.computed(pairs, result, way) }
        }),
      ),
    ),
  )
  return {
    load,
    delivered: runs.map((ones) => ones.map(({ delivered }) => delivered)),
    computed: runs.map((ones) => ones.map(({ computed }) => computed)),
  }
}

function pairsOf(cube: Cube, load: number, seed: number): [number, number][] {
  return partialPermutation(cube.nodes, load, new Random(seed, `fig18.${load}`))
}

function specOf(
  { dimensions, evaluations }: Size,
  { routing, params }: (typeof WAYS)[number],
  pairs: readonly (readonly [number, number])[],
  seed: number,
): ValidSpec {
  return validateSpec({
    name: 'r2c2-routes',
    seed,
    topology: {
      kind: 'torus',
      dimensions: [...dimensions],
      rate: `${LINK_BPS}bps`,
      delay: '100ns',
      injectionRate: `${2 * dimensions.length * LINK_BPS}bps`,
    },
    fabric: { flowControl: 'none', buffer: { size: '4MB', threshold: '1MB' }, ecn: 'none' },
    hosts: { mtu: '1000B', header: '48B', ack: 'none', reliability: 'none' },
    routing,
    workload: [{ flows: pairs.map(([from, to]) => ({ from: `h${from}`, to: `h${to}` })) }],
    scheme: {
      name: 'r2c2',
      params: {
        ...{ rho: '100us', headroom: HEADROOM, start: 'link' },
        ...{ routePeriod: '500us', routeEvaluations: evaluations, ...params },
      },
    },
    run: { until: `${2 * HALF_US}us` },
    metrics: { interval: `${HALF_US}us`, series: ['rate.*', 'r2c2.routing.*'] },
  })
}

/** In the second half, Gb/s on the wire. */
function deliveredOf({ series }: Result): number {
  return series
    .filter(({ name }) => name.startsWith('rate.'))
    .reduce((sum, { values }) => sum + (WIRE * values.at(-1)!) / 1e9, 0)
}

/** What nodes should compute, from the flows' routes alone. */
class Routes {
  readonly cube: Cube
  readonly #rps: Translated
  readonly #vlb: Translated

  constructor(cube: Cube) {
    const sprayed = spraying(new ShortestWays(cube))
    this.cube = cube
    this.#rps = new Translated(cube, sprayed)
    this.#vlb = new Translated(cube, valiant(cube, sprayed))
  }

  computed(
    pairs: readonly (readonly [number, number])[],
    { series }: Result,
    { name }: (typeof WAYS)[number],
  ): number {
    const flows = pairs.map(([from, to]): { routes: readonly LinkFractions[] } => ({
      routes: [this.#rps.fractions(from, to), this.#vlb.fractions(from, to)],
    }))
    const capacities = new Float64Array(this.cube.count).fill(LINK_BPS)
    const problem = new RouteProblem(capacities, flows, 'aggregate', HEADROOM)
    const members = series.filter((one) => one.name.startsWith('r2c2.routing.'))
    const byFlow = new Map(members.map((one) => [one.name, one.values.at(-1)!]))
    const chosen = pairs.map((_, i) => byFlow.get(`r2c2.routing.f${i}`)!)
    return problem.utilityOf(Uint8Array.from(name === 'VLB' ? chosen.map(() => 1) : chosen)) / 1e9
  }
}

/** By seed: that of the first way over the best of the others. */
function overBest(ways: readonly (readonly number[])[]): number[] {
  return ways[0]!.map((gbps, seed) => gbps / Math.max(...ways.slice(1).map((way) => way[seed]!)))
}

/** 'Always': in every draw, of what arrives and, in a row of its own, of what is computed. */
function adaptiveChecks({ computed, delivered, load }: Point): Check[] {
  const means = (of: Point['delivered']): string =>
    WAYS.map(({ name }, w) => `${name} ${mean(of[w]!).toFixed(1)}`).join(', ')
  return [
    gainCheck(
      load,
      overBest(delivered),
      `Delivered in Gb/s, means: ${means(delivered)}. Of what arrives alone: whether the routes ` +
        'gain, and not the draw of packets, is in the next row.',
      'throughput gained, delivered',
    ),
    gainCheck(
      load,
      overBest(computed),
      `Rates computed for the routes that packets had, in Gb/s, means: ${means(computed)}.`,
      'throughput gained, computed for the same routes',
    ),
  ]
}

/** The claim is of 512 nodes; what 64 do is ours. */
function singleChecks({ load, delivered }: Point, isFull: boolean): Check[] {
  if (load > 0.125 && load < 0.5) return []
  const [name, over, under] = load >= 0.5 ? ['RPS over VLB', 1, 2] : ['VLB over RPS', 2, 1]
  const claim = load >= 0.5 ? 'a minimal routing is best' : 'VLB is superior at low load'
  const full = `${name}, delivered, L = ${load}`
  const ratios = delivered[over]!.map((gbps, seed) => gbps / delivered[under]![seed]!)
  if (isFull) return [drawn(full, claim, ratios, [1, 10], 'times')]
  return [
    needsFull(full, claim, 'said of 512 nodes; what 64 deliver is in a row of its own'),
    {
      ...ours(`64 nodes: ${full}`, ratios, 'times'),
      published: 'published for 512 nodes',
    },
  ]
}

function packetsCheck({ load, delivered, computed }: Point): Check {
  const ratios = delivered.map((way, w) => mean(way.map((gbps, s) => gbps / computed[w]![s]!)))
  const more = ratios.map((ratio) => 100 * (ratio - 1))
  const by = WAYS.map(
    ({ name }, w) => `${name} ${more[w]!.toFixed(1).replace(/^-(0\.0)$/u, '$1')}%`,
  )
  const worst = more.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one))
  return ours(
    `delivered more than computed, of the routing where they differ most, L = ${load}`,
    worst,
    '%',
    by.join(', '),
  )
}

function curve(name: string, points: readonly Point[], of: (point: Point) => readonly number[]) {
  const intervals = points.map((point) => meanInterval(of(point)))
  return {
    name,
    x: points.map(({ load }) => load),
    y: intervals.map((interval) => interval.mean),
    half: intervals.map(({ half }) => half || 0),
  } satisfies Curve
}

function ratioCurve(name: string, points: readonly Point[], w: number): Curve {
  return curve(name, points, ({ delivered }) =>
    delivered[0]!.map((gbps, seed) => gbps / delivered[w]![seed]!),
  )
}
