/**
 * A node's turn to choose the routing of the rack's long flows: P. Costa et al., "R2C2", SIGCOMM
 * 2015, section 3.4. Turns go round by the clock, 'a deterministic token-based scheme', past
 * nodes that cannot be reached. A choice is announced only if the rack gains by a hundredth or
 * more, which is ours ('if a significant improvement is possible').
 */
import type { Random } from '@weir/engine'
import { genetic, RouteProblem } from '@weir/theory'
import type { RackConfig } from './config.ts'
import { PROTOCOL_NAMES } from './topology.ts'
import type { TopologyView } from './topology-view.ts'
import type { TrafficMatrix } from './traffic-matrix.ts'
import { weightOf } from './wire/announcement.ts'
import type { RouteChoice } from './wire/route-choices.ts'

const GAIN_MIN = 0.01

/** Whose turn it is at a time. */
export function selectorAt(config: RackConfig, view: TopologyView, nowPs: number): number {
  const { nodes } = config.wiring
  const turn = Math.floor(nowPs / config.selectPs)
  for (let i = 0; i < nodes; i++) {
    if (view.isReachable((turn + i) % nodes)) return (turn + i) % nodes
  }
  return -1
}

/** The flows that should have another protocol than they have; none if little would be won. */
export function selectRoutes(
  config: RackConfig,
  matrix: TrafficMatrix,
  view: TopologyView,
  random: Random,
  nowPs: number,
): RouteChoice[] {
  const long = matrix.all().filter(({ sincePs }) => nowPs - sincePs >= config.rhoPs)
  const flows = long.flatMap((flow) => {
    const routes = PROTOCOL_NAMES.map((_, p) => view.fractions(p, flow.source, flow.target))
    return routes.every((route) => route !== undefined)
      ? [{ flow, routes: routes.map((route) => route!), weight: weightOf(flow.weightCode) }]
      : []
  })
  if (flows.length === 0) return []
  const capacities = new Float64Array(config.wiring.count).fill(config.linkRateBps)
  const problem = new RouteProblem(capacities, flows, 'aggregate', config.headroom)
  const current = Uint8Array.from(flows, ({ flow }) => flow.protocol)
  const before = problem.utilityOf(current)
  const found = genetic().search(problem, {
    current,
    evaluationsMax: config.selectEvaluations,
    random,
  })
  if (found.utility < before * (1 + GAIN_MIN)) return []
  return flows.flatMap(({ flow }, i) =>
    found.assignment[i] === flow.protocol
      ? []
      : [{ source: flow.source, flow: flow.flow, protocol: found.assignment[i]! }],
  )
}
