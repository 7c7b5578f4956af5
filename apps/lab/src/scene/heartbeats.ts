/**
 * ACCurate's heartbeats, each with the rate that it carries: from its source over every link to its
 * target, and lowered on the way. They cross a network within a microsecond, far too quickly for
 * the eye: a link takes a glance here, so that one sees where the number falls.
 */
import type { CircuitStep } from '../model/circuit-log.ts'
import { rateText } from '../model/rate-text.ts'
import { meets, nameRectsOf, obstaclesOf, placeOf } from './free-place.ts'
import type { Rect } from './free-place.ts'
import { flowColour } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import { say } from './say.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }
const HALF_PX = 7
/** Of a flow: more than are on their way at once, however slowly they are shown. */
const SHOWN_MAX = 2

/** `glidePs`: a link takes it so long. */
export function drawHeartbeats(picture: ClosePicture, glidePs: number): void {
  const { recording, playheadPs } = picture
  if (recording.scene.circuits.length === 0) return
  const shownBeats: ShownBeat[] = []
  recording.flows.forEach((flow) => {
    if (flow === undefined || picture.isFaint(flow.row)) return
    let shown = 0
    for (const beat of beatsOf(picture, flow.row, flow.path, glidePs)) {
      const hop = Math.floor((playheadPs - beat.atPs) / glidePs)
      const part = (playheadPs - beat.atPs) / glidePs - hop
      const port = flow.path[hop]
      if (port === undefined || shown++ >= SHOWN_MAX) continue
      const isLowered = hop > 0 && isLower(beat.rates, hop)
      spotOn(picture.wires, port, picture.wires.length[port]! * (0.1 + 0.8 * part), spot)
      const { x, y } = spot
      shownBeats.push({ row: flow.row, port, rateBps: beat.rates[hop]!, isLowered, x, y })
    }
  })
  for (const beat of shownBeats) drawDiamond(picture, beat)
  drawNumbers(picture, shownBeats)
}

/** A heartbeat and where it is. */
interface ShownBeat {
  readonly row: number
  readonly port: number
  readonly rateBps: number
  readonly isLowered: boolean
  readonly x: number
  readonly y: number
}

interface Beat {
  readonly atPs: number
  /** What it carries on each link of its way, bit/s. */
  readonly rates: readonly number[]
}

const isLower = (rates: readonly number[], hop: number): boolean => rates[hop]! < rates[hop - 1]!

/** Those of a flow that are on their way at this moment, as slowly as they are shown. */
function beatsOf(
  { recording, playheadPs }: ClosePicture,
  row: number,
  path: readonly number[],
  glidePs: number,
): Beat[] {
  const { circuits, scene } = recording
  const stepBps = new Map(scene.circuits.map((card) => [card.port, card.stepBps]))
  const first = path.find((port) => stepBps.has(port))
  if (first === undefined) return []
  const beats: Beat[] = []
  const steps = circuits.stepsOf(first)
  for (let i = circuits.lastAt(first, playheadPs); i >= 0; i--) {
    const step = steps[i]!
    if (playheadPs - step.atPs > path.length * glidePs) break
    if (step.row !== row) continue
    let carried = step.inDesired * stepBps.get(first)!
    const rates = path.map((port) => {
      const passed = stepBps.has(port) ? passing(circuits.stepsOf(port), row, step.atPs) : undefined
      if (passed !== undefined) carried = passed.outDesired * stepBps.get(port)!
      return carried
    })
    beats.push({ atPs: step.atPs, rates })
  }
  return beats
}

/** The first step of a flow's heartbeat in a circuit from a moment on. */
function passing(
  steps: readonly CircuitStep[],
  row: number,
  fromPs: number,
): CircuitStep | undefined {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (steps[middle]!.atPs < fromPs) low = middle + 1
    else high = middle
  }
  for (let i = low; i < steps.length; i++) if (steps[i]!.row === row) return steps[i]
  return undefined
}

function drawDiamond({ context, colourOf, ink }: ClosePicture, { row, x, y }: ShownBeat): void {
  context.fillStyle = flowColour(colourOf(row))
  context.strokeStyle = ink.text
  context.lineWidth = 1.4
  context.beginPath()
  context.moveTo(x, y - HALF_PX)
  context.lineTo(x + HALF_PX, y)
  context.lineTo(x, y + HALF_PX)
  context.lineTo(x - HALF_PX, y)
  context.closePath()
  context.fill()
  context.stroke()
}

/**
 * Each beside its diamond: on no other number and no diamond, on no name, which would be read with
 * it, and if it may be on nothing else.
 */
function drawNumbers(picture: ClosePicture, beats: readonly ShownBeat[]): void {
  const { context, ink } = picture
  const [things, names] = [obstaclesOf(picture), nameRectsOf(picture)]
  const taken: Rect[] = beats.map(({ x, y }) => ({
    ...{ x: x - HALF_PX, y: y - HALF_PX, w: 2 * HALF_PX, h: 2 * HALF_PX },
  }))
  context.textBaseline = 'middle'
  for (const beat of beats) {
    const text = `${beat.isLowered ? '↓ ' : ''}${nameOf(picture, beat)}${rateText(beat.rateBps)}`
    context.font = `bold ${beat.isLowered ? 13 : 11.5}px system-ui, sans-serif`
    const places = placesFor(picture, beat, context.measureText(text).width)
    const isFree = (rect: Rect, from: readonly Rect[]): boolean =>
      rect.x > 2 && rect.x + rect.w < picture.width - 2 && !from.some((one) => meets(one, rect))
    const place =
      places.find((rect) => isFree(rect, [...taken, ...things])) ??
      places.find((rect) => isFree(rect, [...taken, ...names])) ??
      placeOf(places[0]!, [...taken, ...names], picture).rect
    taken.push(place)
    say(picture, text, place.x, place.y + place.h / 2, ink.text, 'left')
  }
}

/** Where two pass close by, a number alone would be read with the other's diamond. */
function nameOf({ recording, width }: ClosePicture, { row }: ShownBeat): string {
  const name = recording.flows[row]?.name ?? ''
  const hasRoom = width >= NAMED_PX && name.length <= SHORT_NAME
  return hasRoom && name !== '' ? `${name} ` : ''
}

/** In a narrower picture numbers have no room for names. */
const NAMED_PX = 600

const SHORT_NAME = 3
const NUMBER_PX = 14

/** Above, below and on both sides of it, in the order in which they are wanted. */
function placesFor(
  { wires, recording: { scene } }: ClosePicture,
  beat: ShownBeat,
  w: number,
): Rect[] {
  const { port, x, y } = beat
  spotOn(wires, port, wires.length[port]! * 0.5, spot)
  // Of two that leave a switch together the numbers go apart, as their ways do; those of hosts
  // come together, the one that falls from above.
  const isFalling = spot.uy > 0.1
  const isOfHost = scene.nodes[scene.from[port]!]!.kind === 'host'
  const first = isFalling === isOfHost ? -1 : 1
  const at = (dx: number, dy: number): Rect => ({
    ...{ x: x + dx - w / 2, y: y + dy - NUMBER_PX / 2, w, h: NUMBER_PX },
  })
  const aside = w / 2 + HALF_PX + 3
  const near = [at(0, 16 * first), at(0, -16 * first), at(aside, 0), at(-aside, 0)]
  const far = [at(aside, 16 * first), at(-aside, 16 * first), at(aside, -16 * first)]
  return [...near, ...far, at(-aside, -16 * first), at(0, 30 * first), at(0, -30 * first)]
}
