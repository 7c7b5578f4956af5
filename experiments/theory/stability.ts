/**
 * DCQCN's boundary of stability, flows against delay: theory, and the oscillation that packets
 * show.
 *
 * Y. Zhu et al., "ECN or Delay", CoNEXT 2016, section 3: stability is lost with delay, and not
 * monotonically in the number of flows. 40 Gb/s, marks at departure. Theory: the sign of the
 * rightmost root. Packets: the queue's standard deviation over its mean in the later half, of the
 * queue averaged over 100 us; above 0.5 it is said to oscillate. That bound was chosen before the
 * first run; what came of it is in the notes. Below the map, the answer of docs/theory.md for 40
 * flows at 20 us, with packets, which is ours: no document has those thresholds. Marks are drawn:
 * five seeds, and a place oscillates if their mean does.
 */
import { meanInterval } from '@weir/metrics'
import type { MapCell } from '@weir/theory'
import { stabilityMap } from '@weir/theory'
import type { Check, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { holds, ours, seedsOf } from '../figure.ts'
import type { Bottleneck } from './bottleneck.ts'
import { deviationOf, later, meanOf, modelOf, networkOf } from './bottleneck.ts'
import { packetsOf, queueOf, smoothed } from './bottleneck.ts'
import { decided } from './decided.ts'

const OSCILLATES = 0.5

/** 40 flows at 20 us: thresholds, and what theory says of them. */
const QUESTION = [
  { name: 'kmax 400 KB, pmax 10%, marks at arrival', kmax: 400e3, pmax: 0.1, markAt: 'enqueue' },
  { name: 'kmax 400 KB, pmax 10%, marks at departure', kmax: 400e3, pmax: 0.1, markAt: 'dequeue' },
  { name: 'kmax 200 KB, pmax 1%, marks at arrival', kmax: 200e3, pmax: 0.01, markAt: 'enqueue' },
] as const

export const stability: Figure = {
  id: 'theory/stability',
  title: 'DCQCN: stability by theory and oscillation in packets, flows against delay',
  cite: 'Zhu et al., "ECN or Delay", CoNEXT 2016, section 3',
  claim:
    'Theory says: DCQCN loses stability with delay, and where depends on the number of flows. ' +
    'Here, in packets, all that it calls unstable oscillates, but so does most of what it calls ' +
    'stable: marks come by chance, and that keeps a weakly damped queue swinging.',
  reproduce,
  switches: [
    {
      name: 'the delay of news',
      without: () => ['topology.delay=1us'],
      breaks: ['places that theory calls unstable', '10 flows: variation at the longest delay'],
    },
  ],
}

interface Place {
  readonly b: Bottleneck
  readonly cell: MapCell
  /** By seed. */
  readonly variations: readonly number[]
  readonly variation: number
  readonly used: number
  readonly queueKb: number
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const flows = isFull ? [2, 4, 6, 10] : [2, 10]
  const delaysUs = isFull ? [4, 20, 50, 85, 110, 150] : [4, 50, 150]
  const untilMs = isFull ? 100 : 40
  const seeds = seedsOf(context)
  const grid = delaysUs.flatMap((us) =>
    flows.map((n) => bottleneck(n, us, untilMs, { markAt: 'dequeue' })),
  )
  const asked = QUESTION.map(({ name: _, ...params }) => bottleneck(40, 20, untilMs, params))
  let done = 0
  const all = await Promise.all(
    [...grid, ...asked].map(async (b) => {
      const place = await placeOf(b, seeds, context)
      context.progress(++done / (grid.length + asked.length), `${b.flows} flows`)
      return place
    }),
  )
  const places = all.slice(0, grid.length)
  const answers = all.slice(grid.length)
  return {
    draws: `${seeds.length} seeds`,
    checks: [...mapChecks(context.size, places), ...answers.map(answerRow)],
    plots: [variationsOf(places, flows), curvesOf(places, flows)],
    notes: [
      'Theory is right about what is lost: every place that it calls unstable oscillates. It is ' +
        'wrong about what is kept: with few flows packets swing by more than half their mean at ' +
        'every delay, for marks come by chance, a CNP cuts by 5%, and a margin of some degrees ' +
        'damps little. With ten flows the noise averages out, and the boundary shows, though ' +
        'sooner than theory has it.',
      'Places near the boundary grow or die over tens of milliseconds, and may be called ' +
        'either way.',
    ],
  }
}

function bottleneck(
  flows: number,
  delayUs: number,
  untilMs: number,
  params: Readonly<Record<string, number | string>>,
): Bottleneck {
  const linkDelayPs = Math.round((delayUs * 1e6) / 4)
  return { scheme: 'dcqcn', flows, rateBps: 40e9, linkDelayPs, untilMs, intervalUs: 20, params }
}

async function placeOf(
  b: Bottleneck,
  seeds: readonly number[],
  { simulate }: Pick<FigureContext, 'simulate'>,
): Promise<Place> {
  const [cell] = cellOf(b)
  const results = await Promise.all(seeds.map((seed) => simulate(packetsOf({ ...b, seed }))))
  const queues = results.map((result) => later(smoothed(queueOf(result).values, 2)))
  const links = results.map(({ series }) =>
    series.find(({ name }) => name.startsWith('utilisation'))!,
  )
  const variations = queues.map((queue) => deviationOf(queue) / meanOf(queue))
  return {
    b,
    cell: cell!,
    variations,
    variation: meanOf(variations),
    used: meanOf(links.map(({ values: used }) => meanOf(later(used)))),
    queueKb: meanOf(queues.map(meanOf)) / 1e3,
  }
}

function cellOf(b: Bottleneck): readonly MapCell[] {
  const network = networkOf(b)
  const model = modelOf(b)
  const values = { ...model.defaults, ...b.params }
  return stabilityMap(model, network, values, [b.flows], [network.delayPs])
}

/** Steps of theory's curve. */
const STEPS = 20

/** The values, and those that are as many steps from the first to the last. */
function between(values: readonly number[]): readonly number[] {
  const [first, last] = [Math.min(...values), Math.max(...values)]
  const steps = Array.from({ length: STEPS }, (_, k) =>
    Math.round(first + (k * (last - first)) / STEPS),
  )
  return [...new Set([...values, ...steps])].sort((a, b) => a - b)
}

type Size = FigureContext['size']

function mapChecks(size: Size, places: readonly Place[]): Check[] {
  const of = (verdict: MapCell['verdict']): readonly Place[] =>
    places.filter(({ cell }) => cell.verdict === verdict)
  const share = (chosen: readonly Place[], isOscillating: boolean): number =>
    chosen.filter(({ variation }) => variation > OSCILLATES === isOscillating).length /
    chosen.length
  const unstable = share(of('unstable'), true)
  const stable = share(of('stable'), false)
  const most = Math.max(...places.map(({ b }) => b.flows))
  const many = places.filter(({ b }) => b.flows === most)
  const [first, last] = [many[0]!, many.at(-1)!]
  return [
    holds(
      'places that theory calls unstable: share that oscillates in packets',
      'all of them',
      100 * unstable,
      unstable === 1,
      '%',
      `${of('unstable').length} places`,
    ),
    holds(
      'places that theory calls stable: share that does not oscillate in packets',
      'all of them',
      100 * stable,
      stable === 1,
      '%',
      `${of('stable').length} places: ${listed(of('stable'))}; chance of marks, see notes`,
    ),
    decided(
      size,
      `${most} flows: variation at the longest delay over that at the shortest`,
      'stable at 4 us, not at 150 us: at least twice',
      last.variations.map((variation, i) => variation / first.variations[i]!),
      [2, Infinity],
      'times',
      `link used ${first.used.toFixed(3)} and ${last.used.toFixed(3)}`,
    ),
  ]
}

function listed(places: readonly Place[]): string {
  return places
    .map(
      ({ b, variation }) =>
        `${b.flows} flows, ${(b.linkDelayPs * 4) / 1e6} us: ${variation.toFixed(2)}`,
    )
    .join('; ')
}

function answerRow({ cell, variations, used, queueKb }: Place, i: number): Check {
  const says = {
    stable: 'stable by theory, and would not oscillate',
    unstable: 'not stable by theory',
    none: 'without a fixed point by theory, on the cliff',
  }[cell.verdict]
  return ours(
    `40 flows, 20 us, ${QUESTION[i]!.name}: variation of the queue`,
    variations,
    '',
    `${says}; mean queue ${queueKb.toFixed(0)} KB, link used ${used.toFixed(3)}; see notes`,
  )
}

/** By delay, as theory's growth below it. */
function variationsOf(places: readonly Place[], flows: readonly number[]): Plot {
  const delays = [...new Set(places.map(({ b }) => (b.linkDelayPs * 4) / 1e6))]
  const ends = [Math.min(...delays), Math.max(...delays)]
  return {
    title: 'Packets: variation of the queue (deviation over mean), oscillates above 0.5',
    kind: 'lines',
    x: { label: 'delay', unit: 'us' },
    y: { label: 'variation', unit: '' },
    curves: [
      ...flows.map((n) => {
        const row = places.filter(({ b }) => b.flows === n)
        return {
          name: `${n} flows`,
          x: row.map(({ b }) => (b.linkDelayPs * 4) / 1e6),
          y: row.map(({ variation }) => variation),
          half: row.map(({ variations }) => meanInterval(variations).half || 0),
        }
      }),
      { name: 'our bound, 0.5', x: ends, y: [OSCILLATES, OSCILLATES], isExpected: true },
    ],
  }
}

function curvesOf(places: readonly Place[], flows: readonly number[]): Plot {
  return {
    title: 'Theory: growth of a disturbance (real part of the rightmost root), unstable above 0',
    kind: 'lines',
    x: { label: 'delay', unit: 'us' },
    y: { label: 'growth', unit: '1/s' },
    // Between the places that ran, too: where it crosses zero is computed, not drawn by a ruler.
    curves: flows.map((n) => {
      const row = places.filter(({ b }) => b.flows === n).map(({ b }) => b)
      const all = between(row.map(({ linkDelayPs }) => linkDelayPs))
      const cells = all.flatMap((linkDelayPs) => cellOf({ ...row[0]!, linkDelayPs }))
      return {
        ...{ name: `${n} flows`, isExpected: true },
        x: all.map((linkDelayPs) => (linkDelayPs * 4) / 1e6),
        y: cells.map(({ growth }) => growth),
      }
    }),
  }
}
