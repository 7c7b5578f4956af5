/**
 * Scenario 1 with a CCTI_Timer of 2,000 us.
 *
 * Document D, section VII-B, fig. 13. Published: contributors are unfair to each other for an extended
 * time whenever one is added, and do not stabilise within the second between two; F1 is free. Ours: the
 * same; the flow that has just joined keeps up to twice its share.
 */
import { holds, within } from '../figure.ts'
import type { Figure, FigureResult } from '../figure.ts'
import { CITE, phases, rateCurves, scenario1, settledRate } from './testbed.ts'

export const fig13: Figure = {
  id: 'infiniband/fig13',
  title: 'Scenario 1 with a timer of 2,000 us',
  cite: `${CITE}, section VII-B, fig. 13`,
  claim:
    'A slow timer frees the victim too, and leaves contributors unequal for a second and more.',
  async reproduce(context): Promise<FigureResult> {
    const { phasePs, intervalPs } = phases(context)
    const [slow, tableI] = await Promise.all(
      ['2000us', '150us'].map((timer) =>
        context.simulate(
          scenario1({
            scheme: 'infiniband',
            phasePs,
            intervalPs,
            settings: [`scheme.params.cctiTimer=${timer}`],
          }),
        ),
      ),
    )
    const spread = (result: typeof slow, phase: number): number => {
      const flows = ['F2', 'F3', 'F4', 'F5'].slice(0, phase)
      const rates = flows.map((flow) => settledRate(result!, flow, phase, phasePs))
      return Math.max(...rates) / Math.min(...rates)
    }
    return {
      checks: [
        within('F1 in the last phase', 13, settledRate(slow!, 'F1', 4, phasePs), 0.05, 'Gb/s'),
        ...[3, 4].map((phase) =>
          holds(
            `largest share over smallest, ${phase} contributors`,
            'unfair for an extended time',
            spread(slow, phase),
            spread(slow, phase) > 1.2 && spread(slow, phase) > spread(tableI, phase),
            '',
            `With Table I it is ${spread(tableI, phase).toFixed(2)}.`,
          ),
        ),
      ],
      plots: [
        {
          title: 'Fig. 13',
          kind: 'lines',
          x: { label: 'time', unit: 's' },
          y: { label: 'throughput', unit: 'Gb/s' },
          curves: rateCurves(slow!),
        },
      ],
      notes: [],
    }
  },
}
