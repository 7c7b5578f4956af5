/** The lanes by hop that a spec asks for; undefined: packets keep their class. */
import { CLASSES, datelines, NodeNames, sameLanes } from '@weir/fabric'
import type { Graph, Lanes } from '@weir/fabric'
import { datelineLanes } from './spec/lanes.ts'
import type { LaneChange } from './spec/lanes.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

export function lanesOf(spec: ValidSpec, graph: Graph): Lanes | undefined {
  const { lanes } = spec.fabric
  switch (lanes.kind) {
    case 'none':
      return undefined
    case 'dateline':
      return spec.topology.kind === 'torus'
        ? datelines(graph, spec.topology.dimensions, datelineLanes(spec))
        : undefined
    case 'by-link':
      return byLink(graph, lanes.changes)
  }
}

/** Of parallel links all change. */
function byLink(graph: Graph, changes: readonly LaneChange[]): Lanes {
  const lanes = sameLanes(graph.links.length * 2)
  const names = new NodeNames(graph)
  for (const one of changes) {
    const from = names.index(one.from)
    const to = names.index(one.to)
    graph.links.forEach(({ a, b }, link) => {
      if (a === from && b === to) lanes[2 * link * CLASSES + one.class] = one.becomes
      if (b === from && a === to) lanes[(2 * link + 1) * CLASSES + one.class] = one.becomes
    })
  }
  return lanes
}
