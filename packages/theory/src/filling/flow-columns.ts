/** What a layer knows of each of its flows, in columns by slot. */
import { NO_LINK } from './filling-flow.ts'
import type { FillingFlow } from './filling-flow.ts'

/** Of a flow: held as it is, or of the set that is filled and rising, or frozen. */
export const OUTSIDE = 0
export const IN_RISE = 1
export const FROZEN = 2

export class FlowColumns {
  readonly flows: (FillingFlow | undefined)[] = []
  readonly weights: number[] = []
  readonly demands: number[] = []
  readonly rates: number[] = []
  /** How high the water stood when the flow was frozen: its rate over its weight. */
  readonly levels: number[] = []
  readonly bottlenecks: number[] = []
  readonly states: number[] = []
  /** The first of a flow's entries in the incidence. */
  readonly runs: number[] = []
  /** The level that a flow has alone in the fabric, and the link that bounds it there. */
  readonly aloneLevels: number[] = []
  readonly aloneLinks: number[] = []
  /** How much less high it stands than the loads of its links say. */
  readonly owed: number[] = []
  /** What it has of the link that holds it, for a rate of its weight. */
  readonly heldShares: number[] = []
  readonly #free: number[] = []

  /** A flow that rises, without a rate yet. */
  add(flow: FillingFlow): number {
    const slot = this.#free.pop() ?? this.flows.length
    const { weight = 1, demandBps = Infinity } = flow
    this.flows[slot] = flow
    this.weights[slot] = weight
    this.demands[slot] = demandBps
    this.rates[slot] = 0
    this.levels[slot] = 0
    this.bottlenecks[slot] = NO_LINK
    this.states[slot] = IN_RISE
    this.aloneLevels[slot] = demandBps / weight
    this.aloneLinks[slot] = NO_LINK
    this.owed[slot] = 0
    this.heldShares[slot] = 0
    return slot
  }

  remove(slot: number): void {
    this.states[slot] = OUTSIDE
    this.flows[slot] = undefined
    this.#free.push(slot)
  }
}
