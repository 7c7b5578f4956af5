import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { shortestPath } from './shortest-path.ts'
import { leafSpine, stops, torus } from './testing.ts'

conforms(shortestPath, { shortest: true })

const params = { hashSeed: 0 }

it('takes the lowest port: the first spine, for every flow', () => {
  const graph = leafSpine(2, 3, 2)
  const routing = shortestPath.create(graph, params)
  for (const flowKey of [0, 1, 99])
    expect(stops(graph, routing.path(0, 3, flowKey))).toEqual([
      'leaf0',
      'spine0',
      'leaf1',
      'leaf1.h1',
    ])
})

it('gives the exact ports: up, across, down', () => {
  // Links: 0 and 1 are the hosts', 2 and 3 those of leaf0 and leaf1 to the spine.
  expect(shortestPath.create(leafSpine(2, 1, 1), params).path(0, 1, 0)).toEqual([0, 4, 7, 3])
  expect(shortestPath.create(leafSpine(2, 1, 1), params).path(1, 0, 0)).toEqual([2, 6, 5, 1])
})

it('stays in the rack if it can', () => {
  const graph = leafSpine(2, 3, 2)
  const path = shortestPath.create(graph, params).path(2, 3, 5)
  expect(stops(graph, path)).toEqual(['leaf1', 'leaf1.h1'])
})

it('goes the short way around a ring', () => {
  const graph = torus(5)
  const path = shortestPath.create(graph, params).path(0, 3, 0)
  expect(stops(graph, path)).toEqual(['n0', 'n4', 'n3', 'h3'])
})

it('answers hop by hop as it answers for a path', () => {
  const graph = torus(4, 4)
  const routing = shortestPath.create(graph, params)
  const path = routing.path(0, 10, 0)
  const nodes = [0, ...path.map((port) => graph.links[port >> 1]![port & 1 ? 'a' : 'b'])]
  path.forEach((port, i) => expect(routing.next(nodes[i]!, 10, undefined as never)).toBe(port))
})
