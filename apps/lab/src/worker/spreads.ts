/**
 * Which part of a flow each link carries, where its packets go many ways: exactly, as the routing
 * draws them, and where that depends on more than the flow's ends, on average. The same fractions
 * as R2C2's nodes reckon with.
 */
import { hashOf } from '@weir/engine'
import type { Flow } from '@weir/fabric'
import { Topology } from '@weir/rack'
import { protocolsOf, wiringOf } from '@weir/schemes'
import type { Run } from '@weir/sim'

export interface SpreadParts {
  /** The routing's name, and for each port that carries some of the flow which part of it. */
  readonly by: string
  readonly ports: readonly number[]
  readonly parts: readonly number[]
}

export class Spreads {
  readonly #run: Run
  /** By member of a routing that is a choice, or of the only one. */
  readonly #names: readonly string[]
  readonly #protocols: readonly number[]
  readonly #known: Map<string, SpreadParts | undefined> = new Map()
  #wiring: { topology: Topology; ports: Int32Array } | undefined = undefined

  constructor(run: Run) {
    this.#run = run
    const { routing } = run.spec
    this.#names = (routing.kind === 'choice' ? routing.of : [routing]).map(({ kind }) => kind)
    this.#protocols = protocolsOf(routing).ofMember
  }

  /** undefined: it keeps to one path. */
  of(flow: Flow): SpreadParts | undefined {
    if (flow.path >= 0) return undefined
    const { hostNodes } = this.#run.network.fabric
    const [source, target] = [hostNodes[flow.source]!, hostNodes[flow.target]!]
    const member = this.#memberOf(flow)
    const key = `${member} ${source} ${target}`
    if (!this.#known.has(key)) this.#known.set(key, this.#made(member, source, target))
    return this.#known.get(key)
  }

  #memberOf(flow: Flow): number {
    if (this.#names.length === 1) return 0
    const { routing } = flow.reaction
    return routing >= 0 ? routing : (this.#run.network.routing.memberOf?.(hashOf(flow.key)) ?? 0)
  }

  #made(member: number, source: number, target: number): SpreadParts | undefined {
    const { topology, ports } = (this.#wiring ??= this.#wires())
    const made = topology.fractions(this.#protocols[member]!, source, target)
    if (made === undefined) return undefined
    const by = this.#names[member]!
    return { by, ports: Array.from(made.links, (link) => ports[link]!), parts: [...made.fractions] }
  }

  #wires(): { topology: Topology; ports: Int32Array } {
    const { spec, network } = this.#run
    const { channels, ports, options } = wiringOf(network.graph, protocolsOf(spec.routing))
    return { topology: new Topology(channels, undefined, options), ports }
  }
}
