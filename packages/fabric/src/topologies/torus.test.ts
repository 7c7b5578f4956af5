import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { buildGraph } from './index.ts'

conforms(
  {
    kind: 'torus',
    dimensions: [3, 2, 4],
    rateBps: 10e9,
    delayPs: 1e6,
    injectionRateBps: 10e9,
    injectionDelayPs: 0,
  },
  { hostsLowest: false },
)

it.each([
  ['torus', true],
  ['mesh', false],
] as const)('a %s says its sizes, and whether it wraps: routings go by them', (kind, wraps) => {
  const links = { rateBps: 10e9, delayPs: 1e6, injectionRateBps: 10e9, injectionDelayPs: 0 }
  const graph = buildGraph({ kind, dimensions: [3, 2, 4], ...links })
  expect(graph.cube).toEqual({ sizes: [3, 2, 4], wraps })
})
