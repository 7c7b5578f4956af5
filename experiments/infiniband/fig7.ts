/**
 * Scenario 1, with and without congestion control.
 *
 * Document D, section V-A, figs. 7(a), 7(b) and 8. Published without: F1 alone at 13 Gb/s; with F2
 * both at 13; with F3 all three just below 7; with F4 these are roughly halved while F4 has almost
 * 7; with F5 about 2 against about 4.5. With: F1 more or less constant at 13, and the contributors
 * share the link to H5 evenly. Ours: 13, 13, 6.85, 3.4 and 6.85, 2.3 and 4.6; with, F1 stays at
 * 13 and contributors have 3.4 each. That hosts take 13.7 Gb/s was fitted to these figures.
 */
import type { Result } from '@weir/sim'
import { holds, within } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { CITE, phases, rateCurves, scenario1, settledRate } from './testbed.ts'

const TIME = { label: 'time', unit: 's' } as const
const RATE = { label: 'throughput', unit: 'Gb/s' } as const
const CONTRIBUTORS = ['F2', 'F3', 'F4', 'F5'] as const

export const fig7a: Figure = {
  id: 'infiniband/fig7a',
  title: 'Scenario 1 without congestion control: a victim and a parking lot',
  cite: `${CITE}, section V-A, fig. 7(a)`,
  claim:
    'F1 does not want the congested link and falls with those that do; F4 and F5 get twice the share ' +
    'of F2 and F3.',
  async reproduce(context): Promise<FigureResult> {
    const { result, rate } = await run(context, 'none')
    return {
      checks: withoutControl(rate),
      plots: [{ title: 'Fig. 7(a)', kind: 'lines', x: TIME, y: RATE, curves: rateCurves(result) }],
      notes: [PHASES],
    }
  },
}

export const fig7b: Figure = {
  id: 'infiniband/fig7b',
  title: 'Scenario 1 with congestion control',
  cite: `${CITE}, section V-A, fig. 7(b)`,
  claim:
    'Table I frees the victim F1 completely, and the contributors oscillate around equal shares.',
  async reproduce(context): Promise<FigureResult> {
    const { result, rate } = await run(context, 'infiniband')
    const off = await run(context, 'none')
    return {
      checks: withControl(rate, off.rate),
      plots: [{ title: 'Fig. 7(b)', kind: 'lines', x: TIME, y: RATE, curves: rateCurves(result) }],
      notes: [PHASES],
    }
  },
}

export const fig8: Figure = {
  id: 'infiniband/fig8',
  title: 'Shares of the contributors to congestion',
  cite: `${CITE}, section V-A, fig. 8`,
  claim: 'Congestion control solves the parking lot: 1/6, 1/6, 1/3, 1/3 become four quarters.',
  async reproduce(context): Promise<FigureResult> {
    const off = await run(context, 'none')
    const on = await run(context, 'infiniband')
    const shares = [off, on].map(({ rate }) => {
      const rates = CONTRIBUTORS.map((flow) => rate(flow, 4))
      const sum = rates.reduce((total, value) => total + value, 0)
      return rates.map((value) => value / sum)
    })
    return {
      checks: CONTRIBUTORS.flatMap((flow, i) => [
        within(`${flow}, CC off`, i < 2 ? 1 / 6 : 1 / 3, shares[0]![i]!, 0.05, 'of H5'),
        within(`${flow}, CC on`, 1 / 4, shares[1]![i]!, 0.1, 'of H5'),
      ]),
      plots: [
        {
          title: 'Fig. 8',
          kind: 'bars',
          x: { label: 'flow', unit: '' },
          y: { label: 'share of the link to H5', unit: '' },
          curves: ['CC off', 'CC on'].map((name, i) => ({
            name,
            x: [...CONTRIBUTORS],
            y: shares[i]!,
          })),
        },
      ],
      notes: [PHASES],
    }
  },
}

const PHASES =
  'A quick run has phases of 60 ms and samples of 1 ms, a full one the 1 s of the document and 10 ms.'

type RateOf = (flow: string, phase: number) => number

async function run(
  context: FigureContext,
  scheme: 'none' | 'infiniband',
): Promise<{ result: Result; rate: RateOf }> {
  const { phasePs, intervalPs } = phases(context)
  const result = await context.simulate(scenario1({ scheme, phasePs, intervalPs }))
  return { result, rate: (flow, phase) => settledRate(result, flow, phase, phasePs) }
}

function withoutControl(rate: RateOf): Check[] {
  const halved = rate('F1', 3) / rate('F1', 2)
  return [
    within('F1 alone', 13, rate('F1', 0), 0.05, 'Gb/s'),
    within('F1 beside F2', 13, rate('F1', 1), 0.05, 'Gb/s'),
    within('F2 beside F1', 13, rate('F2', 1), 0.05, 'Gb/s'),
    ...['F1', 'F2', 'F3'].map((flow) => {
      const measured = rate(flow, 2)
      return holds(
        `${flow} when F3 has joined`,
        'just below 7',
        measured,
        measured > 6 && measured < 7,
        'Gb/s',
      )
    }),
    holds(
      'F1 when F4 has joined, to before',
      'roughly halved',
      halved,
      halved > 0.4 && halved < 0.6,
      '',
    ),
    holds('F4', 'almost 7', rate('F4', 3), rate('F4', 3) > 6 && rate('F4', 3) < 7, 'Gb/s'),
    ...['F1', 'F2', 'F3'].map((flow) =>
      within(`${flow} when F5 has joined (about 2)`, 2, rate(flow, 4), 0.15, 'Gb/s'),
    ),
    ...['F4', 'F5'].map((flow) =>
      within(`${flow} in the end (about 4.5)`, 4.5, rate(flow, 4), 0.1, 'Gb/s'),
    ),
  ]
}

function withControl(rate: RateOf, rateOff: RateOf): Check[] {
  const sum = (rates: RateOf, phase: number): number =>
    CONTRIBUTORS.slice(0, phase).reduce((total, flow) => total + rates(flow, phase), 0)
  const last = CONTRIBUTORS.map((flow) => rate(flow, 4))
  const spread = Math.max(...last) / Math.min(...last)
  // Against what H5 takes without control.
  const penalties = [2, 3, 4].map((phase) => 1 - sum(rate, phase) / sum(rateOff, phase))
  return [
    ...[2, 3, 4].map((phase) =>
      within(`F1 beside ${phase} contributors`, 13, rate('F1', phase), 0.05, 'Gb/s'),
    ),
    holds('largest share over smallest, four contributors', 'even', spread, spread < 1.2, ''),
    holds(
      'throughput lost by F2 and F3 alone',
      'a small penalty',
      penalties[0]!,
      penalties[0]! > 0 && penalties[0]! < 0.1,
      'of what H5 takes',
    ),
    holds(
      'lost by three and four contributors, at most',
      'removed with F4 and F5',
      Math.max(penalties[1]!, penalties[2]!),
      Math.max(penalties[1]!, penalties[2]!) < penalties[0]!,
      'of what H5 takes',
      'With more contributors each BECN takes less from the sum, and there are more of them.',
    ),
  ]
}
