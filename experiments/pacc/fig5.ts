/**
 * PACC's phase margin over its gains (Fig. 5), and the claim behind it.
 *
 * PACC, section IV: the open loop (16) 'is stable only if the phase margin is above 0'; Fig. 5
 * shows it over (beta1, beta2) in 0..1 (its numbers cannot be read here, the document has the
 * caption only), and (0.05, 0.1) is taken as default. Three readings: (16) with the negative
 * feedback that (14) describes; (16) with its printed minus counted as half a turn of phase, which
 * is the only one that gives margins above zero; and the positional form that Algorithm 1 is, with
 * N_all / N, the true delay and DCQCN's increase. 25 Gb/s, T = 80 us; the positional form with 2
 * flows and 12 us.
 *
 * Pure theory: nothing is simulated, and quick and full are the same.
 */
import { analyse, fluidModelByName, margins, paccAlpha, paccLoop } from '@weir/theory'
import { linearize, openLoop, paccLoopGain, paccRange, rangeOf, stabilityMap } from '@weir/theory'
import type { FluidNetwork, PaccGains, SignReading } from '@weir/theory'
import type { Check, Curve, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { holds, within } from '../figure.ts'

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
const NETWORK: FluidNetwork = { rateBps: 25e9, flows: 2, delayPs: 12e6, packetBytes: 1048 }
const DEFAULTS: PaccGains = {
  beta1: 0.05,
  beta2: 0.1,
  interval: 80e-6,
  alpha: paccAlpha(1, 300, 'simplified'),
  rateBps: NETWORK.rateBps,
}

export const fig5: Figure = {
  id: 'pacc/fig5',
  title: "PACC's phase margin over beta1 and beta2, by three readings",
  cite: 'Zhong et al. (PACC), section IV, appendix A and Fig. 5',
  claim:
    'The paper says: with gains of (0.05, 0.1) the phase margin is above zero: PACC is stable. ' +
    'Here its loop, Eq. 16, has such a margin only if the minus in front of it counts as phase; ' +
    'then the feedback is positive. What Algorithm 1 does has a small margin, above zero if ' +
    'senders keep their target rate through a burst of CNPs.',
  headline: 'phase margin of (16), negative',
  reproduce: (context) => reproduceWith(context, AS_IT_IS),
  switches: [
    {
      name: 'the sign of the feedback',
      reproduce: (context) => reproduceWith(context, { ...AS_IT_IS, isTurned: true }),
      breaks: ['phase margin of (16), its minus'],
      mends: ['phase margin of (16), negative feedback'],
    },
    {
      name: 'the target that is kept',
      reproduce: (context) => reproduceWith(context, { ...AS_IT_IS, isKept: false }),
      breaks: ['phase margin of the positional form, target kept'],
    },
    {
      name: 'the root over all of the product',
      reproduce: (context) => reproduceWith(context, { ...AS_IT_IS, alpha: 'equation' }),
      breaks: ['alpha*, the root'],
    },
  ],
}

/** What the checks rest on. */
interface Readings {
  /** Each reading of the sign of (16) as the other. */
  readonly isTurned: boolean
  /** Senders keep their target in one of the two positional forms. */
  readonly isKept: boolean
  readonly alpha: 'simplified' | 'equation'
}

const AS_IT_IS: Readings = { isTurned: false, isKept: true, alpha: 'simplified' }

function reproduceWith(context: FigureContext, readings: Readings): Promise<FigureResult> {
  const pacc = fluidModelByName('pacc')!
  const printed = analyse(pacc, NETWORK, { ...pacc.defaults, form: 'printed' })
  context.progress(0.5, 'roots')
  const checks = [
    ...alphaChecks(readings),
    ...printedChecks(printed.stability!.roots[0]!.re, readings),
    ...positionalChecks(readings),
  ]
  // Without a mechanism checks are looked at, and pictures are not.
  const isWhole = readings === AS_IT_IS
  const plots = isWhole ? plotsOf() : []
  return Promise.resolve({ draws: 'nothing is drawn', checks, plots, notes: NOTES })
}

const NOTES = [
  'All margins and roots are computed; no run is in any of these plots.',
  'Three integrators and one zero: s^3 + (K / z) s + K has roots that add up to zero even ' +
    'without delay, so that one of them is never to the left. No gain makes (16) stable under ' +
    'negative feedback.',
  'Negative feedback is what (14) describes; with its minus counted as phase (16) has the margin ' +
    'that the paper needs. The positional form is that of 2 flows and 12 us.',
  'Counting the minus as phase makes the feedback positive: its margin of +53 degrees goes ' +
    'with a real root to the right.',
  '(7) integrates N where Algorithm 1 assigns it, and (6) knows no increase. The positional form ' +
    'has both as they are, and a small margin with the default gains: above zero if senders keep ' +
    'their target through a burst of CNPs, below if each CNP takes it down as Eq. 1 prints it.',
  'Right of the end of the first line in the second plot no beta2 gives (16) a margin above ' +
    'zero, even with its minus counted as phase. Packets side with the positional form: ' +
    'pacc/stability.',
]

function alphaChecks({ alpha }: Readings): Check[] {
  return [
    within(
      'alpha*, the root over the whole product',
      0.04714,
      paccAlpha(1, 300, alpha),
      1e-4,
      '',
      'sqrt(2 x 1 / (3 x 300)), as the last line of appendix A has it',
    ),
    within(
      'alpha* by Eq. 3 as it stands',
      0.04714,
      paccAlpha(1, 300, 'equation'),
      1e-4,
      '',
      "the root over tau' / T_i alone, times 2/3: Eq. 3 and the last line do not agree",
    ),
  ]
}

function marginOf(gains: PaccGains, reading: SignReading): number {
  return margins(paccLoop(gains, reading), paccRange(gains), 400).phaseDegrees
}

/** Every gain of the grid, both ways. */
function grid(): PaccGains[] {
  return STEPS.flatMap((beta1) => STEPS.map((beta2) => ({ ...DEFAULTS, beta1, beta2 })))
}

function printedChecks(growth: number, { isTurned }: Readings): Check[] {
  const [minus, plus] = isTurned
    ? (['negative', 'printed'] as const)
    : (['printed', 'negative'] as const)
  const negative = grid().map((gains) => marginOf(gains, plus))
  const claim = 'above 0 with the default gains'
  return [
    holds(
      'phase margin of (16), negative feedback as in (14)',
      claim,
      marginOf(DEFAULTS, plus),
      marginOf(DEFAULTS, plus) > 0,
      'degrees',
      'below zero at every gain of the grid: at best ' + Math.max(...negative).toFixed(1),
    ),
    holds(
      'phase margin of (16), its minus counted as phase',
      claim,
      marginOf(DEFAULTS, minus),
      marginOf(DEFAULTS, minus) > 0,
      'degrees',
      'the reading that Fig. 5 needs; its feedback is positive',
    ),
    holds(
      'rightmost root of the linearized equations (14)',
      'stable: below 0 per second',
      growth,
      growth < 0,
      '1/s',
      'a disturbance grows by e in ' + (1e6 / growth).toFixed(0) + ' us',
    ),
    holds(
      'real root of (16) with its minus as printed',
      'stable: below 0 per second',
      realRoot(),
      realRoot() < 0,
      '1/s',
      'the root of s^3 = K (1 + s / z) e^(-2 s T)',
    ),
  ]
}

/** By halving: the right side falls and the left one grows. */
function realRoot(): number {
  const { k, z } = paccLoopGain(DEFAULTS)
  let low = 0
  let high = 1e6
  for (let i = 0; i < 80; i++) {
    const s = (low + high) / 2
    const isBelow = s * s * s < k * (1 + s / z) * Math.exp(-2 * s * DEFAULTS.interval)
    if (isBelow) low = s
    else high = s
  }
  return (low + high) / 2
}

function positionalChecks({ isKept }: Readings): Check[] {
  return [false, true].flatMap((clampTarget) => {
    const pacc = fluidModelByName('pacc')!
    const values = { ...pacc.defaults, clampTarget: clampTarget || !isKept }
    const { margins: found, roots } = analyse(pacc, NETWORK, values).stability!
    const how = clampTarget ? 'each CNP takes the target down (Eq. 1)' : 'target kept in a burst'
    const pace = `${(1e3 / Math.abs(roots[0]!.re)).toFixed(0)} ms`
    const map = stabilityMap(pacc, NETWORK, values, [2, 8, 64], [4e6, 32e6, 128e6])
    const stable = map.filter(({ verdict }) => verdict === 'stable').length
    return [
      holds(
        `phase margin of the positional form, ${how}`,
        'above 0 with the default gains',
        found.phaseDegrees,
        found.phaseDegrees > 0,
        'degrees',
        `2 flows, 12 us; ${roots[0]!.re < 0 ? 'dies' : 'grows'} by e in ${pace}`,
      ),
      holds(
        `positional form, ${how}: stable of 9 places in 2 to 64 flows, 4 to 128 us`,
        'stable with the default gains',
        stable,
        stable === 9,
        'places',
        'it has a boundary in flows and delay, which (16) has not',
      ),
    ]
  })
}

function plotsOf(): Plot[] {
  return [surfaces(), boundaryPlot()]
}

/** Gains of a boundary. */
const BETAS = Array.from({ length: 13 }, (_, i) => 10 ** (i / 6 - 2))

/** Where a margin is zero: for each beta1 the first beta2 above which its sign is another. */
export function boundaryOf(margin: (beta1: number, beta2: number) => number): {
  readonly x: readonly number[]
  readonly y: readonly number[]
} {
  const found = BETAS.flatMap((beta1) => {
    const isAbove = (beta2: number): boolean => margin(beta1, beta2) > 0
    const next = BETAS.findIndex((beta2, i) => i > 0 && isAbove(beta2) !== isAbove(BETAS[i - 1]!))
    if (next < 0) return []
    let [low, high] = [BETAS[next - 1]!, BETAS[next]!]
    for (let i = 0; i < 6; i++) {
      const middle = Math.sqrt(low * high)
      if (isAbove(middle) === isAbove(low)) low = middle
      else high = middle
    }
    return [[beta1, Math.sqrt(low * high)] as const]
  })
  return { x: found.map(([beta1]) => beta1), y: found.map(([, beta2]) => beta2) }
}

const TEXT: Curve = { name: 'text: default gains', x: [0.05], y: [0.1], isPublished: true }

function boundaryPlot(): Plot {
  const positional = (clampTarget: boolean) => (beta1: number, beta2: number) =>
    positionalMargin(beta1, beta2, clampTarget)
  return {
    title: 'Where the phase margin is zero; (16) with negative feedback is below zero everywhere',
    kind: 'lines',
    x: { label: 'beta1', unit: '', scale: 'log' },
    y: { label: 'beta2', unit: '', scale: 'log' },
    curves: [
      {
        name: '(16), minus counted as phase: above zero below the line',
        isExpected: true,
        ...boundaryOf((beta1, beta2) => marginOf({ ...DEFAULTS, beta1, beta2 }, 'printed')),
      },
      {
        name: 'positional form, target kept: above zero above the line',
        isExpected: true,
        ...boundaryOf(positional(false)),
      },
      {
        name: 'positional form, Eq. 1: above zero above the line',
        isExpected: true,
        ...boundaryOf(positional(true)),
      },
      TEXT,
    ],
  }
}

/** On one scale: what each reading gives is compared at a glance. */
function surfaces(): Plot {
  const gains = grid()
  const curve = (name: string, pick: (gains: PaccGains) => number): Curve => ({
    name,
    x: gains.map(({ beta1 }) => beta1),
    y: gains.map(({ beta2 }) => beta2),
    z: gains.map(pick),
  })
  return {
    title: 'Phase margin by three readings; where it is above zero, the last alone is stable',
    kind: 'surface',
    x: { label: 'beta1', unit: '', scale: 'log' },
    y: { label: 'beta2', unit: '', scale: 'log' },
    z: { label: 'phase margin', unit: 'degrees' },
    curves: [
      curve('(16), negative feedback', (one) => marginOf(one, 'negative')),
      curve('(16), minus as phase', (one) => marginOf(one, 'printed')),
      curve('positional, target kept', ({ beta1, beta2 }) => positionalMargin(beta1, beta2, false)),
      TEXT,
    ],
  }
}

function positionalMargin(beta1: number, beta2: number, clampTarget: boolean): number {
  const pacc = fluidModelByName('pacc')!
  const system = pacc.create(NETWORK, { ...pacc.defaults, beta1, beta2, clampTarget })
  const linear = linearize(system, system.fixedPoint())!
  return margins(openLoop(linear), rangeOf(linear), 400).phaseDegrees
}
