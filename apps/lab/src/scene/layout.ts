/**
 * Where everything is drawn. Topologies give their nodes places in any unit: tiers become rows that
 * fill the picture, a cube keeps its proportions and is seen from above and aside, and can be
 * turned.
 */
import type { SceneCard } from '../worker/protocol.ts'
import { directedPlaces } from './directed.ts'

export interface Layout {
  readonly x: Float64Array
  readonly y: Float64Array
  /** Radius that fits between neighbours, for hosts and switches. */
  readonly hostRadius: number
  readonly switchRadius: number
  /** The least distance between two nodes. */
  readonly room: number
  readonly is3d: boolean
  /** The least distance between two switches. */
  readonly switchRoom: number
  /** Where flows go one way: on which side of the switches a host stands. */
  readonly sideOf: ((node: number) => Side) | undefined
  readonly isCard: boolean
  /** Switches stand on a circle: no link has to go around. */
  readonly isRing: boolean
  /** Servers stand in rows and columns, each with its switch. */
  readonly isGrid: boolean
}

export type Side = 'left' | 'right' | 'below' | 'above'

export interface View {
  readonly width: number
  readonly height: number
  /** Turn of a cube about its upright axis, and how far from above it is seen; radians. */
  readonly yaw: number
  readonly pitch: number
  /** As small as a card: no room for words. */
  readonly isSmall?: boolean
  /** The switch of a large network whose rack is open. */
  readonly open?: number
}

const MARGIN = 26
const WIDEST_ASPECT = 3
const GRID_ASPECT = 2.8
const RING_ASPECT = 1.5
/** Of a ring of switches, that of their hosts: wider than tall, as a page is. */
const HOSTS_RING = { x: 1.8, y: 1.5 } as const
/** Left of and below a torus, for its wrap-around links; in the grid's unit. */
const ARC_ROOM = 0.5
/** Above the highest tier of switches, for what they hold. */
const TANK_ROOM = 30

export function layoutOf(scene: SceneCard, view: View): Layout {
  const { nodes } = scene
  const directed = directedPlaces(scene)
  if (directed !== undefined) return directedLayout(scene, directed, view)
  const is3d = new Set(nodes.map(({ z }) => z)).size > 1
  const isGrid = scene.topology === 'torus' || scene.topology === 'mesh'
  const rows = new Set(nodes.filter(({ kind }) => kind === 'switch').map(({ y, z }) => y + z / 7))
  const isOneRow = scene.topology === 'torus' && rows.size === 1
  const ring = scene.topology === 'graph' || isOneRow ? ringOf(scene) : undefined
  const flat = ring ?? nodes.map((node) => (is3d ? projected(node, view, centreOf(scene)) : node))
  const x = Float64Array.from(flat, (place) => place.x)
  // Hosts are the lowest tier and stand at the bottom: the picture's y grows downwards.
  const isUpright = isGrid && !is3d && ring === undefined
  const y = Float64Array.from(flat, (place) => (isUpright ? place.y : -place.y))
  const arcs = scene.topology === 'torus' && ring === undefined ? ARC_ROOM : 0
  const isTiered = scene.isSmall && !isGrid && ring === undefined && view.isSmall !== true
  const tiers = isTiered ? TANK_ROOM : scene.isSmall && !isGrid && ring === undefined ? 12 : 0
  const aspect = isUpright ? GRID_ASPECT : is3d ? 1 : ring === undefined ? Infinity : RING_ASPECT
  fit(x, y, view, aspect, arcs, tiers)
  if (view.open !== undefined && !is3d) spreadRack(scene, x, view.open)
  const room = nearest(x, y)
  return {
    x,
    y,
    hostRadius: Math.max(1.5, Math.min(8, room * 0.36)),
    switchRadius: Math.max(2.5, Math.min(13, room * 0.5)),
    room,
    is3d,
    switchRoom: switchRoomOf(scene, x, y, view),
    sideOf: undefined,
    isCard: view.isSmall === true,
    isRing: ring !== undefined,
    isGrid: isUpright,
  }
}

/** Room for names at the left, and for what arrives at the right. */
const LEFT = 74
const RIGHT = 150
const UNIT_MAX = 340
/** Of a character; of a short name with its rate. */
const LETTER_PX = 6.6
const NARROW_RIGHT = 130

/** In a narrow picture: no more than names need. */
function narrowMargins({ nodes }: SceneCard): [number, number] {
  const longest = Math.max(1, ...nodes.map(({ kind, name }) => (kind === 'host' ? name.length : 0)))
  return [Math.min(36, 14 + longest * LETTER_PX), NARROW_RIGHT]
}

function directedLayout(
  scene: SceneCard,
  places: readonly { x: number; y: number }[],
  view: View,
): Layout {
  const isNarrow = view.width < 600
  const isCard = view.isSmall === true
  const [before, after] = isCard ? [14, 14] : isNarrow ? narrowMargins(scene) : [LEFT, RIGHT]
  const last = Math.max(...places.map(({ x }) => x))
  const top = Math.min(-0.4, ...places.map(({ y }) => y))
  const bottom = Math.max(0.4, ...places.map(({ y }) => y))
  const unitX = Math.min(UNIT_MAX, (view.width - before - after) / Math.max(1, last + 1))
  const unitY = Math.min(170, (view.height - (isCard ? 46 : isNarrow ? 104 : 140)) / (bottom - top))
  const spare = Math.max(0, view.width - before - after - unitX * (last + 1)) / 2
  const x = Float64Array.from(places, (place) => before + spare + (place.x + 1) * unitX)
  const y = Float64Array.from(
    places,
    (place) => view.height / 2 + (isCard ? 0 : 4) + (place.y - (top + bottom) / 2) * unitY,
  )
  const room = nearest(x, y)
  const sideOf = (node: number): Side => {
    const place = places[node]!
    if (place.x < -0.5) return 'left'
    if (place.x > last - 0.1) return 'right'
    return place.y < 0 ? 'above' : 'below'
  }
  return {
    x,
    y,
    hostRadius: Math.max(2.5, Math.min(12, room * 0.36)),
    switchRadius: 13,
    room,
    is3d: false,
    switchRoom: switchRoomOf(scene, x, y, view),
    sideOf,
    isCard,
    isRing: false,
    isGrid: false,
  }
}

function switchRoomOf({ nodes }: SceneCard, x: Float64Array, y: Float64Array, view: View): number {
  const switches = nodes.flatMap(({ kind }, node) => (kind === 'switch' ? [node] : []))
  let least = Math.min(view.width, view.height) / 2
  if (switches.length > 64) return 0
  for (const a of switches) {
    for (const b of switches) {
      if (a < b) least = Math.min(least, Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!))
    }
  }
  return least
}

function centreOf({ nodes }: SceneCard): { x: number; y: number; z: number } {
  const sum = nodes.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }), {
    x: 0,
    y: 0,
    z: 0,
  })
  return { x: sum.x / nodes.length, y: sum.y / nodes.length, z: sum.z / nodes.length }
}

function projected(
  node: { x: number; y: number; z: number },
  { yaw, pitch }: View,
  centre: { x: number; y: number; z: number },
): { x: number; y: number } {
  const [x, y, z] = [node.x - centre.x, node.y - centre.y, node.z - centre.z]
  const right = x * Math.cos(yaw) - z * Math.sin(yaw)
  const away = x * Math.sin(yaw) + z * Math.cos(yaw)
  return { x: right, y: y * Math.cos(pitch) + away * Math.sin(pitch) }
}

/**
 * Switches that form one ring stand on a circle with their hosts outside: in a row, the link that
 * closes the ring would lie behind the others. Undefined if they do not.
 */
function ringOf({ nodes, from, to }: SceneCard): { x: number; y: number }[] | undefined {
  const near: number[][] = nodes.map(() => [])
  from.forEach((node, port) => near[node]!.push(to[port]!))
  const isSwitch = (node: number): boolean => nodes[node]!.kind === 'switch'
  const switches = nodes.map((_, i) => i).filter(isSwitch)
  const first = switches[0]
  if (first === undefined || switches.length < 3) return undefined
  if (switches.some((node) => near[node]!.filter(isSwitch).length !== 2)) return undefined
  const round = [first]
  for (;;) {
    const next = near[round.at(-1)!]!.find((node) => isSwitch(node) && !round.includes(node))
    if (next === undefined) break
    round.push(next)
  }
  if (round.length !== switches.length) return undefined
  const places = nodes.map(() => ({ x: 0, y: 0 }))
  round.forEach((node, i) => {
    const hosts = near[node]!.filter((other) => !isSwitch(other))
    const at = (angle: number, by: { x: number; y: number }): { x: number; y: number } => ({
      x: 1.6 * by.x * Math.sin(angle),
      y: by.y * Math.cos(angle),
    })
    const angle = ((i + 0.5) * 2 * Math.PI) / round.length
    places[node] = at(angle, { x: 1, y: 1 })
    hosts.forEach((host, k) => {
      places[host] = at(angle + (k - (hosts.length - 1) / 2) * 0.25, HOSTS_RING)
    })
  })
  return places
}

/** Of the picture's width, a rack that is open. */
const OPEN_PART = 0.5

/** An open rack gets half of the width; what stands left and right of it moves aside. */
function spreadRack({ nodes, from, to }: SceneCard, x: Float64Array, open: number): void {
  const hosts = [...from].flatMap((node, port) =>
    node === open && nodes[to[port]!]!.kind === 'host' ? [to[port]!] : [],
  )
  if (hosts.length < 2) return
  const places = hosts.map((host) => x[host]!)
  const gap = (Math.max(...places) - Math.min(...places)) / (hosts.length - 1) / 2
  const [a, b] = [Math.min(...places) - gap, Math.max(...places) + gap]
  const [left, right] = [Math.min(...x), Math.max(...x)]
  const wide = Math.max(b - a, (right - left) * OPEN_PART)
  const rest = (right - left - wide) / Math.max(1, right - left - (b - a))
  const start = left + Math.max(0, a - left) * rest
  for (let i = 0; i < x.length; i++) {
    const at = x[i]!
    if (at < a) x[i] = left + (at - left) * rest
    else if (at > b) x[i] = start + wide + (at - b) * rest
    else x[i] = start + ((at - a) / (b - a)) * wide
  }
}

/**
 * Scales both axes to the picture. A unit is at most `aspect` times as wide as tall; Infinity: rows
 * of tiers may be stretched.
 */
function fit(
  x: Float64Array,
  y: Float64Array,
  view: View,
  aspect: number,
  arcs: number,
  above: number,
): void {
  const [left, right] = [Math.min(...x) - arcs, Math.max(...x)]
  const [top, bottom] = [Math.min(...y), Math.max(...y) + arcs]
  const margin = view.isSmall === true ? 12 : MARGIN
  const room = { x: view.width - 2 * margin, y: view.height - 2 * margin - 12 - above }
  let scaleX = right > left ? room.x / (right - left) : 0
  let scaleY = bottom > top ? room.y / (bottom - top) : 0
  if (aspect < Infinity && scaleX > 0 && scaleY > 0) {
    // A flat grid in a wide picture has more room between its columns than between its rows.
    const wider = Math.min(scaleX, scaleY * aspect)
    scaleY = Math.min(scaleX, scaleY)
    scaleX = Math.max(scaleY, wider)
  }
  // A short row is not torn to the width of the page.
  else if (scaleX > 0 && right - left < WIDEST_ASPECT) scaleX = Math.min(scaleX, room.x / 3)
  if (scaleY === 0) scaleY = 1
  const [midX, midY] = [(left + right) / 2, (top + bottom) / 2]
  for (let i = 0; i < x.length; i++) {
    x[i] = view.width / 2 + (x[i]! - midX) * scaleX
    y[i] = (view.height + above) / 2 - 4 + (y[i]! - midY) * scaleY
  }
}

/** The least distance between two nodes, looked for among neighbours in reading order. */
function nearest(x: Float64Array, y: Float64Array): number {
  const order = Array.from(x, (_, i) => i).sort((a, b) => y[a]! - y[b]! || x[a]! - x[b]!)
  let least = Infinity
  for (let k = 1; k < order.length; k++) {
    const [a, b] = [order[k - 1]!, order[k]!]
    const distance = Math.sqrt((x[a]! - x[b]!) ** 2 + (y[a]! - y[b]!) ** 2)
    if (distance > 0.5) least = Math.min(least, distance)
  }
  return Number.isFinite(least) ? least : 40
}
