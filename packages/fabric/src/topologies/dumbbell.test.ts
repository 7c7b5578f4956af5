import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { buildGraph } from './index.ts'
import { NodeNames } from './node-names.ts'
import { neighbours } from './testing.ts'

conforms(
  {
    kind: 'dumbbell',
    left: 4,
    right: 3,
    rateBps: 10e9,
    delayPs: 1e6,
    bottleneckRateBps: 1e9,
    bottleneckDelayPs: 0,
  },
  { hostsLowest: false },
)

const graph = buildGraph({
  kind: 'dumbbell',
  left: 2,
  right: 3,
  rateBps: 100e9,
  delayPs: 1e6,
  bottleneckRateBps: 10e9,
  bottleneckDelayPs: 5e6,
})

it('puts the left hosts before the right ones, and both can be named by side', () => {
  const names = new NodeNames(graph)
  expect(['l0', 'l1', 'r0', 'r2'].map((name) => names.index(name))).toEqual([0, 1, 2, 4])
  expect(neighbours(graph, 'right')).toEqual(['h2', 'h3', 'h4', 'left'])
  expect(neighbours(graph, 'left')).toEqual(['h0', 'h1', 'right'])
})

it('has one link between the switches, with its own rate and delay', () => {
  const names = new NodeNames(graph)
  expect(graph.links.slice(-1)).toEqual([
    { a: names.index('left'), b: names.index('right'), rateBps: 10e9, delayPs: 5e6 },
  ])
  expect(graph.links.filter((link) => link.rateBps === 100e9)).toHaveLength(5)
})

it('names its ends by side as well', () => {
  expect(graph.nodes.map(({ name, aliases }) => [name, ...aliases].join(' '))).toEqual([
    ...['h0 l0', 'h1 l1', 'h2 r0', 'h3 r1', 'h4 r2'],
    ...['left s0', 'right s1'],
  ])
})

it('knows its hosts and switches by their other names', () => {
  const names = new NodeNames(graph)
  expect(names.index('l1')).toBe(1)
  expect(names.index('r0')).toBe(2)
  expect(graph.nodes[names.index('s0')]!.kind).toBe('switch')
  expect(names.index('s1')).not.toBe(names.index('s0'))
})

it('stands with its left hosts on the left of both switches, the others on the right', () => {
  const x = graph.nodes.map((node) => node.x)
  expect(Math.max(x[0]!, x[1]!)).toBeLessThan(Math.min(x[5]!, x[6]!))
  expect(Math.min(x[2]!, x[3]!, x[4]!)).toBeGreaterThan(Math.max(x[5]!, x[6]!))
})
