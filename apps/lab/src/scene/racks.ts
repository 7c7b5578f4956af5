/**
 * Racks of a large network as heat strips: below its switch each rack is a row of cells, one per
 * host, the upper half coloured by what the host sends and the lower by what it receives, with the
 * queue towards it as a fill and a stroke where a direction may not send. A rack that is open is
 * drawn host by host instead.
 */
import type { SceneCard } from '../worker/protocol.ts'
import type { Layout } from './layout.ts'
import { PAUSE_COLOUR } from './palette.ts'
import type { Picture } from './picture.ts'

export interface Rack {
  readonly node: number
  readonly hosts: readonly number[]
  /** By host: the port it sends by, and the one it is sent to by. */
  readonly up: readonly number[]
  readonly down: readonly number[]
}

export interface Racks {
  readonly closed: readonly Rack[]
  /** By port, and by node: 1 if it is inside a closed rack. */
  readonly isPortInside: Uint8Array
  readonly isHostInside: Uint8Array
}

/** Fewer hosts are no strip. */
const HOSTS_LEAST = 4
/** Of a strip, above and below the middle of its hosts. */
export const STRIP_PX = 13
const PAUSED_LEAST = 20
/** Of 255: less looks idle. */
const USE_LEAST = 4

/** Every switch with hosts of its own; grids have none. */
export function racksIn({ nodes, from, to, topology }: SceneCard): Rack[] {
  if (topology === 'torus' || topology === 'mesh') return []
  const byNode = new Map<number, { hosts: number[]; up: number[]; down: number[] }>()
  const upOf = new Map<number, number>()
  from.forEach((node, port) => {
    if (nodes[node]!.kind === 'host') upOf.set(node, upOf.has(node) ? -1 : port)
  })
  from.forEach((node, port) => {
    const host = to[port]!
    const up = upOf.get(host) ?? -1
    if (nodes[node]!.kind === 'host' || nodes[host]!.kind !== 'host' || up < 0) return
    const rack = byNode.get(node) ?? { hosts: [], up: [], down: [] }
    rack.hosts.push(host)
    rack.up.push(up)
    rack.down.push(port)
    byNode.set(node, rack)
  })
  return [...byNode]
    .filter(([, { hosts }]) => hosts.length >= HOSTS_LEAST)
    .map(([node, rack]) => ({ node, ...rack }))
}

/** `open`: the switch of the rack that is open; -1: none. */
export function racksOf(scene: SceneCard, open: number): Racks {
  const closed = racksIn(scene).filter(({ node }) => node !== open)
  const isPortInside = new Uint8Array(scene.from.length)
  const isHostInside = new Uint8Array(scene.nodes.length)
  for (const { hosts, up, down } of closed) {
    for (const port of [...up, ...down]) isPortInside[port] = 1
    for (const host of hosts) isHostInside[host] = 1
  }
  return { closed, isPortInside, isHostInside }
}

/** Of a rack's strip: left edge, width of a cell, and the middle of its height. */
function stripOf({ hosts }: Rack, { x, y }: Layout): { left: number; cell: number; mid: number } {
  const [first, last] = [x[hosts[0]!]!, x[hosts.at(-1)!]!]
  const cell = hosts.length > 1 ? (last - first) / (hosts.length - 1) : 10
  return { left: first - cell / 2, cell, mid: y[hosts[0]!]! }
}

export function drawRacks(picture: Picture, racks: Racks): void {
  const { context, layout, recording, frame, ink } = picture
  const { ports, utilisation, queueBytes, paused, scene } = recording
  const at = Math.max(0, frame) * ports
  for (const rack of racks.closed) {
    const { left, cell, mid } = stripOf(rack, layout)
    const wide = cell * rack.hosts.length
    const [x, y] = [layout.x[rack.node]!, layout.y[rack.node]!]
    context.fillStyle = ink.channel
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(left, mid - STRIP_PX)
    context.lineTo(left + wide, mid - STRIP_PX)
    context.fill()
    context.fillStyle = ink.scale[0]!
    context.fillRect(left, mid - STRIP_PX, wide, 2 * STRIP_PX)
    for (const [ofPorts, top] of [
      [rack.up, mid - STRIP_PX],
      [rack.down, mid + 0.5],
    ] as const) {
      ofPorts.forEach((port, k) => {
        const use = frame < 0 ? 0 : utilisation[at + port]!
        if (use < USE_LEAST) return
        context.fillStyle = ink.scale[use]!
        context.fillRect(left + k * cell, top, Math.max(0.7, cell - gapOf(cell)), STRIP_PX - 0.5)
      })
    }
    if (frame < 0) continue
    rack.down.forEach((port, k) => {
      const share = Math.min(1, Math.sqrt(queueBytes[at + port]! / scene.fullQueueBytes))
      if (share > 0.05) {
        context.fillStyle = ink.queue
        context.fillRect(left + k * cell, mid + 0.5, Math.max(1, cell / 2), share * STRIP_PX)
      }
      for (const [one, top] of [
        [rack.up[k]!, mid - STRIP_PX],
        [port, mid],
      ] as const) {
        if (paused[at + one]! <= PAUSED_LEAST) continue
        context.fillStyle = PAUSE_COLOUR
        context.fillRect(left + k * cell, top + STRIP_PX / 2 - 1, Math.max(1, cell), 2)
      }
    })
    context.strokeStyle = ink.edge
    context.lineWidth = 0.8
    context.strokeRect(left, mid - STRIP_PX, wide, 2 * STRIP_PX)
  }
}

/** Cells that are wide enough have a gap. */
function gapOf(cell: number): number {
  return cell > 4 ? 1 : 0
}

/** What is under a point of a strip. */
export function cellAt(
  racks: Racks,
  layout: Layout,
  x: number,
  y: number,
): { rack: Rack; port: number } | undefined {
  for (const rack of racks.closed) {
    const { left, cell, mid } = stripOf(rack, layout)
    const k = Math.floor((x - left) / cell)
    if (Math.abs(y - mid) > STRIP_PX + 2 || k < 0 || k >= rack.hosts.length) continue
    return { rack, port: y < mid ? rack.up[k]! : rack.down[k]! }
  }
  return undefined
}
