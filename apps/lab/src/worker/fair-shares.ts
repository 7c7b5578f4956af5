/**
 * Fairness of flows without end as a person means it: each flow's mean rate as a share of its
 * max-min rate, and Jain's index of those. Plain rates are equal where a victim is held down to
 * the others' rate, and a headroom that all leave is not unfair.
 */
import { jain, mean } from '@weir/metrics'
import type { Run } from '@weir/sim'
import { waterFill } from '@weir/theory'
import { Spreads } from './spreads.ts'

/** NaN if no two flows without end are under way, or nothing was sampled. */
export function maxMinJain(run: Run): number {
  const { active, network, sampler } = run
  const spreads = new Spreads(run)
  const rates = sampler.rates()
  const flows = [...active.endlessPaths].flatMap(([flow, { name, path }]) => {
    const series = rates.get(name)
    return series === undefined ? [] : [{ flow, path, series }]
  })
  if (flows.length < 2) return NaN
  const fromPs = active.endlessChangesPs.at(-1) ?? 0
  const means = flows.map(({ series: { values, startPs, intervalPs } }) => {
    const first = Math.max(0, Math.ceil((fromPs - startPs) / intervalPs))
    return mean(values.slice(first + Math.floor((values.length - first) / 2)))
  })
  const fair = waterFill(
    network.fabric.ports.rateBps,
    flows.map(({ flow, path }) => {
      const { weight } = flow
      const spread = spreads.of(flow)
      if (spread === undefined) return { links: path, weight }
      return { links: spread.ports, fractions: spread.parts, weight }
    }),
  )
  return jain(means.map((rate, i) => rate / fair.ratesBps[i]!))
}
