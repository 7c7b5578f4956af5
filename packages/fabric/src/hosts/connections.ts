/**
 * Connections that outlive a flow: the next request between the same two hosts, in the same class,
 * goes on with the congestion control's state and the retransmission timer of one that has ended.
 * The null member is none: each flow is a connection of its own.
 *
 * A connection carries one flow at a time. A flow takes the one of its pair that ended last, and if
 * all of them are busy it opens another. Idle for longer than its RTO, a connection has lost its
 * ACK clock, and goes on with the restart window (RFC 5681, section 4.1). What was learned is kept
 * for as long as the run lasts. For TCP only; costs nothing a packet, and an object a connection.
 *
 * Not carried: numbers start over, the receiver forgets an unanswered mark, and each flow has its
 * own path, as routing gives it.
 */
import { CLASSES } from '../ports.ts'
import type { Flow } from './flow.ts'
import type { RoundTrip } from './tcp-timer.ts'

/** A connection without a flow. */
interface Idle extends RoundTrip {
  rtoPs: number
  /** When its last packet was sent. */
  sentPs: number
  /** What its reaction point wants to know again. */
  kept: readonly number[]
}

export interface ConnectionParams {
  /** A connection that was idle for more than its RTO starts from the restart window. */
  readonly idleRestart: boolean
}

export class Connections {
  readonly #params: ConnectionParams
  readonly #hosts: number
  /** By source, target and class; the one that ended last is at the end. */
  readonly #idle: Map<number, Idle[]> = new Map()

  constructor(params: ConnectionParams, hosts: number) {
    this.#params = params
    this.#hosts = hosts
  }

  #key({ source, target, class: trafficClass }: Flow): number {
    return (source * this.#hosts + target) * CLASSES + trafficClass
  }

  /** A flow starts: its reaction point and its reliability's state are made. */
  resume(flow: Flow, nowPs: number): void {
    const idle = this.#idle.get(this.#key(flow))?.pop()
    if (idle === undefined) return
    const roundTrip = flow.reliable as RoundTrip
    roundTrip.srttPs = idle.srttPs
    roundTrip.rttvarPs = idle.rttvarPs
    flow.rtoPs = idle.rtoPs
    const hasRested = this.#params.idleRestart && nowPs - idle.sentPs > idle.rtoPs
    flow.reaction.resume(idle.kept, hasRested)
  }

  /** A flow has ended: its connection is idle from now on. */
  release(flow: Flow): void {
    const { srttPs, rttvarPs } = flow.reliable as RoundTrip
    const { rtoPs, servedPs: sentPs } = flow
    const idle: Idle = { srttPs, rttvarPs, rtoPs, sentPs, kept: flow.reaction.keep() }
    const key = this.#key(flow)
    const others = this.#idle.get(key)
    if (others === undefined) this.#idle.set(key, [idle])
    else others.push(idle)
  }
}
