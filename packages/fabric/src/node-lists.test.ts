import { describe, expect, it } from 'vitest'
import { numberHosts, portsByNode } from './node-lists.ts'
import { Ports } from './ports.ts'
import { buildGraph } from './topologies/index.ts'

describe('lists by node', () => {
  const graph = buildGraph({ kind: 'star', hosts: 3, rateBps: 10e9, delayPs: 5 })

  it('hold every port once, at the node that it leads from', () => {
    const ports = new Ports(graph, 0)
    const lists = portsByNode(graph, ports)
    lists.forEach((list, node) => list.forEach((port) => expect(ports.from[port]).toBe(node)))
    const all = lists.flatMap((list) => Array.from(list)).sort((a, b) => a - b)
    expect(all).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('number the hosts, there and back, and no switch', () => {
    const { hostOf, hostNodes } = numberHosts(graph)
    expect(hostNodes).toHaveLength(3)
    hostNodes.forEach((node, host) => {
      expect(graph.nodes[node]?.kind).toBe('host')
      expect(hostOf[node]).toBe(host)
    })
    graph.nodes.forEach((node, i) => {
      if (node.kind === 'switch') expect(hostOf[i]).toBe(-1)
    })
  })
})

describe('a port', () => {
  const graph = buildGraph({ kind: 'star', hosts: 2, rateBps: 10e9, delayPs: 5 })

  it('is one direction of a link, with the delay of the switch that it leads to', () => {
    const ports = new Ports(graph, 7)
    for (let port = 0; port < ports.count; port++) {
      expect(ports.from[port]).toBe(ports.to[port ^ 1])
      expect(ports.fromHost[port]).toBe(ports.toHost[port ^ 1])
      const isToHost = graph.nodes[ports.to[port]!]?.kind === 'host'
      expect(ports.toHost[port]).toBe(isToHost ? 1 : 0)
      expect(ports.delayPs[port]).toBe(isToHost ? 5 : 12)
      expect(ports.psPerByte[port]).toBe(800)
    }
  })
})
