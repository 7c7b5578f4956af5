/** Lists that go with a graph: the ports of each node, and the hosts among the nodes. */
import type { Ports } from './ports.ts'
import type { Graph } from './topologies/graph.ts'

export function portsByNode(graph: Graph, ports: Ports): Int32Array[] {
  const lists: number[][] = graph.nodes.map(() => [])
  for (let port = 0; port < ports.count; port++) lists[ports.from[port]]?.push(port)
  return lists.map((list) => Int32Array.from(list))
}

/** Number of a node among the hosts, -1 for a switch; and back. */
export function numberHosts(graph: Graph): { hostOf: Int32Array; hostNodes: number[] } {
  const hostNodes: number[] = []
  const hostOf = new Int32Array(graph.nodes.length).fill(-1)
  graph.nodes.forEach((node, i) => {
    if (node.kind === 'host') hostOf[i] = hostNodes.push(i) - 1
  })
  return { hostOf, hostNodes }
}
