/**
 * All shortest ways to a target, for every node: what shortest-path, ecmp and packet-spray choose
 * from. Ways are counted in links, and never lead through a host: hosts do not forward.
 *
 * E. F. Moore's breadth-first search (1959) backwards from the target's switch gives each switch
 * its distance; a port leads on a shortest way if it ends one nearer. Hosts of one switch share its
 * table, and a table is made when it is first asked for. A table costs O(switch ports) time, and
 * memory for the ports on shortest ways: 42 kB per switch with hosts, 21 MB in all, in a fat tree
 * of 8,192 hosts; 3 MB in all in a torus of 512 nodes. Questions allocate nothing else. A large
 * torus or mesh has no tables (`cube-hops.ts`), unless links of it are down.
 */
import type { Random } from '@weir/engine'
import type { Graph } from '@weir/fabric'
import { CubeHops, MANY_SERVERS } from './cube-hops.ts'
import { Ports } from './ports.ts'

interface Table {
  /** Links from each switch to the target's switch. */
  readonly distances: Uint16Array | Int32Array
  /** Of switch s, shortest-way ports are `ports[starts[s]] .. ports[starts[s + 1] - 1]`. */
  readonly starts: Uint32Array
  readonly ports: Uint16Array | Uint32Array
  /** Shortest ways from each switch, made when they are first asked for. */
  ways?: Float64Array
}

/** Which of `count` next hops a node takes: 0 .. count - 1. */
export type Choose = (node: number, count: number) => number

export class NextHops {
  readonly ports: Ports
  readonly #graph: Graph
  /** The dense number of a switch; -1 for a host. */
  readonly #switchOf: Int32Array
  /** The dense number of the switch that a node is or hangs on; -1 if it hangs on none. */
  readonly #gateways: Int32Array
  /** The port by which a host sends; -1 for a switch. */
  readonly #uplinks: Int32Array
  /** Ports from switch to switch, of switch s from `#starts[s]`; and the switches they lead to. */
  readonly #starts: Int32Array
  readonly #between: Int32Array
  readonly #neighbours: Int32Array
  readonly #tables: (Table | undefined)[]
  /** Marks a switch that cannot reach the target; above any distance. */
  readonly #unreached: number
  readonly #queue: Int32Array
  readonly #scratch: Uint32Array
  /** undefined: tables. */
  readonly #cube: CubeHops | undefined

  /** `isDown`: links that no way takes. A cube has no tables from `many` servers on. */
  constructor(
    graph: Graph,
    isDown: (link: number) => boolean = () => false,
    many: number = MANY_SERVERS,
  ) {
    const ports = (this.ports = new Ports(graph))
    this.#graph = graph
    const servers = graph.cube?.sizes.reduce((product, size) => product * size, 1) ?? 0
    const isWhole = servers >= many && !graph.links.some((_, link) => isDown(link))
    this.#cube = isWhole && servers > 0 ? new CubeHops(graph) : undefined
    this.#switchOf = new Int32Array(graph.nodes.length).fill(-1)
    this.#uplinks = new Int32Array(graph.nodes.length).fill(-1)
    let switches = 0
    graph.nodes.forEach(({ kind }, node) => {
      if (kind === 'switch') this.#switchOf[node] = switches++
      else if (ports.starts[node] !== ports.starts[node + 1]) {
        const uplink = ports.list[ports.starts[node]!]!
        if (!isDown(uplink >> 1)) this.#uplinks[node] = uplink
      }
    })
    this.#gateways = this.#switchOf.map((own, node) => {
      const uplink = this.#uplinks[node]!
      return own >= 0 || uplink < 0 ? own : this.#switchOf[ports.to[uplink]!]!
    })

    const starts = [0]
    const between: number[] = []
    for (let node = 0; node < graph.nodes.length; node++) {
      if (this.#switchOf[node] === -1) continue
      for (let i = ports.starts[node]!; i < ports.starts[node + 1]!; i++) {
        const port = ports.list[i]!
        if (this.#switchOf[ports.to[port]!] !== -1 && !isDown(port >> 1)) between.push(port)
      }
      starts.push(between.length)
    }
    this.#starts = Int32Array.from(starts)
    this.#between = Int32Array.from(between)
    this.#neighbours = this.#between.map((port) => this.#switchOf[ports.to[port]!]!)
    this.#tables = new Array<Table | undefined>(switches).fill(undefined)
    this.#unreached = switches < 65535 ? 65535 : 2147483647
    this.#queue = new Int32Array(switches)
    this.#scratch = new Uint32Array(between.length)
  }

  /** How many ports of `node` lead on a shortest way to `target`; 0 if none does. */
  count(node: number, target: number): number {
    const at = this.#switchOf[node]!
    const gateway = this.#gateways[target]!
    if (at === -1) return this.#uplinks[node] === -1 ? 0 : 1
    if (gateway === -1) return 0
    if (at === gateway) return this.#uplinks[target] === -1 ? 0 : 1
    if (this.#cube !== undefined) return this.#cube.count(at, gateway)
    const { starts } = this.#tables[gateway] ?? this.#search(gateway)
    return starts[at + 1]! - starts[at]!
  }

  /** The i-th of those ports, ascending; `i` below `count`. */
  port(node: number, target: number, i: number): number {
    const at = this.#switchOf[node]!
    const gateway = this.#gateways[target]!
    if (at === -1) return this.#uplinks[node]!
    // The target's switch sends down the link by which the target sends up.
    if (at === gateway) return this.#uplinks[target]! ^ 1
    if (this.#cube !== undefined) return this.#cube.port(at, gateway, i)
    const table = this.#tables[gateway] ?? this.#search(gateway)
    return table.ports[table.starts[at]! + i]!
  }

  /**
   * One of those ports, drawn such that each of all shortest ways is equally likely: a port has the
   * part of them that goes on by it. Draws only where there is a choice.
   */
  drawWay(node: number, target: number, random: Random): number {
    const count = this.count(node, target)
    if (count <= 1) return this.port(node, target, 0)
    const gateway = this.#gateways[target]!
    if (this.#cube !== undefined) return this.#drawPart(this.#cube, node, gateway, count, random)
    const table = this.#tables[gateway] ?? this.#search(gateway)
    const ways = (table.ways ??= this.#countWays(gateway, table))
    const at = this.#switchOf[node]!
    const first = table.starts[at]!
    let left = random.uniform() * ways[at]!
    for (let i = 0; i < count - 1; i++) {
      left -= ways[this.#switchOf[this.ports.to[table.ports[first + i]!]!]!]!
      if (left < 0) return table.ports[first + i]!
    }
    return table.ports[first + count - 1]!
  }

  #drawPart(cube: CubeHops, node: number, gateway: number, count: number, random: Random): number {
    const at = this.#switchOf[node]!
    let left = random.uniform()
    let i = 0
    while (i < count - 1 && (left -= cube.part(at, gateway, i)) >= 0) i++
    return cube.port(at, gateway, i)
  }

  /** Links on a shortest way; Infinity if there is no way. */
  distance(source: number, target: number): number {
    if (source === target) return 0
    const ends = (this.#switchOf[source] === -1 ? 1 : 0) + (this.#switchOf[target] === -1 ? 1 : 0)
    const from = this.#gateways[source]!
    const to = this.#gateways[target]!
    // Two hosts may be joined by a cable, without any switch.
    if (from === -1 || to === -1) return this.ports.between(source, target) === -1 ? Infinity : 1
    if (this.#cube !== undefined) return ends + this.#cube.distance(from, to)
    const table = this.#tables[to] ?? this.#search(to)
    const distance = table.distances[from]!
    return distance === this.#unreached ? Infinity : ends + distance
  }

  /** How many shortest ways there are; parallel links make different ways. */
  pathCount(source: number, target: number): number {
    const distance = this.distance(source, target)
    if (distance === Infinity) return 0
    let front = new Map([[source, 1]])
    for (let hop = 0; hop < distance; hop++) {
      const next = new Map<number, number>()
      for (const [node, ways] of front)
        for (let i = 0; i < this.count(node, target); i++) {
          const to = this.ports.to[this.port(node, target, i)]!
          next.set(to, (next.get(to) ?? 0) + ways)
        }
      front = next
    }
    return front.get(target) ?? 0
  }

  /** For each hop from `source` to `target`, the ports of all shortest ways. */
  stages(source: number, target: number): number[][] {
    const stages: number[][] = []
    let front = new Set([source])
    while (front.size > 0 && !front.has(target)) {
      const stage: number[] = []
      const next = new Set<number>()
      for (const node of front) {
        for (let i = 0; i < this.count(node, target); i++) {
          const port = this.port(node, target, i)
          stage.push(port)
          next.add(this.ports.to[port]!)
        }
      }
      stages.push(stage)
      front = next
    }
    return stages
  }

  /** The ports of one shortest way, chosen by `choose` where there are several; throws if none. */
  walk(source: number, target: number, choose: Choose): readonly number[] {
    if (source === target)
      throw new Error(`a flow from "${this.#name(source)}" to itself needs no path: name two hosts`)
    const distance = this.distance(source, target)
    if (distance === Infinity) throw this.unreachable(source, target)
    const path: number[] = []
    for (let node = source; path.length < distance; node = this.ports.to[path[path.length - 1]!]!) {
      const count = this.count(node, target)
      path.push(this.port(node, target, count === 1 ? 0 : choose(node, count)))
    }
    return path
  }

  unreachable(source: number, target: number): Error {
    return new Error(
      `there is no path from "${this.#name(source)}" to "${this.#name(target)}": ` +
        'add the links that are missing to the topology',
    )
  }

  /** Bytes of the tables made so far. */
  get tableBytes(): number {
    return this.#tables.reduce(
      (sum, table) =>
        table === undefined
          ? sum
          : sum + table.distances.byteLength + table.starts.byteLength + table.ports.byteLength,
      0,
    )
  }

  #search(target: number): Table {
    const starts = this.#starts
    const between = this.#between
    const neighbours = this.#neighbours
    const queue = this.#queue
    const unreached = this.#unreached
    const switches = queue.length
    const distances = unreached === 65535 ? new Uint16Array(switches) : new Int32Array(switches)

    // Backwards from the target: links are two-way, so its distances are also those to it.
    distances.fill(unreached)
    distances[target] = 0
    queue[0] = target
    let queued = 1
    for (let head = 0; head < queued; head++) {
      const near = queue[head]!
      const further = distances[near]! + 1
      for (let i = starts[near]!; i < starts[near + 1]!; i++) {
        const far = neighbours[i]!
        if (distances[far] !== unreached) continue
        distances[far] = further
        queue[queued++] = far
      }
    }

    // Of each switch, keep the ports that end one link nearer.
    const kept = new Uint32Array(switches + 1)
    const scratch = this.#scratch
    let count = 0
    for (let at = 0; at < switches; at++) {
      const nearer = distances[at]! - 1
      if (distances[at] !== unreached)
        for (let i = starts[at]!; i < starts[at + 1]!; i++)
          if (distances[neighbours[i]!] === nearer) scratch[count++] = between[i]!
      kept[at + 1] = count
    }
    const ways = scratch.subarray(0, count)
    const ports = this.ports.list.length <= 65536 ? Uint16Array.from(ways) : ways.slice()
    const table: Table = { distances, starts: kept, ports }
    this.#tables[target] = table
    return table
  }

  /** Exact up to 2^53 ways, and to 16 digits beyond. */
  #countWays(gateway: number, { distances, ports, starts }: Table): Float64Array {
    const ways = new Float64Array(distances.length)
    ways[gateway] = 1
    const byDistance = Array.from(distances.keys()).sort((a, b) => distances[a]! - distances[b]!)
    for (const at of byDistance) {
      for (let i = starts[at]!; i < starts[at + 1]!; i++) {
        ways[at]! += ways[this.#switchOf[this.ports.to[ports[i]!]!]!]!
      }
    }
    return ways
  }

  #name(node: number): string {
    return this.#graph.nodes[node]?.name ?? `node ${node}`
  }
}
