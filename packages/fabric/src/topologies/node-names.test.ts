import { expect, it } from 'vitest'
import { buildGraph } from './index.ts'
import { editDistance } from '@weir/engine'
import { nearMiss } from '@weir/engine/codec'
import { NodeNames } from './node-names.ts'

const graph = buildGraph({
  kind: 'leaf-spine',
  leaves: 4,
  spines: 2,
  hostsPerLeaf: 8,
  hostRateBps: 25e9,
  hostDelayPs: 1e6,
  fabricRateBps: 100e9,
  fabricDelayPs: 1e6,
})
const names = new NodeNames(graph)

it('finds every node by its name and by each of its aliases', () => {
  graph.nodes.forEach((node, i) => {
    for (const name of [node.name, ...node.aliases]) expect(names.index(name)).toBe(i)
    expect(names.name(i)).toBe(node.name)
  })
})

it('suggests the name that was probably meant', () => {
  expect(() => names.index('leaf9')).toThrow(
    'there is no node "leaf9": the last of them is "leaf3"',
  )
  expect(() => names.index('psine1')).toThrow('did you mean "spine1"?')
  expect(() => names.index('Leaf3')).toThrow('did you mean "leaf3"?')
})

it('shows what names there are if none is near', () => {
  expect(() => names.index('router')).toThrow(
    'there is no node "router": the hosts are leaf0.h0, leaf0.h1, leaf0.h2 ... leaf3.h7; ' +
      'the switches are leaf0, leaf1, leaf2 ... spine1',
  )
})

it('tells hosts from switches where only one can be meant', () => {
  expect(names.hostIndex('h9')).toBe(9)
  expect(() => names.hostIndex('spine0')).toThrow('"spine0" is a switch: name a host here')
  expect(names.switchIndex('spine0')).toBe(36)
  expect(() => names.switchIndex('h9')).toThrow('"h9" is a host: name a switch here')
})

it('counts insertions, deletions, changes and swaps as one edit each', () => {
  expect(editDistance('leaf', 'leaf')).toBe(0)
  expect(editDistance('lef', 'leaf')).toBe(1)
  expect(editDistance('leaff', 'leaf')).toBe(1)
  expect(editDistance('laef', 'leaf')).toBe(1)
  expect(editDistance('spine', 'leaf')).toBe(5)
  expect(nearMiss('torus', ['mesh', 'star'])).toBeUndefined()
})

it('says which kind of node is asked for, with one of them', () => {
  expect(() => names.hostIndex('leaf1')).toThrow('"leaf1" is a switch: name a host here')
  expect(() => names.hostIndex('leaf1')).toThrow('such as "leaf0.h0"')
  expect(names.hostIndex('leaf1.h2')).toBe(10)
})
