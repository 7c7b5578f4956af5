/**
 * TIMELY's continuum of fixed points: where two flows end depends on how they began.
 *
 * Y. Zhu et al., "ECN or Delay", CoNEXT 2016, section 4 (Theorem 3, and the figure of two flows
 * that start together or 10 ms apart): TIMELY has infinitely many fixed points and can come to rest
 * with any shares; patched TIMELY has one, and comes to it from anywhere. Two flows, 10 Gb/s, each
 * from 5 Gb/s: together, or the second 10 ms after the first. Packets and fluid alike; nothing is
 * drawn. That shares 'differ' is by 0.03, and equal ones are within 0.02: our bounds, as first
 * committed. Looked at after first results: in 0.4 s both starts end alike (notes). Changed: the
 * quick size had 0.1 s, in which they do not, and agreed with what is said of the end. Changed:
 * packets that start together and part counted as agreeing, for every share is a fixed point; but
 * they come to rest nowhere, and the paper says that they do.
 */
import type { Series } from '@weir/sim'
import { fluidModelByName, trajectory } from '@weir/theory'
import type { Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { holds } from '../figure.ts'
import type { Bottleneck } from './bottleneck.ts'
import { courseOf, later, meanOf, networkOf, packetsOf } from './bottleneck.ts'

const STARTS: readonly (readonly [string, readonly number[]])[] = [
  ['together', [0, 0]],
  ['10 ms apart', [0, 10]],
]

export const timelyStarts: Figure = {
  id: 'theory/timely-starts',
  title: "TIMELY's shares from two starts, packets and fluid",
  cite: 'Zhu et al., "ECN or Delay", CoNEXT 2016, section 4',
  claim:
    'The paper says: TIMELY comes to rest with whatever shares its start led to, patched TIMELY ' +
    'with equal ones. Here the start decides for a while, but shares do not rest: they drift ' +
    'apart, until one flow of packets has nearly all, from either start.',
  reproduce: (context) => reproduceWith(context, STARTS, 'patched-timely'),
  switches: [
    {
      name: 'the later start',
      reproduce: (context) =>
        reproduceWith(
          context,
          STARTS.map(([name]) => [name, [0, 0]]),
          'patched-timely',
        ),
      breaks: ['first share, fluid: 10 ms apart'],
    },
    {
      name: 'the patch',
      reproduce: (context) => reproduceWith(context, STARTS, 'timely'),
      breaks: ['first share, patched TIMELY'],
    },
    {
      // Below tLow every flow adds, above tHigh the slower one is cut less: shares come together.
      name: 'the gradient',
      without: () => ['scheme.params.tLow=60us', 'scheme.params.tHigh=60us'],
      breaks: [],
      mends: ['first share, packets that start together'],
    },
  ],
}

export function bottleneckOf(startsMs: readonly number[], untilMs: number): Bottleneck {
  return {
    scheme: 'timely',
    flows: 2,
    rateBps: 10e9,
    linkDelayPs: 2e6,
    untilMs,
    intervalUs: 100,
    params: { initialRate: 0.5 },
    startsMs,
  }
}

async function reproduceWith(
  context: FigureContext,
  starts: typeof STARTS,
  patched: 'patched-timely' | 'timely',
): Promise<FigureResult> {
  const untilMs = 400
  const runs = await Promise.all(
    starts.map(async ([name, startsMs]) => {
      const b = bottleneckOf(startsMs, untilMs)
      const result = await context.simulate(packetsOf(b))
      const series = ['rate.f0', 'rate.f1'].map((rate) =>
        result.series.find((one) => one.name === rate)!,
      )
      const packets = series.map(({ values }) => values)
      const fluid = courseOf(b).rateBps.map((rates) => Array.from(rates))
      return { name, packets, fluid, plot: plotOf(name, series, fluid) }
    }),
  )
  context.progress(1, 'both starts')
  const [together, apart] = runs as [(typeof runs)[0], (typeof runs)[0]]
  const alike = patchedShare(untilMs, patched)
  const differ = (a: number, b: number): boolean => Math.abs(a - b) > 0.03
  return {
    draws: 'nothing is drawn',
    checks: [
      holds(
        'first share, packets: 10 ms apart less together',
        'the start decides (by more than 0.03)',
        share(apart.packets) - share(together.packets),
        differ(share(apart.packets), share(together.packets)),
        '',
        `${share(together.packets).toFixed(3)} and ${share(apart.packets).toFixed(3)}; in a long ` +
          'run one flow takes nearly all from either start, see notes',
      ),
      holds(
        'first share, fluid: 10 ms apart less together',
        'the start decides (by more than 0.03)',
        share(apart.fluid) - share(together.fluid),
        differ(share(apart.fluid), share(together.fluid)),
        '',
        `${share(together.fluid).toFixed(3)} together, ${share(apart.fluid).toFixed(3)} apart`,
      ),
      holds(
        'first share, packets that start together',
        'rests where its start led to: equal shares (0.5 within 0.03)',
        share(together.packets),
        !differ(share(together.packets), 0.5),
        '',
        'every pair of shares is a fixed point and none is held: packets are never quite alike, ' +
          'and the faster flow adds more often; in the fluid symmetry alone keeps both equal',
      ),
      holds(
        'first share, patched TIMELY, fluid, from 7 and 3 Gb/s',
        'one fixed point with equal rates (0.5 within 0.02)',
        alike,
        Math.abs(alike - 0.5) < 0.02,
        '',
      ),
    ],
    plots: runs.map(({ plot }) => plot),
    notes: [
      'Shares are of the later half; rates of packets are of payload.',
      'They do not rest: in the later half of 0.4 s one flow has a share of 0.976 from ' +
        'either start, and the fluid drifts as well, from 0.72 to 0.81. A faster flow sends a ' +
        'segment, and so adds delta, more often, up to once in minRtt: that drives shares apart.',
    ],
  }
}

function share(rates: readonly (readonly number[])[]): number {
  const [first, second] = rates.map((values) => meanOf(later(values))) as [number, number]
  return first / (first + second)
}

function patchedShare(untilMs: number, name: string): number {
  const model = fluidModelByName(name)!
  const network = networkOf(bottleneckOf([0, 0], untilMs))
  const groups = [
    { flows: 1, rateBps: 7e9 },
    { flows: 1, rateBps: 3e9 },
  ]
  const system = model.create(network, model.defaults, groups)
  const { rateBps } = trajectory(system, 0.4, 1e-3, { tolerance: 1e-5 })
  return share(rateBps.map((rates) => Array.from(rates)))
}

function plotOf(
  name: string,
  packets: readonly Series[],
  fluid: readonly (readonly number[])[],
): Plot {
  // A series of packets begins with its flow, the fluid's at zero.
  const curves = [
    ...packets.map(({ startPs, values }, i) => {
      return { name: `flow ${i + 1}`, fromMs: startPs / 1e9, values, isExpected: false }
    }),
    ...fluid.map((values, i) => {
      // Nor is a flow drawn that has not begun.
      const first = values.findIndex((bps) => bps > 0)
      return {
        ...{ name: `flow ${i + 1}`, fromMs: first * 0.1 },
        ...{ values: values.slice(first), isExpected: true },
      }
    }),
  ]
  return {
    title: `TIMELY, two flows that start ${name}: packets, and the fluid (computed)`,
    kind: 'lines',
    x: { label: 'time', unit: 'ms' },
    y: { label: 'rate', unit: 'Gb/s' },
    curves: curves.map((one) => ({
      ...{ name: one.name, isExpected: one.isExpected },
      x: one.values.map((_, i) => one.fromMs + i * 0.1),
      y: one.values.map((bps) => bps / 1e9),
    })),
  }
}
