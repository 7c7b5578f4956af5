/**
 * Paths in turn: a sender takes all shortest paths one after the other, in an order that it draws
 * anew for each round.
 *
 * As NDP does (M. Handley et al., SIGCOMM 2017): the authors' simulator permutes a flow's list of
 * paths when it has gone through (SCATTER_PERMUTE in its ndp.cpp, looked up; the paper's text was
 * not at hand). Packets meet fewer others than where switches draw. Paths are numbered by the
 * choice at each switch; where they fan out alike, as in a Clos network, each number is another
 * path, elsewhere some have several. Of more paths than `most` a flow takes as many as that.
 *
 * Only data goes so: ACKs and control packets are sprayed. Packets of a flow overtake each other.
 */
import type { Random } from '@weir/engine'
import type { Graph, IsDown, Routing, RoutingKind, Spread } from '@weir/fabric'
import { count, is, otherwise, section } from '@weir/engine/codec'
import { NextHops } from './next-hops.ts'
import { sprayed } from './packet-spray.ts'

export interface PathsInTurnParams {
  readonly most: number
}

export const pathsInTurn: RoutingKind<PathsInTurnParams> = {
  name: 'paths-in-turn',
  summary: 'each packet takes the next of all shortest paths, in an order drawn for each round',
  codec: section('paths-in-turn routing', {
    kind: is('paths-in-turn'),
    most: otherwise(count(1, 4096, 1024), 1024),
  }),
  reorders: true,
  create(graph: Graph, { most }: PathsInTurnParams, isDown?: IsDown): Routing {
    const nextHops = new NextHops(graph, isDown)
    return {
      ...sprayed('paths-in-turn', nextHops, 'ports'),
      path(source, target, _flowKey, number = 0) {
        let left = number
        return nextHops.walk(source, target, (_node, ways) => {
          const choice = left % ways
          left = Math.floor(left / ways)
          return choice
        })
      },
      spread: ({ random, source, target }) =>
        new Turns(random, Math.min(most, nextHops.pathCount(source, target))),
    }
  },
}

/** Numbers 0 .. count - 1, each once, and then again in another order. */
class Turns implements Spread {
  readonly #random: Random
  readonly #order: Int32Array
  #at: number

  constructor(random: Random, count: number) {
    this.#random = random
    this.#order = Int32Array.from({ length: Math.max(1, count) }, (_, i) => i)
    this.#at = this.#order.length
  }

  next(): number {
    const order = this.#order
    if (this.#at === order.length) this.#shuffle()
    return order[this.#at++]!
  }

  onAck(): void {}

  onLoss(): void {}

  /** R. A. Fisher and F. Yates, as D. Knuth has it. */
  #shuffle(): void {
    const order = this.#order
    for (let i = order.length - 1; i > 0; i--) {
      const j = this.#random.below(i + 1)
      const held = order[i]!
      order[i] = order[j]!
      order[j] = held
    }
    this.#at = 0
  }
}
