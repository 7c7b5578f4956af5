/**
 * A plot of a document's figure as one SVG that stands alone: title, legend, axes and curves, for
 * the page and for a paper alike. Ours are full lines, whose colours alternate where they lie on
 * each other, and bars for the 95% intervals of draws; what was computed is dotted; what a document
 * published has the colour of our curve of the same name: hollow marks above all others, and a
 * dashed line through them where it is a level.
 */
import type { Axis, Curve, Plot as PlotSpec } from '../../../../experiments/figure.ts'
import {
  axisLabel,
  COMPUTED_DOTS,
  COMPUTED_WIDTH,
  isLevel,
  isMeasured,
  isNeverNegative,
  isUpright,
  legendName,
  LINE_WIDTH,
  rowOf,
  wordsOf,
  PUBLISHED_DASH,
} from '../../../../experiments/plotted.ts'
import { partsAgain, patternAgain } from '../../../../experiments/overlap.ts'
import { stylesOf } from '../../../../experiments/styles.ts'
import type { CurveStyle } from '../../../../experiments/styles.ts'
import { logOptions, ticksAt } from './axes.ts'
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
/** A published curve of few points shows them: they were read off one by one. */
const POINTS_SHOWN_MAX = 40

/** `among`: all plots of its figure, in which curves of one name look the same. */
export function plotSvg(plot: PlotSpec, among: readonly PlotSpec[] = [plot]): string {
  const row = plot.kind === 'surface' ? rowOf(plot) : undefined
  if (plot.kind === 'surface' && row === undefined) return surfacePlot(plot, SIZE)
  return curvesSvg(row ?? plot, stylesOf(among)[among.indexOf(plot)]!)
}

function curvesSvg(plot: PlotSpec, styles: readonly CurveStyle[]): string {
  if (plot.kind === 'bars') {
    const words = wordsOf(plot) ?? [...new Set(plot.curves.flatMap(({ x }) => x.map(String)))]
    const { legend, drawn } = plotBars(plot, styles, words, turned(words))
    return frame(plot.title, legend, SIZE.width, drawn)
  }
  return frame(plot.title, legendOf(plot, styles), SIZE.width, curves(plot, styles))
}

function legendOf(plot: PlotSpec, styles: readonly CurveStyle[]): readonly LegendEntry[] {
  return plot.curves.map((curve, index): LegendEntry => {
    const { ink } = styles[index]!
    return {
      name: legendName(curve),
      colour: colour(ink),
      dash: patternOf(curve, ink),
      width: widthOf(curve),
      shape: isMarks(plot, curve) ? 'dot' : 'line',
      isHollow: curve.isPublished === true,
    }
  })
}

function patternOf(curve: Curve, ink: number): string {
  if (curve.isExpected === true) return COMPUTED_DOTS
  return curve.isPublished === true ? PUBLISHED_DASH : dash(ink)
}

function widthOf(curve: Curve): number {
  if (curve.isExpected === true) return COMPUTED_WIDTH
  return curve.isPublished === true ? 1.4 : LINE_WIDTH
}

function curves(plot: PlotSpec, styles: readonly CurveStyle[]): string {
  const words = wordsOf(plot)
  const drawn = plot.curves.map((curve, index) => ({
    level: curve.isPublished === true ? 2 : curve.isExpected === true ? 1 : 0,
    marks: curveMarks(plot, curve, styles[index]!),
  }))
  const marksOf = (level: number): Plot.Markish[] =>
    drawn.flatMap((one) => (one.level === level ? one.marks : []))
  const again = plot.curves.map((curve, index) => piecesAgain(plot, curve, styles[index]!))
  const marks = [...marksOf(0), ...again.reverse().flat(), ...marksOf(1), ...marksOf(2)]
  const x = words === undefined ? { nice: false } : { type: 'point' as const, domain: words }
  const { rotate, ...size } = turned(words)
  return draw({
    ...size,
    label: plot.title,
    x: {
      ...x,
      ...logOptions(plot.x),
      ...(words === undefined ? ticksAt(plot.x, placesOf(plot)) : {}),
      label: rotate === 0 ? axisLabel(plot.x) || null : null,
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

function placesOf({ curves }: PlotSpec): number[] {
  return curves.flatMap(({ x }) => x.map(Number))
}

function curveMarks(plot: PlotSpec, curve: Curve, { ink }: CurveStyle): Plot.Markish[] {
  const points = pointsOf(plot, curve)
  const isPublished = curve.isPublished === true
  const stroke = colour(ink)
  const hollow = { r: 4, stroke, fill: 'none', strokeWidth: 1.6 }
  const cross = { r: 4, stroke, symbol: 'times', strokeWidth: 1.6 } as const
  const own = isMeasured(curve) ? { r: 3, fill: stroke } : cross
  const dot = Plot.dot(points, isPublished ? hollow : own)
  if (plot.kind === 'dots') return [dot]
  const pattern = patternOf(curve, ink)
  const line = Plot.line(points, {
    ...shapeOf(plot),
    stroke,
    strokeWidth: widthOf(curve),
    ...(pattern === '' ? {} : { strokeDasharray: pattern }),
    ...(pattern === COMPUTED_DOTS ? { strokeLinecap: 'round' as const } : {}),
  })
  const error = errorMarks(plot, points, curve, stroke)
  if (isPublished && points.length <= POINTS_SHOWN_MAX) {
    if (isMarks(plot, curve)) return [dot]
    return isUpright(curve) ? [line] : [line, dot]
  }
  // A single point makes no line.
  return points.length === 1 ? [...error, line, dot] : [...error, line]
}

/** Above all measured lines, where later ones lie on it. */
function piecesAgain(plot: PlotSpec, curve: Curve, { ink, unders }: CurveStyle): Plot.Markish[] {
  return partsAgain(unders).map(({ layers, ...part }) =>
    Plot.line(pointsOf(plot, { ...curve, ...part }), {
      ...shapeOf(plot),
      ...{ stroke: colour(ink), strokeWidth: LINE_WIDTH, strokeLinecap: 'butt' as const },
      strokeDasharray: patternAgain(layers).join(' '),
    }),
  )
}

function shapeOf({ kind }: PlotSpec): { readonly curve?: 'step-after' } {
  return kind === 'steps' ? { curve: 'step-after' } : {}
}

/** Drawn without a line: dots, and what was published of single places. */
function isMarks({ kind }: PlotSpec, curve: Curve): boolean {
  if (kind === 'dots') return true
  const { isPublished, y } = curve
  return isPublished === true && y.length <= POINTS_SHOWN_MAX && !isLevel(curve)
}

/**
 * From one end of each interval to the other; none where there are no draws. What is never negative
 * has no interval below zero, which few draws would give it; on a logarithmic axis, which has no
 * place for zero either, one that reaches so far ends with the least that the plot has.
 */
function errorMarks(
  plot: PlotSpec,
  points: readonly Pair[],
  { half }: Curve,
  stroke: string,
): Plot.Markish[] {
  if (half === undefined || half.length !== points.length) return []
  const isLog = plot.y.scale === 'log'
  const floor = isNeverNegative(plot.y, plot.curves) ? 0 : -Infinity
  const least = isLog ? leastOf(plot.curves) : floor
  const lowEnd = (end: number): number => (isLog && end <= 0 ? least : Math.max(floor, end))
  const spans = points.map(([x, y], i) => ({
    ...{ x, y1: lowEnd(y - half[i]!), y2: y + half[i]! },
  }))
  const known = spans.filter(({ y1, y2 }) => Number.isFinite(y1) && y2 > y1)
  return [Plot.ruleX(known, { x: 'x', y1: 'y1', y2: 'y2', stroke, strokeWidth: 1.4 })]
}

/** The least above zero, of values and of their intervals. */
function leastOf(curves: readonly Curve[]): number {
  const ends = curves.flatMap(({ half, y }) =>
    y.flatMap((value, i) => [value, value - (half?.[i] ?? 0)]),
  )
  return Math.min(...ends.filter((end) => end > 0))
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
