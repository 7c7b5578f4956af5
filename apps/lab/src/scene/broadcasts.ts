/**
 * Agents' packets on request: R2C2's broadcasts as arrowheads in the colour of their flow, with the
 * tree that they have drawn so far behind them and how many nodes know; other words of agents as
 * small squares. Like all that passes they are on their link for its delay, or as long as the eye
 * needs.
 */
import { shortTime } from '@weir/engine'
import type { PacketNote } from '../model/packet-log.ts'
import type { Recording } from '../model/recording.ts'
import { CREDIT, DIGEST, FINISH, MESSAGE, ROUTES, START } from '../worker/protocol.ts'
import { flowColour } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

/** Of what a heartbeat is seen for: a broadcast has many links to cross. */
const QUICK = 0.4
/** A link that takes so much of that is crossed in its own time: what is seen is what is. */
const TRUE_PART = 0.25
/** So many times as long its tree stays behind it. */
const TRAIL = 20
/** Broadcasts that are told of in words. */
const TOLD_MAX = 3

const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

/** One broadcast of a flow's start or end, or of routes, as far as it has come. */
interface Broadcast {
  readonly kind: number
  readonly source: number
  readonly row: number
  readonly sincePs: number
  /** Packets that it is made of. */
  packets: number
  /** Hosts and how many of them they have, and the last time that one got one. */
  readonly hosts: Map<number, number>
  lastPs: number
}

function isTold(kind: number): boolean {
  return kind === START || kind === FINISH || kind === ROUTES
}

/** The trees so far, along the links: hosts, switches and their names stand over them. */
export function drawTrees(picture: ClosePicture, glidePs: number): void {
  const trailPs = trailOf(picture.recording, glidePs)
  eachPacket(picture, glidePs, trailPs, (note, part, left) => drawTrail(picture, note, part, left))
}

export function drawBroadcasts(picture: ClosePicture, glidePs: number): void {
  drawRings(picture, trailOf(picture.recording, glidePs))
  eachPacket(picture, glidePs, 0, (note, part) => drawHead(picture, note, part))
}

/** Calls with each packet that is seen, how far on its link, and how much of its time is left. */
function eachPacket(
  { recording, playheadPs }: ClosePicture,
  glidePs: number,
  leastPs: number,
  visit: (note: PacketNote, part: number, left: number) => void,
): void {
  const quickPs = glidePs * QUICK
  for (const port of recording.packets.ports) {
    const delayPs = recording.scene.delayPs[port] ?? 0
    const onWayPs = delayPs < TRUE_PART * quickPs ? quickPs : delayPs
    // Having arrived it stays for as long as the eye needs.
    const backPs = leastPs > 0 ? leastPs : Math.max(onWayPs, quickPs)
    recording.packets.each(port, playheadPs - backPs, playheadPs, (note) => {
      if (note.kind === CREDIT) return
      const agePs = playheadPs - note.atPs
      visit(note, agePs / onWayPs, 1 - agePs / backPs)
    })
  }
}

/** Around each node that knows, the one that tells too: as many as the words say. */
function drawRings(picture: ClosePicture, trailPs: number): void {
  const { context, recording, playheadPs, colourOf, ink } = picture
  for (const one of broadcastsIn(recording, playheadPs - trailPs, playheadPs)) {
    context.strokeStyle = one.row < 0 ? ink.text : flowColour(colourOf(one.row))
    context.globalAlpha = Math.min(1, 0.25 + 1.2 * (1 - (playheadPs - one.sincePs) / trailPs))
    for (const node of knowing(one)) ring(picture, node)
  }
  context.globalAlpha = 1
}

/** Nodes that have all of a broadcast, and the one that it comes from. */
function knowing({ source, hosts, packets }: Broadcast): number[] {
  const told = [...hosts].filter(([node, count]) => node !== source && count >= packets)
  return [source, ...told.map(([node]) => node)]
}

/** How long the tree stays: longer than a broadcast is under way, however slowly it is seen. */
function trailOf({ scene }: Recording, glidePs: number): number {
  const longestPs = scene.delayPs.reduce((a, b) => Math.max(a, b), 0)
  return TRAIL * Math.max(glidePs * QUICK, longestPs)
}

/** Along the link, as far as the packet has come; it fades. */
function drawTrail(picture: ClosePicture, note: PacketNote, part: number, left: number): void {
  const { context, wires, recording, colourOf } = picture
  if (!isTold(note.kind)) return
  const row = rowOf(recording, note)
  const { x, y, first, length } = wires
  const [from, to] = [first[note.port]!, first[note.port + 1]! - 1]
  const end = length[note.port]! * Math.min(1, part)
  context.strokeStyle = row < 0 ? picture.ink.text : flowColour(colourOf(row))
  context.globalAlpha = Math.min(1, 0.25 + 1.2 * left)
  context.lineWidth = 3.4
  context.setLineDash(note.kind === FINISH ? [5, 4] : [])
  context.beginPath()
  context.moveTo(x[from]!, y[from]!)
  let gone = 0
  for (let i = from + 1; i <= to && gone < end; i++) {
    const step = Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!)
    const share = Math.min(1, (end - gone) / (step || 1))
    context.lineTo(x[i - 1]! + (x[i]! - x[i - 1]!) * share, y[i - 1]! + (y[i]! - y[i - 1]!) * share)
    gone += step
  }
  context.stroke()
  context.setLineDash([])
  context.globalAlpha = 1
}

/** A node that knows. */
function ring({ context, layout, recording }: ClosePicture, node: number): void {
  if (recording.scene.nodes[node]!.kind !== 'host') return
  context.lineWidth = 2.4
  context.beginPath()
  context.arc(layout.x[node]!, layout.y[node]!, layout.hostRadius + 3, 0, 2 * Math.PI)
  context.stroke()
}

function drawHead(picture: ClosePicture, note: PacketNote, part: number): void {
  const { context, wires, recording, colourOf, ink } = picture
  spotOn(wires, note.port, wires.length[note.port]! * Math.min(1, part), spot)
  const { x, y, ux, uy } = spot
  const row = rowOf(recording, note)
  const colour = row < 0 ? ink.control : flowColour(colourOf(row))
  context.fillStyle = note.kind === FINISH ? ink.back : colour
  context.strokeStyle = note.kind === FINISH ? colour : ink.text
  context.lineWidth = 1.3
  context.beginPath()
  if (note.kind === MESSAGE) context.rect(x - 3, y - 3, 6, 6)
  else {
    const r = note.kind === DIGEST ? 4 : 7
    context.moveTo(x + ux * r, y + uy * r)
    context.lineTo(x - ux * r * 0.8 - uy * r * 0.8, y - uy * r * 0.8 + ux * r * 0.8)
    context.lineTo(x - ux * r * 0.8 + uy * r * 0.8, y - uy * r * 0.8 - ux * r * 0.8)
    context.closePath()
  }
  context.fill()
  context.stroke()
}

const ENDS: Readonly<Record<number, string>> = { [FINISH]: 'ends' }

/** How far each broadcast that is seen has come; also for those who do not see it. */
export function broadcastWords(picture: ClosePicture, glidePs: number): string[] {
  const { recording, playheadPs } = picture
  const { nodes } = recording.scene
  const hosts = nodes.filter(({ kind }) => kind === 'host').length
  const all = broadcastsIn(recording, playheadPs - trailOf(recording, glidePs), playheadPs)
  const said = all.slice(-TOLD_MAX).map((one) => {
    const { kind, source, row } = one
    const name = recording.flows[row]?.name ?? 'a flow'
    const node = nodes[source]?.name ?? 'a node'
    const isRoutes = kind === ROUTES
    const what = isRoutes ? `${node} tells new routes` : `${name} ${ENDS[kind] ?? 'begins'}`
    const count = knowing(one).length
    if (count < hosts) return `${what}: ${count} of ${hosts} nodes know`
    return `${what}: all ${hosts} nodes know, ${shortTime(one.lastPs - one.sincePs)} later`
  })
  const more = all.length - said.length
  return more > 0 ? [...said, `and ${more} more`] : said
}

/** Those that began within a time, with all that they reached since. */
function broadcastsIn(recording: Recording, fromPs: number, toPs: number): Broadcast[] {
  const { scene, packets } = recording
  const found = new Map<string, Broadcast>()
  for (const port of packets.ports) {
    const to = scene.to[port]!
    const isToHost = scene.nodes[to]!.kind === 'host'
    // What began before is looked at too: it must not seem to have begun on the way.
    packets.each(port, 2 * fromPs - toPs, toPs, (note) => {
      const { kind, source, sequence, atPs } = note
      if (!isTold(kind)) return
      const key = `${kind === ROUTES} ${source} ${sequence}`
      const known = found.get(key)
      const one = known ?? {
        ...{ kind, source, row: rowOf(recording, note) },
        ...{ sincePs: atPs, packets: 0, hosts: new Map<number, number>(), lastPs: 0 },
      }
      if (scene.from[port] === source) one.packets++
      const arrivedPs = atPs + (scene.delayPs[port] ?? 0)
      if (isToHost && arrivedPs <= toPs) {
        one.hosts.set(to, (one.hosts.get(to) ?? 0) + 1)
        one.lastPs = Math.max(one.lastPs, arrivedPs)
      }
      found.set(key, atPs < one.sincePs ? { ...one, sincePs: atPs } : one)
    })
  }
  const begun = [...found.values()].filter(({ sincePs }) => sincePs >= fromPs)
  return begun.sort((a, b) => a.sincePs - b.sincePs)
}

/** The row of the flow that a broadcast is of: the last between its two nodes; -1: unknown. */
function rowOf({ flows, scene }: Recording, { source, target, atPs }: PacketNote): number {
  const [from, to] = [scene.nodes[source]?.name, scene.nodes[target]?.name]
  if (from === undefined || to === undefined) return -1
  let best = -1
  for (const flow of flows) {
    if (flow === undefined || flow.source !== from || flow.target !== to) continue
    if (flow.startPs <= atPs) best = flow.row
  }
  return best
}
