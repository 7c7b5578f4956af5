/**
 * What links could have carried, by which their utilisation is told: also where a scenario changes
 * their rates (`links`), of which the fabric only knows the present one.
 */
import type { Graph } from '@weir/fabric'
import { linksBetween } from './spec/links.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

interface Step {
  readonly fromPs: number
  readonly rateBps: number
}

export class Carriable {
  readonly #graph: Graph
  /** By link: its rates, in order of time; none: it keeps that of the topology. */
  readonly #steps: Map<number, Step[]> = new Map()

  constructor(graph: Graph, { links }: ValidSpec) {
    this.#graph = graph
    for (const { atPs, between, rateBps } of links?.changes ?? []) {
      if (rateBps === undefined) continue
      const [a, b] = between.map((name) => graph.nodes.findIndex((node) => node.name === name))
      for (const link of linksBetween(graph, a!, b!)) {
        const steps = this.#steps.get(link) ?? [{ fromPs: 0, rateBps: graph.links[link]!.rateBps }]
        this.#steps.set(link, [...steps, { fromPs: atPs, rateBps }])
      }
    }
  }

  /** Bits times 1e12 that a port had room for between two times. */
  room(port: number, fromPs: number, toPs: number): number {
    const link = port >> 1
    const steps = this.#steps.get(link)
    if (steps === undefined) return this.#graph.links[link]!.rateBps * (toPs - fromPs)
    return steps.reduce((room, { fromPs: stepPs, rateBps }, i) => {
      const ps = Math.min(toPs, steps[i + 1]?.fromPs ?? Infinity) - Math.max(fromPs, stepPs)
      return ps > 0 ? room + ps * rateBps : room
    }, 0)
  }

  /** Does a scenario change the port's rate? */
  changes(port: number): boolean {
    return this.#steps.has(port >> 1)
  }
}
