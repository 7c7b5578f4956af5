/**
 * One flow comes or goes, and a node works out anew what its own flows may send, exactly: what that
 * costs beside filling all flows from nothing. Flows are long ones, of random pairs; one goes and
 * one comes in turn. Ours.
 */
import { Random } from '@weir/engine'
import type { LinkFractions } from '@weir/theory'
import { Cube, IncrementalFilling, ShortestWays, spraying, Translated } from '@weir/theory'
import { HEADROOM, LINK_BPS } from './rate-trace.ts'

export interface OwnOptions {
  readonly sizes: readonly number[]
  readonly flows: number
  readonly events: number
  /** How many nodes, spread over the rack, are looked at. */
  readonly nodes: number
  readonly seed: number
  /** Milliseconds of a clock; without one no times are taken. */
  readonly clockMs?: () => number
}

/** Of each event, at each of these nodes that has a flow of its own then. */
export interface OwnCosts {
  /** Flows filled, links and flows looked at, and time, over those of filling all. */
  readonly filled: readonly number[]
  readonly touched: readonly number[]
  readonly time: readonly number[]
  /** Largest relative distance of any rate from that of filling all from nothing. */
  readonly offMost: number
}

interface Live {
  readonly source: number
  readonly routes: LinkFractions
  /** In the filling of all flows, and in those of the nodes. */
  readonly whole: number
  readonly handles: readonly number[]
}

/** A node's filling, and what the event has cost it until now. */
interface Node {
  readonly id: number
  readonly filling: IncrementalFilling
  spentMs: number
}

export function ownCostsOf(options: OwnOptions): OwnCosts {
  const rack = new OwnRack(options)
  for (let event = 0; event < options.events; event++) rack.next(event)
  return rack.costs
}

class OwnRack {
  readonly costs: { filled: number[]; touched: number[]; time: number[]; offMost: number } = {
    ...{ filled: [], touched: [], time: [], offMost: 0 },
  }
  readonly #clockMs: () => number
  readonly #random: Random
  readonly #cube: Cube
  readonly #routes: Translated
  readonly #whole: IncrementalFilling
  readonly #nodes: readonly Node[]
  readonly #live: Live[] = []

  constructor({ clockMs = () => NaN, flows, nodes, seed, sizes }: OwnOptions) {
    this.#clockMs = clockMs
    this.#random = new Random(seed, 'r2c2.own-rates')
    this.#cube = new Cube([...sizes])
    this.#routes = new Translated(this.#cube, spraying(new ShortestWays(this.#cube)))
    const capacities = new Float64Array(this.#cube.count).fill(LINK_BPS)
    this.#whole = new IncrementalFilling(capacities, HEADROOM)
    this.#nodes = Array.from({ length: nodes }, (_, i) => ({
      id: Math.floor((i * this.#cube.nodes) / nodes),
      filling: new IncrementalFilling(capacities, HEADROOM, 0, 'asked'),
      spentMs: 0,
    }))
    for (let i = 0; i < flows; i++) this.#come()
    this.#ask(false)
  }

  next(event: number): void {
    if (event % 2 === 0) this.#go(this.#random.below(this.#live.length))
    else this.#come()
    this.#ask(true)
  }

  #come(): void {
    const random = this.#random
    const { nodes } = this.#cube
    const source = random.below(nodes)
    const routes = this.#routes.fractions(source, (source + 1 + random.below(nodes - 1)) % nodes)
    const whole = this.#whole.add(routes)
    const handles = this.#nodes.map((node) => this.#timed(node, () => node.filling.add(routes)))
    this.#live.push({ source, routes, whole, handles })
  }

  #go(index: number): void {
    const [{ handles, whole }] = this.#live.splice(index, 1) as [Live]
    this.#whole.remove(whole)
    this.#nodes.forEach((node, i) => this.#timed(node, () => node.filling.remove(handles[i]!)))
  }

  #timed<Value>(node: Node, act: () => Value): Value {
    const beginMs = this.#clockMs()
    const value = act()
    node.spentMs += this.#clockMs() - beginMs
    return value
  }

  /** Each node asks for the rates of its own flows. */
  #ask(isMeasured: boolean): void {
    const { costs } = this
    const beginMs = this.#clockMs()
    this.#whole.refill()
    const wholeMs = this.#clockMs() - beginMs
    const entries = this.#live.reduce((sum, { routes }) => sum + routes.links.length, 0)
    this.#nodes.forEach((node, i) => {
      const own = this.#live.filter(({ source }) => source === node.id)
      this.#timed(node, () => {
        node.filling.settle()
        for (const { handles } of own) node.filling.rateBps(handles[i]!)
      })
      if (isMeasured && own.length > 0) {
        costs.filled.push(node.filling.filled / this.#live.length)
        costs.touched.push(node.filling.touched / entries)
        costs.time.push(node.spentMs / wholeMs)
      }
      node.spentMs = 0
      for (const { handles, whole } of own) {
        const exact = this.#whole.rateBps(whole)
        const off = Math.abs(node.filling.rateBps(handles[i]!) - exact) / exact
        costs.offMost = Math.max(costs.offMost, off)
      }
    })
  }
}
