import { Random } from '@weir/engine'
import { buildGraph } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { pathsInTurn } from './paths-in-turn.ts'
import { chiSquare, leafSpine } from './testing.ts'

conforms(pathsInTurn, { shortest: true, params: { most: 1024 } })

describe('paths in turn', () => {
  const graph = leafSpine(2, 8, 1)
  const rounds = (most: number, packets: number): number[] => {
    const routing = pathsInTurn.create(graph, { most })
    const random = new Random(1, 'spread')
    const spread = routing.spread!({ random, windowPackets: 1, source: 0, target: 1 })
    return Array.from({ length: packets }, () => spread.next(0))
  }

  it('takes each path once per round, and another order in the next', () => {
    const routing = pathsInTurn.create(graph, { most: 1024 })
    const turns = rounds(1024, 24)
    for (let at = 0; at < 24; at += 8) {
      const paths = turns.slice(at, at + 8).map((turn) => routing.path(0, 1, 5, turn).join())
      expect(new Set(paths).size).toBe(8)
    }
    expect(turns.slice(0, 8)).not.toEqual(turns.slice(8, 16))
  })

  it('begins a round with any path, equally often', () => {
    const firsts = Array<number>(8).fill(0)
    rounds(1024, 8 * 800).forEach((turn, i) => {
      if (i % 8 === 0) firsts[turn]!++
    })
    // Of 7 degrees of freedom, beyond this once in ten thousand.
    expect(chiSquare(firsts)).toBeLessThan(29.9)
  })

  it('has a number for each path of a fat tree, where two switches choose', () => {
    const tree = buildGraph({ kind: 'fat-tree', k: 4, rateBps: 10e9, delayPs: 1e6 })
    const routing = pathsInTurn.create(tree, { most: 1024 })
    const paths = [0, 1, 2, 3].map((turn) => routing.path(0, 15, 5, turn).join())
    expect(new Set(paths).size).toBe(4)
  })

  it('takes no more paths than it is told', () => {
    expect(new Set(rounds(3, 30)).size).toBe(3)
  })
})
