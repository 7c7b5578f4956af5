/**
 * A node's turn to choose the routing of the rack's long flows: P. Costa et al., "R2C2", SIGCOMM
 * 2015, section 3.4. Turns go round by the clock, 'a deterministic token-based scheme', past
 * nodes that cannot be reached. A choice is announced only if the rack gains by a hundredth or
 * more, which is ours ('if a significant improvement is possible').
 *
 * What is found depends on the flows that the node knows and on its chance, not on the order in
 * which it heard of them. An assignment is worth what nodes would compute for it, demands, weights
 * and priorities included. Flows with a protocol that is not among the choices keep it, and count.
 */
import type { Random } from '@weir/engine'
import type { LinkFractions, RouteSearch, Utility } from '@weir/theory'
import { genetic, RouteProblem } from '@weir/theory/selection'
import type { RackConfig } from './config.ts'
import type { TrafficMatrix } from './traffic-matrix.ts'
import { weightOf } from './wire/announcement.ts'
import type { RouteChoice } from './wire/route-choices.ts'

const GAIN_MIN = 0.01

/** The rack as whoever selects sees it. */
export interface RouteRack {
  /** Of each channel. */
  readonly capacitiesBps: ArrayLike<number>
  /** The channels that a flow uses by a protocol; undefined if no way leads there. */
  fractions(protocol: number, source: number, target: number): LinkFractions | undefined
}

/** Whose turn it is at a time, of these nodes; -1: nobody's. */
export function selectorAt(
  { selectPs }: Pick<RackConfig, 'selectPs'>,
  nodes: ArrayLike<number>,
  isReachable: (node: number) => boolean,
  nowPs: number,
): number {
  const turn = Math.floor(nowPs / selectPs)
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[(turn + i) % nodes.length]!
    if (isReachable(node)) return node
  }
  return -1
}

/** How routes are searched for: R2C2's own way unless said. */
export interface SelectOptions {
  readonly search?: RouteSearch
  readonly utility?: Utility
}

/** The flows that should have another protocol than they have; none if little would be won. */
export function selectRoutes(
  config: Pick<RackConfig, 'headroom' | 'protocols' | 'rhoPs' | 'selectEvaluations'>,
  matrix: TrafficMatrix,
  rack: RouteRack,
  random: Random,
  nowPs: number,
  { search = genetic(), utility = 'aggregate' }: SelectOptions = {},
): RouteChoice[] {
  const { headroom, protocols, rhoPs, selectEvaluations } = config
  const long = matrix.all().filter(({ sincePs }) => nowPs - sincePs >= rhoPs)
  const flows = long.flatMap((flow) => {
    const { demandKbps, priority, protocol, source, target, weightCode } = flow
    const isKept = !protocols.includes(protocol)
    const routes = protocols.map((p) => rack.fractions(isKept ? protocol : p, source, target))
    if (!routes.every((route) => route !== undefined)) return []
    const weight = weightOf(weightCode)
    return [{ flow, isKept, routes, weight, priority, demandBps: demandKbps * 1e3 }]
  })
  if (flows.length === 0) return []
  const problem = new RouteProblem(rack.capacitiesBps, flows, utility, headroom)
  const current = Uint8Array.from(flows, ({ flow }) =>
    Math.max(0, protocols.indexOf(flow.protocol)),
  )
  const before = problem.utilityOf(current)
  const found = search.search(problem, { current, evaluationsMax: selectEvaluations, random })
  if (found.utility < before * (1 + GAIN_MIN)) return []
  return flows.flatMap(({ flow, isKept }, i) => {
    const protocol = protocols[found.assignment[i]!]!
    const isNews = !isKept && protocol !== flow.protocol
    return isNews ? [{ source: flow.source, flow: flow.flow, protocol }] : []
  })
}
