/**
 * Queues close up: a tank in the switch for each output that flows leave by, filled as far as bytes
 * wait there and striped by whose they are, with ticks at the levels that mean something.
 */
import { drawBoxNames } from './box-names.ts'
import { meets, obstaclesOf } from './free-place.ts'
import type { Rect } from './free-place.ts'
import { linkCover } from './link-cover.ts'
import { lossesOf } from './losses.ts'
import { drawSquare } from './flow-mark.ts'
import { drawStopped, heldByInput } from './input-parts.ts'
import { PAUSE_COLOUR } from './palette.ts'
import type { Recording } from '../model/recording.ts'
import type { Layout } from './layout.ts'
import type { ClosePicture } from './picture.ts'
import { say } from './say.ts'

/** In a narrower picture there is no room for names of levels. */
const NAMED_PX = 600
const LEVEL_PX = 11
const LEVEL_GAP = 7

export interface Tank {
  readonly port: number
  /** Left edge, rim, width and height, px. */
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  /** There is room under it for the name of where it leads. */
  readonly hasFoot: boolean
}

/** A switch's box. */
export interface Box {
  readonly node: number
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

const TANKS_MAX = 5
/** Of the way between two switches, a box. */
const BOX_PART = 0.55
/** Width, gap and greatest height of tanks; of those in a card. */
const SIZES = { w: 14, gap: 8, tall: 64, wide: 26 } as const
const CARD_SIZES = { w: 8, gap: 3, tall: 30, wide: 14 } as const
/** Under a tank, for the name of where it leads. */
const FOOT = 13
/** Rim and bottom of a box; above it, its name. */
const EDGES = 6
const NAME = 14

export function boxesOf(recording: Recording, layout: Layout): { boxes: Box[]; tanks: Tank[] } {
  const { scene } = recording
  const outputs = outputsOf(recording)
  const roomy = layout.switchRoom
  const { tall: most, ...size } = layout.isCard ? CARD_SIZES : SIZES
  const tanksMax = layout.isCard ? 3 : TANKS_MAX
  const widest = Math.max(1, ...[...outputs.values()].map(({ length }) => length))
  const usual = size.gap + Math.min(widest, tanksMax) * (size.w + size.gap)
  // Boxes leave half of the way between switches to the links.
  const scale = Math.max(0.3, Math.min(1, (roomy * BOX_PART) / usual))
  const [tankWidth, gap, wide] = [size.w * scale, size.gap * scale, size.wide * scale]
  const tallest = layout.sideOf === undefined ? most * 0.72 : most
  const tall = Math.max(layout.isCard ? 9 : 14, Math.min(tallest, roomy * 0.5))
  // In a grid a foot must not lie on the name of the switch below.
  const isTight = layout.isGrid && tall + FOOT + EDGES + NAME > roomy
  const hasFoot = tall >= 26 && scale === 1 && !layout.isCard && !isTight
  const boxes: Box[] = []
  const tanks: Tank[] = []
  scene.nodes.forEach(({ kind }, node) => {
    if (kind !== 'switch') return
    const ports = (outputs.get(node) ?? []).slice(0, tanksMax)
    const foot = hasFoot ? FOOT : 3
    const w = Math.max(wide, gap + ports.length * (tankWidth + gap))
    const h = ports.length === 0 ? wide - 2 : tall + foot + EDGES
    const [x, y] = [layout.x[node]! - w / 2, layout.y[node]! - h / 2]
    boxes.push({ node, x, y, w, h })
    ports.forEach((port, k) => {
      const left = x + gap + k * (tankWidth + gap)
      tanks.push({ port, x: left, y: y + 5, w: tankWidth, h: tall, hasFoot })
    })
  })
  return { boxes, tanks }
}

/** By switch: outputs that flows leave by, in the order of the way they point. */
function outputsOf({ scene }: Recording): Map<number, number[]> {
  const used = new Set(scene.ways.flat())
  const byNode = new Map<number, number[]>()
  for (const port of [...used].sort((a, b) => a - b)) {
    const node = scene.from[port]!
    if (scene.nodes[node]!.kind !== 'switch') continue
    const list = byNode.get(node)
    if (list === undefined) byNode.set(node, [port])
    else list.push(port)
  }
  return byNode
}

/**
 * The rim: above every queue of the run so far, above a level that is not far off, and above the
 * one at which packets are lost, however far off: else a queue of one packet would look full.
 */
export function tankTop(recordings: readonly Recording[]): number {
  let most = 0
  for (const { queueMax, scene } of recordings) {
    queueMax.forEach((bytes, port) => {
      if (scene.nodes[scene.from[port]!]!.kind === 'switch') most = Math.max(most, bytes)
    })
  }
  const levels = recordings.flatMap(({ scene }) => [
    scene.xoffBytes,
    ...scene.kminBytes.subarray(0, 40),
    ...scene.kmaxBytes.subarray(0, 40),
  ])
  const near = levels.filter((level) => level < 2.5 * most)
  const losses = recordings.map(({ scene }) => scene.lossAtBytes).filter(Number.isFinite)
  return Math.max(1, 1.12 * Math.max(most, ...near, ...losses))
}

const ROOM_OF_INPUT = 'room of an input'

export interface Level {
  readonly name: string
  readonly bytes: number
}

export function levelsOf({ scene }: Recording, port: number): Level[] {
  const [kmin, kmax] = [scene.kminBytes[port] ?? Infinity, scene.kmaxBytes[port] ?? Infinity]
  return [
    ...(kmin === kmax
      ? [{ name: 'K', bytes: kmin }]
      : [
          { name: 'Kmin', bytes: kmin },
          { name: 'Kmax', bytes: kmax },
        ]),
    { name: 'XOFF', bytes: scene.xoffBytes },
    // Credits are an input's own: what waits for an output may fill several.
    scene.flowControl === 'credits'
      ? { name: ROOM_OF_INPUT, bytes: scene.bufferBytes }
      : { name: 'limit', bytes: Math.min(scene.lossAtBytes, scene.bufferBytes) },
  ].filter(({ bytes }) => Number.isFinite(bytes) && bytes > 0)
}

export function drawTanks(picture: ClosePicture): void {
  const { context, ink, recording, frame, tanks } = picture
  const { ports, queueBytes, scene } = recording
  const queueOf = (port: number): number => (frame < 0 ? 0 : queueBytes[frame * ports + port]!)
  const deepest = tanks.reduce<Tank | undefined>(
    (best, tank) =>
      best === undefined || recording.queueMax[tank.port]! > recording.queueMax[best.port]!
        ? tank
        : best,
    undefined,
  )
  for (const tank of tanks) {
    const { port, x, y, w, h, hasFoot } = tank
    context.fillStyle = ink.tank
    context.fillRect(x, y, w, h)
    fill(picture, tank, queueOf(port))
    ticks(picture, tank, tank === deepest)
    context.strokeStyle = ink.edge
    context.lineWidth = 1
    context.strokeRect(x, y, w, h)
    drawStopped(picture, tank)
    if (!hasFoot) continue
    context.fillStyle = ink.faint
    const name = scene.nodes[scene.to[port]!]!.name
    // So that it does not touch its neighbour's, or the edge of the box.
    context.font = `${name.length > 2 ? 8.5 : 9.5}px system-ui, sans-serif`
    context.textAlign = 'center'
    context.textBaseline = 'top'
    if (name.length <= 4) context.fillText(`→${name}`, x + w / 2, y + h + 2)
  }
}

/** Tanks without names and ticks. */
export function drawFills(picture: ClosePicture): void {
  const { context, ink, recording, frame, tanks } = picture
  for (const tank of tanks) {
    const { port, x, y, w, h } = tank
    context.fillStyle = ink.tank
    context.fillRect(x, y, w, h)
    fill(picture, tank, frame < 0 ? 0 : recording.queueBytes[frame * recording.ports + port]!)
    context.strokeStyle = ink.edge
    context.lineWidth = 0.8
    context.strokeRect(x, y, w, h)
  }
}

function fill(picture: ClosePicture, { port, x, y, w, h }: Tank, bytes: number): void {
  const { context, tankTop: top, colourOf, ink } = picture
  const level = Math.min(h, (bytes / top) * h)
  const shares = heldByInput(picture, port)
  const total = shares.reduce((sum, one) => sum + one.bytes, 0)
  let bottom = y + h
  if (total <= 0) {
    context.fillStyle = ink.control
    context.fillRect(x, bottom - level, w, level)
    return
  }
  for (const { row, bytes: own } of shares) {
    const tall = (own / total) * level
    drawSquare(context, colourOf(row), { x, y: bottom - tall, w, h: tall })
    bottom -= tall
  }
}

/** The tank under a point, or so near to it that it is meant. */
export function tankAt(tanks: readonly Tank[], x: number, y: number): Tank | undefined {
  return tanks.find(
    (one) => x > one.x - 4 && x < one.x + one.w + 4 && y > one.y && y < one.y + one.h,
  )
}

/** Levels that ticks are at, of the longest queue of each recording: for the page's legend. */
export function shownLevels(recordings: readonly Recording[]): Level[] {
  const top = tankTop(recordings)
  const all = recordings.flatMap((recording) => {
    const { nodes, from } = recording.scene
    const isOfSwitch = ({ port }: { port: number }): boolean =>
      nodes[from[port]!]!.kind === 'switch'
    const { port } = recording.portsByQueue().find(isOfSwitch) ?? { port: -1 }
    return port < 0 ? [] : ticksOf(recording, port, top)
  })
  return [...new Map(all.map((level) => [`${level.name} ${level.bytes}`, level])).values()]
}

/** What is drawn across a tank. An input's room stands beside it, where the input's part is. */
function ticksOf(recording: Recording, port: number, top: number): Level[] {
  return levelsOf(recording, port).filter(
    ({ name, bytes }) => bytes <= top && name !== ROOM_OF_INPUT,
  )
}

function ticks(picture: ClosePicture, tank: Tank, isNamed: boolean): void {
  const { context, ink, recording, tankTop: top } = picture
  const { port, x, y, w, h } = tank
  const taken: Rect[] = []
  for (const { name, bytes } of ticksOf(recording, port, top)) {
    const at = Math.round(y + h - (bytes / top) * h) + 0.5
    context.strokeStyle = name === 'XOFF' ? PAUSE_COLOUR : ink.text
    context.lineWidth = 1.2
    context.setLineDash([2, 1.5])
    context.beginPath()
    const beyond = w < SIZES.w ? 1 : 3
    context.moveTo(x - beyond, at)
    context.lineTo(x + w + beyond, at)
    context.stroke()
    context.setLineDash([])
    if (isNamed && picture.width >= NAMED_PX) nameLevel(picture, tank, name, at, taken)
  }
}

/**
 * Beside the switch, where no link and nothing else lies; where there is no such place the legend
 * under the picture names it alone.
 */
function nameLevel(
  picture: ClosePicture,
  tank: Tank,
  name: string,
  at: number,
  taken: Rect[],
): void {
  const { context, ink, boxes, recording } = picture
  const box = boxes.find(({ node }) => node === recording.scene.from[tank.port])
  if (box === undefined) return
  const losses = lossesOf(picture)
  context.font = '9.5px system-ui, sans-serif'
  const w = context.measureText(name).width
  const cover = linkCover(picture)
  const words = [...obstaclesOf(picture), ...losses, ...taken]
  const places = [box.x + box.w + LEVEL_GAP, box.x - LEVEL_GAP - w].map((x) => ({
    ...{ x, y: at - LEVEL_PX / 2, w, h: LEVEL_PX },
  }))
  const place = places.find(
    (rect) => !cover.isUnder(rect) && !words.some((one) => meets(one, rect)),
  )
  if (place === undefined) return
  taken.push(place)
  const isRight = place.x > tank.x
  context.strokeStyle = ink.faint
  context.lineWidth = 0.7
  context.beginPath()
  context.moveTo(isRight ? tank.x + tank.w + 3 : tank.x - 3, at)
  context.lineTo(isRight ? place.x - 2 : place.x + w + 2, at)
  context.stroke()
  context.textBaseline = 'middle'
  say(picture, name, place.x, at, ink.text, 'left')
}

export function drawBoxes(picture: ClosePicture): void {
  const { context, ink, boxes } = picture
  for (const { x, y, w, h } of boxes) {
    context.fillStyle = ink.switch
    context.strokeStyle = ink.edge
    context.lineWidth = 1.2
    context.beginPath()
    context.roundRect(x, y, w, h, 6)
    context.fill()
    context.stroke()
  }
  drawBoxNames(picture)
}
