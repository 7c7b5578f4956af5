import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import type { Pair, Pattern } from '../contract.ts'
import { allToAll } from './all-to-all.ts'
import { hotSpot } from './hot-spot.ts'
import { incast } from './incast.ts'
import { permutation } from './permutation.ts'
import { Sources } from './sources.ts'
import { uniform } from './uniform.ts'

const eight = [10, 11, 12, 13, 14, 15, 16, 17]
const alike = new Sources(eight, new Array<number>(8).fill(100e9))

function draw(pattern: Pattern, events: number): Pair[] {
  const random = new Random(1, 'pattern')
  return Array.from({ length: events }, () => [...pattern.arrival(random)]).flat()
}

function counts(values: readonly (number | string)[]): Map<number | string, number> {
  const counted = new Map<number | string, number>()
  for (const value of values) counted.set(value, (counted.get(value) ?? 0) + 1)
  return counted
}

function chiSquare(observed: readonly number[], expected: readonly number[]): number {
  return observed.reduce((sum, n, i) => sum + (n - expected[i]!) ** 2 / expected[i]!, 0)
}

describe('sources', () => {
  it('draws hosts in proportion to their rates', () => {
    const sources = new Sources([0, 1, 2], [25e9, 100e9, 50e9])
    const random = new Random(1, 'sources')
    const drawn = counts(Array.from({ length: 70_000 }, () => sources.draw(random)))
    const chi = chiSquare([drawn.get(0)!, drawn.get(1)!, drawn.get(2)!], [10_000, 40_000, 20_000])
    // The 99.9th percentile with 2 degrees of freedom.
    expect(chi).toBeLessThan(13.82)
  })

  it('never draws a host without a rate, and refuses fewer than two hosts', () => {
    const sources = new Sources([0, 1, 2], [0, 1, 0])
    const random = new Random(1, 'sources')
    for (let i = 0; i < 100; i++) expect(sources.draw(random)).toBe(1)
    expect(() => new Sources([4], [1])).toThrow('needs two hosts at least and has 1')
  })
})

describe('uniform', () => {
  it('draws every ordered pair of different hosts equally often', () => {
    const pairs = counts(draw(uniform(alike), 56_000).map((pair) => pair.join()))
    expect(pairs.size).toBe(56)
    expect([...pairs.keys()].some((pair) => /^(\d+),\1$/u.test(String(pair)))).toBe(false)
    // The 99.9th percentile with 55 degrees of freedom.
    expect(chiSquare([...pairs.values()], new Array<number>(56).fill(1000))).toBeLessThan(93.17)
  })

  it('has one flow from every host in a round', () => {
    const round = [...uniform(alike).round(new Random(1, 'pattern'))]
    expect(round.map((pair) => pair[0])).toEqual(eight)
    expect(round.every(([source, target]) => source !== target)).toBe(true)
  })
})

describe('permutation', () => {
  it('gives every host one target and one source, never itself, for the whole run', () => {
    for (let seed = 0; seed < 50; seed++) {
      const pattern = permutation(alike, new Random(seed, 'permutation'))
      const round = [...pattern.round(new Random(1, 'pattern'))]
      expect(round.map((pair) => pair[0])).toEqual(eight)
      expect(round.map((pair) => pair[1]).sort()).toEqual(eight)
      expect(round.every(([source, target]) => source !== target)).toBe(true)
      const partner = new Map(round)
      expect(draw(pattern, 100).every(([source, target]) => partner.get(source) === target)).toBe(
        true,
      )
    }
  })
})

describe('all-to-all', () => {
  it('starts every ordered pair once in a round', () => {
    const round = [...allToAll(alike).round(new Random(1, 'pattern'))]
    expect(new Set(round.map((pair) => pair.join())).size).toBe(56)
    expect(round).toHaveLength(56)
    expect(new Set(round.slice(0, 8).map((pair) => pair[1])).size).toBe(8)
  })

  it('lets each host take its targets in turn when arrivals are random', () => {
    const targets = draw(allToAll(alike), 500)
      .filter((pair) => pair[0] === 12)
      .map((pair) => pair[1])
    expect(targets.slice(0, 9)).toEqual([13, 14, 15, 16, 17, 10, 11, 13, 14])
  })
})

describe('incast', () => {
  it('sends from the hosts after the receiver, and round the end', () => {
    expect(draw(incast(eight, 15, 4, false), 1)).toEqual([
      [16, 15],
      [17, 15],
      [10, 15],
      [11, 15],
    ])
  })

  it('takes a receiver that is not among the hosts', () => {
    expect(draw(incast([1, 2], 9, 2, false), 1)).toEqual([
      [1, 9],
      [2, 9],
    ])
  })

  it('draws different senders for each event, all hosts equally often, never the receiver', () => {
    const pattern = incast(eight, 10, 3, true)
    const random = new Random(1, 'pattern')
    const seen: number[] = []
    for (let i = 0; i < 7000; i++) {
      const senders = [...pattern.arrival(random)].map((pair) => pair[0])
      expect(new Set(senders).size).toBe(3)
      seen.push(...senders)
    }
    const often = counts(seen)
    expect(often.has(10)).toBe(false)
    // The 99.9th percentile with 6 degrees of freedom.
    expect(chiSquare([...often.values()], new Array<number>(7).fill(3000))).toBeLessThan(22.46)
  })

  it('refuses more senders than hosts', () => {
    expect(() => incast(eight, 10, 8, false)).toThrow('needs 1 to 7 of the hosts')
  })
})

describe('hot-spot', () => {
  it('sends the fraction to the hot host, and its share of the rest', () => {
    const pairs = draw(hotSpot(alike, 13, 0.3), 40_000)
    const others = pairs.filter((pair) => pair[0] !== 13)
    const hot = others.filter((pair) => pair[1] === 13).length / others.length
    // 0.3 and a seventh of 0.7 is 0.4; five standard errors in 35,000.
    expect(Math.abs(hot - 0.4)).toBeLessThan(0.0131)
    expect(pairs.every(([source, target]) => source !== target)).toBe(true)
    expect(Math.abs(others.length / 40_000 - 7 / 8)).toBeLessThan(0.0083)
  })

  it('refuses a fraction above 1', () => {
    expect(() => hotSpot(alike, 13, 30)).toThrow('give one from 0 to 1')
  })
})
