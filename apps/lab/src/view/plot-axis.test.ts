import { describe, expect, it } from 'vitest'
import { scaleOf, wordScale } from './plot-axis.ts'

const linear = { label: 'throughput', unit: '%' }
const log = { label: 'queue', unit: 'KB', scale: 'log' } as const

describe('an axis of a figure', () => {
  it('begins at zero, or at the ticks around its values, or where they begin', () => {
    const values = [94, 97, 100]
    expect(scaleOf(linear, values, 0, 100, 'zero').at(0)).toBe(0)
    const magnified = scaleOf(linear, values, 0, 100, 'ticks')
    expect(magnified.ticks[0]).toBe(94)
    expect(magnified.at(94)).toBe(0)
    // Ticks are whole steps on both sides of what is shown.
    const between = scaleOf(linear, [94.3, 99.1], 0, 100, 'ticks')
    expect([between.ticks[0], between.ticks.at(-1)]).toEqual([94, 100])
    expect(between.at(94.3)).toBeGreaterThan(0)
    const tight = scaleOf(linear, values, 0, 100, 'values')
    expect([tight.at(94), tight.at(100)]).toEqual([0, 100])
  })

  it('stays logarithmic beside a zero, which has no place on it', () => {
    const scale = scaleOf(log, [0, 8.5, 5960], 0, 300, 'zero')
    expect(scale.ticks).toContain(1000)
    expect([1000, 10_000, 0.5].map(scale.show)).toEqual(['1,000', '10,000', '0.5'])
    expect(scale.at(0)).toBe(-Infinity)
    // From tick to tick: the least value stands beside the edge, not on it.
    expect(scale.at(5)).toBeCloseTo(0)
    expect(scale.at(8.5)).toBeGreaterThan(10)
    expect(scale.at(10_000)).toBeCloseTo(300)
    expect(scale.at(5960)).toBeLessThan(300)
  })

  it('says small numbers in few letters, which do not reach into its title', () => {
    const scale = scaleOf(log, [1.6e-6, 8], 0, 300, 'zero')
    const said = scale.ticks.map(scale.show)
    expect(said).toEqual(expect.arrayContaining(['1e-6', '1e-4', '0.001', '0.1', '10']))
    expect(Math.max(...said.map((text) => text.length))).toBeLessThan(6)
  })

  it('has its ticks where things were run, unless they would touch', () => {
    const senders = { label: 'senders', unit: '', scale: 'log' } as const
    expect(scaleOf(senders, [4, 8, 16, 32, 4], 0, 500, 'values').ticks).toEqual([4, 8, 16, 32])
    const many = Array.from({ length: 50 }, (_, i) => i + 1)
    expect(scaleOf(senders, many, 0, 500, 'values').ticks).toEqual([1, 2, 5, 10, 20, 50])
  })

  it('gives words equal room', () => {
    const { ticks, at, show } = wordScale(['one', 'two'], 100, 300)
    expect(ticks.map(at)).toEqual([150, 250])
    expect(ticks.map(show)).toEqual(['one', 'two'])
  })
})
