/** Lanes by hop at random: of half of all outputs of switches, one class goes on in another. */
import { Random } from '@weir/engine'
import { buildGraph } from '@weir/fabric'
import type { LaneChange } from '../spec/lanes.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'

export function withRandomLanes(spec: ValidSpec, n: number): ValidSpec {
  const random = new Random(n, 'lanes')
  const { links, nodes } = buildGraph(spec.topology)
  const { classes } = spec.fabric
  const changes: LaneChange[] = []
  for (const { a, b } of links) {
    for (const [from, to] of [
      [nodes[a]!, nodes[b]!],
      [nodes[b]!, nodes[a]!],
    ] as const) {
      if (from.kind === 'host' || random.below(2) === 0) continue
      const [before, becomes] = [random.below(classes), random.below(classes)]
      changes.push({ from: from.name, to: to.name, class: before, becomes })
    }
  }
  return { ...spec, fabric: { ...spec.fabric, lanes: { kind: 'by-link', changes } } }
}
