/**
 * Where each port's channel runs, as points from the node that sends to the one that receives. The
 * two directions of a link lie beside each other, each to the right of its own way. A link that
 * would run over other nodes, as a torus's wrap-around does, is an arc beside them.
 */
import type { SceneCard } from '../worker/protocol.ts'
import type { Layout } from './layout.ts'

/** Points of port p are those from `first[p]` up to, and without, `first[p + 1]`. */
export interface Wires {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly first: Int32Array
  readonly length: Float64Array
}

/** A place on a wire, and the way it runs there. */
export interface Spot {
  x: number
  y: number
  ux: number
  uy: number
}

const ARC_POINTS = 17

export function wiresOf(scene: SceneCard, layout: Layout, apart: number): Wires {
  const { from, to } = scene
  const ports = from.length
  const isArc = Uint8Array.from({ length: ports }, (_, port) =>
    (isWrap(scene, port) && !layout.isRing) || runsOverNode(scene, layout, port) ? 1 : 0,
  )
  const first = new Int32Array(ports + 1)
  for (let p = 0; p < ports; p++) first[p + 1] = first[p]! + (isArc[p] === 1 ? ARC_POINTS : 2)
  const wires: Wires = {
    x: new Float64Array(first[ports]!),
    y: new Float64Array(first[ports]!),
    first,
    length: new Float64Array(ports),
  }
  for (let port = 0; port < ports; port++) {
    const [a, b] = [from[port]!, to[port]!]
    const ends = [layout.x[a]!, layout.y[a]!, layout.x[b]!, layout.y[b]!] as const
    if (isArc[port] === 1) putArc(wires, port, ends, apart, reachOf(layout))
    else putLine(wires, port, ends, apart)
    wires.length[port] = lengthOf(wires, port)
  }
  return wires
}

/** How far an arc stands off, in units of the room between nodes; between the rows of a grid. */
const ARC_REACH = 0.42
const ROW_PART = 1

function reachOf({ room, switchRoom, isGrid }: Layout): number {
  return ARC_REACH * (isGrid && switchRoom > 0 ? Math.min(room, ROW_PART * switchRoom) : room)
}

type Ends = readonly [ax: number, ay: number, bx: number, by: number]

function putLine(
  { x, y, first }: Wires,
  port: number,
  [ax, ay, bx, by]: Ends,
  apart: number,
): void {
  const length = Math.hypot(bx - ax, by - ay) || 1
  const [nx, ny] = [(-(by - ay) / length) * apart, ((bx - ax) / length) * apart]
  const i = first[port]!
  x[i] = ax + nx
  y[i] = ay + ny
  x[i + 1] = bx + nx
  y[i + 1] = by + ny
}

/** A cubic that leaves the line at once, so that it never lies on the nodes between. */
function putArc(wires: Wires, port: number, ends: Ends, apart: number, reach: number): void {
  const [ax, ay, bx, by] = ends
  const length = Math.hypot(bx - ax, by - ay) || 1
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length]
  // Both directions bow to the same side: downwards, or to the left if the link stands upright.
  const side = ux > 0.01 || (Math.abs(ux) <= 0.01 && uy > 0) ? 1 : -1
  const [nx, ny] = [-uy * side, ux * side]
  const off = (reach + side * apart) * (4 / 3)
  for (let k = 0; k < ARC_POINTS; k++) {
    const t = k / (ARC_POINTS - 1)
    const inner = 3 * t * (1 - t)
    const lift = inner * off
    const forward = 3 * t * (1 - t) ** 2 * 0.06 + 3 * t * t * (1 - t) * 0.94 + t ** 3
    const i = wires.first[port]! + k
    wires.x[i] = ax + ux * forward * length + nx * lift
    wires.y[i] = ay + uy * forward * length + ny * lift
  }
}

/** A link between switches that are no neighbours in the grid. */
function isWrap({ topology, nodes, from, to }: SceneCard, port: number): boolean {
  if (topology !== 'torus') return false
  const [a, b] = [nodes[from[port]!]!, nodes[to[port]!]!]
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z) > 1.5
}

/** In flat pictures: is another node in the way? */
function runsOverNode({ from, to, topology }: SceneCard, layout: Layout, port: number): boolean {
  if (layout.is3d || topology === 'torus' || layout.x.length > 200) return false
  const [a, b] = [from[port]!, to[port]!]
  const [ax, ay] = [layout.x[a]!, layout.y[a]!]
  const [dx, dy] = [layout.x[b]! - ax, layout.y[b]! - ay]
  const square = dx * dx + dy * dy || 1
  for (let node = 0; node < layout.x.length; node++) {
    if (node === a || node === b) continue
    const [px, py] = [layout.x[node]! - ax, layout.y[node]! - ay]
    const along = (px * dx + py * dy) / square
    const off = Math.abs(px * dy - py * dx) / Math.sqrt(square)
    if (along > 0.02 && along < 0.98 && off < layout.switchRadius) return true
  }
  return false
}

function lengthOf({ x, y, first }: Wires, port: number): number {
  let length = 0
  for (let i = first[port]! + 1; i < first[port + 1]!; i++) {
    length += Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!)
  }
  return length || 1
}

/** The place so many pixels down a wire; `spot` is written over. */
export function spotOn(wires: Wires, port: number, at: number, spot: Spot): void {
  const { x, y, first } = wires
  const last = first[port + 1]! - 1
  let i = first[port]! + 1
  let left = at
  let step = Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!)
  while (left > step && i < last) {
    left -= step
    i++
    step = Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!)
  }
  const [ux, uy] = [(x[i]! - x[i - 1]!) / (step || 1), (y[i]! - y[i - 1]!) / (step || 1)]
  spot.x = x[i - 1]! + ux * left
  spot.y = y[i - 1]! + uy * left
  spot.ux = ux
  spot.uy = uy
}

/** How far a point is from a wire, and how far down it; in pixels. */
export function distanceTo(
  { x, y, first }: Wires,
  port: number,
  px: number,
  py: number,
): { off: number; at: number } {
  let best = { off: Infinity, at: 0 }
  let before = 0
  for (let i = first[port]! + 1; i < first[port + 1]!; i++) {
    const [dx, dy] = [x[i]! - x[i - 1]!, y[i]! - y[i - 1]!]
    const step = Math.hypot(dx, dy) || 1
    const along = ((px - x[i - 1]!) * dx + (py - y[i - 1]!) * dy) / step
    const near = Math.min(step, Math.max(0, along))
    const off = Math.hypot(px - x[i - 1]! - (dx / step) * near, py - y[i - 1]! - (dy / step) * near)
    if (off < best.off) best = { off, at: before + near }
    before += step
  }
  return best
}
