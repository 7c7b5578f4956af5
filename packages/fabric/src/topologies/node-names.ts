/**
 * From the names that people write in scenarios to node indices, and back.
 *
 * A name goes before an alias, so a graph whose hosts are named `h1`, `h2` keeps those meanings.
 */
import type { Graph, GraphNode } from './graph.ts'
import { nearMiss } from '@weir/engine/codec'

const EXAMPLES_MAX = 4

export class NodeNames {
  readonly #nodes: readonly GraphNode[]
  readonly #indices = new Map<string, number>()

  constructor(graph: Graph) {
    this.#nodes = graph.nodes
    graph.nodes.forEach((node, i) => this.#indices.set(node.name, i))
    graph.nodes.forEach((node, i) => {
      for (const alias of node.aliases) if (!this.#indices.has(alias)) this.#indices.set(alias, i)
    })
  }

  /** The index of the node with this name or alias; throws a sentence with the likely name. */
  index(name: string): number {
    const index = this.#indices.get(name)
    if (index !== undefined) return index
    throw new Error(`there is no node "${name}": ${this.#remedy(name)}`)
  }

  /** Like `index`, for a place where only a host can be meant. */
  hostIndex(name: string): number {
    const index = this.index(name)
    if (this.#nodes[index]!.kind === 'host') return index
    throw new Error(`"${name}" is a switch: name a host here, such as "${this.#first('host')}"`)
  }

  /** Like `index`, for a place where only a switch can be meant. */
  switchIndex(name: string): number {
    const index = this.index(name)
    if (this.#nodes[index]!.kind === 'switch') return index
    throw new Error(`"${name}" is a host: name a switch here, such as "${this.#first('switch')}"`)
  }

  has(name: string): boolean {
    return this.#indices.has(name)
  }

  /** The name proper of a node: `leaf1.h1`, not `h17`. */
  name(index: number): string {
    const node = this.#nodes[index]
    if (node === undefined) throw new Error(`there is no node number ${index}`)
    return node.name
  }

  #first(kind: GraphNode['kind']): string {
    return this.#nodes.find((node) => node.kind === kind)?.name ?? ''
  }

  /** A number beyond the last is no slip of the hand: how far they go is what helps. */
  #remedy(name: string): string {
    const stem = stemOf(name)
    const alike = [...this.#indices.keys()].filter((known) => stemOf(known) === stem)
    if (alike.length > 1 && stem !== name) {
      const last = alike.reduce((a, b) => (numberOf(b) > numberOf(a) ? b : a))
      return `the last of them is "${last}"`
    }
    const meant = nearMiss(name, this.#indices.keys())
    return meant === undefined ? this.#examples() : `did you mean "${meant}"?`
  }

  #examples(): string {
    const some = (kind: GraphNode['kind']): string => {
      const all = this.#nodes.filter((node) => node.kind === kind).map((node) => node.name)
      if (all.length <= EXAMPLES_MAX) return all.join(', ')
      return `${all.slice(0, EXAMPLES_MAX - 1).join(', ')} ... ${all[all.length - 1]}`
    }
    return `the hosts are ${some('host')}; the switches are ${some('switch')}`
  }
}

/** `pod0.edge1.h` of `pod0.edge1.h12`. */
function stemOf(name: string): string {
  return name.replace(/\d+$/u, '')
}

function numberOf(name: string): number {
  return Number(name.slice(stemOf(name).length))
}
