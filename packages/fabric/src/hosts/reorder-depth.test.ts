import { describe, expect, it } from 'vitest'
import { ReorderDepth } from './reorder-depth.ts'

function depthOf(...order: readonly number[]): number {
  const depth = new ReorderDepth()
  for (const seq of order) depth.take(seq)
  return depth.most
}

describe('the depth of reordering', () => {
  it('is nothing for packets in order, and counts those that wait for one', () => {
    expect(depthOf(0, 1, 2, 3)).toBe(0)
    expect(depthOf(1, 2, 0, 3)).toBe(2)
    expect(depthOf(1, 0, 3, 2, 5, 4)).toBe(1)
    expect(depthOf(3, 1, 2, 0, 5, 4)).toBe(3)
  })

  it('counts a packet once, however often it comes', () => {
    expect(depthOf(2, 2, 2, 0, 0, 1, 2)).toBe(1)
    // One that comes again when all are in order puts nothing out of order.
    expect(depthOf(0, 1, 2, 0, 3, 4)).toBe(0)
  })
})
