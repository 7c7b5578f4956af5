/**
 * Throughput of four routings on an 8-ary 2-cube, from exact channel loads; and in packets.
 *
 * P. Costa et al., "R2C2", SIGCOMM 2015, Fig. 2, 'table from [20]' (W. J. Dally and B. Towles,
 * 2003; A. Singh et al., SPAA 2002). In that literature the first column is ROMM and not spraying,
 * the last RLB, and the worst case is the worst permutation for each routing, found here as the
 * heaviest matching for every kind of channel. Published numbers have up to two digits behind the
 * point, and ours agrees if it rounds to the same (a whole number counts with one digit more).
 *
 * Changed after first results: saturation in packets within 2% of that by channel loads was said to
 * agree with the paper, which has no packets; it is ours, and a test holds it to that.
 */
import type { Cube as CubeType, Demand, ObliviousRouting } from '@weir/theory'
import {
  channelLoads,
  Cube,
  destinationTag,
  hopSpraying,
  maxLoad,
  patternNames,
  patternOf,
  rlb,
  romm,
  ShortestWays,
  spraying,
  throughput,
  Translated,
  valiant,
  worstCase,
} from '@weir/theory'
import { holds, ours } from '../figure.ts'
import type { Check, Curve, Figure, FigureContext, FigureResult } from '../figure.ts'
import { CITE } from './cite.ts'
import type { Injection, Steady } from './saturation.ts'
import { specOf, steadyOf } from './saturation.ts'

const ROWS = [...patternNames, 'worst case'] as const

interface Column {
  readonly name: string
  readonly routing: (cube: CubeType) => ObliviousRouting
  /** Fig. 2, in the order of ROWS, with its digits. */
  readonly published: readonly string[]
}

const COLUMNS: readonly Column[] = [
  {
    name: 'ROMM (the column "random packet spraying")',
    routing: (cube) => new Translated(cube, romm(cube)),
    published: ['4', '1', '0.4', '0.54', '0.33', '0.21'],
  },
  {
    name: 'destination tag',
    routing: (cube) => destinationTag(cube),
    published: ['4', '1', '0.5', '0.25', '0.33', '0.25'],
  },
  {
    name: 'VLB',
    routing: (cube) => valiant(cube, spraying(new ShortestWays(cube))),
    published: ['0.5', '0.5', '0.5', '0.5', '0.5', '0.5'],
  },
  {
    name: 'WLB (RLB)',
    routing: (cube) => new Translated(cube, rlb(cube)),
    published: ['2.33', '0.76', '0.42', '0.57', '0.53', '0.31'],
  },
]

/** What else the two columns that differ could mean. */
const VARIANTS: readonly (readonly [string, (cube: CubeType) => ObliviousRouting])[] = [
  ['ROMM, x before y', (cube) => romm(cube, { orders: 'fixed' })],
  ['ROMM, x y then y x', (cube) => romm(cube, { orders: 'fixed', isReversed: true })],
  ['ROMM, ties by parity', (cube) => romm(cube, { ties: 'parity' })],
  ['ROMM, ends are no intermediate nodes', (cube) => romm(cube, { isInner: true })],
  ['RLB, x before y', (cube) => rlb(cube, { orders: 'fixed' })],
  ['RLB, x y then y x', (cube) => rlb(cube, { orders: 'fixed', isReversed: true })],
  ['RLB, ties by parity', (cube) => rlb(cube, { ties: 'parity' })],
  ['RLB, ends are no intermediate nodes', (cube) => rlb(cube, { isInner: true })],
  ['RLBth, minimal below k/4', (cube) => rlb(cube, { threshold: 2 })],
]

export const fig2: Figure = {
  id: 'r2c2/fig2',
  title: 'Throughput of four routings on six traffic patterns',
  cite: `${CITE}, section 2.2.1, Fig. 2`,
  claim: 'No single routing algorithm can achieve optimal throughput across all workloads.',
  headline: 'routings that are best on every pattern',
  switches: [
    {
      name: 'what tells the routings apart (all are destination tag)',
      reproduce: (context) => reproduce(context, (_, cube) => destinationTag(cube)),
      breaks: [
        ...['bit complement', 'worst case'].map((row) => `${COLUMNS[0]!.name}, ${row}`),
        ...['nearest neighbour', 'uniform', 'transpose', 'tornado', 'worst case'].map(
          (row) => `VLB, ${row}`,
        ),
        ...['uniform', 'bit complement', 'tornado', 'worst case'].map((row) => `WLB (RLB), ${row}`),
        'routings that are best',
      ],
    },
    {
      name: 'what tells the routings apart (all are VLB)',
      reproduce: (context) => reproduce(context, (_, cube) => COLUMNS[2]!.routing(cube)),
      breaks: ['nearest neighbour', 'uniform', 'tornado'].map(
        (row) => `${COLUMNS[0]!.name}, ${row}`,
      ),
    },
    {
      name: 'what tells the routings apart (all are ROMM)',
      reproduce: (context) => reproduce(context, (_, cube) => COLUMNS[0]!.routing(cube)),
      breaks: ['destination tag, bit complement', 'VLB, bit complement'],
    },
    {
      name: 'destination tag (VLB instead)',
      reproduce: (context) =>
        reproduce(context, ({ name, routing }, cube) =>
          (name.startsWith('dest') ? COLUMNS[2]!.routing : routing)(cube),
        ),
      breaks: [
        ...['nearest neighbour', 'uniform', 'transpose', 'tornado', 'worst case'].map(
          (row) => `destination tag, ${row}`,
        ),
      ],
    },
  ],
  reproduce: (context) => reproduce(context, ({ routing }, cube) => routing(cube)),
}

async function reproduce(
  context: FigureContext,
  routingOf: (column: Column, cube: CubeType) => ObliviousRouting,
): Promise<FigureResult> {
  const cube = new Cube([8, 8])
  const table = COLUMNS.map((column) => rowsOf(cube, routingOf(column, cube)))
  const ways = new ShortestWays(cube)
  const sprayed = rowsOf(cube, spraying(ways))
  const variants = VARIANTS.map(
    ([name, routing]) =>
      `${name}: ${rowsOf(cube, movable(cube, name, routing))
        .map(digits)
        .join(' ')}`,
  )
  const best = ROWS.map((_, row) => Math.max(...table.map((column) => column[row]!)))
  const bestEverywhere = table.filter((column) =>
    column.every((value, row) => value >= best[row]! - 1e-9),
  ).length
  return {
    checks: [
      ...COLUMNS.flatMap((column, i) =>
        ROWS.map((row, j) => published(column, row, column.published[j]!, table[i]![j]!)),
      ),
      holds(
        'routings that are best on every pattern',
        'no single routing algorithm',
        bestEverywhere,
        bestEverywhere === 0,
        'routings',
      ),
      ...(await inPackets(cube, context)),
    ],
    plots: [
      {
        title: 'Fig. 2: throughput as a fraction of capacity, computed from channel loads',
        kind: 'bars',
        x: { label: 'traffic', unit: '' },
        y: { label: 'throughput', unit: 'of capacity', scale: 'log' },
        curves: [
          ...COLUMNS.map((column, i) => ({ ...curve(column, table[i]!), isExpected: true })),
          ...COLUMNS.map((column) => ({
            ...curve(column, column.published.map(Number)),
            isPublished: true,
          })),
        ],
      },
    ],
    notes: [
      'Spraying evenly over all shortest paths, which the stack uses and the text describes ' +
        `("used equally"), is another distribution than ROMM: ${named(sprayed)}.`,
      `Variants, in the order ${ROWS.join(', ')}: ${variants.join('; ')}. None has 0.54 or 0.57 ` +
        'for transpose and keeps the other numbers of its column, and none has 2.33 for nearest ' +
        'neighbour.',
      'In packets every channel is offered 5% less and 5% more than its load allows. ' +
        (context.size === 'full'
          ? 'All five patterns, by six routings.'
          : 'Transpose and tornado here, sprayed hop by hop and by destination tag; --full has ' +
            'all five patterns, and VLB, ROMM, WLB and spraying over all paths.'),
    ],
  }
}

/** Ties by parity look at where the source is; the others are worked out once for each offset. */
function movable(
  cube: CubeType,
  name: string,
  routing: (cube: CubeType) => ObliviousRouting,
): ObliviousRouting {
  return name.includes('parity') ? routing(cube) : new Translated(cube, routing(cube))
}

/** Throughput on each pattern, and in the worst case. */
export function rowsOf(cube: CubeType, routing: ObliviousRouting): number[] {
  const patterns = patternNames.map((name) => throughput(cube, routing, patternOf(cube, name)))
  // Routings look alike from every node but for the parity of its coordinates: two nodes in a row
  // have channels of all kinds.
  const kinds = [0, 1, cube.sizes[1]!].flatMap((node) =>
    Array.from(
      { length: cube.starts[node + 1]! - cube.starts[node]! },
      (_, i) => cube.starts[node]! + i,
    ),
  )
  return [...patterns, 1 / worstCase(cube, routing, kinds).load / cube.capacity]
}

function published(column: Column, row: string, text: string, measured: number): Check {
  const places = text.split('.')[1]?.length ?? 0
  const half = 0.5 / [10, 10, 100][places]!
  const agrees = Math.abs(measured - Number(text)) <= half + 1e-9
  const why =
    row === 'transpose'
      ? 'No variant gives the published number without losing others of the column; see the notes.'
      : 'Here 1 hop in 8 goes the long way round, which loads a channel by 7/16: 16/7 is 2.29.'
  return {
    name: `${column.name}, ${row}`,
    published: Number(text),
    measured,
    unit: 'of capacity',
    verdict: agrees ? 'agrees' : 'differs',
    note: agrees ? '' : why,
  }
}

function named(values: readonly number[]): string {
  return ROWS.map((row, j) => `${row} ${digits(values[j]!)}`).join(', ')
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)}%`
}

function digits(value: number): string {
  return value.toFixed(3)
}

function curve({ name }: Column, y: readonly number[]): Curve {
  return { name: name.replace(/ \(the column.*/u, ''), x: ROWS, y }
}

/** How far from the predicted saturation the runs below and above it are. */
const MARGIN = 0.05

interface Trial {
  readonly name: string
  readonly predicted: number
  /** Channels with the highest load. */
  readonly hottest: readonly number[]
  readonly demands: readonly Demand[]
  /** As a scenario has it. */
  readonly routing: unknown
}

/** Injects 5% less and 5% more than channel loads allow: all arrives, and then it does not. */
async function inPackets(cube: CubeType, context: FigureContext): Promise<Check[]> {
  const ways = new ShortestWays(cube)
  const all: readonly (readonly [string, ObliviousRouting, unknown])[] = [
    ['spraying hop by hop', hopSpraying(ways), 'packet-spray'],
    ['destination tag', destinationTag(cube), 'dimension-order'],
    ['VLB', valiant(cube, spraying(ways)), 'vlb'],
    ['spraying over all paths', spraying(ways), { kind: 'packet-spray', evenOver: 'paths' }],
    ['ROMM', romm(cube), 'romm'],
    ['WLB (RLB)', rlb(cube), 'wlb'],
  ]
  // Where all channels are equally hot, queues at 95% take longer than a quick run to settle.
  const routings = context.size === 'full' ? all : all.slice(0, 2)
  const names = context.size === 'full' ? patternNames : (['transpose', 'tornado'] as const)
  const trials = names.flatMap((name): Trial[] => {
    // Servers send nothing to themselves here: the others share what a server injects.
    const demands = withoutSelf(patternOf(cube, name))
    const saturation = (routing: ObliviousRouting) => {
      const loads = channelLoads(cube, routing, demands)
      const most = maxLoad(loads)
      const hottest = [...loads.keys()].filter((c) => loads[c]! > most * (1 - 1e-9))
      return { predicted: 1 / most, hottest, demands }
    }
    return routings.map(([routed, theory, routing]) => ({
      name: `${routed}, ${name}`,
      ...saturation(theory),
      routing,
    }))
  })
  const checks: Check[] = []
  for (const [i, trial] of trials.entries()) {
    context.progress(i / trials.length, trial.name)
    const [below, above] = await Promise.all([
      steady(cube, trial, 1 - MARGIN, context),
      steady(cube, trial, 1 + MARGIN, context),
    ])
    const measured = (trial.predicted * (1 - MARGIN)) / below.busiest
    const isWhole = Math.abs(below.delivered - 1) < 0.02
    const isFull = above.busiest > 0.98 && above.leastDelivered < 0.98
    const isConfirmed = isWhole && isFull && Math.abs(measured / trial.predicted - 1) < 0.02
    checks.push(
      ours(
        `packets: saturation of ${trial.name}`,
        measured,
        'of link rate',
        `${digits(trial.predicted)} by channel loads, ${isConfirmed ? '' : 'not '}confirmed: at ` +
          `95% of it ${percent(below.delivered)} arrives; at 105% the hottest channels are busy ` +
          `${percent(above.busiest)} of the time and the worst flow gets ` +
          `${percent(above.leastDelivered)}.`,
      ),
    )
  }
  return checks
}

function withoutSelf(demands: readonly Demand[]): Demand[] {
  const others = demands.filter(({ source, target }) => source !== target)
  const sums = new Map<number, number>()
  for (const { source, fraction } of others) sums.set(source, (sums.get(source) ?? 0) + fraction)
  return others.map((demand) => ({
    ...demand,
    fraction: demand.fraction / sums.get(demand.source)!,
  }))
}

async function steady(
  cube: CubeType,
  { predicted, demands, routing, hottest }: Trial,
  factor: number,
  context: FigureContext,
): Promise<Steady> {
  const injection = (untilUs: number): Injection => ({
    cube,
    demands,
    rate: predicted * factor,
    untilUs,
    routing,
  })
  const untilUs = context.size === 'full' ? 4000 : 400
  const [half, whole] = await Promise.all([
    context.simulate(specOf(injection(untilUs / 2))),
    context.simulate(specOf(injection(untilUs))),
  ])
  return steadyOf(half, whole, injection(untilUs), hottest)
}
