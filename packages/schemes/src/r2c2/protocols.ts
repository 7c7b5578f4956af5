/**
 * The rack's protocols that a scenario's routing is made of. Nodes reckon with the fractions of a
 * flow's protocol, so that those must be what packets do: of one path per flow, drawn by a hash,
 * only the mean over flows is known, which is that of spraying hop by hop.
 */
import { DESTINATION_TAG, HOP_SPRAY, ROMM, RPS, VLB, WLB } from '@weir/rack'
import type { RoutingSpec } from '@weir/routing'

export interface FlowProtocols {
  /** By member of the routing; a routing that is no choice has one. */
  readonly ofMember: readonly number[]
  /** How packets are sprayed whose way is down. */
  readonly detour: typeof RPS | typeof HOP_SPRAY
}

export function protocolsOf(routing: RoutingSpec): FlowProtocols {
  const members = routing.kind === 'choice' ? routing.of : [routing]
  const ofMember = members.map((member) => protocolOf(member) ?? HOP_SPRAY)
  // What has no way written goes by the first member that finds it hop by hop.
  const hopByHop = members.findIndex((member) => !hasOnePath(member))
  return { ofMember, detour: ofMember[hopByHop] === HOP_SPRAY ? HOP_SPRAY : RPS }
}

/** Packets of one flow may take several ways, and which ones its ends do not say. */
const SPREADING: readonly string[] = ['reps', 'paths-in-turn', 'own']

/** Of each flow, whose packets then never overtake each other. */
function hasOnePath(routing: RoutingSpec): boolean {
  const protocol = protocolOf(routing)
  if (protocol === undefined) return !SPREADING.includes(routing.kind)
  return protocol === DESTINATION_TAG
}

/** What to say of a routing that gives a flow one path of several, which others do not know. */
export function warningsOf(routing: RoutingSpec): string[] {
  const members = routing.kind === 'choice' ? routing.of : [routing]
  const one = members.find((member) => hasOnePath(member) && protocolOf(member) === undefined)
  if (one === undefined) return []
  return [
    `r2c2 knows what ${one.kind} puts on links on average only: it may give flows more than ` +
      'their paths carry; write routing: packet-spray',
  ]
}

/** Throws a sentence for a routing whose members nodes cannot choose between. */
export function checkChoice(routing: RoutingSpec): void {
  const such = 'write routing: {kind: choice, of: [packet-spray, vlb]}'
  if (routing.kind !== 'choice') {
    throw new Error(
      `scheme.params.routes is adaptive, and routing: ${routing.kind} leaves nothing to choose ` +
        `from; ${such}`,
    )
  }
  const unknown = routing.of.find((member) => protocolOf(member) === undefined)
  if (unknown !== undefined) {
    throw new Error(
      `scheme.params.routes is adaptive, and what ${unknown.kind} puts on each link is not known ` +
        "from a flow's ends alone; choose among packet-spray, vlb, wlb, romm and dimension-order",
    )
  }
  if (routing.of.every(hasOnePath)) {
    throw new Error(
      `scheme.params.routes is adaptive, and every member of the choice has one path per flow, ` +
        `which it keeps; ${such}`,
    )
  }
}

/** undefined: what it does depends on more than a flow's ends. */
export function protocolOf(routing: RoutingSpec): number | undefined {
  switch (routing.kind) {
    case 'packet-spray':
      return routing.evenOver === 'paths' ? RPS : HOP_SPRAY
    case 'vlb':
      return VLB
    case 'dimension-order':
      return DESTINATION_TAG
    case 'wlb':
      return WLB
    case 'romm':
      return ROMM
    default:
      return undefined
  }
}
