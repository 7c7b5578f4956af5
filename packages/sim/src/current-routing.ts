/**
 * Routing in a fabric whose links change: the routes of now, or, where there are none any more,
 * those of the beginning, by which packets are lost at the link that is down and counted there.
 */
import type { Random } from '@weir/engine'
import type { Routing } from '@weir/fabric'

export class CurrentRouting implements Routing {
  readonly name: string
  readonly perPacket: boolean
  readonly route?: Required<Routing>['route']
  readonly spread?: Required<Routing>['spread']
  readonly members?: readonly CurrentRouting[]
  readonly memberOf?: Required<Routing>['memberOf']
  readonly #first: Routing
  #current: Routing

  constructor(first: Routing) {
    this.name = first.name
    this.perPacket = first.perPacket
    this.#first = first
    this.#current = first
    if (first.route !== undefined) this.route = (...packet) => this.#now('route')(...packet)
    if (first.spread !== undefined) this.spread = (context) => this.#now('spread')(context)
    const { memberOf, members } = first
    if (members !== undefined) this.members = members.map((member) => new CurrentRouting(member))
    if (memberOf !== undefined) this.memberOf = memberOf
  }

  become(routing: Routing): void {
    this.#current = routing
    this.members?.forEach((member, i) => member.become(routing.members?.[i] as Routing))
  }

  path(source: number, target: number, flowKey: number, entropy?: number): readonly number[] {
    return this.#orFirst((routing) => routing.path(source, target, flowKey, entropy))
  }

  next(node: number, target: number, random: Random): number {
    return this.#orFirst((routing) => routing.next(node, target, random))
  }

  /** Base delays are those of the fabric as it was built. */
  stages(source: number, target: number): readonly (readonly number[])[] {
    return this.#first.stages?.(source, target) ?? []
  }

  #now<K extends 'route' | 'spread'>(what: K): NonNullable<Routing[K]> {
    return (this.#current[what] ?? this.#first[what]) as NonNullable<Routing[K]>
  }

  #orFirst<T>(ask: (routing: Routing) => T): T {
    if (this.#current === this.#first) return ask(this.#first)
    try {
      return ask(this.#current)
    } catch {
      return ask(this.#first)
    }
  }
}
