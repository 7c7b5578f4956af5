/**
 * Lines of a plot over time that lie on each other: whichever is drawn last would hide the others.
 * As in figures, the first is drawn once more above the last in pieces, so that colours alternate.
 */
import type uPlot from 'uplot'
import type { Curve } from '../../../../experiments/figure.ts'
import { partsAgain, patternAgain, undersOf } from '../../../../experiments/overlap.ts'
import type { Under } from '../../../../experiments/overlap.ts'
import { flowColour } from '../scene/palette.ts'
import type { ChartData, ChartLine } from './chart.ts'
import { dashOf } from './end-labels.ts'

/** What is in view, of x and of y. */
export interface View {
  readonly x: readonly [from: number, to: number]
  readonly y: readonly [from: number, to: number]
}

/** By line: its parts in view on which later ones lie. */
export function partsInView(
  data: ChartData,
  { x: [from, to], y }: View,
): readonly (readonly Under[])[] {
  const { x } = data
  let [first, last] = [0, x.length - 1]
  while (first < last && x[first + 1]! < from) first++
  while (last > first && x[last - 1]! > to) last--
  const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => x[first + i]!)
  const curveOf = ({ name, values }: ChartLine): Curve => ({
    name,
    x: places,
    y: places.map((_, i) => values[first + i] ?? NaN),
  })
  // What is near is near beside the axis, whatever part of it the lines fill.
  const axis: Curve = { name: '', x: [from, from], y, isExpected: true }
  const unders = undersOf({
    title: data.title,
    kind: data.isStepped === true ? 'steps' : 'lines',
    x: { label: '', unit: '' },
    y: { label: '', unit: '' },
    curves: [...data.lines.map(curveOf), axis],
  })
  return data.lines.map((_, i) => partsAgain(unders[i]!))
}

export function drawAgain(plot: uPlot, data: ChartData, isDark: boolean): void {
  if (data.lines.length < 2 || !data.isTime) return
  const { ctx, bbox } = plot
  const viewOf = (axis: 'x' | 'y'): [number, number] => {
    const { min, max } = plot.scales[axis]!
    return [min ?? 0, max ?? 1]
  }
  const parts = partsInView(data, { x: viewOf('x'), y: viewOf('y') })
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.lineWidth = LINE_PX * devicePixelRatio
  ctx.lineCap = 'butt'
  // The first line last: it is above all.
  for (let i = data.lines.length - 1; i >= 0; i--) {
    const own = dashOf(data.lines[i]!)
    ctx.strokeStyle = flowColour(data.lines[i]!.colour, isDark)
    for (const part of parts[i]!) {
      const dash = own.length > 0 ? own : patternAgain(part.layers)
      ctx.setLineDash(dash.map((length) => length * devicePixelRatio))
      drawPart(plot, part, data.isStepped === true)
    }
  }
  ctx.restore()
}

const LINE_PX = 1.6

function drawPart(plot: uPlot, { x, y }: Under, isStepped: boolean): void {
  const { ctx } = plot
  ctx.beginPath()
  let before: number | undefined
  x.forEach((at, i) => {
    const value = y[i]!
    if (!Number.isFinite(value)) {
      before = undefined
      return
    }
    const [px, py] = [plot.valToPos(at, 'x', true), plot.valToPos(value, 'y', true)]
    if (before === undefined) ctx.moveTo(px, py)
    else {
      if (isStepped) ctx.lineTo(px, before)
      ctx.lineTo(px, py)
    }
    before = py
  })
  ctx.stroke()
}
