import { describe, expect, it } from 'vitest'
import { HOPS_MAX, Telemetry } from './telemetry.ts'

const hopOf = (telemetry: Telemetry, row: number, hop: number): number[] => [
  telemetry.queueBytes(row, hop),
  telemetry.sentBytes(row, hop),
  telemetry.rateBps(row, hop),
  telemetry.timePs(row, hop),
]

describe('telemetry', () => {
  it('keeps each hop of each row, through its growth', () => {
    const telemetry = new Telemetry()
    const rows = Array.from({ length: 600 }, () => telemetry.allocate())
    expect(new Set(rows).size).toBe(600)
    for (const row of rows) {
      for (let hop = 0; hop < 1 + (row % 3); hop++) {
        telemetry.stamp(row, row + 0.1 * hop, row + 1, row + 2, hop)
      }
    }
    const later = Array.from({ length: 600 }, () => telemetry.allocate())
    for (const row of rows) {
      expect(telemetry.hops(row)).toBe(1 + (row % 3))
      for (let hop = 0; hop < telemetry.hops(row); hop++) {
        expect(hopOf(telemetry, row, hop)).toEqual([row + 0.1 * hop, row + 1, row + 2, hop])
      }
    }
    for (const row of later) expect(telemetry.hops(row)).toBe(0)
  })

  it('leaves out what is beyond the last hop, and touches no other row', () => {
    const telemetry = new Telemetry()
    const [row, next] = [telemetry.allocate(), telemetry.allocate()]
    telemetry.stamp(next, 5, 6, 7, 8)
    for (let hop = 0; hop < HOPS_MAX + 2; hop++) telemetry.stamp(row, hop, hop, hop, hop)
    expect(telemetry.hops(row)).toBe(HOPS_MAX)
    expect(hopOf(telemetry, row, HOPS_MAX - 1)).toEqual(new Array(4).fill(HOPS_MAX - 1))
    expect(hopOf(telemetry, next, 0)).toEqual([5, 6, 7, 8])
  })

  it('begins a row anew that was released', () => {
    const telemetry = new Telemetry()
    const row = telemetry.allocate()
    telemetry.stamp(row, 1, 2, 3, 4)
    telemetry.release(row)
    expect(telemetry.allocate()).toBe(row)
    expect(telemetry.hops(row)).toBe(0)
  })
})
