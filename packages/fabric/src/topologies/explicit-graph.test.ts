import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { buildGraph } from './index.ts'
import { NodeNames } from './node-names.ts'

conforms(
  {
    kind: 'graph',
    hosts: ['a', 'b'],
    switches: ['s'],
    links: [
      { a: 'a', b: 's', rateBps: 10e9, delayPs: 1e6 },
      { a: 'b', b: 's', rateBps: 10e9, delayPs: 1e6 },
    ],
  },
  { hostsLowest: false },
)

const link = (a: string, b: string) => ({ a, b, rateBps: 10e9, delayPs: 1e5 })

it('keeps names, order and parallel links as they were listed', () => {
  const graph = buildGraph({
    kind: 'graph',
    hosts: ['client', 'server'],
    switches: ['west', 'east'],
    links: [
      link('west', 'east'),
      link('east', 'west'),
      link('client', 'west'),
      link('server', 'east'),
    ],
  })
  expect(graph.nodes.map(({ name, kind }) => [name, kind])).toEqual([
    ['client', 'host'],
    ['server', 'host'],
    ['west', 'switch'],
    ['east', 'switch'],
  ])
  expect(graph.links.map(({ a, b }) => [a, b])).toEqual([
    [2, 3],
    [3, 2],
    [0, 2],
    [1, 3],
  ])
  expect(new NodeNames(graph).index('h1')).toBe(1)
})

it('does not count hosts anew if their author did', () => {
  const graph = buildGraph({
    kind: 'graph',
    hosts: ['h1', 'h2'],
    switches: ['s'],
    links: [link('h1', 's'), link('h2', 's')],
  })
  expect(new NodeNames(graph).index('h1')).toBe(0)
  expect(new NodeNames(graph).has('h0')).toBe(false)
})

it('takes the tier of a switch from its distance to the nearest host', () => {
  const { nodes } = buildGraph({
    kind: 'graph',
    hosts: ['a', 'b'],
    switches: ['top', 'left', 'right'],
    links: [link('a', 'left'), link('b', 'right'), link('left', 'top'), link('top', 'right')],
  })
  expect(nodes.map(({ tier }) => tier)).toEqual([0, 0, 2, 1, 1])
})

it('says which link names a node that is not there, and which was meant', () => {
  const build = (name: string) => () =>
    buildGraph({ kind: 'graph', hosts: ['a'], switches: ['spine0'], links: [link('a', name)] })
  expect(build('spin0')).toThrow(
    'topology.links[0] names "spin0", which is not a node: did you mean "spine0"?',
  )
  expect(build('router')).toThrow('list it in topology.hosts or topology.switches')
})
