import { buildGraph, NodeNames } from '@weir/fabric'
import { expect, it } from 'vitest'
import { ExplicitPaths } from './explicit.ts'
import { leafSpine, stops } from './testing.ts'

const graph = leafSpine(3, 2, 2)
const paths = new ExplicitPaths(graph)
const host = (name: string): number => new NodeNames(graph).hostIndex(name)

it('goes by the named switches, also where that is a detour', () => {
  const by = (...switches: string[]) => stops(graph, paths.path(host('h0'), host('h3'), switches))
  expect(by('leaf0', 'spine1', 'leaf1')).toEqual(['leaf0', 'spine1', 'leaf1', 'leaf1.h1'])
  expect(by('leaf0', 'spine1', 'leaf2', 'spine0', 'leaf1')).toHaveLength(6)
})

it('says which two do not touch', () => {
  expect(() => paths.path(host('h0'), host('h3'), ['leaf0', 'leaf1'])).toThrow(
    'the path by leaf0, leaf1 cannot go from "leaf0" to "leaf1": no link joins them; ' +
      'name every switch on the way',
  )
  expect(() => paths.path(host('h0'), host('h3'), ['leaf0', 'spine0'])).toThrow(
    'from "spine0" to "leaf1.h1"',
  )
  expect(() => paths.path(host('h0'), host('h3'), ['spine0'])).toThrow(
    'from "leaf0.h0" to "spine0"',
  )
})

it('refuses names that are no switch', () => {
  expect(() => paths.path(0, 3, ['leaf0', 'h1', 'leaf1'])).toThrow('"h1" is a host')
  expect(() => paths.path(0, 3, ['leaf9'])).toThrow('the last of them is "leaf2"')
})

it('takes the first of parallel links', () => {
  const link = (a: string, b: string) => ({ a, b, rateBps: 1e9, delayPs: 0 })
  const twice = buildGraph({
    kind: 'graph',
    hosts: ['h0', 'h1'],
    switches: ['s', 't'],
    links: [link('h0', 's'), link('t', 's'), link('s', 't'), link('h1', 't')],
  })
  expect(new ExplicitPaths(twice).path(0, 1, ['s', 't'])).toEqual([0, 3, 7])
})
