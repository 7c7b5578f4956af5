/**
 * What happens in a run as a strip under its card: what each flow gets, if they are few, or the
 * longest queue. Two networks of one form look alike; their strips do not.
 */
import type { Recording } from '../model/recording.ts'
import { flowColour } from './palette.ts'
import type { Ink } from './palette.ts'

export type TraceOf = 'rates' | 'queue'

export const STRIP_PX = 44
const FLOWS_MAX = 8
/** Of the run, that a rate is the mean of. */
const PART = 1 / 40
const TOP_PX = 13
const SIDE_PX = 8

export function traceOf({ flows }: Recording): TraceOf {
  return flows.length <= FLOWS_MAX ? 'rates' : 'queue'
}

/** Drawn once for a run that is over; a line is moved over it. */
export function drawTrace(
  context: CanvasRenderingContext2D,
  recording: Recording,
  { of, ink, width }: { readonly of: TraceOf; readonly ink: Ink; readonly width: number },
): void {
  const isRates = of === 'rates'
  const rows = isRates ? recording.flows.flatMap((_, row) => (row < FLOWS_MAX ? [row] : [])) : []
  const lines = isRates ? recording.ratesOf(rows).map(smooth) : [longestQueue(recording)]
  const most = lines.flat().reduce<number>((a, b) => Math.max(a, b ?? 0), 0) || 1
  const x = (i: number): number =>
    SIDE_PX + ((width - 2 * SIDE_PX) * (i + 1)) / Math.max(1, recording.count)
  const y = (value: number): number =>
    STRIP_PX - 3 - ((STRIP_PX - TOP_PX - 3) * value) / (1.05 * most)
  context.lineJoin = 'round'
  lines.forEach((line, k) => {
    context.strokeStyle = isRates ? flowColour(rows[k]!) : ink.faint
    context.lineWidth = 1.4
    context.beginPath()
    line.forEach((value, i) => {
      if (value === null) return
      if (i === 0 || line[i - 1] === null) context.moveTo(x(i), y(value))
      else context.lineTo(x(i), y(value))
    })
    context.stroke()
  })
  context.fillStyle = ink.faint
  context.font = '10px system-ui, sans-serif'
  context.textAlign = 'left'
  context.textBaseline = 'top'
  context.fillText(isRates ? 'rates over time' : 'longest queue over time', SIDE_PX, 1)
}

export function drawTraceHead(
  context: CanvasRenderingContext2D,
  ink: Ink,
  width: number,
  part: number,
): void {
  const x = SIDE_PX + (width - 2 * SIDE_PX) * part
  context.strokeStyle = ink.text
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(x, TOP_PX)
  context.lineTo(x, STRIP_PX - 2)
  context.stroke()
}

function longestQueue({ count, ports, queueBytes, scene }: Recording): number[] {
  const ofSwitches = Array.from({ length: ports }, (_, port) => port).filter(
    (port) => scene.nodes[scene.from[port]!]!.kind === 'switch',
  )
  return Array.from({ length: count }, (_, i) =>
    ofSwitches.reduce((most, port) => Math.max(most, queueBytes[i * ports + port]!), 0),
  )
}

function smooth(values: readonly (number | null)[]): (number | null)[] {
  const reach = Math.ceil((values.length * PART) / 2)
  return values.map((value, i) => {
    if (value === null) return null
    const near = values.slice(Math.max(0, i - reach), i + reach + 1).filter((one) => one !== null)
    return near.reduce((a, b) => a + b, 0) / near.length
  })
}
