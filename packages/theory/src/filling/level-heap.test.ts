import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LevelHeap } from './level-heap.ts'

const level = fc.integer({ min: 0, max: 50 })

function heapOf(levels: readonly number[]): LevelHeap {
  const heap = new LevelHeap()
  levels.forEach((key, item) => heap.add(key, item))
  heap.order()
  return heap
}

describe('a heap of levels', () => {
  it('gives the lowest first, each with its own item', () => {
    fc.assert(
      fc.property(fc.array(level, { maxLength: 300, size: 'max' }), (levels) => {
        const heap = heapOf(levels)
        const keys: number[] = []
        const items = new Set<number>()
        for (; heap.size > 0; heap.drop()) {
          keys.push(heap.key)
          items.add(heap.item)
          expect(levels[heap.item]).toBe(heap.key)
        }
        expect(keys).toEqual(levels.toSorted((a, b) => a - b))
        expect(items.size).toBe(levels.length)
      }),
      { seed: 1, numRuns: 30 },
    )
  })

  it('puts the first where its higher level belongs', () => {
    fc.assert(
      fc.property(fc.array(level, { minLength: 1, maxLength: 40 }), level, (levels, more) => {
        const heap = heapOf(levels)
        const { item, key } = heap
        heap.raise(key + more)
        const raised = levels.with(item, key + more)
        for (const wanted of raised.toSorted((a, b) => a - b)) {
          expect(heap.key).toBe(wanted)
          expect(raised[heap.item]).toBe(wanted)
          heap.drop()
        }
        expect(heap.size).toBe(0)
      }),
      { seed: 2, numRuns: 100 },
    )
  })

  it('is empty when it was cleared, and takes others', () => {
    const heap = heapOf([3, 1, 2])
    heap.clear()
    expect(heap.size).toBe(0)
    heap.add(9, 4)
    heap.order()
    expect([heap.size, heap.key, heap.item]).toEqual([1, 9, 4])
  })

  it('leaves the first where others have its level', () => {
    const heap = heapOf([5, 5, 5])
    const order: number[] = []
    for (; heap.size > 0; heap.drop()) order.push(heap.item)
    expect(order).toEqual([0, 2, 1])
  })
})
