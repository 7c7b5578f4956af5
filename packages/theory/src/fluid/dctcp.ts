/**
 * DCTCP as a fluid.
 *
 * M. Alizadeh, A. Javanmard, B. Prabhakar, "Analysis of DCTCP: Stability, Convergence, and
 * Fairness", SIGMETRICS 2011, section 2: dW/dt = 1/R - W alpha / (2R) p(t - R*), dalpha/dt = g/R
 * (p(t - R*) - alpha), dq/dt = N W / R - C, R = d + q/C, and p is 1 above K and 0 below. A
 * threshold has no fixed point but a limit cycle. Its size: M. Alizadeh et al., "Data Center TCP",
 * SIGCOMM 2010, section 3.3 (sawtooth of N flows in step), and a describing function here: the
 * threshold, as far as its first harmonic goes, is a gain of 2 / (pi X) for a queue that swings by
 * X, and the loop swings where that makes it 1 at a phase of -180 degrees.
 *
 * Departs from it: what comes back has waited in the queue that it met, not in one of K.
 */
import { margins, openLoop, rangeOf } from '../linear/bode.ts'
import type { LinearDde } from '../linear/linear-dde.ts'
import { numberOf } from './model.ts'
import type { FixedPoint, FluidGroup, FluidModel, FluidNetwork, FluidValues } from './model.ts'
import { clamp, queueSlope, SharedQueue, within } from './shared-queue.ts'

export const dctcpFluid: FluidModel = {
  name: 'dctcp',
  title: 'DCTCP',
  cite: 'Alizadeh, Javanmard, Prabhakar, SIGMETRICS 2011, section 2',
  defaults: { g: 1 / 16, initialAlpha: 1, cut: 0.5, k1: 30e3, k10: 97_500, initialWindow: 10 },
  leavesOut: [
    'Slow start and losses: windows grow by a packet each round trip.',
    'That marks cut once per window: cuts are spread over it.',
  ],
  create: (network, values, groups) => new Dctcp(network, values, groups),
}

/** Of a mark per byte: far below what any loop swings at. */
const FLAT = 1e-12

/** K of a link, as the scheme scales it. */
function thresholdOf(rateBps: number, values: FluidValues): number {
  const k1 = numberOf(values, 'k1')
  const k10 = numberOf(values, 'k10')
  const gbps = rateBps / 1e9
  if (gbps <= 1) return k1
  return gbps < 10 ? k1 + ((k10 - k1) * (gbps - 1)) / 9 : (k10 * gbps) / 10
}

class Dctcp extends SharedQueue {
  readonly #g: number
  readonly #cut: number
  readonly #k: number

  constructor(network: FluidNetwork, values: FluidValues, groups?: readonly FluidGroup[]) {
    const first = numberOf(values, 'initialWindow') * network.packetBytes
    super(network, groups, {
      each: ['window', 'alpha'],
      firstBps: (8e12 * first) / network.delayPs,
      waits: [true],
    })
    this.#g = numberOf(values, 'g')
    this.#cut = numberOf(values, 'cut')
    this.#k = thresholdOf(network.rateBps, values)
    const alpha = numberOf(values, 'initialAlpha')
    this.scale[0] = Math.max(this.#k, this.b.packet)
    this.groups.forEach(({ rateBps }, g) => {
      this.start.set([(rateBps / 8) * this.b.delay, alpha], this.at(g))
      this.scale.set([this.fair * this.b.delay, 0.05], this.at(g))
    })
  }

  override derivative(
    state: Float64Array,
    lagged: readonly Float64Array[],
    since: Float64Array,
    slope: Float64Array,
  ): void {
    const { capacity, delay, packet, line } = this.b
    const round = delay + Math.max(0, state[0]!) / capacity
    const p = lagged[0]![0]! > this.#k ? 1 : 0
    let arriving = 0
    for (let g = 0; g < this.groups.length; g++) {
      const at = this.at(g)
      if (since[g]! < 0) {
        slope.fill(0, at, at + 2)
        continue
      }
      const window = state[at]!
      const alpha = state[at + 1]!
      arriving += this.groups[g]!.flows * Math.min(line, window / round)
      const change = (packet - window * this.#cut * alpha * p) / round
      slope[at] = within(change, window, packet, Infinity)
      slope[at + 1] = (this.#g / round) * (p - alpha)
    }
    slope[0] = queueSlope(state[0]!, arriving, capacity)
  }

  override project(state: Float64Array): boolean {
    let changed = super.project(state)
    for (let g = 0; g < this.groups.length; g++) {
      changed = clamp(state, this.at(g), this.b.packet, Infinity) || changed
      changed = clamp(state, this.at(g) + 1, 0, 1) || changed
    }
    return changed
  }

  override rateBps(state: Float64Array, group: number): number {
    const round = this.b.delay + Math.max(0, state[0]!) / this.b.capacity
    return Math.min(this.b.line, state[this.at(group)]! / round) * 8
  }

  override fixedPoint(): FixedPoint {
    const { packet, flows, capacity, delay } = this.b
    const k = this.#k / packet
    const bdp = (capacity * delay) / packet
    // SIGCOMM 2010, Eqs. 5 to 11: W* packets at the threshold, and a tooth of D.
    const w = (bdp + k) / flows
    const alpha = sawtoothAlpha(w, this.#cut)
    const tooth = (w + 1) * this.#cut * alpha
    const cite = 'SIGCOMM 2010, section 3.3'
    // The loop with marks of hardly any slope: where its phase is -180 degrees, the gain margin is
    // how much steeper they would have to be.
    const flat = this.#smooth(FLAT)
    const { gain, phaseCrossover } = margins(openLoop(flat), rangeOf(flat))
    const slope = FLAT * gain
    const swing = 4 / (Math.PI * slope)
    return {
      state: undefined,
      why:
        'None: a threshold makes a limit cycle around K. Roots and plot are those of the ' +
        'threshold as its first harmonic has it: a slope at K with which the loop just swings.',
      quantities: [
        { name: 'threshold K', value: this.#k, unit: 'bytes' },
        { name: 'window at K', value: w * packet, unit: 'bytes' },
        { name: 'alpha', value: alpha, unit: '', cite },
        { name: 'queue, swing', value: flows * tooth * packet, unit: 'bytes', cite },
        { name: 'queue, most', value: this.#k + flows * packet, unit: 'bytes', cite },
        { name: 'queue, period', value: tooth * (delay + this.#k / capacity), unit: 's', cite },
        {
          name: 'queue, swing by its first harmonic',
          value: swing,
          unit: 'bytes',
          cite: 'describing function',
        },
        {
          name: 'queue, period by its first harmonic',
          value: (2 * Math.PI) / phaseCrossover,
          unit: 's',
          cite: 'describing function',
        },
      ],
      frozen: [],
      opened: 0,
      linear: this.#smooth(slope),
    }
  }

  /** Near q = K, with marks that grow by `slope` with every byte. */
  #smooth(slope: number): LinearDde {
    const { packet, capacity, flows, delay } = this.b
    const round = delay + this.#k / capacity
    const window = (capacity * round) / flows
    // Marks that hold the window: window cut alpha p = packet with alpha = p.
    const p = Math.min(1, Math.sqrt(packet / (this.#cut * window)))
    return {
      names: ['queue', 'window', 'alpha'],
      opened: 0,
      terms: [
        {
          delay: 0,
          matrix: [
            [-1 / round, flows / round, 0],
            [0, (-this.#cut * p * p) / round, (-this.#cut * window * p) / round],
            [0, 0, -this.#g / round],
          ],
        },
        {
          delay: round,
          matrix: [
            [0, 0, 0],
            [(-this.#cut * window * p * slope) / round, 0, 0],
            [(this.#g * slope) / round, 0, 0],
          ],
        },
      ],
    }
  }
}

/**
 * SIGCOMM 2010, Eqs. 5 and 6: the packets of a tooth's last round trip over all of its packets,
 * alpha^2 (2 c - c^2 alpha) = (2 W + 1) / (W + 1)^2 for cuts of c alpha: alpha^2 (1 - alpha / 4) on
 * the left for the paper's c = 1/2. By halving; 1 where even that does not hold the window.
 */
function sawtoothAlpha(w: number, cut: number): number {
  const wanted = (2 * w + 1) / ((w + 1) * (w + 1))
  let low = 0
  let high = 1
  for (let round = 0; round < 60; round++) {
    const a = (low + high) / 2
    if (a * a * cut * (2 - cut * a) < wanted) low = a
    else high = a
  }
  return (low + high) / 2
}
