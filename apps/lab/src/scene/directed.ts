/**
 * A layout that agrees with the words: where flows go one way through a small network, senders
 * stand left, receivers right, and the switches between them in the order in which packets meet
 * them, so that a parking lot is a line. A host that joins on the way stands below its switch, one
 * that leaves on the way above it.
 */
import type { SceneCard } from '../worker/protocol.ts'

export interface Place {
  x: number
  y: number
}

const NODES_MAX = 64
/** Trees are shown as tiers, grids as grids. */
const KINDS = ['graph', 'star', 'dumbbell']

/** Undefined if flows go round in a circle, or the network is of another kind. */
export function directedPlaces(scene: SceneCard): Place[] | undefined {
  const { nodes, topology, ways } = scene
  if (!KINDS.includes(topology) || nodes.length > NODES_MAX || ways.length === 0) return undefined
  const rank = ranksOf(scene)
  if (rank === undefined) return undefined
  const places: (Place | undefined)[] = nodes.map(() => undefined)
  const last = placeSwitches(scene, rank, places)
  placeHosts(scene, rank, last, places)
  return places.map((place) => place ?? { x: last / 2, y: 1 })
}

/** By switch: the most switches that a flow has passed before it; -1: none passes. */
function ranksOf({ nodes, from, to, ways }: SceneCard): Int32Array | undefined {
  const isSwitch = (node: number): boolean => nodes[node]!.kind === 'switch'
  const rank = new Int32Array(nodes.length).fill(-1)
  const edges = new Set<number>()
  for (const way of ways) {
    for (const port of way) {
      const [a, b] = [from[port]!, to[port]!]
      if (isSwitch(a)) rank[a] = 0
      if (isSwitch(b)) rank[b] = 0
      if (isSwitch(a) && isSwitch(b)) edges.add(a * nodes.length + b)
    }
  }
  // Longest paths: as many rounds as there are nodes, or there is a circle.
  for (let round = 0; round <= nodes.length; round++) {
    let isChanged = false
    for (const edge of edges) {
      const [a, b] = [Math.floor(edge / nodes.length), edge % nodes.length]
      if (rank[b]! > rank[a]!) continue
      rank[b] = rank[a]! + 1
      isChanged = true
    }
    if (!isChanged) return rank
  }
  return undefined
}

/** Gives the highest rank. */
function placeSwitches(
  { nodes, from, to }: SceneCard,
  rank: Int32Array,
  places: (Place | undefined)[],
): number {
  const last = Math.max(0, ...rank)
  for (let at = 0; at <= last; at++) {
    const here = nodes.flatMap((_, node) => (rank[node] === at ? [node] : []))
    here.forEach((node, k) => (places[node] = { x: at, y: (k - (here.length - 1) / 2) * 0.9 }))
  }
  // Switches that no flow passes stand between their neighbours, out of the way.
  nodes.forEach(({ kind }, node) => {
    if (kind !== 'switch' || rank[node]! >= 0) return
    const near = [...from].flatMap((one, port) =>
      one === node && rank[to[port]!]! >= 0 ? [rank[to[port]!]!] : [],
    )
    const x = near.length === 0 ? last / 2 : near.reduce((a, b) => a + b, 0) / near.length
    places[node] = { x, y: 0.85 }
  })
  return last
}

type Side = 'left' | 'right' | 'below' | 'above'

function placeHosts(
  { nodes, from, to, ways }: SceneCard,
  rank: Int32Array,
  last: number,
  places: (Place | undefined)[],
): void {
  const sends = new Set(ways.map((way) => from[way[0]!]!))
  const takes = new Set(ways.map((way) => to[way.at(-1)!]!))
  const switchOf = new Map<number, number>()
  from.forEach((node, port) => {
    if (nodes[node]!.kind === 'host') switchOf.set(node, to[port]!)
  })
  const groups = new Map<string, { side: Side; at: number; hosts: number[] }>()
  for (const [host, node] of switchOf) {
    const at = Math.max(0, rank[node]!)
    const isEnd = at === 0 ? 'left' : 'below'
    const side: Side = sends.has(host)
      ? isEnd
      : takes.has(host)
        ? at === last
          ? 'right'
          : 'above'
        : at === last && last > 0
          ? 'above'
          : 'below'
    const isColumn = side === 'left' || side === 'right'
    const key = isColumn ? side : `${side} ${node}`
    const group = groups.get(key) ?? { side, at: places[node]!.x, hosts: [] }
    group.hosts.push(host)
    groups.set(key, group)
  }
  for (const { side, at, hosts } of groups.values()) {
    hosts.forEach((host, k) => {
      const off = k - (hosts.length - 1) / 2
      const spread = hosts.length > 1 ? off / (hosts.length - 1) : 0
      const reach = Math.min(2, 0.55 * (hosts.length - 1))
      places[host] =
        side === 'left'
          ? { x: -1, y: spread * reach }
          : side === 'right'
            ? { x: last + 1, y: spread * reach }
            : { x: at + off * 0.42, y: side === 'below' ? 1 : -1 }
    })
  }
}
