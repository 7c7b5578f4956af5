/**
 * The flows without a size that are under way when a run ends, and the exact max-min rates that
 * they are held against: water-filling over what each link carries of each flow.
 */
import { mean } from '@weir/metrics'
import { waterFill } from '@weir/theory/water-filling'
import { LinkShares } from './link-shares.ts'
import type { LinkShare } from './link-shares.ts'
import { payloadCapacities } from './payload-capacities.ts'
import type { Series } from './result.ts'
import type { Run } from './run.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

export interface LongFlows {
  /** NaN if they are not known. */
  readonly targetsBps: readonly number[]
  /** Why they are not; '' if they are. */
  readonly unknown: string
  readonly series: readonly Series[]
  /** Neither the set of flows nor a link has changed since. */
  readonly fromPs: number
  readonly toPs: number
}

/** undefined: there are none, or their rates were not sampled. */
export function longFlowsOf(run: Run): LongFlows | undefined {
  const { active, network, sampler, spec } = run
  const endless = active.endlessPaths
  if (endless.size === 0 || spec.metrics.intervalPs === 0) return undefined
  const rates = sampler.rates()
  const series = Array.from(endless.values(), ({ name }) => rates.get(name))
  if (!series.every((one) => one !== undefined)) return undefined
  const fromPs = Math.max(active.endlessChangesPs.at(-1) ?? 0, linksChangedPs(spec, run.nowPs))
  const sampled = { series, fromPs, toPs: Infinity }
  const shares = new LinkShares(spec, network)
  const flows: (LinkShare & { readonly weight: number })[] = []
  for (const [flow, { path }] of endless) {
    const share = shares.of(flow, path)
    if (typeof share === 'string') {
      return { ...sampled, unknown: share, targetsBps: series.map(() => NaN) }
    }
    flows.push({ ...share, weight: flow.weight })
  }
  const { ratesBps } = waterFill(payloadCapacities(spec, network), flows)
  return { ...sampled, unknown: '', targetsBps: Array.from(ratesBps) }
}

/** When links last became others, or routes followed them. */
function linksChangedPs({ links }: ValidSpec, nowPs: number): number {
  let lastPs = 0
  for (const { atPs, rateBps, state } of links?.changes ?? []) {
    if (rateBps === undefined && state === undefined) continue
    const followedPs = atPs + (state === undefined ? 0 : links!.detectionPs)
    for (const ps of [atPs, followedPs]) if (ps <= nowPs) lastPs = Math.max(lastPs, ps)
  }
  return lastPs
}

/** Mean of the later half of what was sampled since the last change. */
export function settledMeans({ series, fromPs }: LongFlows): number[] {
  return series.map(({ values, startPs, intervalPs }) => {
    const first = Math.max(0, Math.ceil((fromPs - startPs) / intervalPs))
    const later = values.slice(first + Math.floor((values.length - first) / 2))
    return later.length > 0 ? mean(later) : NaN
  })
}
