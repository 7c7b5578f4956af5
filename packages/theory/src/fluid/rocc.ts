/**
 * RoCC as a fluid: the switch computes one fair rate for all flows that it hears of.
 *
 * P. Taheri et al., "RoCC: Robust Congestion Control for RDMA", CoNEXT 2020. Every T the rate F
 * loses a (Q - Q_ref) + b (Q - Q_old), in units of 10 Mb/s and 600 B; a and b are divided by 1 to
 * 32 as F falls below halves of the line rate; a queue beyond Q_max sets F to its least, one that
 * grew by Q_mid halves it. Section 5.1: the sum becomes an integral by the bilinear rule, dF/dt =
 * -(a / T) (Q - Q_ref) - (b + a / 2) dQ/dt (Eq. 3). The paper's only delay is T; here F takes the
 * way from the switch to a sender and back, and is held for T, half of it on average. Values of
 * section 6 for 40 Gb/s.
 */
import { numberOf, secondsOf } from './model.ts'
import type { FixedPoint, FluidGroup, FluidModel, FluidNetwork, FluidValues } from './model.ts'
import { clamp, queueSlope, SharedQueue, within } from './shared-queue.ts'

const RATE_UNIT = 10e6 / 8
const QUEUE_UNIT = 600

export const roccFluid: FluidModel = {
  name: 'rocc',
  title: 'RoCC',
  cite: 'Taheri et al., CoNEXT 2020, section 5',
  defaults: {
    interval: 40e6,
    alpha: 0.3,
    beta: 1.5,
    qref: 150e3,
    referenceRate: 40e9,
    minRate: 100e6,
  },
  leavesOut: ['The steps to the least rate and to half that a sudden queue causes.'],
  create: (network, values, groups) => new Rocc(network, values, groups),
}

class Rocc extends SharedQueue {
  readonly #t: number
  readonly #alpha: number
  readonly #beta: number
  readonly #qref: number
  readonly #rateMin: number

  constructor(network: FluidNetwork, values: FluidValues, groups?: readonly FluidGroup[]) {
    super(network, groups, {
      shared: ['fair rate'],
      each: [],
      firstBps: network.lineRateBps ?? network.rateBps,
      waits: [false],
    })
    const reference = numberOf(values, 'referenceRate')
    this.#t = secondsOf(values, 'interval')
    this.#alpha = numberOf(values, 'alpha')
    this.#beta = numberOf(values, 'beta')
    this.#qref = numberOf(values, 'qref') * (reference > 0 ? network.rateBps / reference : 1)
    this.#rateMin = numberOf(values, 'minRate') / 8
    this.start[1] = this.b.line
    this.scale.set([this.#qref, this.fair])
  }

  override delays(_state: Float64Array, out: Float64Array): void {
    out[0] = this.b.near + this.#t / 2
  }

  /** 1 to 32 by how often F fits into half the line rate: the gains' divisor. */
  #divisor(rate: number): number {
    let level = 2
    while (rate < this.b.line / level && level < 64) level *= 2
    return level / 2
  }

  override derivative(
    state: Float64Array,
    lagged: readonly Float64Array[],
    since: Float64Array,
    slope: Float64Array,
  ): void {
    const { capacity, line } = this.b
    let arriving = 0
    for (let g = 0; g < this.groups.length; g++) {
      if (since[g]! >= 0) arriving += this.groups[g]!.flows * lagged[0]![1]!
    }
    const rate = state[1]!
    slope[0] = queueSlope(state[0]!, arriving, capacity)
    const unit = RATE_UNIT / QUEUE_UNIT / this.#divisor(rate)
    const integral = (this.#alpha * unit * (state[0]! - this.#qref)) / this.#t
    const change = -integral - (this.#beta + this.#alpha / 2) * unit * slope[0]
    slope[1] = within(change, rate, this.#rateMin, line)
  }

  override project(state: Float64Array): boolean {
    const changed = super.project(state)
    return clamp(state, 1, this.#rateMin, this.b.line) || changed
  }

  override rateBps(state: Float64Array): number {
    return state[1]! * 8
  }

  override fixedPoint(): FixedPoint {
    return {
      state: Float64Array.of(this.#qref, this.fair),
      why: 'One fixed point: the reference queue, and equal rates.',
      quantities: [
        { name: 'queue', value: this.#qref, unit: 'bytes' },
        { name: 'rate', value: this.fair * 8, unit: 'bit/s' },
        { name: "gains' divisor", value: this.#divisor(this.fair), unit: '' },
      ],
      frozen: [],
      opened: 1,
    }
  }
}
