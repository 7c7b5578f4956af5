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

/**
 * Sampled so coarsely that a packet more or less is at most half of the band in which rates have
 * converged: packets are whole, and in fine samples no paced flow would ever be near its rate.
 */
export function legible(
  { series, targetsBps, fromPs }: LongFlows,
  { hosts, metrics }: ValidSpec,
): Series[] {
  const packets = metrics.convergenceFraction > 0 ? 2 / metrics.convergenceFraction : 0
  const ps = (packets * hosts.mtuBytes * 8e12) / Math.min(...targetsBps)
  return series.map((one) => {
    const together = Math.ceil(ps / one.intervalPs)
    return together > 1 ? inBlocks(one, fromPs, together) : one
  })
}

/** Means of so many samples each, from the first at or after `fromPs`; what is left over is not. */
function inBlocks(one: Series, fromPs: number, together: number): Series {
  const { values, startPs, intervalPs } = one
  const first = Math.max(0, Math.ceil((fromPs - startPs) / intervalPs))
  const means: number[] = []
  for (let i = first; i + together <= values.length; i += together) {
    means.push(mean(values.slice(i, i + together)))
  }
  const [blockPs, fromFirstPs] = [together * intervalPs, startPs + first * intervalPs]
  return { ...one, startPs: fromFirstPs, intervalPs: blockPs, values: means }
}

/** Mean of the later half of what was sampled since the last change. */
export function settledMeans({ series, fromPs }: LongFlows): number[] {
  return series.map(({ values, startPs, intervalPs }) => {
    const first = Math.max(0, Math.ceil((fromPs - startPs) / intervalPs))
    const later = values.slice(first + Math.floor((values.length - first) / 2))
    return later.length > 0 ? mean(later) : NaN
  })
}
