/** Lanes over each other are as long as each is by itself. */
import { describe, expect, it } from 'vitest'
import type { ChartData } from './chart.ts'
import { overlaid } from './overlay.ts'

const chart = (name: string, x: readonly number[]): ChartData => ({
  ...{ title: `Rate per flow: ${name}`, xLabel: '', yLabel: '', isTime: true, x },
  ...{ showX: String, showY: String },
  lines: [{ name: 'f1', colour: 0, values: x.map((at) => at * 10) }],
  guides: [{ name: 'fair', colour: 0, values: x.map(() => 7) }],
})
const grid = (count: number, step: number, end: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.min(end, (i + 1) * step))

describe('lanes over each other', () => {
  // A ends early and has the more pictures; B goes on with coarser ones. And the other way round.
  const [short, long] = [chart('A', grid(40, 1, 39.5)), chart('B', grid(25, 4, 98))]
  it.each([
    [short, long],
    [long, short],
  ])('go on to the end of each', (one, other) => {
    const { charts } = overlaid({ id: 'rates', charts: [one, other] })
    const [{ x, lines, guides }] = charts as [ChartData]
    expect(x[x.length - 1]).toBe(98)
    for (const [i, from] of [one, other].entries()) {
      const { values } = lines[i]!
      expect(values).toHaveLength(x.length)
      const last = [...(values as (number | null)[])].findLastIndex((value) => value !== null)
      const end = from.x[from.x.length - 1]!
      expect(x[last]).toBeGreaterThanOrEqual(end)
      expect(x[last]! - end).toBeLessThan(1)
      expect(values[last]).toBe(end * 10)
    }
    expect(guides![0]!.values[x.length - 1]).toBe(7)
  })
})
