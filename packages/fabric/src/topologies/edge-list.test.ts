import { expect, it } from 'vitest'
import { parseEdgeList } from './edge-list.ts'
import { buildGraph } from './index.ts'

const defaults = { rateBps: 100e9, delayPs: 1e6 }

it('reads links with and without a rate and a delay', () => {
  const text = '# two racks\n\nh0 s0 25Gbps 500ns # a slow one\r\n h1\ts1  40Gb/s\ns0 s1'
  expect(parseEdgeList(text, defaults)).toEqual({
    hosts: ['h0', 'h1'],
    switches: ['s0', 's1'],
    links: [
      { a: 'h0', b: 's0', rateBps: 25e9, delayPs: 500e3 },
      { a: 'h1', b: 's1', rateBps: 40e9, delayPs: 1e6 },
      { a: 's0', b: 's1', rateBps: 100e9, delayPs: 1e6 },
    ],
  })
})

it('takes h* and what is listed as host for hosts, the rest for switches', () => {
  const text = 'switch hub\nhost client\nclient hub\nleaf.h3 hub\nhub shelf'
  expect(parseEdgeList(text, defaults)).toMatchObject({
    hosts: ['client', 'leaf.h3'],
    switches: ['hub', 'shelf'],
  })
})

it('gives what the kind graph takes', () => {
  const graph = buildGraph({ kind: 'graph', ...parseEdgeList('h0 s\nh1 s', defaults) })
  expect(graph.nodes).toHaveLength(3)
})

it.each([
  ['h0 s0\nh1', 'line 2: "h1" stands alone'],
  ['a b 1Gbps 1us 7', 'line 1: there is "7" after the delay'],
  ['\n\na a', 'line 3: the link joins "a" with itself'],
  ['a b 10GB', "line 1: '10GB' counts bytes"],
  ['a b 10Gbps 5', "line 1: '5' has no unit"],
  ['host', 'line 1: "host" names no node'],
  ['host x\nswitch x', 'line 2: "x" is listed as a host and as a switch'],
])('names the line that is wrong: %j', (text, sentence) => {
  expect(() => parseEdgeList(text, defaults)).toThrow(sentence)
})

it('looks at the last part of a name only, and lets a node be listed twice alike', () => {
  const text = 'host server\nhost server\nserver h1.leaf\nleaf0.host12 h1.leaf\nh1.leaf core'
  expect(parseEdgeList(text, defaults)).toMatchObject({
    hosts: ['server', 'leaf0.host12'],
    switches: ['h1.leaf', 'core'],
  })
})
