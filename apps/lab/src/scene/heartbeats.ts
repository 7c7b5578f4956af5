/**
 * ACCurate's heartbeats, each with the rate that it carries: from its source over every link to its
 * target, and lowered on the way. They cross a network within a microsecond, far too quickly for
 * the eye: a link takes a glance here, so that one sees where the number falls.
 */
import { shortRate } from '@weir/engine'
import type { CircuitStep } from '../model/circuit-log.ts'
import { flowColour } from './palette.ts'
import type { ClosePicture } from './picture.ts'
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
  recording.flows.forEach((flow) => {
    if (flow === undefined || picture.isFaint(flow.row)) return
    let shown = 0
    for (const beat of beatsOf(picture, flow.row, flow.path, glidePs)) {
      const hop = Math.floor((playheadPs - beat.atPs) / glidePs)
      const part = (playheadPs - beat.atPs) / glidePs - hop
      const port = flow.path[hop]
      if (port === undefined || shown++ >= SHOWN_MAX) continue
      drawBeat(picture, flow.row, port, part, beat.rates[hop]!, hop > 0 && isLower(beat.rates, hop))
    }
  })
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

function drawBeat(
  { context, wires, colourOf, ink, width, recording: { scene } }: ClosePicture,
  row: number,
  port: number,
  part: number,
  rateBps: number,
  isLowered: boolean,
): void {
  spotOn(wires, port, wires.length[port]! * (0.1 + 0.8 * part), spot)
  const { x, y, uy } = spot
  // Of two that leave a switch together the numbers go apart, as their ways do; those of hosts
  // come together, the one that falls from above.
  const isFalling = uy > 0.1
  const isOfHost = scene.nodes[scene.from[port]!]!.kind === 'host'
  const beside = isFalling === isOfHost ? y - 16 : y + 16
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
  // In a narrow picture a whole unit would lie on a neighbour's name.
  const rate = width < 600 ? shortRate(rateBps).replace(/bps$/u, '') : shortRate(rateBps)
  const text = `${isLowered ? '↓ ' : ''}${rate}`
  context.font = `bold ${isLowered ? 13 : 11.5}px system-ui, sans-serif`
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  context.strokeStyle = ink.back
  context.lineWidth = 3.5
  context.fillStyle = ink.text
  context.strokeText(text, x, beside)
  context.fillText(text, x, beside)
}
