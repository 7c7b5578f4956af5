import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FLOW_COLOURS, PAUSE_BACK, PAUSE_COLOUR, inkOf } from './palette.ts'

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

describe('words of a pause and of a loss', () => {
  it.each([false, true])('can be read where they are small, dark page: %s', (isDark) => {
    const { pause, loss, back, text, faint } = inkOf(isDark)
    for (const colour of [pause, loss, text, faint])
      expect(contrast(colour, back), colour).toBeGreaterThan(4.5)
    expect(contrast(PAUSE_BACK, '#ffffff')).toBeGreaterThan(4.5)
  })
})

describe('ribbons of flows that do not stand out', () => {
  it('are seen on a dark channel', () => {
    const { channel, dim, thin } = inkOf(true)
    for (const colour of FLOW_COLOURS) {
      expect(contrast(mixed(colour, channel, dim), channel), colour).toBeGreaterThan(1.4)
    }
    expect(thin).toBeGreaterThan(1)
  })
})

/** So much of one colour over another. */
function mixed(over: string, under: string, part: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [over, under].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16))
    return Math.round(part * a! + (1 - part) * b!)
  })
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** As WCAG 2.2 has it. */
function contrast(a: string, b: string): number {
  const [high, low] = [a, b].map(luminance).sort((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function apart(a: string, b: string): number {
  const [of, from] = [a, b].map((hex) =>
    [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
  )
  return Math.hypot(...of!.map((value, i) => value - from![i]!))
}
