/**
 * Rates in eight bits, for FRPs that ride in spare header bits (ACCurate, section V: 8 bits for
 * CR, 8 for DR, 4 for the type). The paper does not say how eight bits stand for a rate; here are
 * two ways, both rounding down so that coded shares never add up to more than the link.
 *
 * `linear8`: steps of C/255: 39 Mb/s at 10 Gb/s, coarse for small shares. `float8`: three bits of
 * exponent and five of mantissa, the form in which ATM's ABR carried rates (ATM Forum TM 4.1,
 * af-tm-0121.000: R = 2^e (1 + m/512), five and nine bits): steps of 1.6 to 3.1% from C down to
 * C/128.
 */
import type { RateCode } from './contention-point.ts'
import { exactRates } from './contention-point.ts'

export type RateCodeName = 'exact' | 'linear8' | 'float8'

const MANTISSA = 32
const EXPONENTS = 8

/** A code for rates up to `topBps`, the rate of the fastest link that FRPs cross. */
export function rateCode(name: RateCodeName, topBps: number): RateCode {
  switch (name) {
    case 'exact':
      return exactRates
    case 'linear8':
      return { floor: (rateBps) => linearFloor(rateBps, topBps) }
    case 'float8':
      return { floor: (rateBps) => floatFloor(rateBps, topBps) }
  }
}

/** Rates below one step are one step: 0 would stop a flow. */
function linearFloor(rateBps: number, topBps: number): number {
  const step = topBps / 255
  // A rate that is a code already stays: half a millionth of a step covers the division's rounding.
  return Math.max(1, Math.min(255, Math.floor(rateBps / step + 5e-7))) * step
}

/** top x 2^-e x (32 + m)/64 for e in 0..7, m in 0..31; and top itself, in place of the lowest. */
function floatFloor(rateBps: number, topBps: number): number {
  let scaled = rateBps / topBps
  if (scaled >= 1) return topBps
  let exponent = 0
  while (scaled < 0.5 && exponent < EXPONENTS - 1) {
    scaled *= 2
    exponent++
  }
  // The lowest of the 256 codes is given up for the top.
  const lowest = exponent === EXPONENTS - 1 ? MANTISSA + 1 : MANTISSA
  const mantissa = Math.max(lowest, Math.floor(scaled * 2 * MANTISSA + 5e-7))
  return (topBps * mantissa) / (2 * MANTISSA) / 2 ** exponent
}
