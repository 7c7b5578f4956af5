/**
 * What the network and routing take for granted of a graph, checked once for every topology: names
 * tell nodes apart, hosts come first and have one link, links can carry something, and everything
 * can be reached. Costs O(nodes + links).
 */
import type { Graph } from './graph.ts'

/** Returns the graph, or throws one sentence that names the first node or link that is wrong. */
export function checkGraph(graph: Graph): Graph {
  checkNodes(graph)
  checkLinks(graph)
  checkHosts(graph)
  checkConnected(graph)
  return graph
}

function checkNodes({ nodes }: Graph): void {
  if (nodes[0]?.kind !== 'host')
    throw new Error('the topology has no hosts, or does not list them first: give at least one')
  const owners = new Map<string, number>()
  nodes.forEach((node, i) => {
    if (node.name === '') throw new Error(`node ${i} of the topology has no name: give it one`)
    if (node.kind === 'host' && i > 0 && nodes[i - 1]!.kind === 'switch')
      throw new Error(`the host "${node.name}" comes after a switch: list the hosts first`)
    for (const name of [node.name, ...node.aliases]) {
      if (owners.has(name))
        throw new Error(`two nodes of the topology are called "${name}": names must be unique`)
      owners.set(name, i)
    }
  })
}

function checkLinks({ nodes, links }: Graph): void {
  links.forEach(({ a, b, rateBps, delayPs }, i) => {
    if (nodes[a] === undefined || nodes[b] === undefined)
      throw new Error(
        `link ${i} of the topology joins nodes ${a} and ${b}: there are ${nodes.length}`,
      )
    const link = `the link between "${nodes[a].name}" and "${nodes[b].name}"`
    if (a === b) throw new Error(`${link} begins and ends at one node: join two`)
    if (!(rateBps > 0 && Number.isFinite(rateBps)))
      throw new Error(`${link} has a rate of ${rateBps} bit/s: a rate must be above 0`)
    if (!(delayPs >= 0 && Number.isInteger(delayPs)))
      throw new Error(`${link} has a delay of ${delayPs} ps: give whole picoseconds, 0 or more`)
  })
}

function checkHosts({ nodes, links }: Graph): void {
  const degrees = new Int32Array(nodes.length)
  for (const { a, b } of links) (degrees[a]!++, degrees[b]!++)
  nodes.forEach((node, i) => {
    if (node.kind === 'host' && degrees[i] !== 1)
      throw new Error(
        `the host "${node.name}" has ${degrees[i]} links: give it exactly one, to its switch`,
      )
  })
}

function checkConnected({ nodes, links }: Graph): void {
  // Union-find with path halving: link order does not matter and nothing recurses.
  const parents = Int32Array.from(nodes, (_, i) => i)
  const root = (i: number): number => {
    while (parents[i] !== i) i = parents[i] = parents[parents[i]!]!
    return i
  }
  for (const { a, b } of links) parents[root(a)] = root(b)
  nodes.forEach((node, i) => {
    if (root(i) !== root(0))
      throw new Error(
        `the topology falls apart: no links lead from "${nodes[0]!.name}" to "${node.name}"; ` +
          `add one that joins the parts`,
      )
  })
}
