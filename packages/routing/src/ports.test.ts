import { expect, it } from 'vitest'
import { portFrom, portOpposite, Ports, portTo } from './ports.ts'
import { leafSpine, torus } from './testing.ts'

it('numbers link i as port 2i from a to b and port 2i + 1 back', () => {
  const graph = leafSpine(2, 1, 1)
  graph.links.forEach(({ a, b }, i) => {
    expect([portFrom(graph, 2 * i), portTo(graph, 2 * i)]).toEqual([a, b])
    expect([portFrom(graph, 2 * i + 1), portTo(graph, 2 * i + 1)]).toEqual([b, a])
    expect(portOpposite(2 * i)).toBe(2 * i + 1)
    expect(portOpposite(2 * i + 1)).toBe(2 * i)
  })
  expect(() => portTo(graph, 8)).toThrow('there is no port 8: the graph has 4 links')
})

it('lists the ports of each node once, ascending', () => {
  const graph = torus(3, 4)
  const ports = new Ports(graph)
  graph.nodes.forEach((_, node) => {
    const listed = [...ports.list.slice(ports.starts[node], ports.starts[node + 1])]
    const expected = Array.from({ length: 2 * graph.links.length }, (_, port) => port).filter(
      (port) => portFrom(graph, port) === node,
    )
    expect(listed).toEqual(expected)
    for (const port of listed) expect(ports.to[port]).toBe(portTo(graph, port))
  })
})
