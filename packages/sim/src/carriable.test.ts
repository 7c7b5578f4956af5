import { buildGraph } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { Carriable } from './carriable.ts'
import { simulate } from './run.ts'
import { specOf, type Tree } from './testing/index.ts'

const changing = (...changes: Tree[]): Tree => ({
  topology: { kind: 'star', hosts: 3, rate: '10Gbps' },
  scheme: 'none',
  workload: [{ flows: [{ from: 'h1', to: 'h0' }] }],
  links: { changes: changes.map((change) => ({ between: ['h0', 'switch'], ...change })) },
  run: { until: '1ms' },
  metrics: { interval: '20us' },
})

describe('what a link could have carried', () => {
  it('is its rates over the time, in both directions', () => {
    const spec = specOf(changing({ at: '200us', rate: '1Gbps' }, { at: '300us', rate: '40Gbps' }))
    const carriable = new Carriable(buildGraph(spec.topology), spec)
    const room = (from: number, to: number): number => carriable.room(0, from * 1e6, to * 1e6) / 1e6
    expect(room(0, 200)).toBe(200 * 10e9)
    expect(room(150, 250)).toBe(50 * 10e9 + 50 * 1e9)
    expect(room(100, 400)).toBe(100 * 10e9 + 100 * 1e9 + 100 * 40e9)
    expect(carriable.room(1, 0, 1e9)).toBe(carriable.room(0, 0, 1e9))
    expect([0, 1, 2].map((port) => carriable.changes(port))).toEqual([true, true, false])
    expect(carriable.room(2, 0, 5e6)).toBe(5e6 * 10e9)
  })
})

describe('utilisation', () => {
  it.each([
    ['falls', '1Gbps'],
    ['rises', '40Gbps'],
  ])('is never above 1 where a rate %s', (_, rate) => {
    const { ports, series } = simulate(specOf(changing({ at: '500us', rate })))
    const port = ports.name.indexOf('switch->h0')
    const packet = (1048 * 8e12) / 1e9 / 20e6
    const values = series.find(({ name }) => name === 'utilisation.switch->h0')!.values
    expect(Math.max(...values)).toBeLessThan(1 + packet)
    // 10 Gb/s for half of the time; then all of 1 Gb/s, or 10 of 40.
    expect(ports.utilisation[port]).toBeCloseTo(rate === '1Gbps' ? 1 : 10 / 25, 1)
    expect(ports.utilisation[port]).toBeLessThan(1.001)
  })
})
