/**
 * Which part of a flow each link carries, where its packets go many ways: exactly, as the routing
 * draws them. A routing of which that is not known here has one of its ways drawn, as a flow that
 * keeps to one path.
 */
import { hashOf } from '@weir/engine'
import type { Flow } from '@weir/fabric'
import type { Run } from '@weir/sim'
import {
  fractionsOf,
  graphChannels,
  hopSpraying,
  ShortestWays,
  spraying,
  valiant,
} from '@weir/theory'
import type { Channels, ObliviousRouting } from '@weir/theory'

export interface SpreadParts {
  /** The routing's name, and for each port that carries some of the flow which part of it. */
  readonly by: string
  readonly ports: readonly number[]
  readonly parts: readonly number[]
}

type RoutingSpec = Run['spec']['routing']

export class Spreads {
  readonly #run: Run
  readonly #members: readonly RoutingSpec[]
  readonly #known: Map<string, SpreadParts | undefined> = new Map()
  readonly #routings: Map<string, ObliviousRouting | undefined> = new Map()
  #wiring: { channels: Channels; ports: Int32Array; ways: ShortestWays } | undefined = undefined

  constructor(run: Run) {
    this.#run = run
    const { routing } = run.spec
    this.#members = routing.kind === 'choice' ? routing.of : [routing]
  }

  /** undefined: it keeps to one path, or it is not known how it spreads. */
  of(flow: Flow): SpreadParts | undefined {
    if (flow.path >= 0) return undefined
    const spec = this.#members[this.#memberOf(flow)]
    if (spec === undefined) return undefined
    const { hostNodes } = this.#run.network.fabric
    const [source, target] = [hostNodes[flow.source]!, hostNodes[flow.target]!]
    const key = `${JSON.stringify(spec)} ${source} ${target}`
    if (!this.#known.has(key)) this.#known.set(key, this.#made(spec, source, target))
    return this.#known.get(key)
  }

  #memberOf(flow: Flow): number {
    if (this.#members.length === 1) return 0
    const { routing } = flow.reaction
    return routing >= 0 ? routing : (this.#run.network.routing.memberOf?.(hashOf(flow.key)) ?? 0)
  }

  #made(spec: RoutingSpec, source: number, target: number): SpreadParts | undefined {
    const key = JSON.stringify(spec)
    if (!this.#routings.has(key)) this.#routings.set(key, this.#routingOf(spec))
    const routing = this.#routings.get(key)
    if (routing === undefined) return undefined
    const { channels, ports } = this.#wires()
    const { links, fractions } = fractionsOf(routing, channels, source, target)
    const by = spec.kind
    return { by, ports: Array.from(links, (link) => ports[link]!), parts: [...fractions] }
  }

  #routingOf(spec: RoutingSpec): ObliviousRouting | undefined {
    if (spec.kind === 'packet-spray') {
      const { ways } = this.#wires()
      return spec.evenOver === 'paths' ? spraying(ways) : hopSpraying(ways)
    }
    if (spec.kind !== 'vlb') return undefined
    const { channels, ways } = this.#wires()
    const { ports, hostNodes, portsOf } = this.#run.network.fabric
    const homes = new Set(hostNodes.map((node) => ports.to[portsOf[node]![0]!]!))
    return valiant(channels, spraying(ways), [...homes])
  }

  #wires(): { channels: Channels; ports: Int32Array; ways: ShortestWays } {
    if (this.#wiring !== undefined) return this.#wiring
    const { channels, ports } = graphChannels(this.#run.network.graph)
    return (this.#wiring = { channels, ports, ways: new ShortestWays(channels) })
  }
}
