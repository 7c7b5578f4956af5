import { describe, expect, it } from 'vitest'
import { Random } from './random.ts'

function draws(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random.uint32())
}

describe('Random', () => {
  it('draws these very numbers on every machine', () => {
    expect(draws(new Random(1, 'a'), 4)).toEqual([1773271188, 3689767911, 2786681313, 2110777324])
  })

  it('gives the same stream for the same seed and name, and another for another', () => {
    const first = draws(new Random(7, 'marking.leaf0'), 8)
    expect(draws(new Random(7, 'marking.leaf0'), 8)).toEqual(first)
    expect(draws(new Random(8, 'marking.leaf0'), 8)).not.toEqual(first)
    expect(draws(new Random(7, 'marking.leaf1'), 8)).not.toEqual(first)
    expect(draws(new Random(7 + 2 ** 32, 'marking.leaf0'), 8)).not.toEqual(first)
  })

  it('tells apart names that are rearrangements of one another', () => {
    const seen = new Set(
      ['ab', 'ba', 'aab', 'aba', 'baa', ''].map((n) => draws(new Random(1, n), 2).join()),
    )
    expect(seen.size).toBe(6)
  })

  it('has uniform draws with the mean and variance of the uniform distribution', () => {
    const random = new Random(3, 'uniform')
    const n = 100_000
    let sum = 0
    let squares = 0
    let outside = 0
    for (let i = 0; i < n; i++) {
      const u = random.uniform()
      if (!(u >= 0 && u < 1)) outside++
      sum += u
      squares += u * u
    }
    expect(outside).toBe(0)
    // Five standard errors: sqrt(1/12/n) is 0.0009.
    expect(Math.abs(sum / n - 1 / 2)).toBeLessThan(0.0046)
    expect(Math.abs(squares / n - 1 / 3)).toBeLessThan(0.0048)
  })

  it('draws every number below n equally often', () => {
    const random = new Random(3, 'below')
    const counts = new Array<number>(10).fill(0)
    for (let i = 0; i < 100_000; i++) counts[random.below(10)]!++
    const chi = counts.reduce((sum, c) => sum + (c - 10_000) ** 2 / 10_000, 0)
    // The 99.9th percentile of chi-square with 9 degrees of freedom.
    expect(chi).toBeLessThan(27.88)
  })

  it('has exponential draws with the mean and the tail asked for', () => {
    const random = new Random(3, 'exponential')
    const n = 100_000
    let sum = 0
    let beyond = 0
    for (let i = 0; i < n; i++) {
      const x = random.exponential(50)
      sum += x
      if (x > 150) beyond++
    }
    expect(Math.abs(sum / n - 50)).toBeLessThan(0.8)
    expect(Math.abs(beyond / n - Math.exp(-3))).toBeLessThan(0.0035)
  })

  it('shuffles into every order equally often, and loses nothing', () => {
    const random = new Random(3, 'shuffle')
    const counts = new Map<string, number>()
    for (let i = 0; i < 24_000; i++) {
      const order = random.shuffle(['a', 'b', 'c', 'd']).join('')
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect(counts.size).toBe(24)
    const chi = [...counts.values()].reduce((sum, c) => sum + (c - 1000) ** 2 / 1000, 0)
    // The 99.9th percentile of chi-square with 23 degrees of freedom.
    expect(chi).toBeLessThan(49.73)
  })
})
