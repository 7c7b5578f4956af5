/**
 * Names of ports on their lines: ports have no flow's colour, and dashes alone do not tell five of
 * them apart. Each stands where its line has most room about it, and nearest to its own; a line
 * that has no such place has its name at its end only, as all have. Loaded when there are several
 * ports in a plot: it imports nothing, so that the page does not come in more pieces for it.
 */
import type uPlot from 'uplot'
import type { ChartData, ChartLine } from './chart.ts'
import type { PlotInk } from './end-labels.ts'

/** A plot is looked at in columns so wide. */
export const COLUMN_PX = 4
const HEIGHT_PX = 11
const BESIDE_PX = 2
/** Nothing else is nearer to a name than this; more room than this is no better. */
const CLEAR_PX = 4
const ENOUGH_PX = 30
/** A name stands beside a piece of its line that rises or falls by no more. */
const LEVEL_PX = 9
/** Of the card that a plot is on. */
const [LIGHT_BACK, DARK_BACK] = ['#ffffff', '#161b23']

/** The least and the most of a line in each column, px from the top; undefined where it is not. */
export type Course = readonly (readonly [top: number, bottom: number] | undefined)[]

export interface NamePlace {
  readonly column: number
  /** Of the name's top. */
  readonly y: number
}

/** Where the name of each course stands, if anywhere; none lies on a line or on another name. */
export function namePlaces(
  courses: readonly Course[],
  columnsWide: readonly number[],
  height: number,
): (NamePlace | undefined)[] {
  const placed: { from: number; to: number; y: number }[] = []
  return courses.map((own, line) => {
    const wide = columnsWide[line]!
    let [best, most] = [undefined as NamePlace | undefined, CLEAR_PX - 1]
    for (let from = 2; from + wide < own.length - 1; from += 2) {
      const span = extent(own, from, from + wide)
      if (span === undefined || span[1] - span[0] > LEVEL_PX) continue
      for (const y of [span[0] - BESIDE_PX - HEIGHT_PX, span[1] + BESIDE_PX]) {
        if (y < 0 || y + HEIGHT_PX > height) continue
        const isTaken = placed.some(
          (one) => one.from < from + wide && from < one.to && Math.abs(one.y - y) < HEIGHT_PX,
        )
        if (isTaken) continue
        const clear = courses.reduce((least, other, k) => {
          if (k === line) return least
          return Math.min(least, apart(other, from - 1, from + wide + 1, y))
        }, ENOUGH_PX)
        const score = clear - (span[1] - span[0])
        if (clear >= CLEAR_PX && score > most) [best, most] = [{ column: from, y }, score]
      }
    }
    if (best !== undefined) placed.push({ from: best.column, to: best.column + wide, y: best.y })
    return best
  })
}

/** Undefined where the line is not in all of it. */
function extent(course: Course, from: number, to: number): [number, number] | undefined {
  let [top, bottom] = [Infinity, -Infinity]
  for (let i = from; i <= to; i++) {
    const here = course[i]
    if (here === undefined) return undefined
    top = Math.min(top, here[0])
    bottom = Math.max(bottom, here[1])
  }
  return [top, bottom]
}

/** How far a course stays from a name at y in these columns; below zero: it crosses it. */
function apart(course: Course, from: number, to: number, y: number): number {
  let least = Infinity
  for (let i = Math.max(0, from); i <= to; i++) {
    const here = course[i]
    if (here === undefined) continue
    least = Math.min(least, here[0] > y ? here[0] - y - HEIGHT_PX : y - here[1])
  }
  return least
}

/** Of lines that lie on each other, a group, one has the names of all. */
export function drawOnLines(
  plot: uPlot,
  data: ChartData,
  groups: readonly { readonly lines: readonly ChartLine[] }[],
  { ink, isDark }: PlotInk,
): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  ctx.save()
  ctx.font = `${11 * ratio}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'top'
  ctx.lineJoin = 'round'
  const names = groups.map(({ lines }) => lines.map(({ name }) => name).join(' = '))
  const wide = names.map((name) => Math.ceil(ctx.measureText(name).width / ratio / COLUMN_PX))
  const all = [...groups.map(({ lines }) => lines[0]!), ...(data.guides ?? [])]
  const courses = all.map((line) => courseOf(plot, data, line))
  // What lines are read against has its name at its end only.
  const widths = courses.map((_, i) => wide[i] ?? Infinity)
  const places = namePlaces(courses, widths, bbox.height / ratio)
  names.forEach((name, i) => {
    const place = places[i]
    if (place === undefined) return
    const [x, y] = [bbox.left + place.column * COLUMN_PX * ratio, bbox.top + place.y * ratio]
    ctx.strokeStyle = isDark ? DARK_BACK : LIGHT_BACK
    ctx.lineWidth = 3 * ratio
    ctx.strokeText(name, x, y)
    ctx.fillStyle = ink
    ctx.fillText(name, x, y)
  })
  ctx.restore()
}

function courseOf(plot: uPlot, { x }: ChartData, { values }: ChartLine): Course {
  const { bbox } = plot
  const ratio = devicePixelRatio
  const columns = Math.floor(bbox.width / ratio / COLUMN_PX)
  const course = new Array<[number, number] | undefined>(columns).fill(undefined)
  const [min, max] = [plot.scales['x']!.min ?? 0, plot.scales['x']!.max ?? 1]
  const scale = columns / (max - min)
  const yOf = (value: number): number => (plot.valToPos(value, 'y', true) - bbox.top) / ratio
  let before: { at: number; y: number } | undefined
  for (let i = 0; i < x.length; i++) {
    const value = values[i] ?? null
    if (value === null) {
      before = undefined
      continue
    }
    const here = { at: (x[i]! - min) * scale, y: yOf(value) }
    if (here.at >= 0 && (before?.at ?? here.at) < columns) between(course, before ?? here, here)
    before = here
  }
  return course
}

/** A straight piece of a line in the columns that it crosses. */
function between(
  course: ([number, number] | undefined)[],
  a: { readonly at: number; readonly y: number },
  b: { readonly at: number; readonly y: number },
): void {
  const [first, last] = [
    Math.max(0, Math.floor(a.at)),
    Math.min(course.length - 1, Math.floor(b.at)),
  ]
  for (let column = first; column <= last; column++) {
    const part = (at: number): number => {
      const share = b.at > a.at ? (Math.min(b.at, Math.max(a.at, at)) - a.at) / (b.at - a.at) : 1
      return a.y + share * (b.y - a.y)
    }
    const [y0, y1] = [part(column), part(column + 1)]
    const old = course[column]
    course[column] = [
      Math.min(old?.[0] ?? Infinity, y0, y1),
      Math.max(old?.[1] ?? -Infinity, y0, y1),
    ]
  }
}
