/**
 * TIMELY and patched TIMELY as fluids.
 *
 * Y. Zhu et al., "ECN or Delay", CoNEXT 2016, section 4: the queue, a gradient for each flow that
 * follows the change of the RTT over an update interval tau* = max(segment / R, D_minRTT), and a
 * rate that grows by delta or falls by beta with it. Theorem 3: as printed it has no fixed point,
 * and with the gradient's zero counted as 'no change' infinitely many, so that shares are whatever
 * they were. Patched (section 4.3): the weight w of the gradient is smooth, and the queue's
 * distance from q' = C T_low pulls as well; one fixed point, with q* = q' (1 + N delta / (beta C)).
 * Checked against the authors' programs (github.com/jitupadhye-zz/rdma, fluidmodel/timely).
 *
 * Departs from it: thresholds are compared with the whole RTT, as the scheme does, and an RTT holds
 * the wait in the queue that its packet met.
 */
import { numberOf, secondsOf } from './model.ts'
import type { FixedPoint, FluidGroup, FluidModel, FluidNetwork, FluidValues } from './model.ts'
import { clamp, queueSlope, SharedQueue, within } from './shared-queue.ts'

const US = 1e6
const LEAVES_OUT = [
  'Hyperactive increase after five falling RTTs.',
  'That updates come one by one, a segment apart.',
]

const defaults: FluidValues = {
  alpha: 0.875,
  beta: 0.8,
  delta: 10e6,
  stepReference: 0,
  tLow: 50 * US,
  tHigh: 500 * US,
  minRtt: 20 * US,
  segment: 16e3,
  minRate: 100e6,
  initialRate: 0,
}

export const timelyFluid: FluidModel = {
  name: 'timely',
  title: 'TIMELY',
  cite: 'Zhu et al., "ECN or Delay", CoNEXT 2016, section 4',
  defaults,
  leavesOut: LEAVES_OUT,
  create: (network, values, groups) => new Timely(network, values, groups, false),
}

export const patchedTimelyFluid: FluidModel = {
  name: 'patched-timely',
  scheme: 'timely',
  title: 'Patched TIMELY',
  cite: 'Zhu et al., "ECN or Delay", CoNEXT 2016, section 4.3',
  defaults: { ...defaults, beta: 0.008 },
  leavesOut: LEAVES_OUT,
  create: (network, values, groups) => new Timely(network, values, groups, true),
}

class Timely extends SharedQueue {
  readonly #isPatched: boolean
  readonly #alpha: number
  readonly #beta: number
  readonly #delta: number
  readonly #tLow: number
  readonly #tHigh: number
  readonly #minRtt: number
  readonly #segment: number
  readonly #rateMin: number

  constructor(
    network: FluidNetwork,
    values: FluidValues,
    groups: readonly FluidGroup[] | undefined,
    isPatched: boolean,
  ) {
    const line = network.lineRateBps ?? network.rateBps
    const initial = numberOf(values, 'initialRate')
    const count = groups?.length ?? 1
    super(network, groups, {
      each: ['rate', 'gradient'],
      firstBps: initial > 0 ? initial * line : line,
      waits: Array.from({ length: 2 * count }, () => true),
    })
    const stepReference = numberOf(values, 'stepReference')
    this.#isPatched = isPatched
    this.#alpha = numberOf(values, 'alpha')
    this.#beta = numberOf(values, 'beta')
    this.#delta = (numberOf(values, 'delta') / 8) * (stepReference > 0 ? line / stepReference : 1)
    this.#tLow = secondsOf(values, 'tLow')
    this.#tHigh = secondsOf(values, 'tHigh')
    this.#minRtt = secondsOf(values, 'minRtt') || this.b.delay
    this.#segment = numberOf(values, 'segment')
    this.#rateMin = numberOf(values, 'minRate') / 8
    this.scale[0] = this.b.capacity * this.#minRtt
    this.groups.forEach(({ rateBps }, g) => {
      this.start.set([rateBps / 8, 0], this.at(g))
      this.scale.set([this.fair, 0.1], this.at(g))
    })
  }

  /** tau*: how long after one update the next follows. */
  #interval(rate: number): number {
    return Math.max(this.#segment / Math.max(rate, this.#rateMin), this.#minRtt)
  }

  /** Two for each group: the RTT that is known now, and the one of an update before. */
  override delays(state: Float64Array, out: Float64Array): void {
    for (let g = 0; g < this.groups.length; g++) {
      out[2 * g] = this.b.delay
      out[2 * g + 1] = this.b.delay + this.#interval(state[this.at(g)]!)
    }
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
      const at = this.at(g)
      if (since[g]! < 0) {
        slope.fill(0, at, at + 2)
        continue
      }
      const rate = state[at]!
      const gradient = state[at + 1]!
      arriving += this.groups[g]!.flows * rate
      const wait = lagged[2 * g]![0]! / capacity
      const before = lagged[2 * g + 1]![0]! / capacity
      const interval = this.#interval(rate)
      const change = this.#isPatched
        ? this.#patched(wait, gradient, rate)
        : this.#original(wait, gradient, rate)
      slope[at] = within(change / interval, rate, this.#rateMin, line)
      slope[at + 1] = (this.#alpha / interval) * ((wait - before) / this.#minRtt - gradient)
    }
    slope[0] = queueSlope(state[0]!, arriving, capacity)
  }

  #original(wait: number, gradient: number, rate: number): number {
    const rtt = this.b.delay + wait
    if (rtt < this.#tLow) return this.#delta
    if (rtt > this.#tHigh) return -this.#beta * (1 - this.#tHigh / rtt) * rate
    return gradient <= 0 ? this.#delta : -this.#beta * gradient * rate
  }

  /** Section 4.3: w rises from 0 at a gradient of -1/4 to 1 at 1/4. */
  #patched(wait: number, gradient: number, rate: number): number {
    const rtt = this.b.delay + wait
    if (rtt < this.#tLow) return this.#delta
    if (rtt > this.#tHigh) return -this.#beta * (1 - this.#tHigh / rtt) * rate
    const w = Math.min(1, Math.max(0, 2 * gradient + 0.5))
    return (1 - w) * this.#delta - w * this.#beta * rate * ((rtt - this.#tLow) / this.#tLow)
  }

  override project(state: Float64Array): boolean {
    let changed = super.project(state)
    for (let g = 0; g < this.groups.length; g++) {
      changed = clamp(state, this.at(g), this.#rateMin, this.b.line) || changed
    }
    return changed
  }

  override rateBps(state: Float64Array, group: number): number {
    return state[this.at(group)]! * 8
  }

  override fixedPoint(): FixedPoint {
    const rate = this.fair
    const none = { frozen: [], opened: 0 }
    if (!this.#isPatched) {
      return {
        ...none,
        state: undefined,
        why:
          'No single one: as printed a gradient of zero adds delta, so that nothing stands still ' +
          '(Theorem 3); read as no change, every share of the link and every RTT between tLow ' +
          'and tHigh stays as it is. Either way the start decides the shares.',
        quantities: [
          {
            name: 'queue, at least',
            value: Math.max(0, this.#tLow - this.b.delay) * this.b.capacity,
            unit: 'bytes',
          },
          {
            name: 'queue, at most',
            value: Math.max(0, this.#tHigh - this.b.delay) * this.b.capacity,
            unit: 'bytes',
          },
        ],
      }
    }
    const rtt = this.#tLow * (1 + this.#delta / (this.#beta * rate))
    const queue = (rtt - this.b.delay) * this.b.capacity
    const isInside = queue > 0 && rtt < this.#tHigh
    return {
      ...none,
      state: isInside ? Float64Array.of(queue, rate, 0) : undefined,
      why: isInside
        ? 'One fixed point, with equal rates.'
        : 'None: the RTT at which increase and decrease balance is not within tLow and tHigh.',
      quantities: [
        { name: 'queue', value: queue, unit: 'bytes' },
        { name: 'RTT', value: rtt, unit: 's' },
        { name: 'rate', value: rate * 8, unit: 'bit/s' },
      ],
    }
  }
}
