/** How long the sources' rate limits of a random case take to the max-min rates, and stay there. */
import type { Result } from '@weir/sim'
import type { Case, Phase } from './random-cases.ts'
import { RRP_PS } from './random-cases.ts'
import { seriesOf } from './measures.ts'

const WITHIN = 0.01

/** Periods from the last change until every limit stays within 1%; NaN: not in this phase. */
export function rrpsToSettle(result: Result, phase: Phase): number {
  let lastPs = phase.fromPs
  let endPs = phase.fromPs
  phase.flows.forEach((flow, f) => {
    const target = phase.ratesBps[f] ?? NaN
    const { startPs, intervalPs, values } = seriesOf(result, `accurate.rate.${flow}`)
    values.forEach((value, i) => {
      const atPs = startPs + i * intervalPs
      if (atPs < phase.fromPs || atPs > phase.toPs) return
      endPs = Math.max(endPs, atPs)
      if (Math.abs(value - target) > WITHIN * target) lastPs = Math.max(lastPs, atPs)
    })
  })
  // Settled means that some periods of rest were seen.
  return endPs - lastPs < 3 * RRP_PS ? NaN : Math.max(0, (lastPs - phase.fromPs) / RRP_PS)
}

export function settlings(one: Case, result: Result): { phase: Phase; rrps: number }[] {
  return one.phases
    .filter(({ flows }) => flows.length > 0)
    .map((phase) => ({ phase, rrps: rrpsToSettle(result, phase) }))
}
