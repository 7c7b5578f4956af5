/**
 * A plot of a document's figure as one SVG that stands alone: title, legend, axes and curves, for
 * the page and for a paper alike. Ours are full lines, with bars for the 95% intervals of draws;
 * what a document published has the colour of our curve of the same name: hollow marks, and a
 * dashed line through them where it is a level.
 */
import type { Axis, Curve, Plot as PlotSpec } from '../../../../experiments/figure.ts'
import { axisLabel, extent, logOptions } from './axes.ts'
import { Plot, draw } from './canvas.ts'
import { decimate } from './decimate.ts'
import { frame, type LegendEntry } from './figure-frame.ts'
import { surfacePlot } from './figure-surface.ts'
import { colour, dash } from './palette.ts'

interface Size {
  readonly width: number
  readonly height: number
  readonly marginTop: number
  readonly marginLeft: number
  readonly marginRight: number
  readonly marginBottom: number
}

/** Above the plot is the name of its axis, which the topmost tick must not touch. */
const SIZE: Size = {
  ...{ width: 540, height: 328 },
  ...{ marginTop: 28, marginLeft: 60, marginRight: 18, marginBottom: 44 },
}
const PUBLISHED_DASH = '5 4'
/** A published curve of few points shows them: they were read off one by one. */
const POINTS_SHOWN_MAX = 40
/** Axes begin at zero unless that would press the curves into their upper part. */
const ZERO_FROM = 0.6

export function plotSvg(plot: PlotSpec): string {
  if (plot.kind === 'surface') return surfacePlot(plot, SIZE)
  const inks = inksOf(plot.curves)
  const drawn = plot.kind === 'bars' ? bars(plot, inks) : curves(plot, inks)
  return frame(plot.title, legendOf(plot, inks), SIZE.width, drawn)
}

/** One colour a name, so that a published curve meets ours. */
function inksOf(all: readonly Curve[]): readonly number[] {
  const order = [...new Set([...all].sort((a, b) => rank(a) - rank(b)).map(({ name }) => name))]
  return all.map(({ name }) => order.indexOf(name))
}

function rank(curve: Curve): number {
  return curve.isPublished === true ? 1 : 0
}

function legendOf(plot: PlotSpec, inks: readonly number[]): readonly LegendEntry[] {
  const names = plot.curves.map(({ name }) => name)
  return plot.curves.map((curve, index): LegendEntry => {
    const isTwice = names.indexOf(curve.name) !== names.lastIndexOf(curve.name)
    const isPublished = curve.isPublished === true
    return {
      name: isPublished && isTwice ? `${curve.name} (published)` : curve.name,
      colour: colour(inks[index]!),
      dash: isPublished ? PUBLISHED_DASH : dash(inks[index]!),
      shape: plot.kind === 'bars' ? 'box' : isMarks(plot, curve) ? 'dot' : 'line',
      isHollow: isPublished,
    }
  })
}

function curves(plot: PlotSpec, inks: readonly number[]): string {
  const words = wordsOf(plot)
  const marks = plot.curves.flatMap((curve, index) => curveMarks(plot, curve, inks[index]!))
  const x = words === undefined ? { nice: false } : { type: 'point' as const, domain: words }
  const { rotate, ...size } = turned(words)
  return draw({
    ...size,
    label: plot.title,
    x: {
      ...x,
      ...logOptions(plot.x),
      label: rotate === 0 ? axisLabel(plot.x) : null,
      tickRotate: rotate,
    },
    y: {
      ...logOptions(plot.y),
      label: axisLabel(plot.y),
      grid: true,
      zero: startsAtZero(plot),
      nice: true,
    },
    marks,
  })
}

function curveMarks(plot: PlotSpec, curve: Curve, ink: number): Plot.Markish[] {
  const points = pointsOf(plot, curve)
  const isPublished = curve.isPublished === true
  const stroke = colour(ink)
  const hollow = { r: 3, stroke, fill: 'none', strokeWidth: 1.4 }
  const dot = Plot.dot(points, isPublished ? hollow : { r: 3, fill: stroke })
  if (plot.kind === 'dots') return [dot]
  const pattern = isPublished ? PUBLISHED_DASH : dash(ink)
  const line = Plot.line(points, {
    stroke,
    strokeWidth: isPublished ? 1.4 : 1.8,
    ...(pattern === '' ? {} : { strokeDasharray: pattern }),
    ...(plot.kind === 'steps' ? { curve: 'step-after' as const } : {}),
  })
  const error = errorMarks(points, curve, stroke)
  if (isPublished && points.length <= POINTS_SHOWN_MAX) {
    return isMarks(plot, curve) ? [dot] : [line, dot]
  }
  // A single point makes no line.
  return points.length === 1 ? [...error, line, dot] : [...error, line]
}

/** Drawn without a line: dots, and what was published of single places. */
function isMarks({ kind }: PlotSpec, { isPublished, y }: Curve): boolean {
  if (kind === 'dots') return true
  const isLevel = y.length > 1 && y.every((value) => value === y[0])
  return isPublished === true && y.length <= POINTS_SHOWN_MAX && !isLevel
}

/** From one end of each interval to the other; none where there are no draws. */
function errorMarks(points: readonly Pair[], { half }: Curve, stroke: string): Plot.Markish[] {
  if (half === undefined || half.length !== points.length) return []
  const spans = points.map(([x, y], i) => ({ x, y1: y - half[i]!, y2: y + half[i]! }))
  const known = spans.filter(({ y1, y2 }) => Number.isFinite(y1) && y2 > y1)
  return [Plot.ruleX(known, { x: 'x', y1: 'y1', y2: 'y2', stroke, strokeWidth: 1.4 })]
}

type Pair = [number | string, number]

function pointsOf(plot: PlotSpec, curve: Curve): Pair[] {
  const pairs = curve.x.map((x, index): Pair => {
    const y = curve.y[index] ?? NaN
    return [onAxis(plot.x, x), onAxis(plot.y, y) as number]
  })
  if (pairs.length <= 2 * SIZE.width) return pairs
  const finite = pairs.flatMap(([x, y]) =>
    typeof x === 'number' && Number.isFinite(x) && Number.isFinite(y) ? [{ x, y }] : [],
  )
  const isInOrder = finite.every(({ x }, index) => index === 0 || finite[index - 1]!.x <= x)
  if (!isInOrder) return pairs
  return decimate(finite, SIZE.width).map(({ x, y }): Pair => [x, y])
}

/** A logarithmic axis has no place for zero: such a point is left out, not drawn at the edge. */
function onAxis(axis: Axis, value: number | string): number | string {
  return axis.scale === 'log' && typeof value === 'number' && value <= 0 ? NaN : value
}

function startsAtZero({ y, curves: all }: PlotSpec): boolean {
  if (y.scale === 'log') return false
  const values = all.flatMap((curve) => curve.y).filter(Number.isFinite)
  const [low, high] = extent(values)
  return low >= 0 && low < ZERO_FROM * high
}

/** Bars side by side, word by word. */
function bars(plot: PlotSpec, inks: readonly number[]): string {
  const words = wordsOf(plot) ?? [...new Set(plot.curves.flatMap(({ x }) => x.map(String)))]
  const isLog = plot.y.scale === 'log'
  const values = plot.curves.flatMap(({ y }) => y).filter((y) => Number.isFinite(y))
  const floor = isLog ? extent(values.filter((y) => y > 0))[0] / 2 : 0
  const width = 0.8 / plot.curves.length
  const { rotate, ...size } = turned(words)
  return draw({
    ...size,
    label: plot.title,
    x: {
      domain: [-0.5, words.length - 0.5],
      ticks: words.map((_, index) => index),
      tickFormat: (index: number): string => words[index] ?? '',
      tickSize: 0,
      tickRotate: rotate,
      label: rotate === 0 ? axisLabel(plot.x) : null,
    },
    y: { ...logOptions(plot.y), label: axisLabel(plot.y), grid: true, nice: true },
    marks: [
      ...plot.curves.flatMap((curve, index) => barMarks(curve, index, inks[index]!, words)),
      Plot.ruleY([floor], { strokeOpacity: 0.5 }),
    ],
  })

  /** The interval of a bar's draws, in its middle. */
  function whiskers({ x, y, half = [] }: Curve, index: number, all: string[]): Plot.Markish[] {
    const spans = half.flatMap((value, i) => {
      const at = all.indexOf(String(x[i])) - 0.4 + (index + 0.47) * width
      const y1 = isLog ? Math.max(floor, y[i]! - value) : y[i]! - value
      return value > 0 ? [{ x: at, y1, y2: y[i]! + value }] : []
    })
    return [Plot.ruleX(spans, { x: 'x', y1: 'y1', y2: 'y2', strokeWidth: 1.2 })]
  }

  function barMarks(curve: Curve, index: number, ink: number, all: string[]): Plot.Markish[] {
    const boxes = curve.x.flatMap((word, i) => {
      const y = curve.y[i] ?? NaN
      const x1 = all.indexOf(String(word)) - 0.4 + index * width
      return Number.isFinite(y) && y !== floor
        ? [{ x1, x2: x1 + width * 0.94, y1: floor, y2: y }]
        : []
    })
    const shape = { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2' }
    if (curve.isPublished !== true) {
      return [Plot.rect(boxes, { ...shape, fill: colour(ink) }), ...whiskers(curve, index, all)]
    }
    const outline = { stroke: colour(ink), strokeDasharray: PUBLISHED_DASH, strokeWidth: 1.4 }
    return [Plot.rect(boxes, { ...shape, fill: colour(ink), fillOpacity: 0.12, ...outline })]
  }
}

/**
 * The words of an axis that has words, in the order in which they come; undefined if it has none.
 */
function wordsOf({ curves: all }: PlotSpec): string[] | undefined {
  const values = all.flatMap(({ x }) => x)
  return values.some((value) => typeof value === 'string')
    ? [...new Set(values.map(String))]
    : undefined
}

/** Pixels a letter takes, at most, in the mean of a word. */
const LETTER = 6.8
const TURN = 35

/**
 * The size of a plot whose words would run into each other, and are turned: with room for the
 * longest below, and for whatever begins left of the axis.
 */
export function turned(words: readonly string[] | undefined): Size & { readonly rotate: number } {
  const room = (SIZE.width - SIZE.marginLeft - SIZE.marginRight) / Math.max(1, words?.length ?? 1)
  const widths = (words ?? []).map((word) => word.length * LETTER)
  if (!widths.some((width) => width > room)) return { ...SIZE, rotate: 0 }
  const angle = (TURN * Math.PI) / 180
  const below = Math.max(...widths) * Math.sin(angle)
  const left = Math.max(...widths.map((width, i) => width * Math.cos(angle) - (i + 0.5) * room))
  const marginBottom = Math.ceil(Math.max(SIZE.marginBottom, below + 26))
  return {
    ...SIZE,
    height: SIZE.height + marginBottom - SIZE.marginBottom,
    marginBottom,
    marginLeft: Math.ceil(Math.max(SIZE.marginLeft, left + 6)),
    rotate: -TURN,
  }
}
