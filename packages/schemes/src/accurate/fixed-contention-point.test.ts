import { describe, expect, it } from 'vitest'
import { AccurateContentionPoint, exactRates } from './contention-point.ts'
import type { Frp, FrpType } from './contention-point.ts'
import { FixedContentionPoint } from './fixed-contention-point.ts'

const G = 1e9
/** 1,000 steps of 10 Mb/s: all ones of 10 bits stand for 10.23 Gb/s. */
const STEP = 0.01 * G

const common = {
  capacityBps: 10 * G,
  alpha: 0.05,
  shortCircuitFraction: 0.1,
  remembers: true,
  floors: true,
  code: exactRates,
}

function points(): readonly [AccurateContentionPoint, FixedContentionPoint] {
  const widths = { rateBits: 10, countBits: 7, topBps: 1023 * STEP }
  return [new AccurateContentionPoint(common), new FixedContentionPoint({ ...common, ...widths })]
}

function receive(
  point: AccurateContentionPoint | FixedContentionPoint,
  currentBps: number,
  type: FrpType = 'frp',
): { isUrgent: boolean; frp: Frp } {
  const frp: Frp = { type, currentBps, desiredBps: 10 * G }
  return { isUrgent: point.receive(frp), frp }
}

describe("a contention point with the circuit's arithmetic", () => {
  it('shows the registers of the other, in bit/s', () => {
    const registers = points().map((point) => {
      for (const rate of [10, 2, 3]) receive(point, rate * G)
      point.tick()
      for (const rate of [9, 1, 2]) receive(point, rate * G)
      const { fsrBps, m, bBps, bMaxBps, elsewhere, oldFsrBps, oldM, oldBBps } = point
      return [fsrBps, bBps, bMaxBps, oldFsrBps, oldBBps]
        .map((bps) => Math.round(bps / STEP))
        .concat(m, elsewhere, oldM)
    })
    // (9.5 - 2 - 3) / 1 in the old period; 1 + 2 elsewhere in this one.
    expect(registers[0]).toEqual([450, 300, 200, 950, 500, 1, 2, 1])
    expect(registers[1]).toEqual(registers[0])
  })

  it('tells the source of the same cuts at once', () => {
    const urgent = points().map((point) => {
      for (const rate of [10, 10]) receive(point, rate * G)
      point.tick()
      // The share is 4.75 Gb/s, and a tenth of the link is 1 Gb/s.
      return [5.75, 5.76, 4].map((rate) => receive(point, rate * G).isUrgent)
    })
    expect(urgent[0]).toEqual([false, true, false])
    expect(urgent[1]).toEqual(urgent[0])
  })

  it('hears a flow begin and end as the other does', () => {
    const heard = points().map((point) => {
      receive(point, 10 * G)
      point.tick()
      const begun = receive(point, 10 * G, 'flow-init').frp.currentBps
      const counted = point.m
      receive(point, 10 * G, 'flow-stop')
      return [Math.round(begun / STEP), counted, point.m, point.oldM]
    })
    expect(heard[0]).toEqual([475, 1, 0, 1])
    expect(heard[1]).toEqual(heard[0])
  })

  it('rounds a rate down on its way in, but never to nothing', () => {
    const [, point] = points()
    expect(receive(point, 2.999 * STEP).frp.currentBps).toBeCloseTo(2 * STEP, 3)
    expect(receive(point, 3 * STEP).frp.currentBps).toBeCloseTo(3 * STEP, 3)
    expect(receive(point, 0.4 * STEP).frp.currentBps).toBeCloseTo(STEP, 3)
  })
})
