/** Hosts, and where their names stand: inside, beside, above or below them. */
import { flowColour, flowDash } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import { say } from './say.ts'
import { shortened } from './shortened.ts'

const FONT = '11px system-ui, sans-serif'
const NAME_PX = 13
const NAME_TALL_PX = 11
/** Of a picture with names of hosts. */
const FLOWS_MAX = 400
/** Of a ring in dashes. */
const RING_PIECES = 5

/** A name outside its host: the end of it that stands at `x`, and the middle of its height. */
interface HostName {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly align: 'center' | 'right'
}

export function drawHosts(picture: ClosePicture): void {
  const { context, ink, recording, layout, colourOf } = picture
  const r = layout.hostRadius
  recording.scene.nodes.forEach(({ kind }, node) => {
    if (kind !== 'host') return
    const [x, y] = [layout.x[node]!, layout.y[node]!]
    const own = recording.onlyFlowOf(node)
    context.fillStyle = ink.host
    context.strokeStyle = own >= 0 ? flowColour(colourOf(own)) : ink.edge
    context.lineWidth = own >= 0 ? 2.2 : 1.2
    context.setLineDash(own >= 0 ? ringDash(colourOf(own), r) : [])
    context.beginPath()
    context.arc(x, y, r, 0, 2 * Math.PI)
    context.fill()
    context.stroke()
    context.setLineDash([])
  })
  drawHostNames(picture)
}

/** As the flow's line in the plots: so that one circle has some pieces of it. */
function ringDash(colour: number, r: number): number[] {
  const dash = flowDash(colour)
  const whole = dash.reduce((sum, length) => sum + length, 0)
  return dash.map((length) => (length * 2 * Math.PI * r) / (RING_PIECES * whole))
}

/** Also again, where packets were drawn over them. */
export function drawHostNames(picture: ClosePicture): void {
  const { context, ink, recording, layout } = picture
  const names = hostNames(picture)
  context.textBaseline = 'middle'
  recording.scene.nodes.forEach(({ kind, name }, node) => {
    if (kind !== 'host') return
    const [x, y] = [layout.x[node]!, layout.y[node]!]
    const own = recording.onlyFlowOf(node)
    context.font = FONT
    context.fillStyle = ink.text
    context.textAlign = 'center'
    if (isInside(picture, name)) context.fillText(name, x, y + 0.5)
    else if (isGrid(picture)) {
      // A host stands at its switch, whose name says enough: it has that of its flow.
      const flow = own >= 0 ? recording.flows[own]!.name : ''
      context.font = 'bold 9.5px system-ui, sans-serif'
      if (flow.length <= 2) context.fillText(flow, x, y + 0.5)
    }
    const beside = names.get(node)
    if (beside !== undefined) say(picture, beside.text, beside.x, beside.y, ink.text, beside.align)
  })
}

/** Names that stand outside their hosts, by node. */
function hostNames(picture: ClosePicture): Map<number, HostName> {
  const { context, recording, layout, width } = picture
  const { nodes } = recording.scene
  const names = new Map<number, HostName>()
  if (isGrid(picture)) return names
  const r = layout.hostRadius
  const longest = Math.max(1, ...nodes.map(({ kind, name }) => (kind === 'host' ? name.length : 0)))
  const every = Math.ceil((longest * 6.5) / layout.room)
  context.font = FONT
  const wanted = outstanding(picture)
  const isNear = (node: number): boolean =>
    wanted.some((other) => Math.abs(layout.y[other]! - layout.y[node]!) < NAME_TALL_PX)
  nodes.forEach(({ kind, name }, node) => {
    if (kind !== 'host' || isInside(picture, name)) return
    const [x, y] = [layout.x[node]!, layout.y[node]!]
    const side = layout.sideOf?.(node) ?? 'below'
    const isWanted = wanted.includes(node)
    if (layout.sideOf === undefined && node % every !== 0 && !isWanted) return
    // In a long column names would lie on each other: every second, every third ...
    const isNamed = node % Math.ceil(NAME_TALL_PX / layout.room) === 0 && !isNear(node)
    if (side === 'left' && !isWanted && !isNamed) return
    const fits = (text: string): boolean => x - r - 4 - context.measureText(text).width >= 2
    if (side === 'left' && fits(name)) {
      const full = isWanted ? `${name}: ${recording.flows[recording.onlyFlowOf(node)]!.name}` : name
      names.set(node, { text: fits(full) ? full : name, x: x - r - 4, y, align: 'right' })
      return
    }
    // A long name is cut where the picture ends.
    const room = 2 * Math.min(x, width - x) - 4
    const text = layout.sideOf === undefined ? name : shortened(context, name, room)
    // In a ring of servers links lead inwards; what a broadcast draws around them stays clear.
    const isUpper = layout.isRing && y < picture.height / 2
    const isAbove = side !== 'below' || isUpper
    const beside = r + (layout.isRing ? 11 : 8)
    names.set(node, { text, x, y: y + (isAbove ? -beside : beside + 1), align: 'center' })
  })
  return names
}

/** Hosts of the few flows that stand out among others. */
function outstanding({ recording, isFaint }: ClosePicture): number[] {
  const flows = recording.flows.slice(0, FLOWS_MAX)
  if (!flows.some((flow) => flow !== undefined && isFaint(flow.row))) return []
  return [...recording.scene.nodes.keys()].filter((node) => {
    const own = recording.onlyFlowOf(node)
    return own >= 0 && !isFaint(own)
  })
}

/** Where names outside their hosts are: other words keep off. */
export function hostNameRects(
  picture: ClosePicture,
): { x: number; y: number; w: number; h: number }[] {
  return [...hostNames(picture).values()].map(({ text, x, y, align }) => {
    const w = picture.context.measureText(text).width
    return { x: align === 'right' ? x - w : x - w / 2, y: y - NAME_PX / 2, w, h: NAME_PX }
  })
}

function isInside({ layout }: ClosePicture, name: string): boolean {
  return layout.hostRadius >= 9 && name.length <= 2
}

/** In a grid each host has its switch beside it. */
function isGrid({ recording, layout }: ClosePicture): boolean {
  return recording.scene.topology === 'torus' && !layout.isRing
}
