/**
 * One picture of a large network: racks as heat strips (`racks.ts`); links coloured by utilisation,
 * one line a direction; queues as fills at the end that sends; a mark across a port that is kept
 * from sending; flows as streams of dots that move at a pace that says their rate. Only reads;
 * allocates little, since it is called for every picture.
 */
import type { Recording } from '../model/recording.ts'
import { flowColour, PAUSE_COLOUR } from './palette.ts'
import { portByName } from './picture.ts'
import type { Picture } from './picture.ts'
import { cellAt, drawRacks } from './racks.ts'
import { distanceTo, spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

/** Above so many ports lines are thin, and only flows with a plot of their own have a stream. */
const LARGE_PORTS = 600
/** Streams are drawn for this many flows; more would be a fog. */
const STREAMS_MAX = 48
const DOT_GAP = 15
/** Shades of load. */
const LEVELS = 16
const EVERY_MAX = 12
const NAMES_MAX = 48
/** So many lines can be told apart. */
const ALL_STRONG = 900

export function drawLarge(picture: Picture): void {
  const { context, width, height } = picture
  context.clearRect(0, 0, width, height)
  drawLinks(picture)
  if (picture.racks !== undefined) drawRacks(picture, picture.racks)
  drawStreams(picture)
  drawQueues(picture)
  drawNodes(picture)
  drawSelection(picture)
}

/** Reused for every port: nothing is allocated a link. */
const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

function trace({ context, wires }: Picture, port: number): void {
  const { x, y, first } = wires
  context.moveTo(x[first[port]!]!, y[first[port]!]!)
  for (let i = first[port]! + 1; i < first[port + 1]!; i++) context.lineTo(x[i]!, y[i]!)
}

/** From the middle of a link to each of its directions. */
export function apartOfLarge({ ports }: Recording): number {
  return ports > LARGE_PORTS ? 0.8 : 2
}

/** Links of a like load share a path: a stroke costs more than its lines. */
function drawLinks(picture: Picture): void {
  const { context, recording, ink, frame } = picture
  const { ports, utilisation } = recording
  const inside = picture.racks?.isPortInside
  const isLarge = ports > LARGE_PORTS
  context.lineCap = 'butt'
  // Thousands of lines at full strength would be one block.
  context.globalAlpha = Math.min(1, Math.max(0.22, ALL_STRONG / linesIn(picture)))
  for (let level = 0; level < LEVELS; level++) {
    const shade = Math.round((level / (LEVELS - 1)) * 255)
    context.strokeStyle = ink.scale[shade]!
    context.lineWidth = isLarge ? 0.6 + shade / 255 : 1.2 + (2.2 * shade) / 255
    context.beginPath()
    for (let port = 0; port < ports; port++) {
      const share = frame < 0 ? 0 : utilisation[frame * ports + port]!
      if (inside?.[port] === 1 || Math.round((share / 255) * (LEVELS - 1)) !== level) continue
      trace(picture, port)
    }
    context.stroke()
  }
  context.globalAlpha = 1
}

/** Ports that are drawn as lines. */
function linesIn({ recording, racks }: Picture): number {
  const inside = racks?.closed.reduce((sum, { up }) => sum + 2 * up.length, 0) ?? 0
  return Math.max(1, recording.ports - inside)
}

/** A bar at the sending end, as long as the queue is full; a cross mark where it must wait. */
function drawQueues(picture: Picture): void {
  const { context, recording, ink, frame, layout } = picture
  const { ports, queueBytes, paused, scene } = recording
  if (frame < 0) return
  const isLarge = ports > LARGE_PORTS
  for (let port = 0; port < ports; port++) {
    const bytes = queueBytes[frame * ports + port]!
    const isPaused = paused[frame * ports + port]! > 20
    if ((bytes < 1 && !isPaused) || picture.racks?.isPortInside[port] === 1) continue
    const length = picture.wires.length[port]!
    spotOn(picture.wires, port, 0, spot)
    const { ux, uy } = spot
    const beside = isLarge ? 0 : apartOfLarge(recording)
    const [ax, ay] = [spot.x - uy * beside, spot.y + ux * beside]
    const isHost = scene.nodes[scene.from[port]!]!.kind === 'host'
    const gap = (isHost ? layout.hostRadius : layout.switchRadius) + 1
    const full = Math.min(isLarge ? 16 : 46, length * 0.45)
    const share = Math.min(1, Math.sqrt(bytes / scene.fullQueueBytes))
    if (share > 0.02) {
      context.strokeStyle = ink.queue
      context.lineWidth = isLarge ? 2 : 5
      context.beginPath()
      context.moveTo(ax + ux * gap, ay + uy * gap)
      context.lineTo(ax + ux * (gap + full * share), ay + uy * (gap + full * share))
      context.stroke()
    }
    if (isPaused) drawPauseMark(context, ax + ux * (gap + 3), ay + uy * (gap + 3), ux, uy, isLarge)
  }
}

/** Two strokes across the link, like a pause key: read without colour too. */
function drawPauseMark(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  ux: number,
  uy: number,
  isLarge: boolean,
): void {
  const reach = isLarge ? 2.5 : 6
  context.strokeStyle = PAUSE_COLOUR
  context.lineWidth = isLarge ? 1.2 : 2.4
  context.beginPath()
  for (const along of isLarge ? [0] : [0, 4.5]) {
    const [px, py] = [x + ux * along, y + uy * along]
    context.moveTo(px - uy * reach, py + ux * reach)
    context.lineTo(px + uy * reach, py - ux * reach)
  }
  context.stroke()
}

function drawStreams(picture: Picture): void {
  const { recording, frame, colouredRows, selected } = picture
  if (frame < 0) return
  const { rows, rates } = recording.flowsAt(frame)
  const isLarge = recording.ports > LARGE_PORTS
  const isChosen = (row: number): boolean =>
    colouredRows.has(row) || recording.flows[row]?.name === selected?.name
  const drawn = Array.from(rows, (row, k) => ({ row, rate: rates[k]! })).filter(
    ({ row }) => !isLarge || isChosen(row),
  )
  if (drawn.length > STREAMS_MAX) drawn.sort((a, b) => b.rate - a.rate)
  for (const { row, rate } of drawn.slice(0, STREAMS_MAX)) {
    const flow = recording.flows[row]
    if (flow === undefined || rate <= 0) continue
    const isSelected = selected?.kind === 'flow' && selected.name === flow.name
    drawStream(picture, flow.path, rate, colouredRows.get(row) ?? row, isSelected)
  }
}

function drawStream(
  picture: Picture,
  path: readonly number[],
  rate: number,
  colour: number,
  isSelected: boolean,
): void {
  const { context, recording, playheadPs, wires } = picture
  const { rateBps, untilPs } = recording.scene
  const share = Math.min(1, rate / (rateBps[path[0] ?? 0] ?? rate))
  // Dots go round the same way for all, faster for faster flows; 400 steps cross a run.
  const shift =
    (((playheadPs / untilPs) * 400 * (0.25 + 0.75 * share) * DOT_GAP) % DOT_GAP) + DOT_GAP
  context.fillStyle = flowColour(colour)
  const radius = (isSelected ? 3.2 : 1.3) + 1.4 * Math.sqrt(share)
  let before = 0
  context.beginPath()
  for (const port of path) {
    const length = wires.length[port]!
    for (let at = (shift - (before % DOT_GAP)) % DOT_GAP; at < length; at += DOT_GAP) {
      spotOn(wires, port, at, spot)
      const { x, y } = spot
      context.moveTo(x + radius, y)
      context.arc(x, y, radius, 0, 2 * Math.PI)
    }
    before += length
  }
  context.fill()
}

function drawNodes(picture: Picture): void {
  const { context, recording, layout, ink } = picture
  const { nodes } = recording.scene
  const hosts = nodes.filter(({ kind }) => kind === 'host').length
  context.lineWidth = 1
  context.strokeStyle = ink.edge
  const inside = picture.racks?.isHostInside
  const isOpen = (i: number): boolean => nodes[i]!.kind === 'host' && inside?.[i] !== 1
  nodes.forEach((node, i) => {
    if (inside?.[i] === 1) return
    const [x, y] = [layout.x[i]!, layout.y[i]!]
    context.fillStyle = node.kind === 'host' ? ink.host : ink.switch
    context.beginPath()
    if (node.kind === 'host') context.arc(x, y, layout.hostRadius, 0, 2 * Math.PI)
    else {
      const r = layout.switchRadius
      context.rect(x - r, y - r * 0.75, 2 * r, 1.5 * r)
    }
    context.fill()
    context.stroke()
  })
  context.font = '11px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'top'
  context.fillStyle = ink.text
  const open = inside === undefined ? [] : [...layout.x].filter((_, i) => isOpen(i))
  // Names that would run into each other are thinned out: every second, every third ...
  const room = open.length > 1 ? open[1]! - open[0]! : layout.room
  const longest = Math.max(4, ...nodes.map(({ kind, name }) => (kind === 'host' ? name.length : 0)))
  const every = Math.max(1, Math.ceil((longest * 6.4) / Math.max(1, room)))
  nodes.forEach((node, i) => {
    const isHost = node.kind === 'host'
    if (isHost && (inside?.[i] === 1 || (inside === undefined && nodes.length > NAMES_MAX))) return
    // One name in a crowd would say nothing.
    if (isHost && (every > EVERY_MAX || i % every !== 0)) return
    if (!isHost && nodes.length - hosts > NAMES_MAX) return
    const below = isHost ? layout.hostRadius + 3 : -layout.switchRadius - 12
    context.fillText(node.name, layout.x[i]!, layout.y[i]! + below)
  })
}

function drawSelection(picture: Picture): void {
  const { context, recording, ink, selected, pins } = picture
  for (const pin of [...pins, ...(selected === undefined ? [] : [selected])]) {
    if (pin.kind !== 'port') continue
    const port = portByName(recording, pin.name)
    if (port < 0) continue
    context.strokeStyle = ink.select
    context.lineWidth = pin === selected ? 3 : 1.5
    context.setLineDash([5, 3])
    context.beginPath()
    trace(picture, port)
    context.stroke()
    context.setLineDash([])
  }
}

/** The port whose line is nearest to a point, the one whose sending end is nearer of the two. */
export function portAt(picture: Omit<Picture, 'context'>, x: number, y: number): number {
  const { recording, wires } = picture
  const cell = picture.racks === undefined ? undefined : cellAt(picture.racks, picture.layout, x, y)
  if (cell !== undefined) return cell.port
  let best = -1
  let least = 14
  for (let port = 0; port < recording.ports; port++) {
    if (picture.racks?.isPortInside[port] === 1) continue
    const { off, at } = distanceTo(wires, port, x, y)
    const distance = off + (at / wires.length[port]!) * 4
    if (distance < least) {
      least = distance
      best = port
    }
  }
  return best
}
