/** Periodic arrivals: at the start, then every period, `count` times in all; 0: without end. */
import type { Clock } from '../contract.ts'
import { WorkloadError } from '../contract.ts'

export function periodic(periodPs: number, count: number, startPs: number): Clock {
  if (!(periodPs >= 0 && count >= 0) || (periodPs === 0 && count === 0)) {
    throw new WorkloadError(
      `Periodic arrivals have a period of ${periodPs} ps and a count of ${count}; ` +
        'give a period above 0, or a count for rounds at one moment.',
    )
  }
  let n = 0
  return {
    next: (): number => (count !== 0 && n >= count ? Infinity : startPs + n++ * periodPs),
  }
}
