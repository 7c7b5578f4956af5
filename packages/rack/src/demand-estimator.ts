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
