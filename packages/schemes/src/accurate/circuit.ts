/**
 * ACCurate's contention point as a circuit: whole numbers of few bits, one step a clock cycle, bit
 * for bit what `hdl/rtl/contention_point.v` does (hdl/README.md; ACCurate, section IV, Fig. 6).
 *
 * Rates are unsigned numbers of `rateBits` bits, in steps of 1 / (2^rateBits - 1) of the fastest
 * link; all rounding is down, so that shares never add up to more than the link. Counts have
 * `countBits` bits. B has one bit more than a rate: once it exceeds every rate and C it says no
 * more than 'too much'. A count or a B that is full stays full until the tick, for what it holds is
 * no longer known.
 *
 * In a cycle first the tick acts, then the FRP. A tick makes the registers the old ones; a
 * flow-init adds itself to the old ones; Eq. 1 is always taken of the old registers as they are
 * then, so that one divider does for both. Its quotient comes
 * - `array`: in the same cycle: a flow-init leaves with its own new share;
 * - `pipeline`: `stages` + 2 cycles later, one division a cycle; FRPs travel beside it and are
 *   limited as they leave, so that a flow-init has its own new share here too;
 * - `serial`: one bit a cycle, `rateBits` + 3 cycles in all, one division at a time; FRPs do not
 *   wait, and a flow-init leaves with the share before it.
 */

export type Divider = 'array' | 'pipeline' | 'serial'

export interface CircuitSettings {
  readonly rateBits: number
  readonly countBits: number
  /** C, and C (1 - alpha), in steps. */
  readonly capacity: number
  readonly shareable: number
  /** A cut of CR by more steps than this asks for a short circuit (section II-A). */
  readonly urgent: number
  /** As in `ContentionSettings`. */
  readonly remembers: boolean
  readonly floors: boolean
  readonly divider: Divider
  /** Of a pipeline: cycles that the division itself takes. */
  readonly stages: number
}

/** What an FRP is to the circuit; anything else passes untouched. */
export const NO_FRP = 0
export const FRP = 4
export const FLOW_INIT = 5
/** A flow ends whose FRP of this period has been counted, or has not been sent yet. */
export const FLOW_STOP = 6
export const FLOW_STOP_UNSENT = 7

export interface CircuitFrp {
  type: number
  current: number
  desired: number
}

export interface CircuitInput extends CircuitFrp {
  isTick: boolean
}

export interface CircuitOutput extends CircuitFrp {
  isUrgent: boolean
}

/** One period's registers. */
export class PeriodRegisters {
  m: number = 0
  b: number = 0
  bMax: number = 0
  elsewhere: number = 0

  copy(from: PeriodRegisters): void {
    this.m = from.m
    this.b = from.b
    this.bMax = from.bMax
    this.elsewhere = from.elsewhere
  }

  clear(): void {
    this.m = 0
    this.b = 0
    this.bMax = 0
    this.elsewhere = 0
  }
}

export class ContentionCircuit {
  fsr: number
  oldFsr: number
  readonly now: PeriodRegisters = new PeriodRegisters()
  readonly old: PeriodRegisters = new PeriodRegisters()
  /** What went into the last cycle, and what left in it. */
  readonly input: CircuitInput = { isTick: false, type: NO_FRP, current: 0, desired: 0 }
  readonly output: CircuitOutput = { type: NO_FRP, current: 0, desired: 0, isUrgent: false }
  readonly settings: CircuitSettings
  readonly #countFull: number
  readonly #bFull: number
  /** Pipeline: quotients on their way (0: none), and the FRPs beside them; oldest first. */
  readonly #quotients: number[] = []
  readonly #line: CircuitFrp[] = []
  /** Serial: cycles until the quotient comes (0: idle), what it will be; whether to go again. */
  #wait: number = 0
  #quotient: number = 0
  #isStale: boolean = false

  constructor(settings: CircuitSettings) {
    this.settings = settings
    this.#countFull = 2 ** settings.countBits - 1
    this.#bFull = 2 ** (settings.rateBits + 1) - 1
    this.fsr = settings.shareable
    this.oldFsr = settings.shareable
    if (settings.divider !== 'pipeline') return
    for (let i = 0; i < settings.stages + 2; i++) {
      this.#line.push({ type: NO_FRP, current: 0, desired: 0 })
      // It is FSR from the cycle after it came.
      if (i > 0) this.#quotients.push(0)
    }
  }

  /** Serial: a division is under way, or waits to begin. */
  get isDividing(): boolean {
    return this.#wait > 0 || this.#isStale
  }

  /** One clock cycle; what leaves in it is in `output`. */
  cycle(isTick: boolean, type: number, current: number, desired: number): void {
    const { old, now, input } = this
    input.isTick = isTick
    input.type = type
    input.current = current
    input.desired = desired
    if (this.settings.divider === 'serial') this.#load()
    if (isTick) {
      this.oldFsr = this.fsr
      old.copy(now)
      now.clear()
    }
    const wasHere = this.oldFsr <= current
    if (type === FLOW_INIT) this.#add(old, current, wasHere)
    if (type === FLOW_STOP || type === FLOW_STOP_UNSENT) this.#remove(old, current, wasHere)
    this.#divide(isTick || type === FLOW_INIT)
    const isHere = this.fsr <= current || (this.settings.remembers && wasHere)
    if (type === FRP || type === FLOW_INIT) this.#add(now, current, isHere)
    if (type === FLOW_STOP) this.#remove(now, current, isHere)
    this.#leave(type, current, desired)
    this.#land()
  }

  /** Eq. 1 and the corner cases of section IV-A, of the old registers. */
  share(): number {
    const { shareable, capacity, floors } = this.settings
    const { m, b, bMax, elsewhere } = this.old
    // M = 0: the largest of the others counts as bottlenecked here.
    const rest = m === 0 ? Math.max(0, b - bMax) : b
    const flows = m + elsewhere
    let share: number
    if (rest >= shareable) share = Math.floor(capacity / flows)
    else {
      share = Math.floor((shareable - rest) / (m === 0 ? 1 : m))
      if (floors) share = Math.max(share, Math.floor(shareable / Math.max(1, flows)))
    }
    // A rate of 0 would stop a flow for good.
    return Math.min(Math.max(1, share), shareable)
  }

  #divide(isDue: boolean): void {
    const { divider } = this.settings
    if (divider === 'pipeline') this.#quotients.push(isDue ? this.share() : 0)
    else if (isDue && divider === 'array') this.fsr = this.share()
    else if (isDue) this.#isStale = true
  }

  /** Serial: takes the old registers as the last cycle left them. */
  #load(): void {
    if (this.#wait > 0 || !this.#isStale) return
    this.#isStale = false
    this.#quotient = this.share()
    this.#wait = this.settings.rateBits + 2
  }

  /** A quotient that has come through is FSR from the next cycle on. */
  #land(): void {
    if (this.settings.divider === 'pipeline') {
      const quotient = this.#quotients.shift() ?? 0
      if (quotient > 0) this.fsr = quotient
    } else if (this.#wait > 0) {
      this.#wait--
      if (this.#wait === 0) this.fsr = this.#quotient
    }
  }

  #add(registers: PeriodRegisters, current: number, isHere: boolean): void {
    if (isHere) {
      registers.m = Math.min(this.#countFull, registers.m + 1)
      return
    }
    registers.b = Math.min(this.#bFull, registers.b + current)
    registers.elsewhere = Math.min(this.#countFull, registers.elsewhere + 1)
    registers.bMax = Math.max(registers.bMax, current)
  }

  #remove(registers: PeriodRegisters, current: number, isHere: boolean): void {
    if (isHere) {
      if (registers.m > 0 && registers.m < this.#countFull) registers.m--
      return
    }
    const { elsewhere, b } = registers
    if (elsewhere === 0) return
    if (elsewhere < this.#countFull) registers.elsewhere--
    if (elsewhere === 1) registers.b = 0
    else if (b < this.#bFull) registers.b = Math.max(0, b - current)
  }

  /** Limits what leaves: this cycle's FRP, or beside a pipeline the one whose share is there. */
  #leave(type: number, current: number, desired: number): void {
    const { output, fsr } = this
    output.type = type
    output.current = current
    output.desired = desired
    const waiting = this.#line.shift()
    if (waiting !== undefined) {
      Object.assign(output, waiting)
      this.#line.push({ type, current, desired })
    }
    output.isUrgent = false
    if (output.type === NO_FRP) return
    const cut = output.current - fsr
    if (cut > 0) output.current = fsr
    if (output.desired > fsr) output.desired = fsr
    output.isUrgent = output.type < FLOW_STOP && cut > this.settings.urgent
  }
}
