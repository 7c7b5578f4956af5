import { describe, expect, it } from 'vitest'
import { CONGESTED_MAX, FlowTable } from './flow-table.ts'

/** Everything that is due, one round after the other. */
function sent(table: FlowTable): number[] {
  const flows: number[] = []
  while (table.send((flow) => flows.push(flow))) continue
  return flows.sort((a, b) => a - b)
}

function met(table: FlowTable, key: number, flow: number, packets: number): void {
  for (let i = 0; i < packets; i++) table.count(key, flow, 1000, true)
}

describe("PACC's flow table", () => {
  it('shares CNPs by congested packets, rounded down', () => {
    const table = new FlowTable()
    met(table, 1, 10, 30)
    met(table, 2, 20, 10)
    table.count(3, 30, 1000, false)
    expect(table.allocate(7, 20)).toBe(true)
    // 7 x 30 / 40 = 5.25 and 7 x 10 / 40 = 1.75.
    expect(sent(table)).toEqual([10, 10, 10, 10, 10, 20])
  })

  it('sends none where each share is below one', () => {
    const table = new FlowTable()
    met(table, 1, 10, 5)
    met(table, 2, 20, 5)
    expect(table.allocate(1.9, 20)).toBe(false)
    expect(sent(table)).toEqual([])
  })

  it('divides by nothing when nothing met a long queue', () => {
    const table = new FlowTable()
    table.count(1, 10, 1000, false)
    expect(table.allocate(100, 20)).toBe(false)
  })

  it('gives an entry no more than fit into the period', () => {
    const table = new FlowTable()
    met(table, 1, 10, 10)
    table.allocate(500, 20)
    expect(sent(table)).toHaveLength(20)
  })

  it('counts congested packets in eight bits, and stays at the most', () => {
    const table = new FlowTable()
    met(table, 1, 10, CONGESTED_MAX + 300)
    met(table, 2, 20, CONGESTED_MAX)
    table.allocate(10, 20)
    expect(sent(table)).toEqual([10, 10, 10, 10, 10, 20, 20, 20, 20, 20])
  })

  it('strikes out pairs that sent little, and keeps the others with their counts at zero', () => {
    const table = new FlowTable()
    met(table, 1, 10, 5)
    met(table, 2, 20, 2)
    expect(table.size).toBe(2)
    table.age(4000)
    expect(table.size).toBe(1)
    expect(table.allocate(10, 20)).toBe(false)
    table.age(4000)
    expect(table.size).toBe(0)
  })

  it('keeps an entry until its CNPs are sent', () => {
    const table = new FlowTable()
    met(table, 1, 10, 1)
    table.allocate(2, 20)
    table.age(4000)
    expect(table.size).toBe(1)
    expect(sent(table)).toEqual([10, 10])
    table.age(4000)
    expect(table.size).toBe(0)
  })

  it('holds one entry for all flows of a pair, and tells the last of them', () => {
    const table = new FlowTable()
    met(table, 1, 10, 3)
    met(table, 1, 11, 1)
    expect(table.size).toBe(1)
    table.allocate(2, 20)
    expect(sent(table)).toEqual([11, 11])
  })

  it('grows, and uses struck rows again', () => {
    const table = new FlowTable()
    for (let round = 0; round < 3; round++) {
      for (let key = 0; key < 100; key++) met(table, key, key, 5)
      expect(table.size).toBe(100)
      table.allocate(100, 20)
      expect(sent(table)).toEqual(Array.from({ length: 100 }, (_, i) => i))
      table.age(1e9)
      expect(table.size).toBe(0)
    }
  })
})
