/** What ACCurate's points of one run share: parameters, clocks, the chance of losing an FRP. */
import type { Random } from '@weir/engine'
import type { SchemeContext } from '../scheme.ts'
import { NodeClock } from './node-clock.ts'
import type { ClockSettings } from './node-clock.ts'
import type { Values } from './params.ts'

/** Bytes on the wire of an FRP in 20 bits. */
const PIGGYBACK_BYTES = 3

export class World {
  readonly values: Values
  readonly clock: ClockSettings
  /** Wire bytes of an FRP. */
  readonly frpBytes: number
  readonly isPiggybacked: boolean
  readonly isInDataClass: boolean
  /** From a tick to the FRPs of its period. */
  readonly frpPhasePs: number
  readonly topBps: number
  readonly linkRateBps: number
  readonly #random: (name: string) => Random

  constructor(values: Values, context: SchemeContext) {
    this.values = values
    this.isPiggybacked = values.encoding === 'piggyback'
    this.frpBytes = this.isPiggybacked ? PIGGYBACK_BYTES : values.frpSize
    this.isInDataClass = this.isPiggybacked || values.frpClass === 'data'
    // Within the period, whatever its length.
    this.frpPhasePs = Math.min(values.frpPhase, values.rrp / 2)
    const jitterPs = Math.min(values.clockJitter, values.rrp / 2)
    this.clock = { rrpPs: values.rrp, skewPs: values.clockSkew, jitterPs }
    this.topBps = context.hostRateBps
    this.linkRateBps = context.linkRateBps
    this.#random = (name) => context.random(name)
  }

  clockOf(node: string): NodeClock {
    return new NodeClock(this.clock, this.#random(`accurate.clock.${node}`).uint32())
  }

  /** Has this link lost the FRP that crosses it? */
  loses({ random }: { readonly random: Random }): boolean {
    return this.values.frpLoss > 0 && random.uniform() < this.values.frpLoss
  }
}
