/**
 * PACC as a fluid, in two forms.
 *
 * X. Zhong et al., "PACC: Proactive and Accurate Congestion Feedback for RDMA Congestion Control".
 * `positional` is what Algorithm 1 does: every T it assigns N_all = beta1 (Q - Q_th) + beta2 (Q -
 * Q_old), shares it by flows' packets, and DCQCN's reaction point hears N_all / N CNPs in the T
 * that follows; alpha, target and increase are DCQCN's (CoNEXT 2016 for the fluid of timers that
 * CNPs reset). CNPs are held for T, half of it on average, and travel from the switch to the sender
 * and back. `printed` is section IV of the paper: Eqs. 4, 6 and 7, in which N integrates, alpha is
 * constant, every delay is T, and nothing ever increases.
 *
 * Q is in KB where gains multiply it: only so do 0.05 and 0.1 make sense.
 */
import { exp, ln } from '@weir/engine'
import { numberOf, secondsOf } from './model.ts'
import type { FixedPoint, FluidGroup, FluidModel, FluidNetwork } from './model.ts'
import type { FluidValues, Quantity } from './model.ts'
import { margins } from '../linear/bode.ts'
import { paccAlpha, paccLoop, paccRange } from './pacc-printed.ts'
import type { PaccGains } from './pacc-printed.ts'
import { clamp, queueSlope, SharedQueue, within } from './shared-queue.ts'

const US = 1e6
const KB = 1e3

export const paccFluid: FluidModel = {
  name: 'pacc',
  title: 'PACC',
  cite: 'Zhong et al., PACC, Algorithm 1 and section IV; DCQCN as in CoNEXT 2016',
  defaults: {
    form: 'positional',
    reference: 0,
    interval: 80 * US,
    beta1: 0.05,
    beta2: 0.1,
    cnpSpacing: 4 * US,
    g: 1 / 256,
    alphaInterval: 1 * US,
    increaseTimer: 300 * US,
    fastRecovery: 1,
    rateAi: 5e6,
    rateHai: 50e6,
    stepReference: 25e9,
    minRate: 10e6,
    clampTarget: false,
  },
  own: { form: ['positional', 'printed'] },
  leavesOut: [
    'Rounding down: fewer than one CNP for each flow are none, a dead zone of N / beta1 KB.',
    'That the CNPs of an interval come 4 us apart at its start, and not by chance.',
    'The test for microbursts, which a standing queue passes.',
  ],
  create: (network, values, groups) =>
    values['form'] === 'printed'
      ? new Printed(network, values, groups)
      : new Positional(network, values, groups),
}

/** Q_th, or C T / 2 (section IV-C): 125 KB at 25 Gb/s. */
function referenceQueue(values: FluidValues, capacity: number, interval: number): number {
  return numberOf(values, 'reference') || (capacity * interval) / 2
}

/** DCQCN's reaction point under CNPs of rate nu: how often its timer expires. */
interface Increase {
  /** Expiries a second, and the mean step of the target for each CNP. */
  readonly expiries: number
  readonly step: number
  /** Times a second that a CNP takes the target down to the rate. */
  readonly clamps: number
}

class Positional extends SharedQueue {
  readonly #t: number
  readonly #beta1: number
  readonly #beta2: number
  readonly #qth: number
  readonly #spacing: number
  readonly #g: number
  readonly #tauAlpha: number
  readonly #timer: number
  readonly #fastRecovery: number
  readonly #rateAi: number
  readonly #rateHai: number
  readonly #rateMin: number
  readonly #isClamped: boolean

  constructor(network: FluidNetwork, values: FluidValues, groups?: readonly FluidGroup[]) {
    const line = network.lineRateBps ?? network.rateBps
    super(network, groups, {
      each: ['rate', 'target', 'alpha'],
      firstBps: line,
      waits: [false, false],
    })
    this.#t = secondsOf(values, 'interval')
    this.#beta1 = numberOf(values, 'beta1') / KB
    this.#beta2 = numberOf(values, 'beta2') / KB
    this.#qth = referenceQueue(values, this.b.capacity, this.#t)
    this.#spacing = secondsOf(values, 'cnpSpacing')
    this.#g = numberOf(values, 'g')
    this.#tauAlpha = secondsOf(values, 'alphaInterval')
    this.#timer = secondsOf(values, 'increaseTimer')
    this.#fastRecovery = numberOf(values, 'fastRecovery')
    const reference = numberOf(values, 'stepReference')
    const step = reference > 0 ? line / reference : 1
    this.#rateAi = (numberOf(values, 'rateAi') / 8) * step
    this.#rateHai = (numberOf(values, 'rateHai') / 8) * step
    this.#rateMin = numberOf(values, 'minRate') / 8
    this.#isClamped = values['clampTarget'] === true
    this.scale[0] = this.#qth
    this.groups.forEach(({ rateBps }, g) => {
      this.start.set([rateBps / 8, rateBps / 8, 1], this.at(g))
      this.scale.set([this.fair, this.fair, 0.01], this.at(g))
    })
  }

  override delays(_state: Float64Array, out: Float64Array): void {
    out[0] = this.b.near + this.#t / 2
    out[1] = out[0] + this.#t
  }

  override derivative(
    state: Float64Array,
    lagged: readonly Float64Array[],
    since: Float64Array,
    slope: Float64Array,
  ): void {
    const { capacity, line } = this.b
    const queue = lagged[0]![0]!
    const all = Math.max(
      0,
      this.#beta1 * (queue - this.#qth) + this.#beta2 * (queue - lagged[1]![0]!),
    )
    let arriving = 0
    let seen = 0
    this.groups.forEach(({ flows }, g) => {
      if (since[g]! < 0) return
      arriving += flows * state[this.at(g)]!
      seen += flows * lagged[0]![this.at(g)]!
    })
    for (let g = 0; g < this.groups.length; g++) {
      const at = this.at(g)
      if (since[g]! < 0) {
        slope.fill(0, at, at + 3)
        continue
      }
      const rate = state[at]!
      const target = state[at + 1]!
      const alpha = state[at + 2]!
      // Line 4: by the packets that saw congestion, which is by rates.
      const share = lagged[0]![at]! / seen
      const nu = Math.min((all * share) / this.#t, 1 / this.#spacing)
      const { expiries, step, clamps } = this.#increase(nu)
      const gap = target - rate
      slope[at + 2] = (this.#g / this.#tauAlpha) * (Math.min(1, this.#tauAlpha * nu) - alpha)
      slope[at + 1] = within(step - clamps * gap, target, this.#rateMin, line)
      const change = (gap / 2) * expiries - (alpha / 2) * nu * rate
      slope[at] = within(change, rate, this.#rateMin, line)
    }
    slope[0] = queueSlope(state[0]!, arriving, capacity)
  }

  /**
   * CNPs at rate nu that come by chance reset a timer T_i: its k-th expiry without one between
   * comes nu e^(-k nu T_i) times a second. The first F are fast recovery, the next is additive, and
   * later ones are hyper increase, as in the reaction point without a byte counter.
   */
  #increase(nu: number): Increase {
    const x = nu * this.#timer
    if (x < 1e-9)
      return { expiries: 1 / this.#timer, step: this.#rateHai / this.#timer, clamps: nu }
    const none = exp(-x)
    const additive = exp(-(this.#fastRecovery + 1) * x)
    const hyper = (additive * none) / (1 - none)
    return {
      expiries: (nu * none) / (1 - none),
      step: nu * (this.#rateAi * additive + this.#rateHai * hyper),
      // Without a clamp each time, only a CNP that an expiry came before has a say.
      clamps: this.#isClamped ? nu : nu * none,
    }
  }

  override project(state: Float64Array): boolean {
    let changed = super.project(state)
    for (let g = 0; g < this.groups.length; g++) {
      const at = this.at(g)
      changed = clamp(state, at, this.#rateMin, this.b.line) || changed
      changed = clamp(state, at + 1, this.#rateMin, this.b.line) || changed
      changed = clamp(state, at + 2, 0, 1) || changed
    }
    return changed
  }

  override rateBps(state: Float64Array, group: number): number {
    return state[this.at(group)]! * 8
  }

  /** The CNP rate at which cuts and increases of C / N balance; the queue is what makes it. */
  override fixedPoint(): FixedPoint {
    const rate = this.fair
    const excess = (nu: number): number => {
      const { expiries, step, clamps } = this.#increase(nu)
      const gap = step / clamps
      return Math.min(1, this.#tauAlpha * nu) * nu * rate - gap * expiries
    }
    let low = ln(1e-3)
    let high = ln(1 / this.#spacing)
    for (let round = 0; round < 200; round++) {
      const middle = (low + high) / 2
      if (excess(exp(middle)) > 0) high = middle
      else low = middle
    }
    const nu = exp((low + high) / 2)
    const alpha = Math.min(1, this.#tauAlpha * nu)
    const { step, clamps } = this.#increase(nu)
    const target = rate + step / clamps
    const all = nu * this.#t * this.b.flows
    const queue = this.#qth + all / this.#beta1
    const isHeld = this.#beta1 > 0
    const isBalanced = excess(1 / this.#spacing) > 0
    const isThere = isHeld && isBalanced
    return {
      state: isThere ? Float64Array.of(queue, rate, target, alpha) : undefined,
      why: isThere
        ? 'One fixed point, with equal rates, above the reference queue by what makes its CNPs.'
        : isHeld
          ? 'None: increases outweigh the cuts of a CNP in every cnpSpacing; shorten that.'
          : 'None: with a beta1 of 0 a queue that stands draws no CNPs, however long it is.',
      quantities: [
        { name: 'queue', value: queue, unit: 'bytes' },
        { name: 'reference queue', value: this.#qth, unit: 'bytes' },
        { name: 'CNPs in T, all flows', value: all, unit: '' },
        { name: 'CNPs in T, each flow', value: all / this.b.flows, unit: '' },
        { name: 'alpha', value: alpha, unit: '' },
        { name: 'rate', value: rate * 8, unit: 'bit/s' },
        { name: 'target rate', value: target * 8, unit: 'bit/s' },
        {
          name: 'dead zone of rounding down',
          value: this.b.flows / this.#beta1,
          unit: 'bytes',
          cite: 'line 4 of Algorithm 1, rounded down',
        },
      ],
      frozen: [],
      opened: 0,
    }
  }
}

const READINGS = { negative: 'negative feedback', printed: 'minus as phase' }

/** Eqs. 4, 6 and 7 with their constant alpha. */
class Printed extends SharedQueue {
  readonly #t: number
  readonly #beta1: number
  readonly #beta2: number
  readonly #qth: number
  readonly #alpha: number
  readonly #alphaEquation: number
  readonly #most: number
  readonly #gains: PaccGains

  constructor(network: FluidNetwork, values: FluidValues, groups?: readonly FluidGroup[]) {
    const line = network.lineRateBps ?? network.rateBps
    super(network, groups, { each: ['rate', 'CNPs'], firstBps: line, waits: [false] })
    this.#t = secondsOf(values, 'interval')
    this.#beta1 = numberOf(values, 'beta1') / KB
    this.#beta2 = numberOf(values, 'beta2') / KB
    this.#qth = referenceQueue(values, this.b.capacity, this.#t)
    this.#alpha = paccAlpha(
      secondsOf(values, 'alphaInterval'),
      secondsOf(values, 'increaseTimer'),
      'simplified',
    )
    this.#most = this.#t / secondsOf(values, 'cnpSpacing')
    this.#alphaEquation = paccAlpha(
      secondsOf(values, 'alphaInterval'),
      secondsOf(values, 'increaseTimer'),
      'equation',
    )
    this.#gains = {
      beta1: this.#beta1 * KB,
      beta2: this.#beta2 * KB,
      interval: this.#t,
      alpha: this.#alpha,
      rateBps: network.rateBps,
    }
    this.scale[0] = this.#qth
    // Section IV is about the neighbourhood of the fixed point: it begins there, a tenth off.
    this.start[0] = 1.1 * this.#qth
    this.groups.forEach((_, g) => {
      this.start.set([this.fair, 0], this.at(g))
      this.scale.set([this.fair, 1], this.at(g))
    })
  }

  override get delayMin(): number {
    return this.#t
  }

  override delays(_state: Float64Array, out: Float64Array): void {
    out[0] = this.#t
  }

  override derivative(
    state: Float64Array,
    lagged: readonly Float64Array[],
    since: Float64Array,
    slope: Float64Array,
  ): void {
    const { capacity } = this.b
    const then = lagged[0]!
    const arriving = this.groups.reduce(
      (sum, { flows }, g) => sum + (since[g]! < 0 ? 0 : flows * then[this.at(g)]!),
      0,
    )
    slope[0] = queueSlope(state[0]!, arriving, capacity) // Eq. 4
    const integral = (this.#beta1 / this.#t) * (state[0]! - this.#qth)
    const numbers = integral + (this.#beta2 + this.#beta1 / 2) * slope[0] // Eq. 7
    for (let g = 0; g < this.groups.length; g++) {
      const at = this.at(g)
      const isOff = since[g]! < 0
      slope[at] = isOff ? 0 : (-state[at]! * this.#alpha * then[at + 1]!) / (2 * this.#t) // Eq. 6
      slope[at + 1] = isOff ? 0 : numbers
    }
  }

  /** Nothing printed bounds them: rates stay within the line, CNPs within what pacing sends. */
  override project(state: Float64Array): boolean {
    let changed = super.project(state)
    for (let g = 0; g < this.groups.length; g++) {
      const at = this.at(g)
      changed = clamp(state, at, 1e-3 * this.fair, this.b.line) || changed
      changed = clamp(state, at + 1, -this.#most, this.#most) || changed
    }
    return changed
  }

  override rateBps(state: Float64Array, group: number): number {
    return state[this.at(group)]! * 8
  }

  override fixedPoint(): FixedPoint {
    return {
      state: Float64Array.of(this.#qth, this.fair, 0),
      why: 'Eqs. 8 and 9: the reference queue, equal rates and no CNPs.',
      quantities: [
        { name: 'queue', value: this.#qth, unit: 'bytes' },
        { name: 'rate', value: this.fair * 8, unit: 'bit/s' },
        { name: 'alpha*', value: this.#alpha, unit: '', cite: 'appendix A, its last line' },
        { name: 'alpha* by Eq. 3', value: this.#alphaEquation, unit: '', cite: 'as printed' },
        ...(['negative', 'printed'] as const).map((reading): Quantity => ({
          name: `phase margin of (16), ${READINGS[reading]}`,
          value: margins(paccLoop(this.#gains, reading), paccRange(this.#gains)).phaseDegrees,
          unit: 'degrees',
        })),
      ],
      frozen: [],
      // CNPs lead to rates alone: there the whole loop is cut, as in (16).
      opened: 2,
    }
  }
}
