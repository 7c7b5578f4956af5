/**
 * Names where lines end, each beside a piece of its line. Lines that lie on each other there have
 * one name together, since only the last of them is seen.
 */
import type uPlot from 'uplot'
import { COMPUTED_DASH, COMPUTED_PX, flowColour, flowDash, PORT_COLOUR } from '../scene/palette.ts'
import { shortened } from '../scene/shortened.ts'
import type { ChartData, ChartLine } from './chart.ts'
import type * as lineNames from './line-names.ts'

/** Right of a plot over time, for the names of its lines. */
export const LABELS_PX = 148
/** The same on a phone, and where lanes stand so close that names would leave no plot. */
export const LABELS_NARROW_PX = 112
export const LABELS_CLOSE_PX = 88
const ROW_PX = 12
const KEY_PX = 15
/** Nearer than this, wherever both are shown, two lines are one to the eye. */
const ALIKE_PX = 1.2
/** But for so small a part of it. */
const APART = 0.02
/** A guide's label has its last value if that is its own for so large a part of what is shown. */
const MOSTLY = 0.5

export interface EndLabel {
  readonly lines: readonly ChartLine[]
  /** In grey: what lines are read against, with its value. */
  readonly isGuide: boolean
  /** The last value in view. */
  readonly value: number
  /** A guide that ends before the others do, or changes so much that no value is its own. */
  readonly isMoving?: boolean
}

/** Colour of words and of guides, and whether the page is dark. */
export interface PlotInk {
  readonly ink: string
  readonly isDark: boolean
}

/** Lines by where they end, with those that lie on each other together. */
export function endsOf(data: ChartData, from: number, to: number, alike: number): EndLabel[] {
  const endsIn = (lines: readonly ChartLine[], isGuide: boolean): EndLabel[] => {
    const groups: (EndLabel & { lines: ChartLine[] })[] = []
    for (const line of lines) {
      const last = lastIn(data, line.values, isGuide ? -Infinity : from, to)
      if (last === null) continue
      const isMoving = isGuide && !isLevelTo(data, line.values, from, to)
      const same = groups.find((group) => areAlike(data, group.lines[0]!, line, from, to, alike))
      if (same === undefined) groups.push({ lines: [line], isGuide, value: last, isMoving })
      else same.lines.push(line)
    }
    return groups
  }
  return [...endsIn(data.lines, false), ...endsIn(data.guides ?? [], true)]
}

/** Do they lie on each other wherever both are, and end together? */
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
    if ((here === null) !== (there === null)) {
      if (both.length > 0) return false
    } else if (here !== null) both.push(Math.abs(here - there!))
  }
  const apart = both.filter((difference) => difference >= alike).length
  return both.length > 1 && apart <= both.length * APART
}

/** Whether its value where what is shown ends is that of most of it. */
function isLevelTo(
  { x }: ChartData,
  values: ArrayLike<number | null>,
  from: number,
  to: number,
): boolean {
  const times = new Map<number, number>()
  let count = 0
  let last: number | null = null
  for (let i = 0; i < x.length; i++) {
    if (x[i]! < from || x[i]! > to * 1.001) continue
    const value = values[i] ?? null
    last = value
    if (value === null) continue
    times.set(value, (times.get(value) ?? 0) + 1)
    count++
  }
  return last !== null && times.get(last)! >= count * MOSTLY
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

let names: typeof lineNames | undefined

/** Names of lines at their ends, and of several ports on their lines. */
export function drawNames(plot: uPlot, data: ChartData, look: PlotInk): void {
  drawEndLabels(plot, data, look)
  const ports = data.lines.filter(({ colour }) => colour >= PORT_COLOUR)
  // Dashes of lanes tell whose a line is.
  if (ports.length < 2 || data.lines.some(({ dash }) => dash !== undefined)) return
  if (names === undefined) {
    // What is drawn first comes first.
    requestIdleCallback(() => {
      void import('./line-names.ts').then((made) => {
        names = made
        plot.redraw(false)
      })
    })
    return
  }
  const groups = shownEnds(plot, { ...data, guides: [] })
  if (groups.length > 1) names.drawOnLines(plot, data, groups, look)
}

function shownEnds(plot: uPlot, data: ChartData): EndLabel[] {
  const [from, to] = [plot.scales['x']!.min ?? 0, plot.scales['x']!.max ?? 1]
  const [low, high] = [plot.scales['y']!.min ?? 0, plot.scales['y']!.max ?? 1]
  const alike = (ALIKE_PX * devicePixelRatio * (high - low)) / Math.max(1, plot.bbox.height)
  return endsOf(data, from, to, alike)
}

/** The name of each line at its last value in view; pushed apart where they would meet. */
function drawEndLabels(plot: uPlot, data: ChartData, { ink, isDark }: PlotInk): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const placed = shownEnds(plot, data)
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
    drawKey(ctx, end, { x, y: places[i]!, ratio }, { ink, isDark })
    ctx.fillStyle = ink
    ctx.fillText(textOf(ctx, end, data, room), x + (KEY_PX + 4) * ratio, places[i]!)
  })
  if (left > 0) ctx.fillText(`and ${left} more`, x + (KEY_PX + 4) * ratio, places.at(-1)!)
  ctx.restore()
}

/** As much as there is room for: 'f1 = f2', 'f1 and 5 alike', '6 alike'; a guide with its value. */
function textOf(
  context: CanvasRenderingContext2D,
  { lines, isGuide, value, isMoving }: EndLabel,
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
    // 'fair of 95%' without its value would be twice the same.
    const short = all.replace(/ of [\d.]+%/u, '')
    const bare = [`${all} ${shown}`, `${all} ${brief}`, `${short} ${shown}`, `${short} ${brief}`]
    const valued = isMoving === true ? [] : bare
    const named = isMoving === true ? [all, short] : [...bare.slice(0, 2), `${short} ${brief}`]
    // Whose it is says more than the value, which the axis has too.
    const forms = [...named, short]
    const owned = owners === undefined ? [] : forms.map((text) => `${owners}: ${text}`)
    const texts = [...owned, ...valued, all, short]
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
  { x, y, ratio }: { readonly x: number; readonly y: number; readonly ratio: number },
  { ink, isDark }: PlotInk,
): void {
  const wide = (KEY_PX * ratio) / lines.length
  lines.forEach((line, i) => {
    const dash = dashOf(line, isGuide)
    context.strokeStyle = isGuide ? ink : flowColour(line.colour, isDark)
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
