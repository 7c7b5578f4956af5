/**
 * A graph while it is being drawn: hosts first, then switches, then links.
 *
 * Every topology of this folder builds with it, so these hold for all of them: host number n is
 * node n; `h<n>` is its name or an alias; and, unless a file says otherwise, host n's own link is
 * link n. Sizes are bounded here, once, so that a slip in a scenario ends in a sentence and not in
 * a full memory.
 */
import type { Graph, GraphLink, GraphNode } from './graph.ts'

const NODES_MAX = 262_144
const LINKS_MAX = 2_097_152

/** Where a node is drawn: x to the right, y upwards (hosts lowest), z towards the viewer. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly z?: number
}

export class GraphDraft {
  readonly #kind: string
  readonly #nodes: GraphNode[] = []
  readonly #links: GraphLink[] = []

  /** `kind` is the topology's name, for error sentences. */
  constructor(kind: string) {
    this.#kind = kind
  }

  /** Adds the next host, with the alias `h<number>` unless that is its name; returns its index. */
  host(name: string, place: Place, aliases: readonly string[] = []): number {
    const counted = `h${this.#nodes.length}`
    return this.node(name, 0, place, name === counted ? aliases : [counted, ...aliases])
  }

  /** Adds a switch of a tier (1 is next to the hosts); returns its index. */
  switch(name: string, tier: number, place: Place, aliases: readonly string[] = []): number {
    return this.node(name, tier, place, aliases)
  }

  /** Adds a node as it is: tier 0 makes a host. */
  node(name: string, tier: number, place: Place, aliases: readonly string[]): number {
    const kind = tier === 0 ? 'host' : 'switch'
    if (this.#nodes.length === NODES_MAX)
      throw new Error(`this ${this.#kind} has more than ${NODES_MAX} nodes: make it smaller`)
    this.#nodes.push({ name, kind, aliases, tier, x: place.x, y: place.y, z: place.z ?? 0 })
    return this.#nodes.length - 1
  }

  link(a: number, b: number, rateBps: number, delayPs: number): void {
    if (this.#links.length === LINKS_MAX)
      throw new Error(`this ${this.#kind} has more than ${LINKS_MAX} links: make it smaller`)
    this.#links.push({ a, b, rateBps, delayPs })
  }

  graph(): Graph {
    return { nodes: this.#nodes, links: this.#links }
  }
}

/** Refuses a parameter that is not a whole number of at least `min`. */
export function requireWhole(kind: string, name: string, value: number, min: number): void {
  if (Number.isInteger(value) && value >= min) return
  throw new Error(
    `topology.${name} of the ${kind} is ${value}: give a whole number of at least ${min}`,
  )
}

/** The middle of the i-th of `count` equal parts of `width`: where a row puts its i-th node. */
export function spread(i: number, count: number, width: number): number {
  return ((i + 0.5) * width) / count
}

/** The height of a tier in a drawing this wide: trees are drawn about as high as a screen is. */
export function rowHeight(width: number): number {
  return width > 6 ? width / 6 : 1
}
