/**
 * Which part of a flow each link carries, where its packets go many ways: exactly, as the routing
 * draws them, and where that depends on more than the flow's ends, on average. The same fractions
 * as exact max-min rates are made of, and as R2C2's nodes reckon with.
 */
import type { Flow } from '@weir/fabric'
import { LinkShares } from '@weir/sim'
import type { LinkShare, Run } from '@weir/sim'

export interface SpreadParts {
  /** The routing's name, and for each port that carries some of the flow which part of it. */
  readonly by: string
  readonly ports: readonly number[]
  readonly parts: readonly number[]
}

export class Spreads {
  readonly #shares: LinkShares
  /** By member of a routing that is a choice, or of the only one. */
  readonly #names: readonly string[]
  readonly #known: Map<LinkShare, SpreadParts> = new Map()

  constructor({ network, spec }: Run) {
    const { routing } = spec
    this.#shares = new LinkShares(spec, network)
    this.#names = (routing.kind === 'choice' ? routing.of : [routing]).map(({ kind }) => kind)
  }

  /** undefined: it keeps to one path, or nobody knows its ways. */
  of(flow: Flow): SpreadParts | undefined {
    if (flow.path >= 0) return undefined
    const share = this.#shares.of(flow, [])
    if (typeof share === 'string' || share.fractions === undefined) return undefined
    const known = this.#known.get(share)
    if (known !== undefined) return known
    const by = this.#names[this.#shares.memberOf(flow)]!
    const made = { by, ports: share.links, parts: share.fractions }
    this.#known.set(share, made)
    return made
  }
}
