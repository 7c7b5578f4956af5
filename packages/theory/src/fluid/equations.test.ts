/**
 * The models' slopes against their papers' equations as printed, at states that are no fixed
 * points: a model that rests where it should may still have got there by other equations.
 * DCQCN, TIMELY, DCTCP.
 */
import { describe, expect, it } from 'vitest'
import { C, expectClose, LINE, NETWORK, slopesOf, systemOf } from '../testing/slopes.ts'
import { dcqcnFluid } from './dcqcn.ts'
import { dctcpFluid } from './dctcp.ts'
import { patchedTimelyFluid, timelyFluid } from './timely.ts'

describe('DCQCN, Eqs. 3 to 7 of CoNEXT 2016', () => {
  // 20 Gb/s have half the thresholds of 40, and senders at 40 Gb/s twice the step of 20.
  const values = { stepReference: 20e9, pmax: 0.02, rateAi: 40e6 }
  const [kmin, kmax, pmax] = [2500, 100e3, 0.02]
  const [tau, tauAlpha, timer, counter, recovery] = [50e-6, 55e-6, 55e-6, 10e3, 5]
  const [g, rateAi] = [1 / 256, 2 * 5e6]
  const now = [70e3, 2e8, 3e8, 0.3, 3e8, 3.5e8, 0.2]
  const before = [60e3, 1.5e8, 0, 0, 2.5e8, 0, 0]

  const expected = (p: number): number[] => {
    const groups = [0, 1].flatMap((group) => {
      const [rate, target, alpha] = now.slice(1 + 3 * group, 4 + 3 * group) as [number, ...number[]]
      const packets = before[1 + 3 * group]! / 1000
      const hit = (span: number): number => 1 - (1 - p) ** (span * packets)
      const expiries = (count: number): number => p / ((1 - p) ** -count - 1)
      const [bytes, time] = [counter, timer * packets]
      return [
        ((-rate * alpha!) / (2 * tau)) * hit(tau) +
          ((target! - rate) / 2) * packets * (expiries(bytes) + expiries(time)),
        (-(target! - rate) / tau) * hit(tau) +
          rateAi * packets * (1 - p) ** (recovery * bytes) * expiries(bytes) +
          rateAi * packets * (1 - p) ** (recovery * time) * expiries(time),
        (g / tauAlpha) * (hit(tauAlpha) - alpha!),
      ]
    })
    return [3 * now[1]! + 7 * now[4]! - C, ...groups]
  }

  it('on the slope between kmin and kmax, of the queue a delay ago', () => {
    const p = (pmax * (60e3 - kmin)) / (kmax - kmin)
    expectClose(slopesOf(systemOf(dcqcnFluid, values), now, [before]), expected(p))
    const less = [kmin + 1, ...before.slice(1)]
    const [, , , dAlpha] = slopesOf(systemOf(dcqcnFluid, values), now, [less])
    const hit = 1 - (1 - pmax / (kmax - kmin)) ** (tauAlpha * 1.5e5)
    expect(dAlpha! / ((g / tauAlpha) * (hit - 0.3))).toBeCloseTo(1, 9)
  })

  it('hardly past kmin: cuts, and what takes alpha up, in proportion to p', () => {
    // One packet in 1e17 at the least; a flow at its target, which was never cut before.
    const steep = { ...values, kmin: 0, pmax: 1 }
    const [first, ...more] = [1e-12, 1e-8, 1e-4].map((bytes) => {
      const then = [bytes, ...before.slice(1)]
      const flow = [2e8, 2e8, 1]
      const cut = slopesOf(systemOf(dcqcnFluid, steep), [0, ...flow, 0, 0, 0], [then])[1]!
      const calm = [2e8, 2e8, 0]
      const alpha = slopesOf(systemOf(dcqcnFluid, steep), [0, ...calm, 0, 0, 0], [then])[3]!
      // Chances of a mark in tau and tau' are p times the packets in them.
      const p = bytes / kmax
      return [cut / (-1e8 * p * 1.5e5), alpha / (g * p * 1.5e5)]
    })
    expectClose(first!, [1, 1])
    for (const ratios of more) for (const ratio of ratios) expect(ratio).toBeCloseTo(1, 6)
  })

  it('without marks: every B bytes and every T is an additive increase', () => {
    for (const queue of [0, kmin]) {
      const found = slopesOf(systemOf(dcqcnFluid, values), now, [[queue, ...before.slice(1)]])
      const often = [1.5e5 / counter + 1 / timer, 2.5e5 / counter + 1 / timer]
      expectClose(found, [
        ...[3 * 2e8 + 7 * 3e8 - C],
        ...[0.5e8 * often[0]!, rateAi * often[0]!, (-0.3 * g) / tauAlpha],
        ...[0.25e8 * often[1]!, rateAi * often[1]!, (-0.2 * g) / tauAlpha],
      ])
    }
  })

  it('beyond kmax: every packet is marked, and nothing increases', () => {
    const found = slopesOf(systemOf(dcqcnFluid, values), now, [[kmax + 1, ...before.slice(1)]])
    expectClose(found, [
      ...[3 * 2e8 + 7 * 3e8 - C],
      ...[(-0.3 * 2e8) / (2 * tau), -1e8 / tau, (0.7 * g) / tauAlpha],
      ...[(-0.2 * 3e8) / (2 * tau), -0.5e8 / tau, (0.8 * g) / tauAlpha],
    ])
  })

  it('without a byte counter, and with cuts on a grid of their own', () => {
    const system = systemOf(dcqcnFluid, { ...values, byteCounter: 0, decreaseInterval: 4e6 })
    const calm = slopesOf(system, now, [[0, ...before.slice(1)]])
    expect(calm[2]! / (rateAi / timer)).toBeCloseTo(1, 9)
    const marked = slopesOf(system, now, [[kmax + 1, ...before.slice(1)]])
    expect(marked[1]! / ((-0.3 * 2e8) / (2 * 4e-6))).toBeCloseTo(1, 9)
  })

  it('leads nobody beyond the line or below the least rate', () => {
    const system = systemOf(dcqcnFluid, values)
    const most = [0, LINE, LINE, 0.5, 1e8, LINE, 0.5]
    const calm = slopesOf(system, most, [[0, ...before.slice(1)]])
    expect([calm[1], calm[2], calm[5]]).toEqual([0, 0, 0])
    expect(calm[4]).toBeGreaterThan(0)
    const least = [2 * kmax, 1.25e6, 1.25e6, 1, 1e8, 1.25e6, 1]
    const marked = slopesOf(system, least, [[2 * kmax, ...before.slice(1)]])
    expect(marked[1]).toBe(0)
    expect(marked[4]).toBeLessThan(0)
  })

  it('leaves a group alone that has not begun', () => {
    const found = slopesOf(systemOf(dcqcnFluid, values), now, [before], [1, -1e-9])
    expect(found.slice(4)).toEqual([0, 0, 0])
    expect(found[0]).toBe(3 * 2e8 - C)
  })
})

describe('TIMELY, section 4 of CoNEXT 2016', () => {
  const values = { delta: 10e6, stepReference: 20e9, minRtt: 20e6, segment: 16e3 }
  // Of senders at 40 Gb/s; 16 KB take 80 us at 200 MB/s, and less than 20 us at 1 GB/s.
  const delta = 2 * 1.25e6
  const [alpha, tLow, tHigh] = [0.875, 50e-6, 500e-6]
  const state = (gradient: number): number[] => [1e5, 2e8, gradient, 1e9, gradient]
  /** Both groups have known an RTT, and one of an update before. */
  const seen = (rtt: number, before: number): number[][] => {
    const queue = (time: number): number[] => [(time - 20e-6) * C, 0, 0, 0, 0]
    return [queue(rtt), queue(before), queue(rtt), queue(before)]
  }

  it.each([
    ['below tLow, whatever the gradient', 40e-6, 0.5, (): number => delta],
    ['with a gradient of zero', 100e-6, 0, () => delta],
    ['with a falling RTT', 100e-6, -0.5, () => delta],
    ['with a rising RTT', 100e-6, 0.5, (rate: number) => -0.8 * 0.5 * rate],
    ['above tHigh', 800e-6, -0.5, (rate: number) => -0.8 * (1 - tHigh / 800e-6) * rate],
  ])('%s', (_, rtt, gradient, change) => {
    const system = systemOf(timelyFluid, values)
    const found = slopesOf(system, state(gradient), seen(rtt, rtt - 5e-6))
    const follow = (5e-6 / 20e-6 - gradient) * alpha
    expectClose(found, [
      ...[3 * 2e8 + 7 * 1e9 - C],
      ...[change(2e8) / 80e-6, follow / 80e-6],
      ...[change(1e9) / 20e-6, follow / 20e-6],
    ])
  })

  it('has no fixed point as printed: where nothing moves, rates still rise', () => {
    const [dq, ...rest] = slopesOf(
      systemOf(timelyFluid, values),
      [1e5, C / 10, 0, C / 10, 0],
      seen(100e-6, 100e-6),
    )
    expect(dq).toBe(0)
    expect([rest[0]! > 0, rest[2]! > 0]).toEqual([true, true])
  })

  it.each([
    ['falls by half its weight at a gradient of zero', 0, 0.5],
    ['with all its weight from a quarter on', 0.3, 1],
    ['only rises below minus a quarter', -0.3, 0],
    ['in between', 0.1, 0.7],
  ])('patched: %s', (_, gradient, w) => {
    const system = systemOf(patchedTimelyFluid, values)
    const found = slopesOf(system, state(gradient), seen(100e-6, 100e-6))
    // 100 us are 1 x tLow above tLow; beta is 0.008.
    const change = (rate: number): number => (1 - w) * delta - w * 0.008 * rate * 1
    expectClose([found[1]!, found[3]!], [change(2e8) / 80e-6, change(1e9) / 20e-6])
  })

  it.each([
    ['below tLow', 40e-6, (): number => delta],
    ['above tHigh', 800e-6, (rate: number) => -0.008 * (1 - tHigh / 800e-6) * rate],
  ])('patched is as printed %s', (_, rtt, change) => {
    const found = slopesOf(systemOf(patchedTimelyFluid, values), state(0.3), seen(rtt, rtt))
    expectClose([found[1]!, found[3]!], [change(2e8) / 80e-6, change(1e9) / 20e-6])
  })

  it('hears of the RTT a delay after it, and of the one before an interval earlier', () => {
    const out = new Float64Array(4)
    systemOf(timelyFluid, values).delays(Float64Array.from(state(0)), out)
    expectClose(Array.from(out), [20e-6, 100e-6, 20e-6, 40e-6])
    expect(tLow).toBeLessThan(tHigh)
  })
})

describe('DCTCP, section 2 of SIGMETRICS 2011', () => {
  // K is 97.5 KB at 10 Gb/s, and twice that at 20; R is 20 us and the wait in the queue.
  const k = 195e3
  const now = [1e5, 3e4, 0.3, 2e4, 0.2]
  const round = 20e-6 + 1e5 / C

  it.each([
    ['no marks up to K', k, 0],
    ['marks above K', k + 1, 1],
  ])('%s', (_, queue, p) => {
    const found = slopesOf(systemOf(dctcpFluid), now, [[queue, 0, 0, 0, 0]])
    expectClose(found, [
      (3 * 3e4 + 7 * 2e4) / round - C,
      ...[(1000 - (3e4 * 0.3 * p) / 2) / round, ((p - 0.3) * (1 / 16)) / round],
      ...[(1000 - (2e4 * 0.2 * p) / 2) / round, ((p - 0.2) * (1 / 16)) / round],
    ])
  })

  it('has K of the scheme: k1 up to 1 Gb/s, a line to k10 at 10, and in proportion beyond', () => {
    for (const [gbps, k] of [
      [0.5, 30e3],
      [1, 30e3],
      [4, 52_500],
      [10, 97_500],
      [40, 390e3],
    ] as const) {
      const system = dctcpFluid.create({ ...NETWORK, rateBps: gbps * 1e9 }, dctcpFluid.defaults)
      const alphaOf = (queue: number): number =>
        slopesOf(system, [0, 1e5, 0.5], [[queue, 0, 0]], [1])[2]!
      expect([alphaOf(k) < 0, alphaOf(k + 1) > 0]).toEqual([true, true])
    }
  })

  it('sends no faster than its line, and keeps a packet in its window', () => {
    const system = systemOf(dctcpFluid)
    const wide = [0, 1e6, 0.3, 1000, 1]
    const [dq, , , dLeast] = slopesOf(system, wide, [[2 * k, 0, 0, 0, 0]])
    expect(dq! / (3 * LINE + (7 * 1000) / 20e-6 - C)).toBeCloseTo(1, 9)
    expect(dLeast).toBeGreaterThan(0)
    expect(system.rateBps(Float64Array.from(wide), 0)).toBe(40e9)
    expect(system.rateBps(Float64Array.from(wide), 1)).toBeCloseTo(0.4e9, 0)
    const small = Float64Array.of(-1, 999, 1.1, 1000, 1)
    expect(system.project(small)).toBe(true)
    expect(Array.from(small)).toEqual([0, 1000, 1, 1000, 1])
    expect(system.project(small)).toBe(false)
  })
})
