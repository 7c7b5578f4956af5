import { describe, expect, it } from 'vitest'
import { COMPUTED_DOTS, PUBLISHED_DASH } from '../../../../experiments/plotted.ts'
import { tickText } from './axes.ts'
import { Plot, draw } from './canvas.ts'
import { turned } from './figure-plots.ts'
import { colour, dash } from './palette.ts'

/** The texts of a drawing that stand at ticks: numbers. */
function ticksOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)]
    .map(([, text]) => text!)
    .filter((text) => /^[\d.,e-]+$/.test(text))
}

describe('ticks', () => {
  it('keep their digits: axes that are steep and axes that are shallow can be read', () => {
    const points = [
      [0, 0.02],
      [0.25, 0.13],
      [0.5, 0.16],
    ]
    const svg = draw({ label: '', marks: [Plot.line(points as [number, number][])] })
    const ticks = ticksOf(svg)
    expect(ticks).toContain('0.02')
    expect(ticks).toContain('0.16')
    expect(ticks).toContain('0.25')
    expect(new Set(ticks).size).toBeGreaterThan(9)
  })

  it('of a logarithmic axis are plain numbers, never 0', () => {
    const points: [number, number][] = [
      [0.003, 1],
      [40, 2],
    ]
    const x = { type: 'log', ticks: 6, tickFormat: tickText } as const
    const ticks = ticksOf(draw({ label: '', x, y: { axis: null }, marks: [Plot.line(points)] }))
    expect(ticks).toEqual(expect.arrayContaining(['0.01', '0.1', '1', '10']))
    expect(ticks).not.toContain('0')
  })

  it('have no tail of binary fractions, and powers where digits would not do', () => {
    expect([0.1 + 0.2, 0.00012, 5, 1500, 2e6, 3e-5].map(tickText)).toEqual([
      ...['0.3', '0.00012', '5', '1,500', '2e6', '3e-5'],
    ])
  })

  it('cost no more: places are still cut to a tenth of a pixel', () => {
    const points = Array.from({ length: 50 }, (_, i): [number, number] => [i / 7, i / 3])
    const path = /<path[^>]* d="([^"]*)"/.exec(draw({ label: '', marks: [Plot.line(points)] }))?.[1]
    expect(path).not.toMatch(/\.\d{2}/)
  })
})

describe('words at an axis', () => {
  const words = ['DCTCP, table, 0110001001', 'TCP', "DCTCP, the paper's talk, 1011110111", 'b', 'c']

  it('are turned where they would meet, and none leaves the picture', () => {
    const { width, height, marginTop, marginLeft, marginRight, marginBottom, rotate } =
      turned(words)
    expect(rotate).toBeLessThan(0)
    const angle = (-rotate * Math.PI) / 180
    const room = (width - marginLeft - marginRight) / words.length
    words.forEach((word, i) => {
      const long = word.length * 6.5
      expect(marginLeft + (i + 0.5) * room - long * Math.cos(angle)).toBeGreaterThan(0)
      expect(marginBottom - 9 - long * Math.sin(angle)).toBeGreaterThan(0)
    })
    // What they take is not taken from the curves.
    expect(height - marginTop - marginBottom).toBe(turned(['a']).height - 28 - 44)
  })

  it('stay as they are where there is room', () => {
    expect(turned(['a', 'b', 'c']).rotate).toBe(0)
    expect(turned(undefined).rotate).toBe(0)
  })
})

it('dashes that tell the ninth curve from the first are no dashes of a paper, nor dots', () => {
  const longest = (pattern: string): number => Math.max(...pattern.split(' ').map(Number))
  expect(dash(0)).toBe('')
  for (const ninth of [dash(8), dash(16)]) {
    expect(longest(ninth)).toBeGreaterThan(3 * longest(PUBLISHED_DASH))
    expect(longest(ninth)).toBeGreaterThan(3 * longest(COMPUTED_DOTS))
  }
})

describe('colours', () => {
  it('are told apart by every kind of colour vision', () => {
    // Black ink on white paper stands for the page's own colour.
    const inks = Array.from({ length: 8 }, (_, i) => colour(i).replace('currentColor', '#1b1b1f'))
    for (const [vision, matrix] of Object.entries(VISIONS)) {
      const seen = inks.map((ink) => lab(matrix.map((row) => dot(row, linear(ink)))))
      seen.forEach((one, i) => {
        seen.slice(i + 1).forEach((other, k) => {
          const apart = Math.hypot(...one.map((value, axis) => value - other[axis]!))
          expect(apart, `${vision}: ${inks[i]} ${inks[i + 1 + k]}`).toBeGreaterThan(15)
        })
      })
    }
  })
})

/** In linear RGB (G. Machado et al., IEEE Trans. Visualization 2009, severity 1). */
const VISIONS: Record<string, number[][]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0)

function linear(hex: string): number[] {
  return [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4)
  })
}

/** CIE L*a*b*, D65: a distance of 2.3 is just seen. */
function lab(rgb: readonly number[]): number[] {
  const [r, g, b] = rgb.map((value) => Math.min(1, Math.max(0, value))) as [number, number, number]
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
