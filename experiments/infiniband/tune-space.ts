/**
 * The space that `tune` searches: Table IV of document D, without what scenario 1 does not touch
 * (Packet_Size: all packets are long; Victim_Mask, CCTI_Min and CCTI_Limit: as in Table I).
 */
import type { Random } from '@weir/engine'

export const CONTRIBUTORS = ['F2', 'F3', 'F4', 'F5'] as const

export interface Setting {
  readonly threshold: number
  readonly markingRate: number
  readonly cctiIncrease: number
  readonly cctiTimerUs: number
  /** d of cct[i] = i^2 * 7 / d^2 us: 106 in the test bed, 95 by the manufacturer. */
  readonly divisor: number
  readonly cctTable: string
}

const THRESHOLDS = [1, 3, 5, 7, 9, 11, 12, 13, 14, 15]
const MARKING_RATES = [0, 1, 2, 3, 4, 6, 8, 12, 20]
const INCREASES = [1, 2, 3, 4]
const TIMERS_US = [50, 75, 100, 125, 150, 175, 200, 250, 300, 400, 600, 1000, 2000]
const DIVISORS = [60, 70, 80, 95, 106, 120, 140, 160]
const ENTRIES = 128

export const TABLE_I: Setting = setting(15, 1, 1, 150, 106)

/** What the search of full size found, in 240 settings. */
export const FOUND: Setting = setting(14, 4, 4, 125, 160)

export function draw(random: Random): Setting {
  const oneOf = (values: readonly number[]): number => values[random.below(values.length)] as number
  return setting(
    oneOf(THRESHOLDS),
    oneOf(MARKING_RATES),
    oneOf(INCREASES),
    oneOf(TIMERS_US),
    oneOf(DIVISORS),
  )
}

/** The same setting with one or two parameters moved to a value beside theirs. */
export function vary(from: Setting, random: Random): Setting {
  const values = [from.threshold, from.markingRate, from.cctiIncrease, from.cctiTimerUs]
  values.push(from.divisor)
  const scales = [THRESHOLDS, MARKING_RATES, INCREASES, TIMERS_US, DIVISORS]
  for (let changes = 1 + random.below(2); changes > 0; changes--) {
    const which = random.below(scales.length)
    const scale = scales[which] as readonly number[]
    const at = scale.indexOf(values[which] as number)
    const to = at + (random.below(2) === 0 ? -1 : 1)
    values[which] = scale[Math.min(Math.max(to, 0), scale.length - 1)] as number
  }
  const [threshold, markingRate, cctiIncrease, cctiTimerUs, divisor] = values as [
    number,
    number,
    number,
    number,
    number,
  ]
  return setting(threshold, markingRate, cctiIncrease, cctiTimerUs, divisor)
}

function setting(
  threshold: number,
  markingRate: number,
  cctiIncrease: number,
  cctiTimerUs: number,
  divisor: number,
): Setting {
  const delays = Array.from({ length: ENTRIES }, (_, i) =>
    Math.round((i * i * 7e6) / (divisor * divisor)),
  )
  const cctTable = delays.map((delayPs) => `${delayPs}ps`).join(' ')
  return { threshold, markingRate, cctiIncrease, cctiTimerUs, divisor, cctTable }
}

export function words({ threshold, markingRate, cctiIncrease, ...setting }: Setting): string {
  return (
    `Threshold ${threshold}, Marking_Rate ${markingRate}, CCTI_Increase ${cctiIncrease}, ` +
    `CCTI_Timer ${setting.cctiTimerUs} us, cct[i] = i^2 * 7 / ${setting.divisor}^2 us`
  )
}
