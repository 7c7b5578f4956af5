/**
 * What a flow could send if it were let: P. Costa et al., "R2C2", SIGCOMM 2015, section 3.3.2,
 * Eq. 1, d[i+1] = r[i] + q[i] / T, where r is its allocation, q what waits at the sender and T
 * the period; smoothed by an exponentially weighted moving average. The gain of 1/4 and a period
 * of rho are ours.
 *
 * By the equation a flow that uses less than its allocation without a queue still has a demand of
 * r; r is therefore what it sent in the period, if that is less and nothing waits.
 */
export class DemandEstimator {
  readonly #gain: number
  #estimateBps: number | undefined

  constructor(gain = 0.25) {
    this.#gain = gain
  }

  /** `sentBytes` and `queuedBytes` are of the period that ends. */
  observe(allocatedBps: number, sentBytes: number, queuedBytes: number, periodPs: number): number {
    const sentBps = (sentBytes * 8e12) / periodPs
    const usedBps = queuedBytes > 0 ? allocatedBps : Math.min(allocatedBps, sentBps)
    const demandBps = usedBps + (queuedBytes * 8e12) / periodPs
    this.#estimateBps =
      this.#estimateBps === undefined
        ? demandBps
        : this.#estimateBps + this.#gain * (demandBps - this.#estimateBps)
    return this.#estimateBps
  }

  get estimateBps(): number {
    return this.#estimateBps ?? Infinity
  }
}

/** A demand is announced when it has moved by a tenth: less would be noise. */
const STEP = 0.1

/**
 * The demand in Kb/s that is announced from now on; that of before if it has hardly moved. It is a
 * tenth more than the estimate, so that a flow has room to show that it wants more, and Infinity
 * once the flow could use what it is given, or all that its node can send.
 */
export function announcedDemand(
  beforeKbps: number,
  estimateBps: number,
  rateBps: number,
  nodeBps: number,
): number {
  const wantedBps = estimateBps * (1 + STEP)
  const boundBps = beforeKbps === Infinity ? rateBps * (1 - STEP) : nodeBps
  const demandKbps = wantedBps < boundBps ? Math.max(1, Math.ceil(wantedBps / 1e3)) : Infinity
  if (demandKbps === beforeKbps) return beforeKbps
  const step = Math.abs(demandKbps - beforeKbps)
  return step < Infinity && step <= STEP * beforeKbps ? beforeKbps : demandKbps
}
