/**
 * Fairness of flows without end as a person means it: each flow's mean rate as a share of its
 * max-min rate, and Jain's index of those. Plain rates are equal where a victim is held down to
 * the others' rate, and a headroom that all leave is not unfair.
 */
import { jain, mean } from '@weir/metrics'
import type { Run } from '@weir/sim'
import { maxMin } from '@weir/theory/max-min'

/** NaN if no two flows without end are under way, or nothing was sampled. */
export function maxMinJain({ active, network, sampler }: Run): number {
  const rates = sampler.rates()
  const flows = [...active.endlessPaths].flatMap(([flow, { name, path }]) => {
    const series = rates.get(name)
    return series === undefined ? [] : [{ weight: flow.weight, path, series }]
  })
  if (flows.length < 2) return NaN
  const fromPs = active.endlessChangesPs.at(-1) ?? 0
  const means = flows.map(({ series: { values, startPs, intervalPs } }) => {
    const first = Math.max(0, Math.ceil((fromPs - startPs) / intervalPs))
    return mean(values.slice(first + Math.floor((values.length - first) / 2)))
  })
  const fair = maxMin(
    Array.from(network.fabric.ports.rateBps),
    flows.map(({ path }) => path),
    { weights: flows.map(({ weight }) => weight) },
  )
  return jain(means.map((rate, i) => rate / fair.ratesBps[i]!))
}
