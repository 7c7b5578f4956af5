/** What is drawn: orders of dimensions, directions at half a ring; and what cannot be a channel. */
import { describe, expect, it } from 'vitest'
import { Channels, Cube, permutations, rlb, romm } from './index.ts'

describe('orders of dimensions', () => {
  it('are all there are, each once', () => {
    expect(permutations([0, 1, 2]).map((order) => order.join(''))).toEqual([
      ...['012', '021', '102', '120', '201', '210'],
    ])
    expect(permutations([])).toEqual([[]])
  })

  it('are taken equally often, unless they are fixed', () => {
    // From (0,0) to (1,1): of the four nodes two lie on the way whichever dimension is first.
    const cube = new Cube([4, 4])
    const first = (orders: 'random' | 'fixed'): number[] => {
      const loads = new Float64Array(cube.count)
      romm(cube, { orders }).addLoads(0, 5, 1, loads)
      return [loads[cube.output(0, 0, 1)]!, loads[cube.output(0, 1, 1)]!]
    }
    expect(first('random')).toEqual([1 / 2, 1 / 2])
    expect(first('fixed')).toEqual([3 / 4, 1 / 4])
  })
})

describe('at half the ring', () => {
  it.each([romm, rlb])('the parity of the source says the direction, or both are taken', (make) => {
    const ring = new Cube([4])
    const out = (source: number, ties: 'half' | 'parity'): number[] => {
      const loads = new Float64Array(ring.count)
      make(ring, { ties }).addLoads(source, (source + 2) % 4, 1, loads)
      return [loads[ring.output(source, 0, 1)]!, loads[ring.output(source, 0, -1)]!]
    }
    expect([0, 1, 2, 3].map((source) => out(source, 'parity'))).toEqual([
      ...[
        [1, 0],
        [0, 1],
      ],
      ...[
        [1, 0],
        [0, 1],
      ],
    ])
    expect(out(1, 'half')).toEqual([0.5, 0.5])
  })
})

describe('a channel', () => {
  it.each([
    [-1, 0],
    [2, 0],
    [0, -1],
    [0, 2],
  ])('from %i to %i is none of two nodes', (from, to) => {
    expect(() => new Channels(2, [[from, to]])).toThrow('the nodes are 0 to 1')
  })
})
