import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { buildGraph } from './index.ts'
import { neighbours } from './testing.ts'

conforms({ kind: 'star', hosts: 9, rateBps: 10e9, delayPs: 1e6 })

const params = { kind: 'star', rateBps: 25e9, delayPs: 1e6 } as const

it('joins every host with the one switch', () => {
  const graph = buildGraph({ ...params, hosts: 3 })
  expect(graph.nodes.map((node) => node.name)).toEqual(['h0', 'h1', 'h2', 'switch'])
  expect(graph.links).toEqual(
    [0, 1, 2].map((host) => ({ a: host, b: 3, rateBps: 25e9, delayPs: 1e6 })),
  )
  expect(neighbours(graph, 's0')).toEqual(['h0', 'h1', 'h2'])
})

it('refuses a count of hosts that is not a whole number of at least 1', () => {
  for (const hosts of [0, -1, 2.5, NaN])
    expect(() => buildGraph({ ...params, hosts })).toThrow(
      `topology.hosts of the star is ${hosts}: give a whole number of at least 1`,
    )
})

it('ends in a sentence, not in a full memory, when far too large', () => {
  expect(() => buildGraph({ ...params, hosts: 1e15 })).toThrow('this star has more than')
})
