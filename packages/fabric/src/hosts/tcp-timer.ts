/** TCP's retransmission timer (RFC 6298): SRTT and RTTVAR, and the timeout they give. */

/** Section 2.3. */
const RTT_GAIN = 1 / 8
const VARIATION_GAIN = 1 / 4

export interface TimerParams {
  /** The timer is never set to less (RFC 6298 says 1 s; stacks take 200 ms). */
  readonly rtoMinPs: number
  /** Backoff stops here. */
  readonly rtoMaxPs: number
  /** The clock's granularity G: timeouts are whole multiples of it; 0: exact. */
  readonly granularityPs: number
}

export interface RoundTrip {
  srttPs: number
  rttvarPs: number
}

/** Section 2.2: the first sample; the handshake's, on the empty fabric. */
export function firstRoundTrip(rttPs: number): RoundTrip {
  return { srttPs: rttPs, rttvarPs: rttPs / 2 }
}

export function measure(state: RoundTrip, rttPs: number): void {
  state.rttvarPs += VARIATION_GAIN * (Math.abs(state.srttPs - rttPs) - state.rttvarPs)
  state.srttPs += RTT_GAIN * (rttPs - state.srttPs)
}

/** Sections 2.2 to 2.4; then up to the next tick of the clock. */
export function rtoOf({ srttPs, rttvarPs }: RoundTrip, params: TimerParams): number {
  const { rtoMinPs, rtoMaxPs, granularityPs } = params
  const rtoPs = Math.max(rtoMinPs, srttPs + Math.max(granularityPs, rttvarPs / VARIATION_GAIN))
  const ticks = granularityPs > 0 ? Math.ceil(rtoPs / granularityPs) * granularityPs : rtoPs
  return Math.ceil(Math.min(Math.max(rtoMinPs, rtoMaxPs), ticks))
}

/** Section 5.5: twice as long, up to the most. */
export function backedOff(rtoPs: number, { rtoMinPs, rtoMaxPs }: TimerParams): number {
  return Math.min(2 * rtoPs, Math.max(rtoMinPs, rtoMaxPs))
}
