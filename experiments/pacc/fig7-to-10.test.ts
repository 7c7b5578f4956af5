/**
 * The judge of Figs. 7 to 10, with flows made by hand: it must say 'agrees' of a world in which the
 * paper is right, and 'differs' of one in which PACC is no better than the others.
 */
import type { Result, ValidSpec } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import type { FigureResult } from '../figure.ts'
import { chanceOf } from './fig7-to-10-open.ts'
import { fig7, fig8, isAsPublished } from './fig7-to-10.ts'

const FLOWS = 100

/** Times that flows take, by scheme, relative to PACC's; `long`: those of 100 KB and more. */
type World = Readonly<Record<string, { readonly short: number; readonly long: number }>>

const PUBLISHED: World = {
  pacc: { short: 1, long: 1 },
  dcqcn: { short: 1 / 0.77, long: 1 / 0.77 },
  timely: { short: 1.05, long: 1 / 0.34 },
  hpcc: { short: 1 / 0.97, long: 1 / 0.93 },
  rocc: { short: 1, long: 1 },
}

const ALIKE: World = Object.fromEntries(
  Object.keys(PUBLISHED).map((scheme) => [scheme, { short: 1, long: 1 }]),
)

function made(world: World, { scheme, run, seed }: ValidSpec): Result {
  const { short, long } = world[scheme.name]!
  const sizes = Array.from({ length: FLOWS }, (_, i) => 10 ** (2 + (5.5 * i) / FLOWS))
  const fctPs = sizes.map((bytes, i) => {
    const chance = 1 + 0.1 * Math.sin(seed * 7 + i)
    return bytes * 320 * chance * (bytes < 100e3 ? short : long)
  })
  return {
    spec: { run },
    flows: {
      sizeBytes: sizes,
      startPs: sizes.map(() => run.untilPs / 2),
      fctPs,
      slowdown: sizes.map(() => 1),
    },
    summary: { flowsUnfinished: 0 },
    counters: { pauseFrames: 0, packetHops: 0 },
  } as unknown as Result
}

function judged(
  world: World,
  figure: typeof fig7,
  size: 'quick' | 'full' = 'full',
): Promise<FigureResult> {
  return figure.reproduce({
    size,
    simulate: (spec) => Promise.resolve(made(world, spec)),
    progress: () => undefined,
  })
}

const differing = ({ checks }: FigureResult): string[] =>
  checks.filter(({ verdict }) => verdict === 'differs').map(({ name }) => name)

describe('the judge of Figs. 7 to 10', () => {
  it('agrees with a world in which the paper is right', async () => {
    const result = await judged(PUBLISHED, fig7)
    expect(differing(result)).toEqual([
      // Of this world HPCC is the best other below 100 KB, by 3% at both, where 3 and 8 are said.
      'short flows (below 100 KB), 99th percentile: PACC below the best other, at the most',
      // No bin has the thousand flows that a tail needs.
      '99th percentile: PACC before another, of 0 (schemes x loads x sizes)',
    ])
    for (const { curves } of result.plots) {
      for (const { x, y } of curves) expect(y).toHaveLength(x.length)
    }
  })

  it('differs in everything where schemes are alike', async () => {
    const { checks } = await judged(ALIKE, fig7)
    expect(checks.filter(({ verdict }) => verdict === 'agrees')).toEqual([])
  })

  it('wants HPCC behind DCQCN on FB_Hadoop', async () => {
    const before = await judged(PUBLISHED, fig8)
    expect(differing(before).some((name) => name.includes('DCQCN before HPCC'))).toBe(true)
    const turned = { ...PUBLISHED, dcqcn: PUBLISHED['hpcc']!, hpcc: PUBLISHED['dcqcn']! }
    const behind = await judged(turned, fig8)
    expect(differing(behind).some((name) => name.includes('DCQCN before HPCC'))).toBe(false)
  })

  it('small, leaves open what no interval decides, and says where PACC is behind', async () => {
    const verdictsOf = async (world: World): Promise<Set<string>> => {
      const { checks } = await judged(world, fig7, 'quick')
      const many = checks.filter(({ name }) => /^average: .* of \d/u.test(name))
      expect(many).toHaveLength(3)
      return new Set(many.map(({ verdict }) => verdict))
    }
    expect(await verdictsOf(PUBLISHED)).toEqual(new Set(['agrees']))
    expect(await verdictsOf(ALIKE)).toEqual(new Set(['needs --full']))
    const behind = { ...PUBLISHED, hpcc: { short: 2, long: 2 }, dcqcn: { short: 0.5, long: 0.5 } }
    expect(await verdictsOf(behind)).toEqual(new Set(['differs']))
  })

  it('takes one loss of 36 for chance, and four not', () => {
    expect(chanceOf(0, 36)).toBe(1)
    expect(chanceOf(1, 36)).toBeCloseTo(1 - 0.975 ** 36)
    expect(chanceOf(2, 2)).toBeCloseTo(0.025 ** 2)
    expect(chanceOf(3, 36)).toBeGreaterThan(0.05)
    expect(chanceOf(4, 36)).toBeLessThan(0.05)
  })

  it('takes no gain that may be none for a published one', () => {
    expect(isAsPublished({ value: 0.05, half: 0.045 }, 0.09)).toBe(true)
    expect(isAsPublished({ value: 0.05, half: 0.055 }, 0.09)).toBe(false)
    expect(isAsPublished({ value: 0.08, half: 0.001 }, 0.09)).toBe(true)
    expect(isAsPublished({ value: 0.05, half: 0.001 }, 0.09)).toBe(false)
  })

  it('small, draws averages at both loads, and no tail of too few flows', async () => {
    const { plots, checks } = await judged(PUBLISHED, fig8, 'quick')
    expect(plots.map(({ kind }) => kind)).toEqual(['bars', 'bars'])
    for (const { title, curves } of plots) {
      expect(title).not.toContain('99th')
      for (const { half } of curves) expect(half).toBeDefined()
    }
    const tails = checks.filter(({ name }) => name.startsWith('99th'))
    expect(new Set(tails.map(({ verdict }) => verdict))).toEqual(new Set(['needs --full']))
  })
})
