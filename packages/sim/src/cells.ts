/**
 * Cells: which nodes run together. A node affects another no sooner than a link's delay later, so
 * nodes run alone for windows of the shortest delay between cells; nodes that are joined by a link
 * without delay are one cell, and have one order of events.
 */
import type { Graph } from '@weir/fabric'
import type { ValidSpec } from './spec/valid-spec.ts'
import { shortestDelayPs } from './grid.ts'

export interface Cells {
  /** By node. */
  readonly cellOf: Int32Array
  readonly cells: number
  /** What a cell does reaches no other before this time is over. */
  readonly windowPs: number
}

export function cellsOf(graph: Graph, workload: ValidSpec['workload']): Cells {
  const windowPs = shortestDelayPs(graph)
  // Messages of programs are numbered as they are sent, across processes.
  if (workload.some(({ kind }) => kind === 'messages')) {
    return { cellOf: new Int32Array(graph.nodes.length), cells: 1, windowPs }
  }
  const parent = Int32Array.from(graph.nodes, (_, node) => node)
  const root = (node: number): number => {
    let top = node
    while (parent[top] !== top) top = parent[top]
    parent[node] = top
    return top
  }
  for (const { a, b, delayPs } of graph.links) {
    if (delayPs === 0) parent[Math.max(root(a), root(b))] = Math.min(root(a), root(b))
  }
  let cells = 0
  const cellOf = new Int32Array(graph.nodes.length)
  graph.nodes.forEach((_, node) => {
    cellOf[node] = root(node) === node ? cells++ : cellOf[root(node)]
  })
  return { cellOf, cells, windowPs }
}
