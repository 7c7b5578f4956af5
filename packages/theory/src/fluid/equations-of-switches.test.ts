/**
 * The models' slopes against their papers' equations as printed, at states that are no fixed
 * points: a model that rests where it should may still have got there by other equations.
 * PACC, RoCC, HPCC, whose switches say more than a mark.
 */
import { describe, expect, it } from 'vitest'
import { C, expectClose, LINE, slopesOf, systemOf } from '../testing/slopes.ts'
import { hpccFluid } from './hpcc.ts'
import type { FluidSystem } from './model.ts'
import { paccFluid } from './pacc.ts'
import { roccFluid } from './rocc.ts'
import { trajectory } from './trajectory.ts'

describe('PACC, Algorithm 1', () => {
  // Steps are for 25 Gb/s, and senders have 40.
  const [t, timer, tauAlpha, g] = [80e-6, 300e-6, 1e-6, 1 / 256]
  const [rateAi, rateHai] = [(5e6 / 8) * 1.6, (50e6 / 8) * 1.6]
  const qth = (C * t) / 2
  const now = [1e5, 2e8, 3e8, 0.03, 3e8, 3.5e8, 0.02]
  const then = (queue: number): number[] => [queue, 1e8, 0, 0, 2e8, 0, 0]

  it.each([
    ['keeps the target between CNPs', false],
    ['takes it down with each', true],
  ])('makes CNPs of the queue and its growth; %s', (_, clampTarget) => {
    const [queue, old] = [qth + 60e3, qth + 20e3]
    const all = 0.05 * 60 + 0.1 * 40
    const found = slopesOf(systemOf(paccFluid, { clampTarget }), now, [then(queue), then(old)])
    const group = (share: number, rate: number, target: number, alpha: number): number[] => {
      const nu = (all * share) / t
      // The k-th expiry without a CNP between, k from 1 on: fast recovery, additive, hyper.
      const expiry = (k: number): number => nu * Math.exp(-k * nu * timer)
      let [every, hyper] = [0, 0]
      for (let k = 1; k < 2000; k++) every += expiry(k)
      for (let k = 3; k < 2000; k++) hyper += expiry(k)
      const clamps = clampTarget ? nu : expiry(1)
      return [
        ((target - rate) / 2) * every - (alpha / 2) * nu * rate,
        rateAi * expiry(2) + rateHai * hyper - clamps * (target - rate),
        // Appendix A: + g (1 - alpha) for each CNP, - g alpha in each tau' without.
        nu * g * (1 - alpha) - g * alpha * (1 / tauAlpha - nu),
      ]
    }
    const seen = 3 * 1e8 + 7 * 2e8
    expectClose(found, [
      3 * 2e8 + 7 * 3e8 - C,
      ...group(1e8 / seen, 2e8, 3e8, 0.03),
      ...group(2e8 / seen, 3e8, 3.5e8, 0.02),
    ])
  })

  it('makes none below its reference, and then every T_i is a hyper increase', () => {
    const found = slopesOf(systemOf(paccFluid), now, [then(qth - 1e3), then(qth - 1e3)])
    expectClose(found.slice(1, 4), [0.5e8 / timer, rateHai / timer, (-g * 0.03) / tauAlpha])
  })

  it('sends a flow no more than one CNP in 4 us', () => {
    const found = slopesOf(systemOf(paccFluid), now, [then(1e9), then(0)])
    const nu = 1 / 4e-6
    expectClose([found[3]!], [nu * g * (1 - 0.03) - g * 0.03 * (1 / tauAlpha - nu)])
    expect(found[1]! / (-0.015 * nu * 2e8)).toBeCloseTo(1, 6)
  })

  it('hears of a queue after half a T and the way to the sender and back', () => {
    const out = new Float64Array(2)
    systemOf(paccFluid).delays(Float64Array.from(now), out)
    expectClose(Array.from(out), [48e-6, 128e-6])
  })

  it('as printed: Eqs. 4, 6 and 7', () => {
    const system = systemOf(paccFluid, { form: 'printed' })
    const alpha = Math.sqrt(2 / 900)
    const state = [qth + 10e3, 2e8, 3, 3e8, 4]
    const found = slopesOf(system, state, [[0, 2.1e8, 5, 2.9e8, 6]])
    const dq = 3 * 2.1e8 + 7 * 2.9e8 - C
    const numbers = ((0.05 / 1e3) * 10e3) / t + ((0.1 + 0.05 / 2) / 1e3) * dq
    expectClose(found, [
      dq,
      ...[(-2e8 * alpha * 5) / (2 * t), numbers],
      ...[(-3e8 * alpha * 6) / (2 * t), numbers],
    ])
  })
})

describe('RoCC, Eq. 3 of CoNEXT 2020', () => {
  it('lowers the rate by the excess of the queue and by its growth, in its own units', () => {
    const now = [100e3, LINE * 0.9]
    const [dq, dRate] = slopesOf(systemOf(roccFluid), now, [[0, 3e8]])
    // Q_ref is 150 KB at 40 Gb/s; a fair rate above half of the line has the whole gains.
    const [queue, unit] = [100e3 - 75e3, 1.25e6 / 600]
    expectClose(
      [dq!, dRate!],
      [10 * 3e8 - C, (-0.3 * unit * queue) / 40e-6 - (1.5 + 0.15) * unit * (10 * 3e8 - C)],
    )
  })

  it.each([
    [0.6, 1],
    [0.5, 1],
    [0.4, 2],
    [0.2, 4],
    [0.13, 4],
    [0.1, 8],
    [0.01, 32],
  ])('at %d of the line divides its gains by %d', (part, divisor) => {
    const system = systemOf(roccFluid)
    const found = slopesOf(system, [100e3, LINE * part], [[0, C / 10]])
    expect(found[1]! / ((-0.3 * (1.25e6 / 600) * 25e3) / 40e-6 / divisor)).toBeCloseTo(1, 9)
  })

  it('hears of a rate after half a T and the way from the switch and back', () => {
    const out = new Float64Array(1)
    systemOf(roccFluid).delays(Float64Array.of(0, 0), out)
    expectClose(Array.from(out), [28e-6])
  })
})

describe('HPCC, Algorithm 1 of SIGCOMM 2019', () => {
  // T is 20 us: a window of 40 Gb/s is 100 KB, W_AI of 50 Mb/s 125 B.
  const [t, wai] = [20e-6, 125]
  const rateOf = (window: number, u: number, queue: number): number => {
    const share = u >= 0.95 ? 1 : 1 / 6
    const set = window * (1 - share) + (share * window) / (u / 0.95) + wai
    return Math.min(100e3, set) / Math.max(t, t + queue / C)
  }

  it('measures q / (B T) + txRate / B, and moves windows to W / (U / eta) + W_AI', () => {
    const now = [30e3, 40e3, 1.2, 3e3, 0.8]
    const then = [20e3, 0, 0, 0, 0]
    const found = slopesOf(systemOf(hpccFluid), now, [then, [10e3, 0, 0, 0, 0]])
    const measure = 20e3 / (C * t) + 1
    const round = t + 30e3 / C
    expectClose(found, [
      3 * rateOf(40e3, 1.2, 20e3) + 7 * rateOf(3e3, 0.8, 20e3) - C,
      ...[(40e3 * (0.95 / 1.2) + wai - 40e3) / round, (measure - 1.2) / t],
      ...[((3e3 * 0.95) / 0.8 / 6 + wai - 3e3 / 6) / round, (measure - 0.8) / t],
    ])
  })

  it('measures what was sent where nothing waits', () => {
    const then = [0, 5e3, 0.95, 3e3, 0.95]
    const found = slopesOf(systemOf(hpccFluid), then, [then, then])
    const sent = (3 * (5e3 + wai) + 7 * (3e3 + wai)) / t
    expectClose([found[2]!, found[4]!], [(sent / C - 0.95) / t, (sent / C - 0.95) / t])
  })

  it('has W_AI of the headroom that flows share, if their number is given', () => {
    const system = systemOf(hpccFluid, { flowsPerLink: 50 })
    const now = [0, 5e3, 0.95, 3e3, 0.95]
    expectClose([slopesOf(system, now, [now, now])[1]!], [(100e3 * 0.05) / 50 / t])
  })

  it('waits for the first telemetry, a round trip long', () => {
    const now = [0, 5e3, 0.95, 3e3, 0.95]
    const found = slopesOf(systemOf(hpccFluid), now, [now, now], [19e-6, 20e-6])
    expect(found.slice(1, 3)).toEqual([0, 0])
    expect(found[3]).toBeGreaterThan(0)
  })
})

describe('news that waits in the queue that it tells of', () => {
  it('met the queue at u and is back at u + q(u) / C + delay', () => {
    // A queue that fills at half of C: u = (t - delay) / 1.5. What is heard of it is summed up.
    const delay = 3e-6
    const system: FluidSystem = {
      names: ['queue', 'heard'],
      shared: 2,
      groups: [],
      scale: Float64Array.of(1e3, 1e-3),
      start: new Float64Array(2),
      capacity: C,
      waits: [true],
      delays: (_, out) => void (out[0] = delay),
      delayMin: delay,
      derivative: (_, [then], __, slope) => slope.set([C / 2, then![0]!]),
      project: () => false,
      rateBps: () => 0,
      fixedPoint: () => ({ state: undefined, why: '', quantities: [], frozen: [], opened: 0 }),
    }
    const { state, queueBytes, times } = trajectory(system, 30e-6, 10e-6, { tolerance: 1e-9 })
    expect(Array.from(times)).toEqual([0, 10e-6, 20e-6, 30e-6])
    for (const i of [1, 2, 3]) {
      const since = times[i]! - delay
      expect(queueBytes[i]! / ((C / 2) * times[i]!)).toBeCloseTo(1, 9)
      expect(state[1]![i]! / (((C / 2) * since * since) / 3)).toBeCloseTo(1, 6)
    }
  })
})
