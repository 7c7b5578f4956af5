/** Where models rest, when they do not, and what they are near there, against the papers' words. */
import { describe, expect, it } from 'vitest'
import { C, LINE, NETWORK, slopesOf } from '../testing/slopes.ts'
import { analyse, restOf, stabilityMap } from './analyse.ts'
import { dcqcnFluid } from './dcqcn.ts'
import { dctcpFluid } from './dctcp.ts'
import { hpccFluid } from './hpcc.ts'
import { linearize } from './linearize.ts'
import type { FluidModel, FluidNetwork, FluidValues } from './model.ts'
import { noneFluid } from './none.ts'
import { paccFluid } from './pacc.ts'
import { roccFluid } from './rocc.ts'
import { patchedTimelyFluid, timelyFluid } from './timely.ts'

function pointOf(model: FluidModel, values: FluidValues = {}, more: Partial<FluidNetwork> = {}) {
  const system = model.create({ ...NETWORK, ...more }, { ...model.defaults, ...values })
  const point = system.fixedPoint()
  const of = (name: string): number => point.quantities.find((one) => one.name === name)!.value
  return { system, point, of }
}

describe('DCTCP near its threshold', () => {
  it('is section 2 with marks that rise with the queue, as its first harmonic has them', () => {
    const cut = 0.4
    const { point, of } = pointOf(dctcpFluid, { cut })
    const [k, g, n, packet] = [195e3, 1 / 16, 10, 1000]
    // A threshold in a swing by X is a gain of 2 / (pi X); a swing from end to end is 2 X.
    const rise = 4 / (Math.PI * of('queue, swing by its first harmonic'))
    const r0 = 20e-6 + k / C
    const w0 = (C * r0) / n
    const p0 = Math.sqrt(packet / (cut * w0))
    const slopes = (q: number, w: number, a: number, then: number): number[] => {
      const r = 20e-6 + q / C
      const p = p0 + rise * (then - k)
      return [(n * w) / r - C, (packet - cut * w * a * p) / r, (g / r) * (p - a)]
    }
    const centre = [k, w0, p0, k] as const
    for (const value of slopes(...centre)) expect(Math.abs(value)).toBeLessThan(1e-3)
    const [now, then] = point.linear!.terms
    expect([now!.delay, then!.delay]).toEqual([0, expect.closeTo(r0, 12)])
    for (const column of [0, 1, 2, 3]) {
      const step = 1e-5 * centre[column]!
      const at = (by: number): number[] => {
        const moved = centre.map((value, i) => (i === column ? value + by : value))
        return slopes(...(moved as unknown as [number, number, number, number]))
      }
      const [above, below] = [at(step), at(-step)]
      for (const row of [0, 1, 2]) {
        const derivative = (above[row]! - below[row]!) / (2 * step)
        const told = column === 3 ? then!.matrix[row]![0]! : now!.matrix[row]![column]!
        const size = Math.abs(derivative) > 1e-9 ? derivative : 1
        expect(told / size, `${row}, ${column}`).toBeCloseTo(size === 1 ? 0 : 1, 5)
      }
    }
    for (const row of then!.matrix) expect(row.slice(1)).toEqual([0, 0])
  })

  it('says K, and that it swings: a limit cycle is on the edge', () => {
    const { of, point } = pointOf(dctcpFluid)
    expect(of('threshold K')).toBe(195e3)
    // N flows in step are a packet each above it.
    expect(of('queue, most')).toBe(195e3 + 10 * 1000)
    expect(point.state).toBeUndefined()
    const { stability } = analyse(dctcpFluid, NETWORK, dctcpFluid.defaults)
    expect([stability!.isStable, stability!.isEdge]).toEqual([false, true])
  })

  it('marks every window where even that hardly holds it: alpha is 1', () => {
    // 1,000 flows have not a packet each in flight.
    expect(pointOf(dctcpFluid, {}, { flows: 1000 }).of('alpha')).toBeCloseTo(1, 9)
  })
})

describe('TIMELY', () => {
  it('has every queue between tLow and tHigh for a rest, less what the way takes', () => {
    const { of, point } = pointOf(timelyFluid)
    expect(point.state).toBeUndefined()
    expect(of('queue, at least')).toBeCloseTo(30e-6 * C, 3)
    expect(of('queue, at most')).toBeCloseTo(480e-6 * C, 3)
    const far = pointOf(timelyFluid, {}, { delayPs: 100e6 })
    expect(far.of('queue, at least')).toBe(0)
    expect(far.of('queue, at most')).toBeCloseTo(400e-6 * C, 3)
  })

  it('patched rests only where its RTT is within tLow and tHigh, and above that of the way', () => {
    // 50 us (1 + N delta / (beta C)): 1.25 MB/s over 0.008 x 2.5 GB/s are 1/16 for each flow.
    const rtt = 50e-6 * (1 + 10 / 16)
    const { of, point } = pointOf(patchedTimelyFluid)
    expect(of('RTT')).toBeCloseTo(rtt, 12)
    expect(of('queue')).toBeCloseTo((rtt - 20e-6) * C, 3)
    expect(point.state).toBeDefined()
    const past = pointOf(patchedTimelyFluid, {}, { flows: 200 })
    expect(past.point.state).toBeUndefined()
    expect(past.point.why).toContain('tHigh')
    const far = pointOf(patchedTimelyFluid, {}, { delayPs: 90e6 })
    expect(far.of('queue')).toBeLessThan(0)
    expect(far.point.state).toBeUndefined()
  })

  it('knows RTTs that hold the wait in the queue, two for each flow', () => {
    for (const model of [timelyFluid, patchedTimelyFluid]) {
      expect(pointOf(model).system.waits).toEqual([true, true])
    }
  })

  it('begins at a part of the line, if it is told one', () => {
    const { system } = pointOf(timelyFluid, { initialRate: 0.25 })
    expect(system.rateBps(system.start, 0)).toBe(10e9)
  })

  it('takes the round trip of the fabric for D_minRTT where none is given', () => {
    // 16 KB take 3.2 us of the line: tau* is D_minRTT, and so are the units of the gradient.
    const { system } = pointOf(timelyFluid, { minRtt: 0 }, { delayPs: 30e6 })
    const [, , dGradient] = slopesOf(system, [0, 5e9, 0], [[75e3], [25e3]], [1])
    expect(dGradient! / ((0.875 / 30e-6) * (20e-6 / 30e-6))).toBeCloseTo(1, 9)
  })
})

describe('DCQCN', () => {
  it('has the approximate p* of Theorem 1', () => {
    // In packets of 1,000 B: C = 2.5e6 /s, R_AI = 5e3 /s, B = 1e4, T = 55 us.
    const [c, n] = [2.5e6, 10]
    const sum = 1 / 1e4 + n / (55e-6 * c)
    const wanted = ((5e3 * n * n * sum * sum) / (55e-6 * c * c)) ** (1 / 3)
    expect(pointOf(dcqcnFluid).of('p*, approximately') / wanted).toBeCloseTo(1, 9)
  })

  it('hears of the queue once per packet at most, and has thresholds as they are written', () => {
    const { of } = pointOf(dcqcnFluid, { referenceRate: 0 })
    expect([of('kmax'), of('pmax')]).toEqual([200e3, 0.01])
    // A packet of 1,000 B at 20 Gb/s takes 400 ns: CNPs of every 100 ns cannot be.
    const cut = (cnpInterval: number): number => {
      const { system } = pointOf(dcqcnFluid, { cnpInterval })
      return slopesOf(system, [1e6, 2e8, 2e8, 0.5], [[1e6, 2e8, 0, 0]], [1])[1]!
    }
    expect(cut(1e5) / ((-2e8 * 0.5) / (2 * 400e-9))).toBeCloseTo(1, 9)
    expect(cut(4e6) / ((-2e8 * 0.5) / (2 * 4e-6))).toBeCloseTo(1, 9)
  })

  it('falls from the line and rises from its least rate, which bound it', () => {
    const { system } = pointOf(dcqcnFluid)
    const fall = slopesOf(system, [1e6, LINE, LINE, 0.5], [[1e6, LINE, 0, 0]], [1])
    expect(fall[1]! / ((-LINE * 0.5) / (2 * 50e-6))).toBeCloseTo(1, 9)
    const rise = slopesOf(system, [0, 1.25e6, 2e8, 0.5], [[0, 1.25e6, 0, 0]], [1])
    expect(rise[1]).toBeGreaterThan(0)
  })

  it('marks at kmax as on the slope, and every packet from there on', () => {
    // alpha falls while hardly any packet is marked, and rises when all are.
    const alpha = (queue: number): number => {
      const { system } = pointOf(dcqcnFluid)
      return slopesOf(system, [1e5, 2e8, 2e8, 0.9], [[queue, 2e8, 0, 0]], [1])[3]!
    }
    expect(alpha(100e3)).toBeLessThan(0)
    expect(alpha(100e3 + 1)).toBeGreaterThan(0)
  })
})

describe('HPCC', () => {
  it('has the step of its line, where a reference is given', () => {
    // Senders at 40 Gb/s: 50 Mb/s for 10 Gb/s are 200, and 500 B in 20 us.
    const { of, point } = pointOf(hpccFluid, { stepReference: 10e9 })
    expect(of('utilisation U*')).toBeCloseTo(0.95 + (10 * 500) / (C * 20e-6), 9)
    expect(of('window')).toBeCloseTo((0.95 * C * 20e-6 + 5000) / 10, 3)
    // More than the link: what is too much stands in the queue.
    expect(of('queue')).toBeCloseTo(0.05 * C * 20e-6, 3)
    expect(of('rate')).toBeCloseTo(20e9 / 10, 0)
    expect(point.why).toContain('with a queue')
    expect(pointOf(hpccFluid).point.why).toContain('no queue')
  })

  it('below eta sets its window by the measure in one round trip of maxStage + 1', () => {
    const target = (maxStage: number): number => {
      const { system } = pointOf(hpccFluid, { maxStage, rateAi: 0 })
      const now = [0, 10e3, 0.5]
      return slopesOf(system, now, [now, now], [1])[1]! * 20e-6
    }
    // From 10 KB at U = 0.5 a measured window is 19 KB.
    expect(target(0)).toBeCloseTo(9e3, 6)
    expect(target(2)).toBeCloseTo(3e3, 6)
  })

  it('sets its window by the measure at eta itself', () => {
    const { system } = pointOf(hpccFluid, { rateAi: 0 })
    const now = [0, 10e3, 0.95]
    expect(slopesOf(system, now, [now, now], [1])[1]).toBe(0)
  })
})

describe('RoCC', () => {
  it('rests at the reference queue of its link, at the rate of a fair share', () => {
    const { of, point } = pointOf(roccFluid)
    expect([of('queue'), of('rate'), of("gains' divisor")]).toEqual([75e3, 2e9, 16])
    expect(pointOf(roccFluid, { referenceRate: 0 }).of('queue')).toBe(150e3)
    expect(point.state).toEqual(Float64Array.of(75e3, C / 10))
  })
})

describe('PACC', () => {
  it('rests where each flow hears as many CNPs as cut what it gains', () => {
    for (const clampTarget of [false, true]) {
      const { of } = pointOf(paccFluid, { clampTarget, fastRecovery: 2 })
      const [timer, nu] = [300e-6, of('CNPs in T, each flow') / 80e-6]
      const expiry = (k: number): number => nu * Math.exp(-k * nu * timer)
      let [every, hyper] = [0, 0]
      for (let k = 1; k < 4000; k++) every += expiry(k)
      for (let k = 4; k < 4000; k++) hyper += expiry(k)
      const rise = (5e6 * 1.6 * expiry(3) + 50e6 * 1.6 * hyper) / (clampTarget ? nu : expiry(1))
      expect(of('target rate') / (2e9 + rise)).toBeCloseTo(1, 6)
      expect(of('alpha') / (1e-6 * nu)).toBeCloseTo(1, 6)
      expect((of('alpha') * nu * 2e9) / (rise * every)).toBeCloseTo(1, 6)
    }
  })

  it('as printed has the numbers of appendix A and section IV, whatever the flows', () => {
    const { of, point } = pointOf(paccFluid, { form: 'printed' }, { rateBps: 25e9 })
    expect(of('alpha*')).toBeCloseTo(0.04714, 5)
    expect(of('alpha* by Eq. 3')).toBeCloseTo(0.03849, 5)
    expect(of('queue')).toBeCloseTo(125e3, 6)
    expect(of('phase margin of (16), negative feedback')).toBeCloseTo(-126.9, 1)
    expect(of('phase margin of (16), minus as phase')).toBeCloseTo(53.1, 1)
    expect(Array.from(point.state!)).toEqual([expect.closeTo(125e3, 6), 3.125e8, 0])
  })

  it('has a reference of its own, if one is given', () => {
    expect(pointOf(paccFluid, { reference: 50e3 }).of('reference queue')).toBe(50e3)
  })
})

describe('a bottleneck', () => {
  it.each([
    [{ rateBps: -1 }, 'A rate of -1'],
    [{ lineRateBps: 0 }, 'A line rate of 0'],
    [{ flows: 0 }, 'A number of flows of 0'],
    [{ delayPs: Infinity }, 'A delay of Infinity'],
    [{ nearDelayPs: 0 }, 'A delay to the senders of 0'],
    [{ packetBytes: 0 }, 'A packet size of 0'],
  ])('%j makes none', (more, sentence) => {
    const made = (): unknown => noneFluid.create({ ...NETWORK, ...more }, {})
    expect(made).toThrow(`${sentence} makes no bottleneck; give more than 0.`)
  })

  it('is midway, and has senders as fast as itself, unless more is said of it', () => {
    const network = { rateBps: 20e9, flows: 10, delayPs: 20e6, packetBytes: 1000 }
    const out = new Float64Array(1)
    const system = roccFluid.create(network, roccFluid.defaults)
    system.delays(system.start, out)
    expect(out[0]).toBeCloseTo(10e-6 + 20e-6, 12)
    expect(system.start[1]).toBe(C)
    expect(system.delayMin).toBeCloseTo(10e-6, 12)
  })

  it('is asked with numbers', () => {
    const made = (): unknown => dcqcnFluid.create(NETWORK, { ...dcqcnFluid.defaults, g: 'many' })
    expect(made).toThrow("'g' is not a number; give one.")
  })
})

describe('an analysis', () => {
  it('has no fixed point in a state that is no number, or where flows cannot be', () => {
    const { system, point } = pointOf(roccFluid)
    const at = (...state: number[]): ReturnType<typeof restOf> => {
      const fixedPoint = (): typeof point => ({ ...point, state: Float64Array.from(state) })
      return restOf({
        project: (one: Float64Array) => system.project(one),
        fixedPoint,
      } as typeof system)
    }
    expect(restOf(system).state).toEqual(point.state)
    expect(at(NaN, C / 10).state).toBeUndefined()
    const rest = at(75e3, 1e6)
    expect(rest.state).toBeUndefined()
    expect(rest.why).toContain("the scheme's least")
    expect(rest.quantities).toBe(point.quantities)
  })

  it('maps each place: how fast it grows, how it turns, or why it has no rest', () => {
    const [near, over] = stabilityMap(dcqcnFluid, NETWORK, dcqcnFluid.defaults, [4, 400], [20e6])
    expect(near).toMatchObject({ flows: 4, delayPs: 20e6, verdict: 'stable' })
    expect(near!.growth).toBeLessThan(0)
    expect(over).toMatchObject({ flows: 400, verdict: 'none', growth: NaN, omega: NaN })
    expect(over!.why).toContain('cliff')
  })

  it('opens its loop at the queue, or where nothing is frozen', () => {
    const { system, point } = pointOf(hpccFluid)
    const linear = linearize(system, point)!
    expect(linear.names).toEqual(['window', 'utilisation'])
    expect(linear.opened).toBe(1)
    const queue = linearize(pointOf(dcqcnFluid, {}, { flows: 4 }).system, {
      ...pointOf(dcqcnFluid, {}, { flows: 4 }).point,
    })!
    expect([queue.opened, queue.names.length]).toEqual([0, 4])
    // What is told has waited in the queue that it met.
    const { of } = pointOf(dcqcnFluid, {}, { flows: 4 })
    expect(queue.terms[1]!.delay).toBeCloseTo(20e-6 + of('queue') / C, 12)
  })
})
