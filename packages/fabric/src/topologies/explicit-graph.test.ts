import { readWhole, Refusal } from '@weir/engine/codec'
import { describe, expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { explicitGraph } from './explicit-graph.ts'
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

it('counts hosts for names that only look like a count, and switches never', () => {
  const names = (first: string, more: string): readonly string[][] =>
    buildGraph({
      kind: 'graph',
      hosts: [first, 'b'],
      switches: [more],
      links: [link(first, more), link('b', more)],
    }).nodes.map(({ aliases }) => [...aliases])
  expect(names('rack.h1', 's')).toEqual([['h0'], ['h1'], []])
  expect(names('h1a', 's')).toEqual([['h0'], ['h1'], []])
  // A switch that is counted like a host counts.
  expect(names('a', 'h12')).toEqual([[], [], []])
})

it('draws hosts in the order of their switches, and each tier above the last', () => {
  // A ring of three switches; the hosts are listed the other way round.
  const { nodes } = buildGraph({
    kind: 'graph',
    hosts: ['c', 'b', 'a', 'a2'],
    switches: ['sa', 'sb', 'sc', 'top'],
    links: [
      ...[link('c', 'sc'), link('sb', 'b'), link('a', 'sa'), link('sa', 'a2')],
      ...[link('sa', 'top'), link('sb', 'top'), link('sc', 'top')],
    ],
  })
  const x = (name: string): number => nodes.find((node) => node.name === name)!.x
  const order = ['a', 'a2', 'b', 'c'].map(x)
  expect(order).toEqual([...order].sort((one, two) => one - two))
  expect(new Set(order).size).toBe(4)
  expect([x('sa') < x('sb'), x('sb') < x('sc')]).toEqual([true, true])
  const y = [0, 1, 2].map((tier) => nodes.find((node) => node.tier === tier)!.y)
  expect([y[0]! < y[1]!, y[1]! < y[2]!]).toEqual([true, true])
})

describe('a graph as a scenario writes it', () => {
  const head = { kind: 'graph', hosts: ['a', 'b'], switches: ['s'] }
  const read = (more: object): ReturnType<typeof readWhole> =>
    readWhole(explicitGraph.codec, { ...head, ...more })

  it('has links of a line each, with the rate and delay of the graph or their own', () => {
    const links = ['a s', '  b   s 40Gbps  3us ', 'a s 1Gbps']
    const graph = read({ links, rate: '25Gbps', delay: '2us' })
    expect(graph).toEqual({
      ...head,
      links: [
        { a: 'a', b: 's', rateBps: 25e9, delayPs: 2e6 },
        { a: 'b', b: 's', rateBps: 40e9, delayPs: 3e6 },
        { a: 'a', b: 's', rateBps: 1e9, delayPs: 2e6 },
      ],
    })
    const written = explicitGraph.codec.write(graph as never)
    expect(written).toMatchObject({ links: ['a s 25Gbps 2us', 'b s 40Gbps 3us', 'a s 1Gbps 2us'] })
    expect(readWhole(explicitGraph.codec, written)).toEqual(graph)
  })

  it('may have links as mappings, and a cable without delay', () => {
    const links = [{ a: 'a', b: 's', rate: '5Gbps', delay: '0s' }]
    expect(read({ links })).toMatchObject({ links: [{ rateBps: 5e9, delayPs: 0 }] })
  })

  it.each([
    [['a'], '"a" is not a link; write two nodes'],
    [['a s 1Gbps 1us more'], 'is not a link; write two nodes'],
    [['a s fast'], 'fast'],
    [['a s 1Gbps later'], 'later'],
    [[7], 'is not a link'],
  ])('has no link in %j', (links, sentence) => {
    expect(() => read({ links })).toThrow(sentence)
    expect(() => read({ links })).toThrow(Refusal)
  })

  it('says which of hosts and links is missing', () => {
    const codec = explicitGraph.codec
    expect(() => readWhole(codec, { kind: 'graph', links: [] })).toThrow('write the hosts')
    expect(() => readWhole(codec, { kind: 'graph', hosts: ['a'] })).toThrow('write the links')
  })

  it('may be in a file, and then nowhere else', () => {
    const written = { kind: 'graph', file: 'links.txt' }
    const graph = readWhole(explicitGraph.codec, written)
    expect(graph).toMatchObject({ kind: 'graph-file', file: 'links.txt' })
    expect(explicitGraph.codec.write(graph)).toEqual(written)
    expect(() => read({ file: 'links.txt' })).toThrow('the file has the hosts; leave hosts or file')
    const links = ['a s']
    expect(() => readWhole(explicitGraph.codec, { ...written, links })).toThrow('leave links or')
  })
})
