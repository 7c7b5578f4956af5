/** A network as small as a card: links, flows, queues and pauses, and no words. */
import { drawChannels, drawDots, drawHatching, drawOutline, drawRibbons } from './channels.ts'
import { flowColour, PAUSE_BACK } from './palette.ts'
import type { Recording } from '../model/recording.ts'
import type { ClosePicture } from './picture.ts'
import { drawFills } from './tanks.ts'

/** Of a run, at most so much is passed over before its loop begins. */
const LEAD_MOST = 0.2
/** As many pictures as widths of ribbons are means of. */
const SEEN_FOR = 5

/** The moment at which a card's loop begins: something is to be seen in it. */
export function loopStartPs({ utilisation, ports, count, intervalPs, nowPs }: Recording): number {
  const first = utilisation.subarray(0, count * ports).findIndex((use) => use > 0)
  if (first < 0) return 0
  const seen = Math.floor(first / ports) + SEEN_FOR
  return Math.min(seen * intervalPs, LEAD_MOST * nowPs)
}

export function drawThumb(picture: ClosePicture, passed: number): void {
  const { context, ink, width, height, deadlock, playheadPs } = picture
  context.clearRect(0, 0, width, height)
  drawChannels(picture)
  drawRibbons(picture)
  drawDots(picture, passed)
  drawHatching(picture)
  const isStuck = deadlock !== undefined && playheadPs >= deadlock.seenPs
  if (isStuck) drawOutline(picture, deadlock.ports)
  drawHosts(picture)
  context.lineWidth = 1
  for (const { x, y, w, h } of picture.boxes) {
    context.fillStyle = ink.switch
    context.strokeStyle = ink.edge
    context.beginPath()
    context.roundRect(x, y, w, h, 4)
    context.fill()
    context.stroke()
  }
  drawFills(picture)
  if (isStuck) drawName(picture, deadlock.ports)
}

/** In the middle of the cycle, as large as there is room. */
function drawName({ context, recording, layout }: ClosePicture, ports: readonly number[]): void {
  const nodes = ports.map((port) => recording.scene.from[port]!)
  const mean = (places: Float64Array): number =>
    nodes.reduce((sum, node) => sum + places[node]!, 0) / nodes.length
  const [x, y] = [mean(layout.x), mean(layout.y)]
  context.font = 'bold 10.5px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const half = context.measureText('DEADLOCK').width / 2 + 4
  context.fillStyle = PAUSE_BACK
  context.beginPath()
  context.roundRect(x - half, y - 9, 2 * half, 18, 4)
  context.fill()
  context.fillStyle = '#fff'
  context.fillText('DEADLOCK', x, y + 0.5)
}

function drawHosts({ context, ink, recording, layout, colourOf }: ClosePicture): void {
  const { nodes } = recording.scene
  const r = Math.max(2, Math.min(5, layout.hostRadius))
  nodes.forEach(({ kind }, node) => {
    if (kind !== 'host') return
    const row = recording.onlyFlowOf(node)
    context.fillStyle = ink.host
    context.strokeStyle = row >= 0 ? flowColour(colourOf(row)) : ink.edge
    context.lineWidth = row >= 0 ? 1.8 : 1
    context.beginPath()
    context.arc(layout.x[node]!, layout.y[node]!, r, 0, 2 * Math.PI)
    context.fill()
    context.stroke()
  })
}
