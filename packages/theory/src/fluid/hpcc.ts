/**
 * HPCC as a fluid.
 *
 * Y. Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, whose Algorithm 1 this
 * follows; the paper prints no fluid model, so the equations are ours. U follows the measure u = q
 * / (B T) + txRate / B with time constant T (its lines 8 to 10); the reference window W^c moves to
 * W = W^c / (U / eta) + W_AI in a round trip (lines 12 to 21); a flow sends W in max(T, RTT),
 * the RTT that it knows: of the queue a delay ago. Below
 * eta the measure sets the window in one round trip of maxStage + 1 only.
 */
import { numberOf, secondsOf } from './model.ts'
import type { FixedPoint, FluidGroup, FluidModel, FluidNetwork, FluidValues } from './model.ts'
import { clamp, queueSlope, SharedQueue } from './shared-queue.ts'

export const hpccFluid: FluidModel = {
  name: 'hpcc',
  title: 'HPCC',
  cite: 'ours, from Li et al., SIGCOMM 2019, Algorithm 1',
  defaults: {
    eta: 0.95,
    maxStage: 5,
    rateAi: 50e6,
    stepReference: 0,
    flowsPerLink: 0,
    baseRtt: 0,
    minRate: 100e6,
  },
  leavesOut: [
    'That the reference window moves once per round trip, and not all the time.',
    'The queue of single packets that a paced link has below its full rate.',
  ],
  create: (network, values, groups) => new Hpcc(network, values, groups),
}

class Hpcc extends SharedQueue {
  readonly #eta: number
  readonly #stages: number
  /** T, W_AI and the bounds of a window. */
  readonly #t: number
  readonly #wai: number
  readonly #windowMin: number
  readonly #windowMax: number

  constructor(network: FluidNetwork, values: FluidValues, groups?: readonly FluidGroup[]) {
    const line = network.lineRateBps ?? network.rateBps
    super(network, groups, {
      each: ['window', 'utilisation'],
      firstBps: line,
      waits: [false, false],
    })
    this.#eta = numberOf(values, 'eta')
    this.#stages = numberOf(values, 'maxStage')
    this.#t = secondsOf(values, 'baseRtt') || this.b.delay
    this.#windowMax = this.b.line * this.#t
    this.#windowMin = (numberOf(values, 'minRate') / 8) * this.#t
    const stepReference = numberOf(values, 'stepReference')
    const step = stepReference > 0 ? line / stepReference : 1
    const perLink = numberOf(values, 'flowsPerLink')
    this.#wai =
      perLink > 0
        ? (this.#windowMax * (1 - this.#eta)) / perLink
        : (numberOf(values, 'rateAi') / 8) * step * this.#t
    this.scale[0] = this.b.capacity * this.#t * 0.1
    this.groups.forEach(({ rateBps }, g) => {
      this.start.set([(rateBps / 8) * this.#t, 1], this.at(g))
      this.scale.set([this.fair * this.#t, 0.1], this.at(g))
    })
  }

  #window(reference: number, u: number): number {
    // Below eta one round trip of maxStage + 1 is set by the measure.
    const share = u >= this.#eta ? 1 : 1 / (this.#stages + 1)
    const set = reference * (1 + share * (this.#eta / Math.max(u, 1e-3) - 1)) + this.#wai
    return Math.min(this.#windowMax, Math.max(this.#windowMin, set))
  }

  override delays(_state: Float64Array, out: Float64Array): void {
    out[0] = this.b.delay
    out[1] = 2 * this.b.delay
  }

  /** The time in which a window is sent: T, or the round trip if that is longer. */
  #round(queue: number): number {
    return Math.max(this.#t, this.b.delay + Math.max(0, queue) / this.b.capacity)
  }

  /** `queue` is the one that the round trip is known to hold. */
  #rate(state: Float64Array, group: number, queue: number): number {
    const at = this.at(group)
    return this.#window(state[at]!, state[at + 1]!) / this.#round(queue)
  }

  #arriving(state: Float64Array, queue: number, since: Float64Array, delay: number): number {
    let sum = 0
    for (let g = 0; g < this.groups.length; g++) {
      if (since[g]! >= delay) sum += this.groups[g]!.flows * this.#rate(state, g, queue)
    }
    return sum
  }

  override derivative(
    state: Float64Array,
    lagged: readonly Float64Array[],
    since: Float64Array,
    slope: Float64Array,
  ): void {
    const { capacity, delay } = this.b
    const then = lagged[0]!
    const came = this.#arriving(then, lagged[1]![0]!, since, delay)
    const sent = then[0]! > 0 ? capacity : Math.min(capacity, came)
    const measure = Math.max(0, then[0]!) / (capacity * this.#t) + sent / capacity
    for (let g = 0; g < this.groups.length; g++) {
      const at = this.at(g)
      // The first telemetry is back after a round trip.
      if (since[g]! < delay) {
        slope.fill(0, at, at + 2)
        continue
      }
      slope[at] = (this.#window(state[at]!, state[at + 1]!) - state[at]!) / this.#round(state[0]!)
      slope[at + 1] = (measure - state[at + 1]!) / this.#t
    }
    slope[0] = queueSlope(state[0]!, this.#arriving(state, then[0]!, since, 0), capacity)
  }

  override project(state: Float64Array): boolean {
    let changed = super.project(state)
    for (let g = 0; g < this.groups.length; g++) {
      changed = clamp(state, this.at(g), this.#windowMin, this.#windowMax) || changed
    }
    return changed
  }

  override rateBps(state: Float64Array, group: number): number {
    return this.#rate(state, group, state[0]!) * 8
  }

  /**
   * W = W eta / U + W_AI; below 1, N W = U B R with R = max(T, RTT): U* = eta + N W_AI / (B R) and
   * no queue.
   */
  override fixedPoint(): FixedPoint {
    const { capacity, flows } = this.b
    const inFlight = capacity * this.#round(0)
    const free = this.#eta + (flows * this.#wai) / inFlight
    const isFull = free >= 1
    const queue = isFull ? this.#queueWhenFull() : 0
    const u = isFull ? 1 + queue / (capacity * this.#t) : free
    const window = (Math.min(u, 1) * capacity * this.#round(queue)) / flows
    return {
      state: Float64Array.of(queue, window, u),
      why: isFull
        ? 'One fixed point, with a queue: N W_AI is more than the headroom 1 - eta.'
        : 'One fixed point, with equal rates and no queue: N W_AI fits into the headroom 1 - eta.',
      quantities: [
        { name: 'utilisation U*', value: u, unit: '' },
        { name: 'queue', value: queue, unit: 'bytes' },
        { name: 'window', value: window, unit: 'bytes' },
        { name: 'rate', value: (Math.min(u, 1) * capacity * 8) / flows, unit: 'bit/s' },
        {
          name: 'flows that fit without a queue',
          value: ((1 - this.#eta) * inFlight) / this.#wai,
          unit: '',
        },
      ],
      frozen: isFull ? [] : [0],
      opened: isFull ? 0 : 2,
    }
  }

  /** The queue at which N (W - W eta / U) = N W_AI, with W what a full link has in a round trip. */
  #queueWhenFull(): number {
    const { capacity, flows } = this.b
    const bdp = capacity * this.#t
    const excess = (queue: number): number =>
      capacity * this.#round(queue) * (1 - this.#eta / (1 + queue / bdp)) - flows * this.#wai
    let low = 0
    let high = bdp
    while (excess(high) < 0) high *= 2
    for (let step = 0; step < 100; step++) {
      const middle = (low + high) / 2
      if (excess(middle) < 0) low = middle
      else high = middle
    }
    return (low + high) / 2
  }
}
