/** A flow of the rack at its sender: what is announced of it, its limiter and its routing. */
import type { FlowContext, NodeAgent } from '@weir/fabric'
import { ReactionPoint } from '@weir/fabric'
import { announcedDemand, DemandEstimator, PRIORITY_MAX, weightCodeOf } from '@weir/rack'
import type { RackWorld } from './world.ts'

/** A flow that gets nothing for now may still show that it is there. */
export const LEAST_BPS: number = 1e6

/**
 * Who holds a flow up is told by so many packets' worth of its allocation: what it has announced is
 * a tenth more than it can use, which must be more than a packet or two.
 */
const VERDICT_PACKETS = 64
/** A flow that uses more of its allocation than this is held by it. */
const HELD = 0.95

/** What a flow asks of its host's agent. */
export interface RackAgent {
  open(flow: R2c2Reaction, nowPs: number): void
  close(flow: R2c2Reaction, nowPs: number): void
}

/** A flow's rate limiter: its NIC paces it by what its node computes. */
export class R2c2Reaction extends ReactionPoint {
  number = -1
  sincePs: number = Infinity
  readonly #flow: FlowContext
  readonly #target: number
  readonly #world: RackWorld
  readonly #demand = new DemandEstimator()
  #protocol: number
  #demandKbps = Infinity
  /** Since its demand was last estimated. */
  #sentBytes = 0
  #allocatedBytes = 0
  #allocatedPs = 0
  #isLimited = false
  /** No way leads to its target: the rack does not know of it, and it sends next to nothing. */
  isWithdrawn = false
  /** All its packets have gone once; some may have to go again. */
  isSent = false

  constructor(flow: FlowContext, world: RackWorld) {
    super()
    this.#flow = flow
    this.#world = world
    this.#target = world.hostNodes[flow.target]!
    this.#protocol = world.protocols[flow.member ?? 0]!
    this.rateBps = this.#startBps
  }

  /** What all nodes are told of it. */
  get announced(): {
    readonly target: number
    readonly flow: number
    readonly priority: number
    readonly protocol: number
    readonly demandKbps: number
    readonly weightCode: number
  } {
    return {
      target: this.#target,
      flow: this.number,
      priority: Math.min(PRIORITY_MAX, this.#flow.class),
      protocol: this.#protocol,
      demandKbps: this.#demandKbps,
      weightCode: weightCodeOf(this.#flow.weight),
    }
  }

  get #startBps(): number {
    const { lineRateBps, source, target } = this.#flow
    return Math.min(lineRateBps, this.#world.startBps(this.#protocol, source, target))
  }

  get #node(): RackAgent | undefined {
    return this.#flow.agent as (NodeAgent & RackAgent) | undefined
  }

  override onStart(nowPs: number): void {
    this.sincePs = nowPs
    this.#node?.open(this, nowPs)
  }

  override onSent(bytes: number, _nowPs: number): void {
    this.#sentBytes += bytes
  }

  override onFinished(nowPs: number): void {
    this.#node?.close(this, nowPs)
  }

  /**
   * A period ends: estimates its demand, if there is enough to tell it by; true if others should
   * hear of it. Bytes that wait are queued at the limiter only if the limiter is what holds them: a
   * flow that leaves a part of its allocation is held up by its host.
   */
  estimate(periodPs: number): boolean {
    if (!this.#isLimited) {
      this.#forgetPeriods()
      return false
    }
    const { lineRateBps, packetBytes, unsentBytes } = this.#flow
    this.#allocatedBytes += (this.rateBps * periodPs) / 8e12
    this.#allocatedPs += periodPs
    const [allocatedBytes, overPs, sentBytes] = [
      this.#allocatedBytes,
      this.#allocatedPs,
      this.#sentBytes,
    ]
    if (allocatedBytes < VERDICT_PACKETS * packetBytes) return false
    this.#forgetPeriods()
    const isHeld = sentBytes + packetBytes >= HELD * allocatedBytes
    const queuedBytes = isHeld ? unsentBytes : 0
    const meanBps = (allocatedBytes * 8e12) / overPs
    const estimateBps = this.#demand.observe(meanBps, sentBytes, queuedBytes, overPs)
    const demandKbps = announcedDemand(this.#demandKbps, estimateBps, this.rateBps, lineRateBps)
    const isNews = demandKbps !== this.#demandKbps
    this.#demandKbps = demandKbps
    return isNews
  }

  #forgetPeriods(): void {
    this.#sentBytes = 0
    this.#allocatedBytes = 0
    this.#allocatedPs = 0
  }

  /** Packets take another protocol from now on, if it is another. */
  follow(protocol: number): void {
    if (protocol === this.#protocol) return
    this.#protocol = protocol
    this.routing = this.#world.protocols.indexOf(protocol)
  }

  withdraw(): void {
    this.isWithdrawn = true
    this.limit(LEAST_BPS)
  }

  /** A way leads to its target again: it is as young as a new flow. */
  readmit(nowPs: number): void {
    this.isWithdrawn = false
    this.sincePs = nowPs
    this.#isLimited = false
    this.rateBps = this.#startBps
    this.#flow.wake()
  }

  limit(rateBps: number): void {
    this.#isLimited = true
    this.rateBps = Math.min(rateBps, this.#flow.lineRateBps)
    this.#flow.wake()
  }

  /** The rate, and the member of the routing that it has. */
  override observe(index: number): number {
    if (index === 0) return this.rateBps
    return this.routing < 0 ? (this.#flow.member ?? 0) : this.routing
  }
}
