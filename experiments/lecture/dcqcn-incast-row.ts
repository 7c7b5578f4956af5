/** What `lecture/dcqcn-incast` reads off one of its runs. */
import { mean, nearestRank, sortedValues } from '@weir/metrics'
import type { Result } from '@weir/sim'

/** Of one run: Gb/s at the 10th percentile and the median, CNPs, share of the hot port, frames. */
export interface Row {
  readonly user: readonly [number, number]
  readonly incast: readonly [number, number]
  /** That a user flow heard, on average of the slowest tenth and of the faster half. */
  readonly cnps: readonly [number, number]
  readonly used: number
  readonly pauses: number
  readonly lost: number
}

/** Gb/s: 10th percentile and median of the flows whose name begins so. */
function percentiles({ flows }: Result, prefix: string, fromPs: number): [number, number] {
  const rates = sortedValues(
    flows.throughputBps.filter(
      (_, i) => flows.name[i]!.startsWith(prefix) && flows.startPs[i]! >= fromPs,
    ),
  )
  return [nearestRank(rates, 0.1) / 1e9, nearestRank(rates, 0.5) / 1e9]
}

function cnpsOf({ flows }: Result, fromPs: number): [number, number] {
  const users = Array.from(flows.throughputBps, (bps, i) => ({
    bps,
    cnps: flows.notifications[i]!,
  }))
    .filter((_, i) => flows.name[i]!.startsWith('user') && flows.startPs[i]! >= fromPs)
    .sort((a, b) => a.bps - b.bps)
    .map(({ cnps }) => cnps)
  const { length } = users
  return [mean(users.slice(0, Math.ceil(length / 10))), mean(users.slice(Math.floor(length / 2)))]
}

export function rowOf(result: Result, untilMs: number): Row {
  const hot = result.ports.name.findIndex((name) => /^leaf0->.*h0$/u.test(name))
  return {
    user: percentiles(result, 'user', (untilMs * 1e9) / 4),
    incast: percentiles(result, 'incast', 0),
    used: result.ports.utilisation[hot]!,
    cnps: cnpsOf(result, (untilMs * 1e9) / 4),
    pauses: result.counters.pauseFrames,
    lost: result.counters.packetsDropped,
  }
}
