/**
 * Poisson arrivals: independent exponential gaps. Times are summed as fractions and rounded each,
 * so that rounding to whole picoseconds does not add up.
 */
import type { Clock } from '../contract.ts'
import { WorkloadError } from '../contract.ts'
import type { Random } from '@weir/engine'

export function poisson(meanIntervalPs: number, startPs: number, random: Random): Clock {
  if (!(meanIntervalPs > 0)) {
    throw new WorkloadError(
      `Poisson arrivals have a mean interval of ${meanIntervalPs} ps; give one above 0.`,
    )
  }
  let timePs = startPs
  return {
    next(): number {
      timePs += random.exponential(meanIntervalPs)
      return Math.round(timePs)
    },
  }
}

/**
 * The mean interval at which flows ask for a fraction `load` of the hosts' links: all flows
 * together bring load * (sum of rates) bits a second, of which an arrival of `flows` flows brings
 * its part.
 */
export function loadIntervalPs(
  load: number,
  rateBps: number,
  meanBytes: number,
  flows: number,
): number {
  if (!(load > 0) || !Number.isFinite(load)) {
    throw new WorkloadError(`Poisson arrivals have a load of ${load}; give one above 0.`)
  }
  if (!(rateBps > 0)) {
    throw new WorkloadError(
      'Poisson arrivals by load need hosts with a link rate; select hosts that have links.',
    )
  }
  return (flows * meanBytes * 8e12) / (load * rateBps)
}
