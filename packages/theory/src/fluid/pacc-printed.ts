/**
 * PACC's own stability analysis, as printed, and both ways of reading its sign.
 *
 * X. Zhong et al., "PACC: Proactive and Accurate Congestion Feedback for RDMA Congestion Control",
 * section IV. Eqs. 4, 6 and 7 integrate the number of CNPs; linearized (14) they give the open loop
 * (16), G(s) = -K (1 + s/z) / s^3 e^(-2sT). With ordinary negative feedback the loop is +K (...):
 * that is what (14) says, and what `negative` is. The paper speaks of a positive margin, which
 * comes out if the printed minus is counted as half a turn of phase: `printed`.
 */
import { integratorLoop } from '../linear/bode.ts'
import type { Range, Transfer } from '../linear/bode.ts'

export interface PaccGains {
  /** CNPs per KB of queue above its reference, and per KB that it grew in T. */
  readonly beta1: number
  readonly beta2: number
  /** T in seconds. */
  readonly interval: number
  readonly alpha: number
  readonly rateBps: number
}

export type SignReading = 'negative' | 'printed'

/** Eq. 16's K and z: Q in KB, so C in KB/s. */
export function paccLoopGain({ beta1, beta2, interval, alpha, rateBps }: PaccGains): {
  readonly k: number
  readonly z: number
} {
  const c = rateBps / 8e3
  return {
    k: (c * beta1 * alpha) / (2 * interval * interval),
    z: beta1 / ((beta2 + beta1 / 2) * interval),
  }
}

export function paccLoop(gains: PaccGains, reading: SignReading): Transfer {
  const { k, z } = paccLoopGain(gains)
  return integratorLoop(reading === 'negative' ? k : -k, z, 3, 2 * gains.interval)
}

export function paccRange({ interval }: PaccGains): Range {
  return { from: 1e-4 / interval, to: 1e3 / interval }
}

/**
 * The stable value of alpha (appendix A). `simplified` is the text's sqrt(2 tau' / (3 T_i)),
 * 0.04714 at (1, 300) us, where the root covers the whole product; `equation` is Eq. 3 as printed,
 * the root over tau' / T_i alone: 0.0385.
 */
export function paccAlpha(
  alphaInterval: number,
  increaseTimer: number,
  form: 'simplified' | 'equation',
): number {
  // Delta R / R during T_i: ((R_T - R_C) / 2) / ((R_T + R_C) / 2) with R_C = R_T / 2.
  const share = 1 / 3
  return form === 'simplified'
    ? Math.sqrt((alphaInterval / increaseTimer) * 2 * share)
    : Math.sqrt(alphaInterval / increaseTimer) * 2 * share
}
