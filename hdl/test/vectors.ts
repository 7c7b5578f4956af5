/**
 * Random cycles for a contention point, and what the model says of each: one line a cycle, as
 * contention_point_tb.v reads it. Five kinds of traffic, some hundred cycles each in turn, so that
 * every message type meets every corner: all counters full, B over the link, nobody bottlenecked
 * here, shares of less than a step, FRPs in the cycle of a tick, ticks without a pause between.
 */
import { Random } from '@weir/engine'
import {
  ContentionCircuit,
  FLOW_INIT,
  FLOW_STOP,
  FLOW_STOP_UNSENT,
  FRP,
  NO_FRP,
} from '@weir/schemes'
import type { CircuitSettings } from '@weir/schemes'

const TYPES = [FRP, FLOW_INIT, FLOW_STOP, FLOW_STOP_UNSENT] as const
const KINDS = ['heartbeats', 'anything', 'overload', 'crumbs', 'ticks'] as const
type Kind = (typeof KINDS)[number]

/** How often each thing happened that the comparison is worth something for. */
export interface Coverage {
  cycles: number
  frps: number
  [event: string]: number
}

export class Vectors {
  readonly coverage: Coverage = { cycles: 0, frps: 0 }
  readonly #circuit: ContentionCircuit
  readonly #s: CircuitSettings
  readonly #random: Random
  readonly #rateFull: number
  readonly #countFull: number
  #kind: Kind = 'heartbeats'
  #left: number = 0
  /** Rates of the flows that `heartbeats` has active. */
  #rates: number[] = []
  #next: number = 0
  /** An FRP in every cycle, ticks included. */
  readonly #isSustained: boolean

  constructor(settings: CircuitSettings, seed: number, isSustained: boolean = false) {
    this.#s = settings
    this.#isSustained = isSustained
    this.#circuit = new ContentionCircuit(settings)
    this.#random = new Random(seed, 'hdl.vectors')
    this.#rateFull = 2 ** settings.rateBits - 1
    this.#countFull = 2 ** settings.countBits - 1
  }

  /** The next cycle: `tick type CR DR | what leaves | registers after it`, in hexadecimal. */
  line(): string {
    if (this.#left === 0) {
      this.#kind = KINDS[this.#random.below(KINDS.length)] ?? 'anything'
      this.#left = 50 + this.#random.below(4 * this.#countFull)
    }
    this.#left--
    const { isTick, type: drawn, current, desired } = this.#draw()
    const type = this.#isSustained && drawn === NO_FRP ? FRP : drawn
    this.#circuit.cycle(isTick, type, current, desired)
    this.#cover(isTick, type)
    const ins = [isTick ? 1 : 0, type, current, desired].map((one) => one.toString(16))
    return `${ins.join(' ')} ${this.#leaves()} ${this.#registers()}\n`
  }

  #draw(): { isTick: boolean; type: number; current: number; desired: number } {
    const random = this.#random
    const any = (): number => random.below(this.#rateFull + 1)
    const oneOf = (): number => TYPES[random.below(TYPES.length)] ?? FRP
    switch (this.#kind) {
      case 'heartbeats':
        return this.#heartbeat()
      case 'anything':
        return {
          isTick: random.below(40) === 0,
          type: random.below(5) === 0 ? NO_FRP : oneOf(),
          current: this.#near(any()),
          desired: any(),
        }
      case 'overload':
        // Never a tick: counters and B run full. Mostly just below FSR, so that all goes into B.
        return {
          isTick: random.below(3 * this.#countFull) === 0,
          type: random.below(12) === 0 ? FLOW_STOP : FRP,
          current: random.below(2) === 0 ? Math.max(0, this.#circuit.fsr - 1) : any(),
          desired: any(),
        }
      case 'crumbs':
        return {
          isTick: random.below(2 * this.#countFull) === 0,
          type: oneOf(),
          current: random.below(4),
          desired: random.below(4),
        }
      case 'ticks':
        return {
          isTick: random.below(2) === 0,
          type: random.below(2) === 0 ? NO_FRP : oneOf(),
          current: this.#near(any()),
          desired: any(),
        }
    }
  }

  /** A rate, or one that FSR or the old FSR decides by a step. */
  #near(rate: number): number {
    const { fsr, oldFsr } = this.#circuit
    const choice = this.#random.below(4)
    if (choice > 1) return rate
    const about = (choice === 0 ? fsr : oldFsr) + this.#random.below(3) - 1
    return Math.min(this.#rateFull, Math.max(0, about))
  }

  /** Flows as they are: each sends one FRP a period and takes the answer; some begin, some end. */
  #heartbeat(): { isTick: boolean; type: number; current: number; desired: number } {
    const random = this.#random
    const desired = this.#rateFull
    const event = random.below(60)
    if (this.#rates.length === 0 || event === 0) {
      const current = this.#rateFull
      this.#rates.push(Math.min(current, this.#circuit.fsr))
      return { isTick: false, type: FLOW_INIT, current, desired }
    }
    if (event === 1) {
      const at = random.below(this.#rates.length)
      const current = this.#rates[at] ?? 0
      this.#rates.splice(at, 1)
      const type = at < this.#next ? FLOW_STOP : FLOW_STOP_UNSENT
      return { isTick: false, type, current, desired: current }
    }
    if (this.#next >= this.#rates.length) {
      this.#next = 0
      return { isTick: true, type: NO_FRP, current: 0, desired: 0 }
    }
    const current = this.#rates[this.#next] ?? 0
    const elsewhere = random.below(3) === 0 ? random.below(this.#rateFull) + 1 : this.#rateFull
    this.#rates[this.#next] = Math.min(this.#circuit.fsr, elsewhere)
    this.#next++
    return { isTick: false, type: FRP, current, desired }
  }

  #leaves(): string {
    const { type, isUrgent, current, desired } = this.#circuit.output
    const rate = this.#s.rateBits
    return packed([
      [type, 3],
      [isUrgent ? 1 : 0, 1],
      [current, rate],
      [desired, rate],
    ])
  }

  #registers(): string {
    const { fsr, oldFsr, now, old } = this.#circuit
    const { rateBits: rate, countBits: count } = this.#s
    return packed([
      [fsr, rate],
      [now.m, count],
      [now.b, rate + 1],
      [now.bMax, rate],
      [now.elsewhere, count],
      [oldFsr, rate],
      [old.m, count],
      [old.b, rate + 1],
      [old.bMax, rate],
      [old.elsewhere, count],
    ])
  }

  #cover(isTick: boolean, type: number): void {
    const { now, old, output } = this.#circuit
    const { shareable } = this.#s
    this.coverage.cycles++
    if (type !== NO_FRP) this.coverage.frps++
    this.#count('left', output.type !== NO_FRP)
    this.#count('tick', isTick)
    this.#count('tick and FRP in one cycle', isTick && type !== NO_FRP)
    this.#count('no FRP', type === NO_FRP)
    this.#count('FRP', type === FRP)
    this.#count('flow-init', type === FLOW_INIT)
    this.#count('flow-stop', type === FLOW_STOP)
    this.#count('flow-stop before its FRP', type === FLOW_STOP_UNSENT)
    this.#count('short circuit', output.isUrgent)
    this.#count('M full', now.m === this.#countFull)
    this.#count('count of others full', now.elsewhere === this.#countFull)
    this.#count('B full', now.b === 2 ** (this.#s.rateBits + 1) - 1)
    if (!isTick && type !== FLOW_INIT) return
    const { m, b, bMax, elsewhere } = old
    const rest = m === 0 ? Math.max(0, b - bMax) : b
    this.#count('idle', m === 0 && b === 0)
    this.#count('nobody here, others pass', m === 0 && b > 0 && rest < shareable)
    this.#count('negative share', rest >= shareable)
    this.#count('b_max outlived its flow', m === 0 && b < bMax)
    this.#count('less than a step', m > 0 && rest < shareable && shareable - rest < m)
    this.#count('an equal share is more', m > 0 && b * (m + elsewhere) > shareable * elsewhere)
  }

  #count(event: string, happened: boolean): void {
    this.coverage[event] = (this.coverage[event] ?? 0) + (happened ? 1 : 0)
  }
}

/** Fields side by side, the first on top, in hexadecimal. */
function packed(fields: readonly (readonly [value: number, bits: number])[]): string {
  let all = 0n
  for (const [value, bits] of fields) all = (all << BigInt(bits)) | BigInt(value)
  return all.toString(16)
}
