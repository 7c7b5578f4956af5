import { expect, it } from 'vitest'
import { checkGraph } from './check-graph.ts'
import { buildGraph, topologies } from './index.ts'
import type { TopologyParams } from './index.ts'

const link = (a: string, b: string, rateBps = 10e9, delayPs = 0) => ({ a, b, rateBps, delayPs })
const graph = (hosts: string[], switches: string[], links: ReturnType<typeof link>[]) => () =>
  buildGraph({ kind: 'graph', hosts, switches, links })

it('accepts a pair of hosts on a switch', () => {
  expect(graph(['a', 'b'], ['s'], [link('a', 's'), link('b', 's')])).not.toThrow()
})

it('refuses a host behind a switch, which nodes by number would take for one', () => {
  const { nodes, links } = graph(['a', 'b'], ['s'], [link('a', 's'), link('b', 's')])()
  const [a, b, s] = nodes
  const sentence = 'the host "b" comes after a switch: list the hosts first'
  expect(() => checkGraph({ nodes: [a!, s!, b!], links })).toThrow(sentence)
  expect(() => checkGraph({ nodes, links })).not.toThrow()
})

it.each([
  [
    'two nodes of one name',
    graph(['a', 'a'], ['s'], []),
    'two nodes of the topology are called "a"',
  ],
  [
    'a link of no rate',
    graph(['a'], ['s'], [link('a', 's', 0)]),
    'between "a" and "s" has a rate of 0',
  ],
  ['a negative delay', graph(['a'], ['s'], [link('a', 's', 1, -1)]), 'has a delay of -1 ps'],
  [
    'a delay below a picosecond',
    graph(['a'], ['s'], [link('a', 's', 1, 0.5)]),
    'whole picoseconds',
  ],
  [
    'a host with two links',
    graph(['a'], ['s', 't'], [link('a', 's'), link('a', 't'), link('s', 't')]),
    '"a" has 2 links',
  ],
  ['a host with none', graph(['a', 'b'], ['s'], [link('a', 's')]), '"b" has 0 links'],
  [
    'an unreachable node',
    graph(['a', 'b'], ['s', 't'], [link('a', 's'), link('b', 't')]),
    'no links lead from "a" to "b"',
  ],
  [
    'a link to itself',
    graph(['a'], ['s'], [link('a', 's'), link('s', 's')]),
    'begins and ends at one node',
  ],
  ['no host', graph([], ['s'], []), 'the topology has no hosts'],
])('refuses %s', (_, build, sentence) => {
  expect(build).toThrow(sentence)
})

it('refuses an unknown kind with the list of known ones', () => {
  expect(() => buildGraph({ kind: 'moebius' } as unknown as TopologyParams)).toThrow(
    `there is no topology "moebius": choose one of ${Object.keys(topologies).join(', ')}`,
  )
})
