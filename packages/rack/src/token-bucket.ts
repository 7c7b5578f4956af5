/**
 * A flow's rate limiter: tokens of a byte each come at the flow's rate, up to a depth; a packet
 * leaves when there are as many as it has bytes. One per flow, since the routing fixes how a flow
 * divides over its paths (P. Costa et al., "R2C2", SIGCOMM 2015, section 4.2). The depth is ours:
 * two full packets, so that a late call loses no rate.
 */
export class TokenBucket {
  rateBps: number
  readonly depthBytes: number
  #tokens: number
  #atPs: number

  constructor(rateBps: number, depthBytes: number, nowPs: number) {
    this.rateBps = rateBps
    this.depthBytes = depthBytes
    this.#tokens = depthBytes
    this.#atPs = nowPs
  }

  setRate(rateBps: number, nowPs: number): void {
    this.#fill(nowPs)
    this.rateBps = rateBps
  }

  /** Takes a packet's tokens if they are there. */
  take(bytes: number, nowPs: number): boolean {
    this.#fill(nowPs)
    if (this.#tokens < bytes) return false
    this.#tokens -= bytes
    return true
  }

  /** Takes tokens for what a packet turned out to be longer by, which the next ones wait for. */
  charge(bytes: number): void {
    this.#tokens -= bytes
  }

  /** When the tokens of a packet will be there; Infinity at rate 0. */
  readyPs(bytes: number, nowPs: number): number {
    this.#fill(nowPs)
    if (this.#tokens >= bytes) return nowPs
    if (this.rateBps === 0) return Infinity
    return nowPs + Math.ceil(((bytes - this.#tokens) * 8e12) / this.rateBps)
  }

  #fill(nowPs: number): void {
    const come = (this.rateBps * (nowPs - this.#atPs)) / 8e12
    this.#tokens = Math.min(this.depthBytes, this.#tokens + come)
    this.#atPs = nowPs
  }
}
