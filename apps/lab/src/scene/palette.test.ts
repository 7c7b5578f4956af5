import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FLOW_COLOURS, PAUSE_COLOUR, inkOf } from './palette.ts'

const NEAR = 100

describe('what is pointed at and selected', () => {
  it.each([false, true])('has the colour of no flow, pause or loss, dark page: %s', (isDark) => {
    const { select, loss, edge } = inkOf(isDark)
    for (const other of [...FLOW_COLOURS, PAUSE_COLOUR, loss])
      expect(apart(select, other), other).toBeGreaterThan(NEAR)
    // A note's border is none of a switch.
    expect(select).not.toBe(edge)
  })
})

describe('the colour of queues', () => {
  it.each([false, true])('is near that of no flow, pause or loss, dark page: %s', (isDark) => {
    const { queue, loss } = inkOf(isDark)
    for (const other of [...FLOW_COLOURS, PAUSE_COLOUR, loss])
      expect(apart(queue, other), other).toBeGreaterThan(NEAR)
  })

  it('is the one that the legend shows', () => {
    const css = readFileSync(new URL('../style.css', import.meta.url), 'utf8')
    const shown = [...css.matchAll(/--queue: (#\w+)/g)].map(([, colour]) => colour)
    expect(shown).toEqual([inkOf(false).queue, inkOf(true).queue])
  })
})

function apart(a: string, b: string): number {
  const [of, from] = [a, b].map((hex) =>
    [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
  )
  return Math.hypot(...of!.map((value, i) => value - from![i]!))
}
