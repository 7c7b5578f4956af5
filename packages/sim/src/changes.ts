/**
 * What changes during a run: parameters of the scheme, links and routes that follow them, and what
 * the scheme's nodes have published.
 */
import { LINK_CHANGE, MANAGE, PUBLISH, ROUTES } from '@weir/fabric'
import type { FlowStarts } from './flow-starts.ts'
import { LinkChanges } from './link-changes.ts'
import type { Network } from './network.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import type { Share } from './threads/share.ts'

export class Changes {
  readonly #network: Network
  readonly #spec: ValidSpec
  readonly #starts: FlowStarts
  readonly #links: LinkChanges

  /** Makes the scheme's changes at time 0, and schedules all others by number. */
  constructor(network: Network, spec: ValidSpec, starts: FlowStarts, share: Share | undefined) {
    this.#network = network
    this.#spec = spec
    this.#starts = starts
    spec.scheme.changes?.forEach((change, i) => {
      if (change.atPs === 0) network.control.manage?.(change, 0)
      else network.outside.schedule(change.atPs, MANAGE, i)
    })
    this.#publishNext(0)
    this.#links = new LinkChanges(network, spec, (node) => share?.border.isMine(node) ?? true)
  }

  /** MANAGE, LINK_CHANGE, ROUTES or PUBLISH; false: it is none of them. */
  carryOut(kind: number, i: number, nowPs: number): boolean {
    if (kind === MANAGE) this.#manage(i, nowPs)
    else if (kind === LINK_CHANGE) this.#links.change(i, nowPs)
    else if (kind === ROUTES) this.#links.findRoutes(this.#starts)
    else if (kind === PUBLISH) this.#publish(nowPs)
    else return false
    return true
  }

  #publish(nowPs: number): void {
    this.#network.fabric.agents.shared?.publish()
    this.#publishNext(nowPs)
  }

  #publishNext(nowPs: number): void {
    const { shared } = this.#network.fabric.agents
    if (shared !== undefined) this.#network.outside.schedule(nowPs + shared.everyPs, PUBLISH, 0)
  }

  #manage(i: number, nowPs: number): void {
    const change = this.#spec.scheme.changes?.[i]
    if (change !== undefined) this.#network.control.manage?.(change, nowPs)
  }
}
