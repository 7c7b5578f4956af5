/**
 * The space that `tune` searches: Table IV of Gran et al. 2010, without what scenario 1 does not
 * touch (Packet_Size: all packets are long; Victim_Mask, CCTI_Min and CCTI_Limit: as in Table I).
 */
import type { Random } from '@weir/engine'

export interface Setting {
  readonly threshold: number
  readonly markingRate: number
  readonly cctiIncrease: number
  readonly cctiTimerUs: number
  /** d of cct[i] = i^2 * 7 / d^2 us: 106 in the test bed, 95 by the manufacturer. */
  readonly divisor: number
}

const SCALES: Readonly<Record<keyof Setting, readonly number[]>> = {
  threshold: [1, 3, 5, 7, 9, 11, 12, 13, 14, 15],
  markingRate: [0, 1, 2, 3, 4, 6, 8, 12, 20],
  cctiIncrease: [1, 2, 3, 4],
  cctiTimerUs: [50, 75, 100, 125, 150, 175, 200, 250, 300, 400, 600, 1000, 2000],
  divisor: [60, 70, 80, 95, 106, 120, 140, 160],
}

export const TABLE_I: Setting = {
  threshold: 15,
  markingRate: 1,
  cctiIncrease: 1,
  cctiTimerUs: 150,
  divisor: 106,
}

export function draw(random: Random): Setting {
  const oneOf = (values: readonly number[]): number => values[random.below(values.length)] as number
  return {
    threshold: oneOf(SCALES.threshold),
    markingRate: oneOf(SCALES.markingRate),
    cctiIncrease: oneOf(SCALES.cctiIncrease),
    cctiTimerUs: oneOf(SCALES.cctiTimerUs),
    divisor: oneOf(SCALES.divisor),
  }
}

/** The same setting with one or two parameters moved to a value beside theirs. */
export function vary(from: Setting, random: Random): Setting {
  const to: Record<keyof Setting, number> = { ...from }
  const names = Object.keys(SCALES) as (keyof Setting)[]
  for (let changes = 1 + random.below(2); changes > 0; changes--) {
    const name = names[random.below(names.length)] as keyof Setting
    const scale = SCALES[name]
    const at = scale.indexOf(to[name]) + (random.below(2) === 0 ? -1 : 1)
    to[name] = scale[Math.min(Math.max(at, 0), scale.length - 1)] as number
  }
  return to
}

export function words({ threshold, markingRate, cctiIncrease, ...setting }: Setting): string {
  return (
    `Threshold ${threshold}, Marking_Rate ${markingRate}, CCTI_Increase ${cctiIncrease}, ` +
    `CCTI_Timer ${setting.cctiTimerUs} us, cct[i] = i^2 * 7 / ${setting.divisor}^2 us`
  )
}
