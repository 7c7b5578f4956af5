/**
 * A plot of a document's figure as one SVG that stands alone: title, legend, axes and curves, for
 * the page and for a paper alike. Ours are full lines, or with gaps where another shows through,
 * and bars for the 95% intervals of draws; what a document published has the colour of our curve of
 * the same name: hollow marks above all others, and a dashed line through them where it is a level.
 */
import type { Axis, Curve, Plot as PlotSpec } from '../../../../experiments/figure.ts'
import { gapsOf } from '../../../../experiments/overlap.ts'
import {
  axisLabel,
  isLevel,
  isNeverNegative,
  rowOf,
  wordsOf,
} from '../../../../experiments/plotted.ts'
import { logOptions } from './axes.ts'
import { Plot, draw } from './canvas.ts'
import { decimate } from './decimate.ts'
import { frame, type LegendEntry } from './figure-frame.ts'
import { surfacePlot } from './figure-surface.ts'
import { plotBars } from './figure-bars.ts'
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
  ...{ marginTop: 28, marginLeft: 60, marginRight: 26, marginBottom: 44 },
}
const PUBLISHED_DASH = '5 4'
/** A published curve of few points shows them: they were read off one by one. */
const POINTS_SHOWN_MAX = 40

export function plotSvg(plot: PlotSpec): string {
  if (plot.kind === 'surface') {
    const row = rowOf(plot)
    return row === undefined ? surfacePlot(plot, SIZE) : plotSvg(row)
  }
  const inks = inksOf(plot.curves)
  if (plot.kind === 'bars') {
    const words = wordsOf(plot) ?? [...new Set(plot.curves.flatMap(({ x }) => x.map(String)))]
    const { legend, drawn } = plotBars(plot, inks, words, turned(words))
    return frame(plot.title, legend, SIZE.width, drawn)
  }
  const gaps = gapsOf(plot)
  return frame(plot.title, legendOf(plot, inks, gaps), SIZE.width, curves(plot, inks, gaps))
}

/** One colour a name, so that a published curve meets ours. */
function inksOf(all: readonly Curve[]): readonly number[] {
  const order = [...new Set([...all].sort((a, b) => rank(a) - rank(b)).map(({ name }) => name))]
  return all.map(({ name }) => order.indexOf(name))
}

function rank(curve: Curve): number {
  return curve.isPublished === true ? 1 : 0
}

function legendOf(
  plot: PlotSpec,
  inks: readonly number[],
  gaps: readonly string[],
): readonly LegendEntry[] {
  const names = plot.curves.map(({ name }) => name)
  return plot.curves.map((curve, index): LegendEntry => {
    const isTwice = names.indexOf(curve.name) !== names.lastIndexOf(curve.name)
    const isPublished = curve.isPublished === true
    return {
      name: isPublished && isTwice ? `${curve.name} (published)` : curve.name,
      colour: colour(inks[index]!),
      dash: isPublished ? PUBLISHED_DASH : gaps[index]! || dash(inks[index]!),
      shape: isMarks(plot, curve) ? 'dot' : 'line',
      isHollow: isPublished,
    }
  })
}

function curves(plot: PlotSpec, inks: readonly number[], gaps: readonly string[]): string {
  const words = wordsOf(plot)
  const layers = plot.curves.map((curve, index) => ({
    isPublished: curve.isPublished === true,
    marks: curveMarks(plot, curve, inks[index]!, gaps[index]!),
  }))
  const marks = [false, true].flatMap((isPublished) =>
    layers.flatMap((layer) => (layer.isPublished === isPublished ? layer.marks : [])),
  )
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
      zero: plot.y.isMagnified !== true && isNeverNegative(plot.y, plot.curves),
      nice: true,
    },
    marks,
  })
}

function curveMarks(plot: PlotSpec, curve: Curve, ink: number, gaps: string): Plot.Markish[] {
  const points = pointsOf(plot, curve)
  const isPublished = curve.isPublished === true
  const stroke = colour(ink)
  const hollow = { r: 4, stroke, fill: 'none', strokeWidth: 1.6 }
  const dot = Plot.dot(points, isPublished ? hollow : { r: 3, fill: stroke })
  if (plot.kind === 'dots') return [dot]
  const pattern = isPublished ? PUBLISHED_DASH : gaps || dash(ink)
  const line = Plot.line(points, {
    stroke,
    strokeWidth: isPublished ? 1.4 : 1.8,
    ...(pattern === '' ? {} : { strokeDasharray: pattern }),
    ...(plot.kind === 'steps' ? { curve: 'step-after' as const } : {}),
  })
  const error = errorMarks(plot, points, curve, stroke)
  if (isPublished && points.length <= POINTS_SHOWN_MAX) {
    return isMarks(plot, curve) ? [dot] : [line, dot]
  }
  // A single point makes no line.
  return points.length === 1 ? [...error, line, dot] : [...error, line]
}

/** Drawn without a line: dots, and what was published of single places. */
function isMarks({ kind }: PlotSpec, curve: Curve): boolean {
  if (kind === 'dots') return true
  const { isPublished, y } = curve
  return isPublished === true && y.length <= POINTS_SHOWN_MAX && !isLevel(curve)
}

/**
 * From one end of each interval to the other; none where there are no draws. What is never negative
 * has no interval below zero, which few draws would give it.
 */
function errorMarks(
  plot: PlotSpec,
  points: readonly Pair[],
  { half }: Curve,
  stroke: string,
): Plot.Markish[] {
  if (half === undefined || half.length !== points.length) return []
  const floor = isNeverNegative(plot.y, plot.curves) ? 0 : -Infinity
  const spans = points.map(([x, y], i) => ({
    ...{ x, y1: Math.max(floor, y - half[i]!), y2: y + half[i]! },
  }))
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
