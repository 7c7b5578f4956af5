/** How many threads a run can be shared by, and how many pay. */
import { buildGraph } from '@weir/fabric'
import type { Graph } from '@weir/fabric'
import { cellsOf } from '../cells.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'

/** At least so many hosts for each thread: with fewer, meetings cost more than they gain. */
const HOSTS_A_THREAD = 128

/** No more than there are cells. */
export function threadsMax(spec: ValidSpec, graph: Graph = buildGraph(spec.topology)): number {
  return cellsOf(graph).cells
}

/** What pays on so many cores. */
export function threadsThatPay(spec: ValidSpec, cores: number): number {
  const graph = buildGraph(spec.topology)
  const hosts = graph.nodes.filter(({ kind }) => kind === 'host').length
  return Math.max(1, Math.min(cores, threadsMax(spec, graph), Math.floor(hosts / HOSTS_A_THREAD)))
}
