/**
 * DCQCN as a fluid.
 *
 * Y. Zhu, M. Ghobadi, V. Misra, J. Padhye, "ECN or Delay: Lessons Learnt from Analysis of DCQCN and
 * TIMELY", CoNEXT 2016, section 3: Eqs. 3 to 7 for p, q, alpha, R_T and R_C, with tau the interval
 * of CNPs, tau' of alpha, T and B timer and byte counter, F steps of fast recovery; Theorem 1: the
 * fixed point is one, and fair. Checked against the authors' own programs
 * (github.com/jitupadhye-zz/rdma, fluidmodel/dcqcn), whose approximation of p* is `approximate`.
 *
 * Departs from it: the feedback delay is the round trip of the fabric, and holds the wait in the
 * queue as well where switches mark on arrival (`markAt: enqueue`), as the scheme does by default.
 */
import { exp, ln, pow } from '@weir/engine'
import { numberOf, secondsOf } from './model.ts'
import type { FixedPoint, FluidGroup, FluidModel, FluidNetwork } from './model.ts'
import type { FluidValues, Quantity } from './model.ts'
import { clamp, queueSlope, SharedQueue, within } from './shared-queue.ts'
import type { Bottleneck } from './shared-queue.ts'

const US = 1e6

export const dcqcnFluid: FluidModel = {
  name: 'dcqcn',
  title: 'DCQCN',
  cite: 'Zhu et al., "ECN or Delay", CoNEXT 2016, Eqs. 3 to 7',
  defaults: {
    cnpInterval: 50 * US,
    decreaseInterval: 0,
    g: 1 / 256,
    alphaInterval: 55 * US,
    increaseTimer: 55 * US,
    byteCounter: 10e6,
    fastRecovery: 5,
    rateAi: 40e6,
    stepReference: 0,
    minRate: 10e6,
    markAt: 'enqueue',
    kmin: 5e3,
    kmax: 200e3,
    pmax: 0.01,
    referenceRate: 40e9,
  },
  leavesOut: [
    'Hyper increase: no flow is free of CNPs for so long near a fixed point.',
    'The chance of marks, and that CNPs come one by one: rates are means.',
  ],
  create: (network, values, groups) => new Dcqcn(network, values, groups),
}

/** The scheme's numbers in seconds, bytes and packets. */
interface Settings {
  /** Interval in which marks count once; of alpha; of the timer. */
  readonly tau: number
  readonly tauAlpha: number
  readonly timer: number
  /** Packets of the byte counter; Infinity without one. */
  readonly counter: number
  readonly fastRecovery: number
  readonly g: number
  readonly rateAi: number
  readonly rateMin: number
  readonly kmin: number
  readonly kmax: number
  readonly pmax: number
}

function settingsOf(values: FluidValues, { capacity, line, packet }: Bottleneck): Settings {
  const reference = numberOf(values, 'referenceRate')
  const scale = reference > 0 ? (capacity * 8) / reference : 1
  const stepReference = numberOf(values, 'stepReference')
  const step = stepReference > 0 ? (line * 8) / stepReference : 1
  const counter = numberOf(values, 'byteCounter')
  const byGrid = secondsOf(values, 'decreaseInterval')
  return {
    tau: byGrid > 0 ? byGrid : Math.max(secondsOf(values, 'cnpInterval'), packet / capacity),
    tauAlpha: secondsOf(values, 'alphaInterval'),
    timer: secondsOf(values, 'increaseTimer'),
    counter: counter > 0 ? counter / packet : Infinity,
    fastRecovery: numberOf(values, 'fastRecovery'),
    g: numberOf(values, 'g'),
    rateAi: (numberOf(values, 'rateAi') / 8) * step,
    rateMin: numberOf(values, 'minRate') / 8,
    kmin: numberOf(values, 'kmin') * scale,
    kmax: numberOf(values, 'kmax') * scale,
    pmax: numberOf(values, 'pmax'),
  }
}

/** Eq. 3: RED on the instantaneous queue; from kmax on every packet is marked. */
function marking(queue: number, { kmin, kmax, pmax }: Settings): number {
  if (queue <= kmin) return 0
  if (queue > kmax) return 1
  return (pmax * (queue - kmin)) / (kmax - kmin)
}

/** What p does to a flow of this many packets per second. */
interface Events {
  /** Chance of at least one mark in tau, and in tau'. */
  readonly hit: number
  readonly hitAlpha: number
  /** Increase events per packet, by bytes and by timer: all, and those beyond fast recovery. */
  readonly increases: number
  readonly additive: number
}

function eventsOf(p: number, packets: number, s: Settings): Events {
  if (p <= 0) {
    // Without marks every B bytes and every T count, and all are additive.
    const byTime = packets > 0 ? 1 / (s.timer * packets) : 0
    const all = 1 / s.counter + byTime
    return { hit: 0, hitAlpha: 0, increases: all, additive: all }
  }
  const unmarked = p >= 1 ? -Infinity : log1p(-p)
  const none = (count: number): number => (count === 0 ? 1 : exp(unmarked * count))
  // Down to the least p: a queue that has just passed kmin marks one packet in 1e18.
  const expiries = (count: number): number =>
    count === Infinity ? 0 : p / Math.min(expm1(-unmarked * count), 1e300)
  const byBytes = expiries(s.counter)
  const byTime = expiries(s.timer * packets)
  return {
    hit: -expm1(unmarked * s.tau * packets),
    hitAlpha: -expm1(unmarked * s.tauAlpha * packets),
    increases: byBytes + byTime,
    additive:
      (byBytes === 0 ? 0 : byBytes * none(s.fastRecovery * s.counter)) +
      byTime * none(s.fastRecovery * s.timer * packets),
  }
}

/** ln(1 + x), also where 1 + x is 1 (W. Kahan). */
function log1p(x: number): number {
  const sum = 1 + x
  return sum === 1 ? x : (ln(sum) * x) / (sum - 1)
}

/** e^x - 1, also where e^x is 1 (W. Kahan). */
function expm1(x: number): number {
  const power = exp(x)
  if (power === 1) return x
  return Math.abs(x) > 30 ? power - 1 : ((power - 1) * x) / ln(power)
}

class Dcqcn extends SharedQueue {
  readonly #s: Settings

  constructor(network: FluidNetwork, values: FluidValues, groups?: readonly FluidGroup[]) {
    super(network, groups, {
      each: ['rate', 'target', 'alpha'],
      firstBps: network.lineRateBps ?? network.rateBps,
      waits: [values['markAt'] !== 'dequeue'],
    })
    this.#s = settingsOf(values, this.b)
    this.scale[0] = Math.max(this.#s.kmin, this.b.packet)
    this.groups.forEach(({ rateBps }, g) => {
      this.start.set([rateBps / 8, rateBps / 8, 1], this.at(g))
      this.scale.set([this.fair, this.fair, 0.01], this.at(g))
    })
  }

  override derivative(
    state: Float64Array,
    lagged: readonly Float64Array[],
    since: Float64Array,
    slope: Float64Array,
  ): void {
    const { capacity, line, packet } = this.b
    const s = this.#s
    const then = lagged[0]!
    const p = marking(then[0]!, s)
    let arriving = 0
    for (let g = 0; g < this.groups.length; g++) {
      const at = this.at(g)
      if (since[g]! < 0) {
        slope.fill(0, at, at + 3)
        continue
      }
      const rate = state[at]!
      const target = state[at + 1]!
      const alpha = state[at + 2]!
      arriving += this.groups[g]!.flows * rate
      const packets = then[at]! / packet
      const events = eventsOf(p, packets, s)
      const gap = target - rate
      slope[at + 2] = (s.g / s.tauAlpha) * (events.hitAlpha - alpha) // Eq. 5
      const up = s.rateAi * packets * events.additive
      slope[at + 1] = within(up - (gap / s.tau) * events.hit, target, s.rateMin, line) // Eq. 6
      const back = (gap / 2) * packets * events.increases
      const cut = ((rate * alpha) / (2 * s.tau)) * events.hit
      slope[at] = within(back - cut, rate, s.rateMin, line) // Eq. 7
    }
    slope[0] = queueSlope(state[0]!, arriving, capacity) // Eq. 4
  }

  override project(state: Float64Array): boolean {
    const { line } = this.b
    let changed = clamp(state, 0, 0, Infinity)
    for (let g = 0; g < this.groups.length; g++) {
      const at = this.at(g)
      changed = clamp(state, at, this.#s.rateMin, line) || changed
      changed = clamp(state, at + 1, this.#s.rateMin, line) || changed
      changed = clamp(state, at + 2, 0, 1) || changed
    }
    return changed
  }

  override rateBps(state: Float64Array, group: number): number {
    return state[this.at(group)]! * 8
  }

  /** Theorem 1: with R_C = C / N, what alpha and both rates allow fixes p, and p the queue. */
  override fixedPoint(): FixedPoint {
    const s = this.#s
    const rate = this.b.capacity / this.b.flows
    const packets = rate / this.b.packet
    const p = solveFor(packets, rate, s)
    const { hit, hitAlpha, additive } = eventsOf(p, packets, s)
    const target = rate + (s.tau * s.rateAi * packets * additive) / hit
    const isOver = p > s.pmax
    const queue = isOver ? s.kmax : s.kmin + (p / s.pmax) * (s.kmax - s.kmin)
    const quantities: Quantity[] = [
      { name: 'marking probability p*', value: p, unit: '' },
      { name: 'queue', value: queue, unit: 'bytes' },
      { name: 'rate', value: rate * 8, unit: 'bit/s' },
      { name: 'target rate', value: target * 8, unit: 'bit/s' },
      { name: 'alpha', value: hitAlpha, unit: '' },
      {
        name: 'p*, approximately',
        value: approximate(this.b, s),
        unit: '',
        cite: 'CoNEXT 2016, Theorem 1: the cube root',
      },
      { name: 'pmax', value: s.pmax, unit: '' },
      { name: 'kmax', value: s.kmax, unit: 'bytes' },
    ]
    const why = isOver
      ? 'p* is above pmax: the queue hangs at the cliff of kmax, where p jumps from pmax to 1, ' +
        'and no smooth fixed point exists; raise kmax or pmax.'
      : 'One fixed point, with equal rates; p* is below pmax, on the slope between kmin and kmax.'
    return {
      state: isOver ? undefined : Float64Array.of(queue, rate, target, hitAlpha),
      why,
      quantities,
      frozen: [],
      opened: 0,
    }
  }
}

/** p* by halving: cuts grow and increases shrink with p. */
function solveFor(packets: number, rate: number, s: Settings): number {
  const excess = (p: number): number => {
    const { hit, hitAlpha, increases, additive } = eventsOf(p, packets, s)
    const gap = (s.tau * s.rateAi * packets * additive) / hit
    return (rate * hitAlpha * hit) / s.tau - gap * packets * increases
  }
  let low = ln(1e-12)
  let high = ln(0.999)
  for (let round = 0; round < 200; round++) {
    const middle = (low + high) / 2
    if (excess(exp(middle)) > 0) high = middle
    else low = middle
  }
  return exp((low + high) / 2)
}

function approximate({ capacity, flows, packet }: Bottleneck, s: Settings): number {
  const c = capacity / packet
  const sum = 1 / s.counter + flows / (s.timer * c)
  const cube = ((s.rateAi / packet) * flows * flows * sum * sum) / (s.tauAlpha * c * c)
  return pow(cube, 1 / 3)
}
