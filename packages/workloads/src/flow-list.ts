/**
 * A long list of explicit flows, in columns: a million of them as objects take 130 MB, and as long
 * again to be copied to a thread. It is read like an array of `FlowInput`, written to JSON as one,
 * and made of plain values, so that what a thread was sent can be read again by `FlowList.of`.
 */
import type { FlowInput } from './contract.ts'

/** Shorter lists are plain arrays. */
export const LONG_LIST = 1000

/** Numbers by row, of which most lists have only one. */
interface Column {
  readonly usual: number
  values: Float64Array | undefined
}

const NO_PATH: readonly string[] = []
const FIRST_ROWS = 4096

export class FlowList implements Iterable<FlowInput> {
  length: number = 0
  /** Left out while each flow is called `f` and its number. */
  names: string[] | undefined = undefined
  /** Hosts, and lists of switches, each once. */
  readonly hosts: string[] = []
  readonly paths: (readonly string[])[] = [NO_PATH]
  from: Uint32Array = new Uint32Array(FIRST_ROWS)
  to: Uint32Array = new Uint32Array(FIRST_ROWS)
  sizeBytes: Float64Array = new Float64Array(FIRST_ROWS)
  startPs: Float64Array = new Float64Array(FIRST_ROWS)
  readonly stopPs: Column = { usual: 0, values: undefined }
  readonly class: Column = { usual: -1, values: undefined }
  readonly weight: Column = { usual: 1, values: undefined }
  readonly path: Column = { usual: 0, values: undefined }
  /** Of hosts and paths, by their text. */
  #numbers: Map<string, number> = new Map()

  /** These flows, in columns if they are many. */
  static from(flows: Iterable<FlowInput>): readonly FlowInput[] | FlowList {
    const list = new FlowList()
    for (const flow of flows) list.#add(flow)
    list.#trim()
    return list.length > LONG_LIST ? list : [...list]
  }

  /** What a thread was sent is a list again. */
  static of(flows: readonly FlowInput[] | FlowList): readonly FlowInput[] | FlowList {
    if (Array.isArray(flows) || flows instanceof FlowList) return flows
    return Object.assign(new FlowList(), flows)
  }

  at(row: number): FlowInput | undefined {
    return row < this.length ? this.#flow(row) : undefined
  }

  #flow(row: number): FlowInput {
    const number = ({ usual, values }: Column): number => values?.[row] ?? usual
    return {
      name: this.names?.[row] ?? `f${row}`,
      from: this.hosts[this.from[row]!]!,
      to: this.hosts[this.to[row]!]!,
      sizeBytes: this.sizeBytes[row]!,
      startPs: this.startPs[row]!,
      stopPs: number(this.stopPs),
      path: this.paths[number(this.path)]!,
      class: number(this.class),
      weight: number(this.weight),
    }
  }

  *[Symbol.iterator](): Generator<FlowInput> {
    for (let row = 0; row < this.length; row++) yield this.#flow(row)
  }

  map<T>(of: (flow: FlowInput, row: number) => T): T[] {
    return Array.from(this, of)
  }

  /** The most that begin within a time of this length. */
  mostWithin(spanPs: number): number {
    const starts = this.startPs.slice(0, this.length).sort()
    let most = 0
    for (let first = 0, end = 0; end < starts.length; most = Math.max(most, end - first)) {
      const endPs = starts[end++]!
      while (starts[first]! <= endPs - spanPs) first++
    }
    return most
  }

  toJSON(): readonly FlowInput[] {
    return [...this]
  }

  #add({ name, from, to, sizeBytes, startPs, stopPs, path, class: own, weight }: FlowInput): void {
    const row = this.length++
    if (row === this.from.length) this.#resize(2 * row)
    if (this.names === undefined && name !== `f${row}`) {
      this.names = Array.from({ length: row }, (_, i) => `f${i}`)
    }
    this.names?.push(name)
    this.from[row] = this.#numberOf(from, this.hosts, from)
    this.to[row] = this.#numberOf(to, this.hosts, to)
    this.sizeBytes[row] = sizeBytes
    this.startPs[row] = startPs
    this.#set(this.stopPs, row, stopPs)
    this.#set(this.class, row, own)
    this.#set(this.weight, row, weight)
    const number = path.length === 0 ? 0 : this.#numberOf(`${path.join('\n')}\n`, this.paths, path)
    this.#set(this.path, row, number)
  }

  #set(column: Column, row: number, value: number): void {
    if (value === column.usual && column.values === undefined) return
    column.values ??= new Float64Array(this.from.length).fill(column.usual)
    column.values[row] = value
  }

  /** The place of a thing among those that there are; a name of a host holds no end of a line. */
  #numberOf<T>(key: string, all: T[], thing: T): number {
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = all.push(thing) - 1
      this.#numbers.set(key, number)
    }
    return number
  }

  #resize(rows: number): void {
    this.from = resized(this.from, new Uint32Array(rows))
    this.to = resized(this.to, new Uint32Array(rows))
    this.sizeBytes = resized(this.sizeBytes, new Float64Array(rows))
    this.startPs = resized(this.startPs, new Float64Array(rows))
    for (const column of [this.stopPs, this.class, this.weight, this.path]) {
      const more = new Float64Array(rows).fill(column.usual)
      if (column.values !== undefined) column.values = resized(column.values, more)
    }
  }

  #trim(): void {
    this.#resize(this.length)
    this.#numbers = new Map()
  }
}

function resized<T extends Uint32Array | Float64Array>(column: T, into: T): T {
  into.set(column.subarray(0, into.length))
  return into
}
