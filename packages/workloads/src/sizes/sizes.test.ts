import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import type { Sizes } from '../contract.ts'
import { cdf } from './cdf.ts'
import { fixed } from './fixed.ts'
import { mixture } from './mixture.ts'
import { pareto } from './pareto.ts'
import { makeSizes } from './sizes.ts'
import { sizeTable, sizeTables } from './tables.ts'

function samples(sizes: Sizes, count: number, seed = 1): number[] {
  const random = new Random(seed, 'sizes')
  return Array.from({ length: count }, () => sizes.sample(random))
}

/** How many standard errors the mean of the samples is from `mean()`. */
function errorsOff(sizes: Sizes, count: number): number {
  const drawn = samples(sizes, count)
  const mean = drawn.reduce((sum, x) => sum + x, 0) / count
  const variance = drawn.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (count - 1)
  return Math.abs(mean - sizes.mean()) / Math.sqrt(variance / count)
}

describe('fixed', () => {
  it('draws its one size, and leaves the random stream alone', () => {
    const random = new Random(1, 'sizes')
    expect(fixed(1500).sample(random)).toBe(1500)
    expect(random.uint32()).toBe(new Random(1, 'sizes').uint32())
    expect(fixed(1500).mean()).toBe(1500)
  })
})

describe('mixture', () => {
  const accurate = mixture([
    { weight: 20, bytes: 1_000_000 },
    { weight: 80, bytes: 20_000 },
  ])

  it('has the weighted mean, with weights of any total', () => {
    expect(accurate.mean()).toBe(216_000)
  })

  it('draws each part as often as its weight says', () => {
    const large = samples(accurate, 50_000).filter((bytes) => bytes === 1_000_000).length
    // Five standard errors of a fraction of 0.2 in 50,000.
    expect(Math.abs(large / 50_000 - 0.2)).toBeLessThan(0.009)
  })

  it('never draws a part without weight, and refuses a mixture of none', () => {
    const parts = [
      { weight: 0, bytes: 7 },
      { weight: 1, bytes: 9 },
      { weight: 0, bytes: 11 },
    ]
    expect(new Set(samples(mixture(parts), 1000))).toEqual(new Set([9]))
    expect(() => mixture([])).toThrow('give a part with a weight above 0')
  })
})

describe('pareto', () => {
  it('has 95% of the flows of R2C2 below 100 KB', () => {
    const below = samples(pareto(1.05, 100_000, 0), 50_000).filter((x) => x < 100_000).length
    expect(below / 50_000).toBeGreaterThan(0.95)
    expect(below / 50_000).toBeLessThan(0.965)
  })

  it('has the mean that it says, with a bound and without', () => {
    expect(pareto(3, 100_000, 0).mean()).toBe(100_000)
    expect(errorsOff(pareto(3, 100_000, 0), 100_000)).toBeLessThan(4)
    expect(errorsOff(pareto(1.05, 100_000, 10_000_000), 100_000)).toBeLessThan(4)
  })

  it('stays between its smallest value and its bound', () => {
    const drawn = samples(pareto(1.05, 100_000, 1_000_000), 20_000)
    expect(Math.min(...drawn)).toBe(4762)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(1_000_000)
    expect(Math.max(...drawn)).toBeGreaterThan(900_000)
  })

  it('refuses a shape without a mean and a bound below its smallest value', () => {
    expect(() => pareto(1, 100_000, 0)).toThrow('give a shape above 1')
    expect(() => pareto(1.05, 100_000, 4000)).toThrow('starts at 4762 bytes')
  })
})

describe('cdf', () => {
  it('puts an atom where the first row is above 0', () => {
    const drawn = samples(
      cdf('t', [
        [100, 0.5],
        [200, 1],
      ]),
      20_000,
    )
    expect(Math.abs(drawn.filter((x) => x === 100).length / 20_000 - 0.5)).toBeLessThan(0.02)
    expect(
      cdf('t', [
        [100, 0.5],
        [200, 1],
      ]).mean(),
    ).toBe(125)
  })

  it('draws an atom at a repeated size and nothing in a flat segment', () => {
    const drawn = samples(cdf('WebServer', sizeTable('WebServer').rows), 20_000)
    expect(drawn.filter((x) => x > 300 && x < 600)).toEqual([])
    expect(Math.abs(drawn.filter((x) => x === 300).length / 20_000 - 0.08)).toBeLessThan(0.01)
  })

  it('draws at least one byte where a table begins at 0', () => {
    const tiny = samples(
      cdf('t', [
        [0, 0],
        [1, 1],
      ]),
      1000,
    )
    expect(new Set(tiny)).toEqual(new Set([1]))
  })

  it('refuses rows that fall, that stop below 1, or that are none', () => {
    expect(() => cdf('t', [])).toThrow('no rows')
    expect(() => cdf('t', [[5, 0.9]])).toThrow('ends at 0.9')
    expect(() =>
      cdf('t', [
        [5, 0.5],
        [4, 1],
      ]),
    ).toThrow('Row 2')
  })
})

describe('the published tables', () => {
  // The means of the published files under linear interpolation, rounded to a byte.
  it.each([
    ['WebSearch', 1_711_250],
    ['FB_Hadoop', 120_421],
    ['AliStorage2019', 40_870],
    ['Solar2022', 39_424],
    ['DataMining', 5_036_535],
    ['CacheFollower', 712_574],
    ['WebServer', 66_121],
  ])('hold the mean of %s, %d bytes', (name, mean) => {
    const { rows, cite } = sizeTable(name)
    expect(Math.round(cdf(name, rows).mean())).toBe(mean)
    expect(cite).toMatch(/20\d\d/u)
  })

  it('are drawn with the mean that they have', () => {
    for (const { name, rows } of sizeTables) {
      expect(errorsOff(makeSizes({ kind: 'cdf', source: name, rows }), 50_000)).toBeLessThan(4)
    }
  })

  it('names the tables there are when asked for another', () => {
    expect(() => sizeTable('websearch')).toThrow('write one of WebSearch, FB_Hadoop')
  })
})
