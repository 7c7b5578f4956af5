import { buildGraph } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { ecmp } from './ecmp.ts'
import { flowHash } from './flow-hash.ts'
import { chiSquare, leafSpine, stops } from './testing.ts'

conforms(ecmp, { shortest: true })

/** Quantiles at 0.999 of chi-square with 15 and with 9 degrees of freedom. */
const CHI_SQUARE_15 = 37.7
const CHI_SQUARE_9 = 27.88
const FLOWS = 16_000

describe('ecmp', () => {
  const graph = leafSpine(2, 16, 1)

  it('spreads flows evenly over the spines, whether their keys are neighbours or far apart', () => {
    for (const stride of [1, 2, 1024, 65536, 2 ** 32 + 1]) {
      const routing = ecmp.create(graph, { hashSeed: 1 })
      const counts = new Array<number>(16).fill(0)
      for (let flow = 0; flow < FLOWS; flow++) {
        const spine = stops(graph, routing.path(0, 1, flow * stride))[1]!
        counts[Number(spine.slice('spine'.length))]!++
      }
      expect(chiSquare(counts)).toBeLessThan(CHI_SQUARE_15)
    }
  })

  it('keeps a flow to its path, also when made anew', () => {
    const routing = ecmp.create(graph, { hashSeed: 1 })
    const again = ecmp.create(graph, { hashSeed: 1 })
    for (let flow = 0; flow < 50; flow++) {
      const path = routing.path(0, 1, flow)
      expect(routing.path(0, 1, flow)).toEqual(path)
      expect(again.path(0, 1, flow)).toEqual(path)
    }
  })

  it('deals anew with another seed', () => {
    const [one, two] = [1, 2].map((hashSeed) => ecmp.create(graph, { hashSeed }))
    let same = 0
    for (let flow = 0; flow < 1600; flow++)
      if (one!.path(0, 1, flow)[1] === two!.path(0, 1, flow)[1]) same++
    // One in 16 agrees by chance: 100 +- 9.7.
    expect(same).toBeGreaterThan(60)
    expect(same).toBeLessThan(140)
  })

  it('lets switches choose independently: no pair of choices is favoured in a fat tree', () => {
    // With k = 8, an edge switch chooses one of 4 aggs and that agg one of its 4 cores.
    const tree = buildGraph({ kind: 'fat-tree', k: 8, rateBps: 100e9, delayPs: 1e6 })
    const routing = ecmp.create(tree, { hashSeed: 3 })
    const table = Array.from({ length: 4 }, () => new Array<number>(4).fill(0))
    for (let flow = 0; flow < FLOWS; flow++) {
      const core = Number(stops(tree, routing.path(0, 127, flow))[2]!.slice('core'.length))
      table[Math.floor(core / 4)]![core % 4]!++
    }
    expect(chiSquare(table.flat())).toBeLessThan(CHI_SQUARE_15)
    // And given the agg, the core is still open (9 degrees of freedom of independence).
    const independence = table.reduce((sum, row) => {
      const inRow = row.reduce((a, b) => a + b)
      return row.reduce((part, count, j) => {
        const inColumn = table.reduce((a, other) => a + other[j]!, 0)
        const expected = (inRow * inColumn) / FLOWS
        return part + (count - expected) ** 2 / expected
      }, sum)
    }, 0)
    expect(independence).toBeLessThan(CHI_SQUARE_9)
  })

  it('refuses to route single packets', () => {
    const routing = ecmp.create(graph, { hashSeed: 1 })
    expect(() => routing.next(2, 1, undefined as never)).toThrow('ecmp routes whole flows')
  })
})

describe('flowHash', () => {
  it('flips about half of its bits when any one bit of key, node or seed is flipped', () => {
    const bits = (x: number): number => {
      let count = 0
      for (; x !== 0; x = (x & (x - 1)) >>> 0) count++
      return count
    }
    for (let bit = 0; bit < 53; bit++) {
      let flipped = 0
      let flippedByNode = 0
      let flippedBySeed = 0
      for (let i = 0; i < 200; i++) {
        // Even keys below 2^bit plus that bit: adding 2^bit sets just it.
        const key = bit === 0 ? 2 * i : i % Math.min(2 ** bit, 200)
        flipped += bits((flowHash(key, i, 5) ^ flowHash(key + 2 ** bit, i, 5)) >>> 0)
        flippedBySeed += bits((flowHash(i, 3, key) ^ flowHash(i, 3, key + 2 ** bit)) >>> 0)
        const node = bit % 16
        flippedByNode += bits((flowHash(i, 0, 5) ^ flowHash(i, 1 << node, 5)) >>> 0)
      }
      for (const count of [flipped, flippedByNode, flippedBySeed]) {
        expect(count / 200).toBeGreaterThan(14)
        expect(count / 200).toBeLessThan(18)
      }
    }
  })
})
