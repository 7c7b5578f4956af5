/**
 * ACCurate, Fig. 4: f1 and f4 leave H1; f2, f3 and f4 share a link. f3 joins at 170 us, f4 is
 * there from 370 to 570 us.
 *
 * Published, PAUSE-only: 10, then 5 and 5, then 3.33 for all, the victim f1 too, and some 150 us
 * until rates are back. ACCurate: f1 at 5 and then 6.66 (all less 5%), two RRPs to max-min rates
 * and two to recover.
 *
 * Every rate here is bytes delivered over time. PAUSE-only has one queue at the NIC, which f1
 * shares with f4 (section III-B); its depth, which the paper does not give, is *fitted* to the 150
 * us of recovery: 480 packets. The rates are then what they are at any depth. ACCurate and the
 * others have the NIC of section IV-B, a channel a flow.
 *
 * Changed after first results: the 150 us of recovery were a check, within 20%, of the number that
 * the queue was fitted to (now none); 'two RRPs' was first of rate limits alone, and is now of what
 * arrives too, in any 10 us and to 1% and a packet, which does not hold twice; 2% for PAUSE-only's
 * rates was set with results in sight.
 */
import { inRange, ours, within } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { scenarios } from '@weir/sim'
import type { Result } from '@weir/sim'
import { GBPS, meanBetween, runningMean, seriesOf, timesUs, US } from './measures.ts'
import { specOf, variantNamed, variants, wireFactor } from './variants.ts'

const FLOWS = ['f1', 'f2', 'f3', 'f4'] as const
type FlowName = (typeof FLOWS)[number]
export const RRP_US = 20
/** Max-min rates of each stretch, without headroom; a flow that is not there is left out. */
export interface Stretch {
  readonly fromUs: number
  readonly toUs: number
  readonly rates: Partial<Record<FlowName, number>>
}
export const STRETCHES: readonly Stretch[] = [
  { fromUs: 0, toUs: 170, rates: { f1: 10, f2: 10 } },
  { fromUs: 170, toUs: 370, rates: { f1: 10, f2: 5, f3: 5 } },
  { fromUs: 370, toUs: 570, rates: { f1: 20 / 3, f2: 10 / 3, f3: 10 / 3, f4: 10 / 3 } },
  { fromUs: 570, toUs: 800, rates: { f1: 10, f2: 5, f3: 5 } },
]
export const ALPHA = 0.05
const WINDOW_US = 10
/** Of what is drawn: in 5 us a packet more or less is 0.4 Gb/s, and lines of one rate cross. */
const DRAWN_US = RRP_US
/** Packets, of which the 150 us of Fig. 4(b) come out. */
const FITTED = 480
const DEPTHS = [16, 64, 128, 256, FITTED, 1024]

export const fig4: Figure = {
  id: 'accurate/fig4',
  title: 'The victim flow',
  cite: 'Karampelas et al. (ACCurate), section III-B, Fig. 4',
  claim: 'PAUSE drags the victim down to 3.33 Gb/s; ACCurate finds max-min rates in two RRPs.',
  headline: 'ACCurate: max-min rates after the change at 370 us, delivered',
  fitted: [{ value: 'a queue of 480 packets at the NIC (PAUSE-only)', to: 'Fig. 4(b): 150 us' }],
  switches: [
    {
      name: 'a headroom of 5%',
      without: ({ scheme }) => (scheme.name === 'accurate' ? ['scheme.params.alpha=0.2'] : []),
      breaks: ['ACCurate: f', 'ACCurate: victim f1'],
    },
    {
      name: 'a period of 20 us (80 us)',
      without: ({ scheme }) => (scheme.name === 'accurate' ? ['scheme.params.rrp=80us'] : []),
      breaks: [
        ...['170', '370'].map((us) => `ACCurate: max-min rates after the change at ${us} us, rate`),
        'ACCurate: recovery after the change at 570 us',
      ],
    },
    {
      name: 'the absence of rate control',
      without: ({ scheme }) =>
        scheme.name === 'none' ? ['scheme={name: accurate}', 'hosts.injection=per-flow'] : [],
      breaks: ['PAUSE-only: f', 'PAUSE-only: victim f1'],
    },
  ],
  async reproduce(context: FigureContext): Promise<FigureResult> {
    const text = scenarios.find(({ name }) => name === 'victim')?.text ?? ''
    const run = (name: string, ...more: string[]): Promise<Result> =>
      context.simulate(specOf(text, variantNamed(name), more))
    const depths = context.size === 'full' ? DEPTHS : [16, 128, 256, FITTED]
    const series = 'metrics.series=[rate.*, accurate.rate.*]'
    const [pause, own, fine, voq, ...deeper] = await Promise.all([
      run('PAUSE-only, NIC queue', 'metrics.interval=5us', series),
      run('ACCurate', 'metrics.interval=10us', series),
      run('ACCurate', 'metrics.interval=0.5us', series),
      run('ACCurate', 'metrics.interval=0.5us', series, 'fabric.buffer.inputQueue=voq'),
      ...depths.map((packets) =>
        run(
          'PAUSE-only, NIC queue',
          'metrics.interval=5us',
          series,
          `hosts.injection.packets=${packets}`,
          'run.until=1500us',
        ),
      ),
    ])
    context.progress(0.5, 'victim')
    const everybody = await Promise.all(
      variants.map(({ name }) => run(name, 'metrics.interval=10us', series)),
    )
    context.progress(1, 'opponents')
    const recoveries = deeper.map(recoveryUs)
    const checks = [
      ...pauseChecks(pause),
      {
        ...ours(
          'PAUSE-only: recovery after f4',
          recoveryUs(pause),
          'us',
          `no check: the depth of the NIC queue, ${FITTED} packets, is fitted to this number; ` +
            "half of them are f4's, and drain at 3.33 Gb/s (see the plot)",
        ),
        published: 150,
      },
      ...accurateChecks(own),
      ...settlingChecks(fine, voq),
    ]
    const recovery: Plot = {
      title: "PAUSE-only: recovery against the depth of the NIC's queue",
      kind: 'lines',
      isAside: true,
      x: { label: 'depth of the queue', unit: 'packets of 256 B' },
      y: { label: 'recovery', unit: 'us' },
      curves: [
        { name: 'ours', x: depths, y: recoveries },
        // Once, for the paper has no depth.
        { name: 'published, at the depth fitted to it', x: [FITTED], y: [150], isPublished: true },
      ],
    }
    return {
      checks,
      plots: [
        overTime(pause, 'PAUSE-only', UNDER_PAUSE),
        overTime(own, 'ACCurate', MAX_MIN),
        limits(fine),
        recovery,
        opponents(everybody),
      ],
      draws: 'nothing random',
      notes: [
        'The text names the sources of f2 and f3 both as H3, H4 and as H2, H3; ours are H3 and H4.',
        'Rates are those on the wire, headers included; ACCurate leaves 5% of headroom.',
      ],
    }
  },
}

/** What each scheme makes of the victim and of the three that share a link. */
function opponents(results: readonly Result[]): Plot {
  return {
    title: 'Rates from 420 to 570 us under every scheme',
    kind: 'bars',
    x: { label: 'scheme', unit: '' },
    y: { label: 'rate', unit: 'Gb/s' },
    curves: FLOWS.map((flow) => ({
      name: flow,
      x: variants.map(({ name }) => name),
      y: results.map((result) => rateIn(result, flow, 420, 570)),
    })),
  }
}

/** Delivered, on the wire, over a stretch or the settled part of it. */
export function rateIn(result: Result, flow: string, fromUs: number, toUs: number): number {
  const series = seriesOf(result, `rate.${flow}`)
  return (wireFactor(result.spec) * meanBetween(series, fromUs * US, toUs * US)) / GBPS
}

function pauseChecks(pause: Result): Check[] {
  const rate = (flow: string, fromUs: number, toUs: number): number =>
    rateIn(pause, flow, fromUs, toUs)
  return [
    within('PAUSE-only: f1 before 170 us', 10, rate('f1', 30, 170), 0.02, 'Gb/s'),
    within('PAUSE-only: f2 from 170 us', 5, rate('f2', 220, 370), 0.02, 'Gb/s'),
    within('PAUSE-only: f3 from 170 us', 5, rate('f3', 220, 370), 0.02, 'Gb/s'),
    within('PAUSE-only: f2 from 370 us', 10 / 3, rate('f2', 420, 570), 0.02, 'Gb/s'),
    within('PAUSE-only: f4 from 370 us', 10 / 3, rate('f4', 420, 570), 0.02, 'Gb/s'),
    within('PAUSE-only: victim f1 from 370 us', 10 / 3, rate('f1', 420, 570), 0.02, 'Gb/s'),
  ]
}

/** Time after 570 us from which on f1 and f2 have 95% of their rates for good. */
function recoveryUs(result: Result): number {
  const factor = wireFactor(result.spec) / GBPS
  let lastPs = 570 * US
  for (const [flow, target] of [
    ['f1', 10],
    ['f2', 5],
  ] as const) {
    const { startPs, intervalPs, values } = seriesOf(result, `rate.${flow}`)
    values.forEach((value, i) => {
      // A sample may lack a packet of the two that straddle its ends.
      const isLow = value * factor < 0.95 * target - (256 * 8e12) / intervalPs / GBPS
      const atPs = startPs + i * intervalPs
      if (isLow && atPs > lastPs) lastPs = atPs
    })
  }
  return lastPs / US - 570
}

/** Time after a stretch's beginning from which on every rate limit is within 1% of max-min. */
export function limitsSettledUs(fine: Result, stretch: Stretch): number {
  let lastPs = stretch.fromUs * US
  for (const [flow, rate] of Object.entries(stretch.rates)) {
    const target = rate * (1 - ALPHA) * GBPS
    const { startPs, intervalPs, values } = seriesOf(fine, `accurate.rate.${flow}`)
    values.forEach((value, i) => {
      const atPs = startPs + i * intervalPs
      if (atPs <= lastPs || atPs > stretch.toUs * US) return
      if (Math.abs(value - target) > 0.01 * target) lastPs = atPs
    })
  }
  return lastPs / US - stretch.fromUs
}

/** Gb/s delivered in the WINDOW_US that begin at each sample of a run of 0.5 us. */
function windowed(fine: Result, flow: string): { atUs: number; gbps: number }[] {
  const series = seriesOf(fine, `rate.${flow}`)
  const factor = wireFactor(fine.spec) / GBPS
  const count = Math.round((WINDOW_US * US) / series.intervalPs)
  const beginUs = (i: number): number => (series.startPs + (i - 1) * series.intervalPs) / US
  return series.values.slice(0, series.values.length - count + 1).map((_, i) => {
    const sum = series.values.slice(i, i + count).reduce((total, value) => total + value, 0)
    return { atUs: beginUs(i), gbps: (factor * sum) / count }
  })
}

/**
 * Time after a stretch's beginning from which on what arrives of every flow is max-min, in any
 * WINDOW_US: within 1%, and the one packet that a window may have more or less.
 */
function settledUs(fine: Result, { fromUs, toUs, rates }: Stretch): number {
  const packetGbps = (256 * 8) / WINDOW_US / 1000
  let lastUs = fromUs
  for (const [flow, rate] of Object.entries(rates)) {
    const target = rate * (1 - ALPHA)
    for (const { atUs, gbps } of windowed(fine, flow)) {
      if (atUs <= lastUs || atUs + WINDOW_US > toUs) continue
      if (Math.abs(gbps - target) > 0.01 * target + packetGbps) lastUs = atUs
    }
  }
  return lastUs - fromUs
}

function accurateChecks(own: Result): Check[] {
  const checks: Check[] = []
  for (const { fromUs, toUs, rates } of STRETCHES) {
    for (const [flow, rate] of Object.entries(rates)) {
      const measured = rateIn(own, flow, fromUs + 100, toUs)
      const name = `ACCurate: ${flow} from ${fromUs} us`
      checks.push(within(name, rate * (1 - ALPHA), measured, 0.02, 'Gb/s'))
    }
  }
  return checks
}

function settlingChecks(fine: Result, voq: Result): Check[] {
  const checks: Check[] = []
  const after = windowed(fine, 'f1').filter(({ atUs }) => atUs > 370 && atUs < 560)
  const first = Math.min(...after.map(({ gbps }) => gbps))
  const note = `least in any ${WINDOW_US} us, of some 20 packets`
  checks.push(within('ACCurate: victim f1 at first', 5 * (1 - ALPHA), first, 0.05, 'Gb/s', note))
  for (const stretch of STRETCHES.slice(1)) {
    const what = stretch.fromUs === 570 ? 'recovery' : 'max-min rates'
    const name = `ACCurate: ${what} after the change at ${stretch.fromUs} us`
    const limits = limitsSettledUs(fine, stretch) / RRP_US
    checks.push(inRange(`${name}, rate limits`, 'two RRPs', limits, [0, 2], 'RRPs'))
    const rrps = settledUs(fine, stretch) / RRP_US
    const byVoq = settledUs(voq, stretch) / RRP_US
    const drains =
      'packets sent before the new limits came drain by the 5% of headroom, and until then some ' +
      `flows get more than their share; with a queue per output, not FIFOs, it is ${byVoq} RRPs`
    const note = rrps > 2 ? drains : ''
    checks.push(inRange(`${name}, delivered`, 'two RRPs', rrps, [0, 2], 'RRPs', note))
  }
  return checks
}

type Published = readonly (readonly [FlowName, readonly number[], readonly number[]])[]
/** Section III-B: rates in the middle of each stretch, us and Gb/s. */
const UNDER_PAUSE: Published = [
  ['f1', [85, 270, 500], [10, 10, 10 / 3]],
  ['f2', [85, 270, 500], [10, 5, 10 / 3]],
  ['f3', [270, 500], [5, 10 / 3]],
  ['f4', [500], [10 / 3]],
]
const MAX_MIN: Published = FLOWS.map((flow) => {
  const there = STRETCHES.filter(({ rates }) => rates[flow] !== undefined)
  const middle = ({ fromUs, toUs }: Stretch): number => (fromUs + toUs) / 2
  return [flow, there.map(middle), there.map(({ rates }) => rates[flow]! * (1 - ALPHA))] as const
})

function overTime(result: Result, name: string, published: Published): Plot {
  const factor = wireFactor(result.spec) / GBPS
  return {
    title: `${name}: delivered rates, means over ${DRAWN_US} us`,
    kind: 'lines',
    x: { label: 'time', unit: 'us' },
    y: { label: 'rate', unit: 'Gb/s' },
    curves: [
      ...FLOWS.map((flow) => {
        const { x, y } = runningMean(seriesOf(result, `rate.${flow}`), DRAWN_US)
        return { name: flow, x, y: y.map((value) => value * factor) }
      }),
      ...published.map(([flow, x, y]) => ({ name: flow, x, y, isPublished: true })),
    ],
  }
}

function limits(fine: Result): Plot {
  return {
    title: 'ACCurate: rate limits at the sources',
    kind: 'steps',
    x: { label: 'time', unit: 'us' },
    y: { label: 'rate', unit: 'Gb/s' },
    curves: FLOWS.map((flow) => {
      const series = seriesOf(fine, `accurate.rate.${flow}`)
      return { name: flow, x: timesUs(series), y: series.values.map((value) => value / GBPS) }
    }),
  }
}
