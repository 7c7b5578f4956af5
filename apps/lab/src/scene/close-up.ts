/** A small network close up: channels, ribbons, tanks and words, from back to front. */
import type { Recording } from '../model/recording.ts'
import { drawArrived } from './arrived.ts'
import { drawTrees } from './broadcasts.ts'
import { drawChannels, drawChosen, drawDots, drawHatching, drawRibbons } from './channels.ts'
import { drawHosts } from './hosts.ts'
import type { Layout } from './layout.ts'
import { portByName } from './picture.ts'
import type { ClosePicture, Deadlock } from './picture.ts'
import { drawBoxNames } from './box-names.ts'
import { drawBoxes, drawTanks } from './tanks.ts'
import { drawDeadlock, drawLosses, drawPauses } from './words.ts'
import { drawOutlined } from './words.ts'

/**
 * `passed`: seconds of normal play since the picture before, by which the dots move. `treesPs`: how
 * long a link of a broadcast's tree is seen; 0: none is asked for.
 */
export function drawCloseUp(picture: ClosePicture, passed: number, treesPs: number): void {
  const { context, width, height, recording, selected, pins } = picture
  context.clearRect(0, 0, width, height)
  drawChannels(picture)
  drawRibbons(picture)
  drawDots(picture, passed)
  drawHatching(picture)
  for (const pin of [...pins, ...(selected === undefined ? [] : [selected])]) {
    const port = pin.kind === 'port' ? portByName(recording, pin.name) : -1
    if (port >= 0) drawChosen(picture, port, pin === selected)
  }
  drawOutlined(picture)
  if (treesPs > 0) drawTrees(picture, treesPs)
  drawHosts(picture)
  drawBoxes(picture)
  drawTanks(picture)
  drawArrived(picture)
  drawLosses(picture)
}

/** What is said of pauses, over everything else. */
export function drawSaid(picture: ClosePicture): void {
  if (picture.deadlock === undefined || picture.playheadPs < picture.deadlock.seenPs) {
    drawPauses(picture)
    // An arrow may begin on one.
    drawBoxNames(picture)
  }
  drawDeadlock(picture)
}

const WIDEST = 18

/** Channels as wide as their capacity, the widest as wide as there is room for. */
export function widthsOf({ scene }: Recording, layout: Layout): Float64Array {
  // In a rack what a server has on its own board may be as fast as it likes: links are the others.
  const isRack = scene.topology === 'torus' || scene.topology === 'mesh'
  const fastest = scene.rateBps.reduce(
    (most, rate, port) => (isRack && !isBetweenSwitches(scene, port) ? most : Math.max(most, rate)),
    1,
  )
  const isDirected = layout.sideOf !== undefined
  const room = layout.isGrid ? layout.switchRoom * 0.8 : layout.room
  const most = isDirected ? Math.min(WIDEST, room * 0.26) : Math.min(13, room * 0.13)
  const widest = Math.max(3.2, layout.isCard ? Math.min(8, most) : most)
  return scene.rateBps.map((rate) => Math.max(2, Math.min(1, rate / fastest) * widest))
}

function isBetweenSwitches({ nodes, from, to }: Recording['scene'], port: number): boolean {
  return nodes[from[port]!]!.kind === 'switch' && nodes[to[port]!]!.kind === 'switch'
}

/** From the middle of a link to the middle of each direction. */
export function apartOf(widths: Float64Array): number {
  return widths.reduce((a, b) => Math.max(a, b), 0) / 2 + 0.8
}

/** The cycle that a result names, and since when nothing of it has moved. */
export function deadlockOf(recording: Recording, cycle: readonly string[]): Deadlock | undefined {
  const ports = cycle.map((name) => portByName(recording, name)).filter((port) => port >= 0)
  if (ports.length === 0) return undefined
  let frame = recording.count - 1
  const isStill = (at: number): boolean =>
    ports.every((port) => recording.utilisation[at * recording.ports + port]! < 3)
  while (frame > 0 && isStill(frame - 1)) frame--
  const sincePs = frame * recording.intervalPs
  return { ports, sincePs, seenPs: Math.min(sincePs + recording.intervalPs, recording.nowPs) }
}
