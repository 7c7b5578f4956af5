/**
 * Names where lines end, each beside a piece of its line. Lines that lie on each other there have
 * one name together, since only the last of them is seen.
 */
import type uPlot from 'uplot'
import { COMPUTED_DASH, COMPUTED_PX, flowColour, flowDash } from '../scene/palette.ts'
import { shortened } from '../scene/shortened.ts'
import type { ChartData, ChartLine } from './chart.ts'

/** Right of a plot over time, for the names of its lines. */
export const LABELS_PX = 148
/** The same on a phone, and where lanes stand so close that names would leave no plot. */
export const LABELS_NARROW_PX = 112
export const LABELS_CLOSE_PX = 88
const ROW_PX = 12
const KEY_PX = 15
/** Nearer than this, in the last part of what is shown, two lines are one to the eye. */
const ALIKE_PX = 1.2
const LAST_PART = 0.25

export interface EndLabel {
  readonly lines: readonly ChartLine[]
  /** In grey: what lines are read against, with its value. */
  readonly isGuide: boolean
  /** The last value in view. */
  readonly value: number
}

/** Lines by where they end, with those that lie on each other together. */
export function endsOf(data: ChartData, from: number, to: number, alike: number): EndLabel[] {
  const endsIn = (lines: readonly ChartLine[], isGuide: boolean): EndLabel[] => {
    const groups: { lines: ChartLine[]; isGuide: boolean; value: number }[] = []
    for (const line of lines) {
      const value = lastIn(data, line.values, isGuide ? -Infinity : from, to)
      if (value === null) continue
      const same = groups.find((group) => areAlike(data, group.lines[0]!, line, from, to, alike))
      if (same === undefined) groups.push({ lines: [line], isGuide, value })
      else same.lines.push(line)
    }
    return groups
  }
  return [...endsIn(data.lines, false), ...endsIn(data.guides ?? [], true)]
}

/** Do they lie on each other in the last part of where both are? */
function areAlike(
  { x }: ChartData,
  a: ChartLine,
  b: ChartLine,
  from: number,
  to: number,
  alike: number,
): boolean {
  const both: number[] = []
  for (let i = 0; i < x.length; i++) {
    if (x[i]! < from || x[i]! > to * 1.001) continue
    const [here, there] = [a.values[i] ?? null, b.values[i] ?? null]
    // A line that goes on alone is seen.
    if ((here === null) !== (there === null)) both.length = 0
    else if (here !== null) both.push(Math.abs(here - there!))
  }
  const last = both.slice(-Math.ceil(both.length * LAST_PART))
  return last.length > 1 && last.every((difference) => difference < alike)
}

function lastIn(
  { x }: ChartData,
  values: ArrayLike<number | null>,
  from: number,
  to: number,
): number | null {
  for (let i = x.length - 1; i >= 0 && x[i]! >= from; i--) {
    const value = values[i] ?? null
    if (value !== null && x[i]! <= to * 1.001) return value
  }
  return null
}

/** The name of each line at its last value in view; pushed apart where they would meet. */
export function drawEndLabels(plot: uPlot, data: ChartData, ink: string): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const [from, to] = [plot.scales['x']!.min ?? 0, plot.scales['x']!.max ?? 1]
  const [low, high] = [plot.scales['y']!.min ?? 0, plot.scales['y']!.max ?? 1]
  const alike = (ALIKE_PX * ratio * (high - low)) / Math.max(1, bbox.height)
  const placed = endsOf(data, from, to, alike)
    .map((end) => ({ ...end, y: plot.valToPos(end.value, 'y', true) }))
    .sort((a, b) => a.y - b.y)
  const step = ROW_PX * ratio
  const rows = Math.floor(bbox.height / step)
  const shown = placed.slice(0, placed.length > rows ? rows - 1 : rows)
  const left = placed.slice(shown.length).reduce((sum, { lines }) => sum + lines.length, 0)
  const places = spread(
    [...shown.map(({ y }) => y), ...(left > 0 ? [Infinity] : [])],
    bbox.top + step / 2,
    bbox.top + bbox.height - step / 2,
    step,
  )
  ctx.save()
  ctx.font = `${11 * ratio}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  const x = bbox.left + bbox.width + 6 * ratio
  const room = ctx.canvas.width - x - (KEY_PX + 6) * ratio
  shown.forEach((end, i) => {
    drawKey(ctx, end, x, places[i]!, ink, ratio)
    ctx.fillStyle = ink
    ctx.fillText(textOf(ctx, end, data, room), x + (KEY_PX + 4) * ratio, places[i]!)
  })
  if (left > 0) ctx.fillText(`and ${left} more`, x + (KEY_PX + 4) * ratio, places.at(-1)!)
  ctx.restore()
}

/** As much as there is room for: 'f1 = f2', 'f1 and 5 alike', '6 alike'; a guide with its value. */
function textOf(
  context: CanvasRenderingContext2D,
  { lines, isGuide, value }: EndLabel,
  { showY }: ChartData,
  room: number,
): string {
  const fits = (text: string): boolean => context.measureText(text).width <= room
  const names = [...new Set(lines.map(({ name }) => name))]
  const all = names.join(' = ')
  if (isGuide) {
    const shown = showY(value)
    const brief = shown.replace(/ .*/u, '')
    const owners = lines.map(({ of = '' }) => of).find((of) => of !== '')
    const owned =
      owners === undefined ? [] : [`${owners}: ${all} ${shown}`, `${owners}: ${all} ${brief}`]
    const texts = [...owned, `${all} ${shown}`, `${all} ${brief}`, all]
    return texts.find(fits) ?? shortened(context, names[0]!, room)
  }
  const [first, others] = [names[0]!, names.length - 1]
  if (others === 0) return shortened(context, first, room)
  const texts = [all, `${first} and ${others} alike`, `${first} + ${others} alike`]
  return texts.find(fits) ?? `${names.length} alike`
}

/** A piece of the line: of several, of each a part of its colour. */
function drawKey(
  context: CanvasRenderingContext2D,
  { lines, isGuide }: EndLabel,
  x: number,
  y: number,
  ink: string,
  ratio: number,
): void {
  const wide = (KEY_PX * ratio) / lines.length
  lines.forEach((line, i) => {
    const dash = dashOf(line, isGuide)
    context.strokeStyle = isGuide ? ink : flowColour(line.colour)
    const isDotted = line.isComputed === true
    context.lineWidth = (isDotted ? COMPUTED_PX : isGuide ? 1 : dash.length > 0 ? 2 : 6) * ratio
    context.lineCap = isDotted ? 'round' : 'butt'
    // Two pieces of it, however long they are in the plot.
    const unit = dash.length > 0 ? Math.min(ratio, (KEY_PX * ratio) / (2 * (sum(dash) || 1))) : 1
    context.setLineDash(lines.length > 1 && !isDotted ? [] : dash.map((length) => length * unit))
    context.beginPath()
    context.moveTo(x + i * wide, y)
    context.lineTo(x + (i + 1) * wide, y)
    context.stroke()
  })
  context.lineCap = 'butt'
  context.setLineDash([])
}

const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0)

export function dashOf(
  { dash, colour, isComputed }: ChartLine,
  isGuide: boolean = false,
): readonly number[] {
  if (isComputed === true) return COMPUTED_DASH
  return dash ?? (isGuide ? [] : flowDash(colour))
}

/** Round dots of a colour, for a key on the page. */
export function dotsStyle(colour: string): Readonly<Record<string, string>> {
  const dot = `radial-gradient(circle, ${colour} 1.3px, transparent 1.7px)`
  return { background: `${dot} 0 0 / 5px 100%`, width: '20px', height: '4px', borderRadius: '0' }
}

/** Of a key on the page: a square of its colour, or dashes. */
export function keyStyle(line: ChartLine): Readonly<Record<string, string>> {
  const colour = flowColour(line.colour)
  if (line.isComputed === true) return dotsStyle(colour)
  const [on, off] = dashOf(line)
  if (on === undefined || off === undefined) return { background: colour }
  const dashes = `${colour} 0 ${on}px, transparent ${on}px ${on + off}px`
  return {
    ...{ background: `repeating-linear-gradient(90deg, ${dashes})`, width: '20px' },
    ...{ height: '3px', borderRadius: '0' },
  }
}

/** Places that ascend, moved as little as keeps them a step apart and within bounds. */
export function spread(
  wanted: readonly number[],
  least: number,
  most: number,
  step: number,
): number[] {
  const places = [...wanted]
  let before = least - step
  for (const [i, place] of places.entries()) before = places[i] = Math.max(place, before + step)
  let after = most + step
  for (let i = places.length - 1; i >= 0; i--)
    after = places[i] = Math.min(places[i]!, after - step)
  return places
}
