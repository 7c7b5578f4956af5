/**
 * Scenario 2: what congestion control costs where there is no victim.
 *
 * Gran et al. 2010, section V-B, fig. 10 and Table II, all of its numbers. Published without: mean
 * 10,427.64 Mb/s, standard deviation 42.0; with: mean 10,058.55 (3.5% lower), deviation 1,770 (more
 * than an order of magnitude more), all three flows treated fairly. Ours: 10.5 and 10.4 Gb/s (0.8%
 * lower), deviation 1 and 170 Mb/s. The document does not say over which interval perftest reports.
 *
 * Table II by itself says what happened: (13.2 + 2 x 8.49) / 3 = 10.06. At any time one flow had
 * all that PCIe gives, the two others the least, and they took turns. Nothing here does just that.
 * Nearest comes a switch without FIFOs at outputs, whose congestion state ends at the threshold:
 * two flows have 13 Gb/s and one has 5.5, in turns of a tenth of a second and more, which is a
 * deviation of 2,600 Mb/s and means that differ by a sixth; but it has a third of Table III's
 * latency beside congestion.
 *
 * Changed after first results: means were within 5%, more than the 3.5% that control costs; they
 * are within 1%. The growth of the deviation had no upper end, and was judged in the quick size,
 * where the deviation without control is the rounding of samples.
 */
import type { Result } from '@weir/sim'
import { drawn, drawsOf, inRange, needsFull, seedsOf, within } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { CITE, FITTED, mean, phases, publishedRates, rateCurves } from './testbed.ts'
import { ratesOf, scenario2, variance, withControlEverywhere } from './testbed.ts'
import { withSlowHosts } from './testbed.ts'

const FLOWS = ['F1', 'F2', 'F3'] as const
/** Table II, Mb/s: F1, F2, F3, which it calls by their hosts H1, H2, H3; and all. */
const TABLE_II = {
  off: {
    mean: [10_427.69, 10_427.82, 10_427.41, 10_427.64],
    deviation: [28.385_08, 42.836_86, 51.562_37, 42.027_44],
    least: [10_319.09, 10_339.89, 9831.57, 9831.57],
    most: [10_503.43, 10_615.34, 11_076.06, 11_076.06],
  },
  on: {
    mean: [10_065.51, 10_124.61, 9986.035, 10_058.55],
    deviation: [1773.68, 1743.891, 1793.207, 1770.445],
    least: [8504.688, 8487.411, 8496.641, 8487.411],
    most: [13_210.3, 13_206.15, 13_902.36, 13_902.36],
  },
} as const

type Stat = 'mean' | 'deviation' | 'least' | 'most'
type Stats = Readonly<Record<Stat, readonly number[]>>
/** Within so much of Table II: less than what control makes of the value. */
const WITHIN: Readonly<Record<Stat, number>> = {
  mean: 0.01,
  deviation: 0.5,
  least: 0.05,
  most: 0.05,
}
const WHY = {
  off: 'our hosts have no jitter of their own',
  on: 'there one flow at a time had 13.2 Gb/s and two 8.5; here all three stay near their share',
} as const

export const fig10: Figure = {
  id: 'infiniband/fig10',
  title: 'Scenario 2: throughput without a victim, and its statistics',
  cite: `${CITE}, section V-B, fig. 10 and Table II`,
  claim:
    'With nothing to save, congestion control lowers the mean by about 3.5% and raises the ' +
    'jitter by more than an order of magnitude; flows stay equal.',
  headline: 'fall of the mean',
  fitted: FITTED,
  switches: [
    withControlEverywhere(['least of F2, CC off']),
    withSlowHosts([
      ...['mean of F1', 'mean of F2', 'mean of F3', 'mean of all'].map((what) => `${what}, CC off`),
      ...['least of F1', 'most of F1', 'most of F2'].map((what) => `${what}, CC off`),
    ]),
    {
      name: "half of the third flow's time",
      without: ({ run }) => [`workload[0].flows[2].stop=${Math.round(0.7 * run.untilPs)}ps`],
      breaks: ['largest mean above the smallest'],
    },
  ],
  async reproduce(context): Promise<FigureResult> {
    const { phasePs } = phases(context)
    const seeds = seedsOf(context)
    const [off, ...on] = await Promise.all([
      statsOf(context, 'none', 1),
      ...seeds.map((seed) => statsOf(context, 'infiniband', seed)),
    ])
    return {
      checks: [
        ...tableChecks(off!.stats, on),
        ...claimChecks(off!.stats, on, context.size === 'full'),
      ],
      plots: [off!, on[0]!].map(({ result }, i) => ({
        title: i === 0 ? 'Fig. 10(a): without congestion control' : 'Fig. 10(b): with it',
        kind: 'lines' as const,
        x: { label: 'time', unit: 's' },
        y: { label: 'throughput', unit: 'Gb/s', isMagnified: true },
        curves: [
          ...rateCurves(result),
          ...FLOWS.map((flow, f) => {
            const gbps = TABLE_II[i === 0 ? 'off' : 'on'].mean[f]! / 1e3
            // Side by side: the three means differ by less than a mark is wide.
            const marks = publishedRates(flow, [gbps, gbps], 2, phasePs)
            return { ...marks, x: marks.x.map((s) => Number(s) + ((f - 1) * phasePs) / 4e12) }
          }),
        ],
      })),
      draws: drawsOf(seeds),
      notes: [
        'Hollow marks are the means of Table II, side by side, which calls flows by their hosts: ' +
          'H1 is F1. A mean agrees if within 1%, less than the 3.5% that control costs; a ' +
          'deviation within half, the least and the most within 5%. Curves are of the first ' +
          'seed; without control all three are the same.',
      ],
    }
  },
}

interface Ran {
  readonly result: Result
  readonly stats: Stats
}

async function statsOf(
  context: FigureContext,
  scheme: 'none' | 'infiniband',
  seed: number,
): Promise<Ran> {
  const { phasePs, intervalPs } = phases(context)
  const settings = [`seed=${seed}`]
  const result = await context.simulate(scenario2({ scheme, phasePs, intervalPs, settings }))
  const rates = FLOWS.map((flow) =>
    ratesOf(result, flow, 2.25 * phasePs, 4 * phasePs).map((rate) => rate * 1e3),
  )
  const columns = [...rates, rates.flat()]
  const deviations = rates.map((values) => Math.sqrt(variance(values)))
  return {
    result,
    stats: {
      mean: columns.map(mean),
      // That of all is about each flow's own mean.
      deviation: [...deviations, Math.sqrt(mean(rates.map(variance)))],
      least: columns.map((values) => Math.min(...values)),
      most: columns.map((values) => Math.max(...values)),
    },
  }
}

const COLUMNS = [...FLOWS, 'all'] as const
const STATS: readonly (readonly [Stat, string])[] = [
  ['mean', 'mean'],
  ['deviation', 'standard deviation'],
  ['least', 'least'],
  ['most', 'most'],
]

function tableChecks(off: Stats, on: readonly Ran[]): Check[] {
  return STATS.flatMap(([stat, word]) =>
    COLUMNS.flatMap((column, i) => {
      const published = TABLE_II.off[stat][i]!
      const before = within(
        `${word} of ${column}, CC off`,
        published,
        off[stat][i]!,
        WITHIN[stat],
        'Mb/s',
        WHY.off,
      )
      const theirs = TABLE_II.on[stat][i]!
      const values = on.map(({ stats }) => stats[stat][i]!)
      const range = [theirs * (1 - WITHIN[stat]), theirs * (1 + WITHIN[stat])] as const
      const after = drawn(`${word} of ${column}, CC on`, theirs, values, range, 'Mb/s', WHY.on)
      return [{ ...before, draws: 'nothing random' }, after].map(withCause)
    }),
  )
}

/** What agrees needs no cause. */
function withCause(check: Check): Check {
  return check.verdict === 'agrees' ? { ...check, note: '' } : check
}

function growthCheck(growth: number, before: number, isFull: boolean): Check {
  const name = 'standard deviation, on to off'
  const words = 'more than an order of magnitude (Table II: 42 times)'
  const rounding =
    'a packet more or less in a sample of 1 ms is 17 Mb/s: rounding is the deviation without'
  const why = `${before.toPrecision(2)} Mb/s without control: ${WHY.off}`
  return isFull
    ? inRange(name, words, growth, [10, 100], 'times', why)
    : needsFull(name, words, rounding, 'times')
}

function claimChecks(off: Stats, on: readonly Ran[], isFull: boolean): Check[] {
  const falls = on.map(({ stats }) => 100 * (1 - stats.mean[3]! / off.mean[3]!))
  const growth = mean(on.map(({ stats }) => stats.deviation[3]!)) / off.deviation[3]!
  const spreads = on.map(({ stats }) => {
    const means = stats.mean.slice(0, 3)
    return 100 * (Math.max(...means) / Math.min(...means) - 1)
  })
  const published = TABLE_II.on.mean.slice(0, 3)
  const theirs = 100 * (Math.max(...published) / Math.min(...published) - 1)
  return [
    drawn(
      'fall of the mean',
      'only reduced by 3.5%',
      falls,
      [3, 4],
      '%',
      'a BECN for 20 packets (fig. 11) moves rates little; one for each would cost 5%',
    ),
    growthCheck(growth, off.deviation[3]!, isFull),
    drawn(
      'largest mean above the smallest',
      `treated fairly (Table II: ${theirs.toFixed(1)}% apart)`,
      spreads,
      [0, 2 * theirs],
      '%',
    ),
  ]
}
