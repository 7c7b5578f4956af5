/**
 * Which thread runs which node: hosts in the order of the graph, in shares of equal rate, so that
 * racks, pods and slabs of a torus stay together; then switches, the nearest to hosts first, each
 * where most of its links already go, unless that thread has its share, and where there is least to
 * do if that is no matter. Nodes of one cell are never parted.
 */
import type { Graph } from '@weir/fabric'
import type { Cells } from '../cells.ts'

const MORE = 1.02

/** By node: the number of its thread. */
export function partition(graph: Graph, cells: Cells, threads: number): Int32Array {
  const members = new Partition(graph, cells, threads)
  members.placeHosts()
  members.placeOthers()
  return cells.cellOf.map((cell) => members.of[cell])
}

class Partition {
  /** By cell; -1: not yet. */
  readonly of: Int32Array
  readonly #graph: Graph
  readonly #cells: Cells
  /** By cell: the rates of all its links, and its neighbours by links. */
  readonly #weight: Float64Array
  readonly #links: { readonly cell: number; readonly rateBps: number }[][]
  /** By thread: the rates of all links of its cells. */
  readonly #load: Float64Array

  constructor(graph: Graph, cells: Cells, threads: number) {
    this.#graph = graph
    this.#cells = cells
    this.of = new Int32Array(cells.cells).fill(-1)
    this.#weight = new Float64Array(cells.cells)
    this.#links = Array.from({ length: cells.cells }, () => [])
    this.#load = new Float64Array(threads)
    for (const { a, b, rateBps } of graph.links) {
      for (const [from, to] of [
        [cells.cellOf[a], cells.cellOf[b]],
        [cells.cellOf[b], cells.cellOf[a]],
      ] as const) {
        this.#weight[from] += rateBps
        if (from !== to) this.#links[from]?.push({ cell: to, rateBps })
      }
    }
  }

  /** What a thread may be given: its share of all, and a little more. */
  get #most(): number {
    return (MORE * this.#weight.reduce((a, b) => a + b, 0)) / this.#load.length
  }

  placeHosts(): void {
    const { nodes } = this.#graph
    const ofHosts = new Set<number>()
    nodes.forEach(({ kind }, node) => kind === 'host' && ofHosts.add(this.#cells.cellOf[node]))
    const list = [...ofHosts]
    const all = list.reduce((sum, cell) => sum + this.#weight[cell], 0)
    let before = 0
    for (const cell of list) {
      const middle = before + this.#weight[cell] / 2
      before += this.#weight[cell]
      this.#place(cell, Math.floor((middle / all) * this.#load.length))
    }
  }

  placeOthers(): void {
    for (let ring = this.#nearest(); ring.length > 0; ring = this.#nearest()) {
      for (const cell of ring) this.#place(cell, this.#bestFor(cell))
    }
    this.of.forEach((member, cell) => member < 0 && this.#place(cell, this.#idlest()))
  }

  /** Cells without a thread that have a link to one with. */
  #nearest(): number[] {
    const nearest: number[] = []
    this.of.forEach((member, cell) => {
      if (member >= 0) return
      if (this.#links[cell]?.some((link) => this.of[link.cell] >= 0)) nearest.push(cell)
    })
    return nearest
  }

  #bestFor(cell: number): number {
    const pull = new Float64Array(this.#load.length)
    for (const link of this.#links[cell] ?? []) {
      const member = this.of[link.cell]
      if (member >= 0) pull[member] += link.rateBps
    }
    const hasRoom = (member: number): boolean =>
      this.#load[member] + this.#weight[cell] <= this.#most
    const members = Array.from(pull.keys())
    const free = members.some(hasRoom) ? members.filter(hasRoom) : members
    return free.reduce((best, member) => {
      const more = pull[member] - pull[best]
      return more > 0 || (more === 0 && this.#load[member] < this.#load[best]) ? member : best
    })
  }

  #idlest(): number {
    return this.#load.indexOf(this.#load.reduce((a, b) => Math.min(a, b), Infinity))
  }

  #place(cell: number, member: number): void {
    this.of[cell] = member
    this.#load[member] += this.#weight[cell]
  }
}
