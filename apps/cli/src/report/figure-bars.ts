/**
 * Bars side by side, word by word, one place per name. A published value of the name of ours is a
 * hollow mark on our bar; one of a name of its own is a hollow bar; a computed one is a dotted line
 * across. A logarithmic axis has no zero that bars could begin at: it has dots.
 */
import type { Curve, Plot as PlotSpec } from '../../../../experiments/figure.ts'
import {
  axisLabel,
  COMPUTED_DOTS,
  COMPUTED_WIDTH,
  extent,
  isCrossed,
  isMeasured,
  isNeverNegative,
  legendName,
  PUBLISHED_DASH,
} from '../../../../experiments/plotted.ts'
import type { CurveStyle } from '../../../../experiments/styles.ts'
import { logOptions } from './axes.ts'
import { Plot, draw } from './canvas.ts'
import type { LegendEntry } from './figure-frame.ts'
import { colour } from './palette.ts'

/** Of the room of a word. */
const ALL_BARS = 0.8
const BAR = 0.94

interface Frame {
  readonly width: number
  readonly rotate: number
}

export function plotBars(
  plot: PlotSpec,
  styles: readonly CurveStyle[],
  words: readonly string[],
  { rotate, ...size }: Frame,
): { readonly legend: readonly LegendEntry[]; readonly drawn: string } {
  const own = new Set(plot.curves.filter(isMeasured).map(({ name }) => name))
  // Published of no bar in particular: of the only one there is, or of all of its word.
  const isOfAll = ({ isPublished, name }: Curve): boolean =>
    isPublished === true && own.size > 0 && !own.has(name)
  const has = (curve: Curve): boolean =>
    (hasPlace(curve) && !isOfAll(curve)) || isCrossed(plot, curve)
  const names = [...new Set(plot.curves.filter(has).map(({ name }) => name))]
  const width = ALL_BARS / Math.max(1, names.length)
  const isTwin = (curve: Curve): boolean =>
    curve.isPublished === true
      ? isOfAll(curve) ||
        plot.curves.some((one) => one !== curve && one.name === curve.name && has(one))
      : !has(curve) && plot.curves.some((one) => one.name === curve.name && isMeasured(one))
  const values = plot.curves.flatMap(({ y }) => y).filter((y) => Number.isFinite(y))
  const isLog = plot.y.scale === 'log'
  const floor = isLog ? powerBelow(extent(values.filter((y) => y > 0))[0]) : 0
  const isClipped = isLog || isNeverNegative(plot.y, plot.curves)
  const placed = plot.curves.map((curve, index): Placed => {
    const place = { at: names.indexOf(curve.name), width }
    const bars = barsOf(curve, words, place.at >= 0 ? place : { at: 0, width: ALL_BARS })
    return {
      ...{ curve, ink: styles[index]!.ink, isTwin: isTwin(curve), isLog },
      isCross: isCrossed(plot, curve),
      bars: bars.filter(({ y }) => y !== floor),
    }
  })
  const drawn = draw({
    ...size,
    label: plot.title,
    x: {
      domain: [-0.5, words.length - 0.5],
      ticks: words.map((_, index) => index),
      tickFormat: (index: number): string => words[index] ?? '',
      tickSize: 0,
      tickRotate: rotate,
      label: rotate === 0 ? axisLabel(plot.x) || null : null,
    },
    y: { ...logOptions(plot.y), label: axisLabel(plot.y), grid: true, nice: true },
    marks: [
      ...placed.flatMap((one) => (one.isTwin ? [] : boxMarks(one, floor, isClipped))),
      ...placed.flatMap((one) => (one.isCross ? [crossMark(one)] : [])),
      ...placed.flatMap(({ curve, bars }) =>
        has(curve) || (isOfAll(curve) && own.size === 1) ? [] : [acrossMark(curve, bars)],
      ),
      ...placed.flatMap((one) => (one.isTwin && hasPlace(one.curve) ? [twinMark(one)] : [])),
      Plot.ruleY([floor], { strokeOpacity: 0.5 }),
    ],
  })
  return { legend: legendOf(placed), drawn }
}

/** What was computed is a line across its bar, or across all bars of its word. */
function hasPlace({ isExpected }: Curve): boolean {
  return isExpected !== true
}

/** The foot of a logarithmic axis, below all values. */
function powerBelow(least: number): number {
  return Number(`1e${Math.floor(Math.log10(least / 1.2))}`)
}

interface Bar {
  readonly x1: number
  readonly x2: number
  readonly middle: number
  readonly y: number
  readonly half: number
}

interface Placed {
  readonly curve: Curve
  readonly ink: number
  readonly bars: readonly Bar[]
  readonly isTwin: boolean
  readonly isLog: boolean
  /** Computed where nothing was measured. */
  readonly isCross: boolean
}

function barsOf(
  curve: Curve,
  words: readonly string[],
  { at, width }: { readonly at: number; readonly width: number },
): Bar[] {
  return curve.x.flatMap((word, i) => {
    const y = curve.y[i] ?? NaN
    const x1 = words.indexOf(String(word)) - ALL_BARS / 2 + at * width
    const x2 = x1 + width * BAR
    const half = curve.half?.[i] ?? 0
    return Number.isFinite(y) ? [{ x1, x2, middle: (x1 + x2) / 2, y, half }] : []
  })
}

function boxMarks(
  { curve, ink, bars, isLog }: Placed,
  floor: number,
  isClipped: boolean,
): Plot.Markish[] {
  if (!hasPlace(curve)) return []
  const boxes = bars.map(({ x1, x2, y }) => ({ x1, x2, y1: floor, y2: y }))
  const shape = { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', fill: colour(ink) }
  if (curve.isPublished === true) {
    const outline = { stroke: colour(ink), strokeDasharray: PUBLISHED_DASH, strokeWidth: 1.4 }
    return [Plot.rect(boxes, { ...shape, fillOpacity: 0.12, ...outline })]
  }
  const whiskers = bars
    .filter(({ half }) => half > 0)
    .map(({ middle, y, half }) => ({
      ...{ x: middle, y1: isClipped ? Math.max(floor, y - half) : y - half, y2: y + half },
    }))
  const dots = { x: 'middle', y: 'y', r: 4, fill: colour(ink) }
  const ends = { x: 'x', y1: 'y1', y2: 'y2' } as const
  const spans = Plot.ruleX(whiskers, { ...ends, strokeWidth: 1.2 })
  if (isLog) return [spans, Plot.dot(bars as Bar[], dots)]
  // A pale bar on a dark page hides a light line that has no dark edge.
  const edges = Plot.ruleX(whiskers, { ...ends, stroke: 'var(--paper, white)', strokeWidth: 3.6 })
  return [Plot.rect(boxes, shape), edges, spans]
}

function crossMark({ bars, ink }: Placed): Plot.Markish {
  const look = { x: 'middle', y: 'y', r: 5, symbol: 'times', strokeWidth: 2 } as const
  return Plot.dot(bars as Bar[], { ...look, stroke: colour(ink) })
}

function acrossMark({ isPublished }: Curve, bars: readonly Bar[]): Plot.Markish {
  const ends = { x1: 'x1', x2: 'x2', y: 'y', stroke: 'currentColor' }
  if (isPublished === true) {
    return Plot.ruleY(bars as Bar[], { ...ends, strokeDasharray: PUBLISHED_DASH })
  }
  const dots = { strokeDasharray: COMPUTED_DOTS, strokeLinecap: 'round' as const }
  return Plot.ruleY(bars as Bar[], { ...ends, ...dots, strokeWidth: COMPUTED_WIDTH })
}

/** In the page's ink, which shows on any bar's colour; around a dot, which is seen through it. */
function twinMark({ bars, isLog }: Placed): Plot.Markish {
  const look = isLog ? { r: 6, fill: 'none' } : { r: 4, fill: 'white', fillOpacity: 0.6 }
  const ring = { ...look, stroke: 'currentColor', strokeWidth: 1.4 }
  return Plot.dot(bars as Bar[], { x: 'middle', y: 'y', ...ring })
}

/** All published twins are one entry, and all computed ones; what is of no curve has its name. */
function legendOf(placed: readonly Placed[]): readonly LegendEntry[] {
  const entries = placed
    .filter(({ isTwin }) => !isTwin)
    .map(({ curve, ink, isLog, isCross }): LegendEntry => ({
      ...{ name: legendName(curve), colour: colour(ink), isHollow: curve.isPublished === true },
      ...(isCross
        ? { shape: 'cross', dash: '' }
        : isMeasured(curve)
          ? { shape: isLog ? 'dot' : 'box', dash: '' }
          : curve.isPublished === true
            ? { shape: 'box', dash: PUBLISHED_DASH }
            : { shape: 'line', dash: COMPUTED_DOTS, width: COMPUTED_WIDTH }),
    }))
  const twins = placed.filter(({ isTwin }) => isTwin)
  const ink = { colour: 'currentColor' }
  const hasNamesake = ({ curve }: Placed): boolean =>
    placed.some(({ isTwin, curve: one }) => !isTwin && one.name === curve.name)
  const alone = twins
    .filter((one) => hasPlace(one.curve) && !hasNamesake(one))
    .map(({ curve }): LegendEntry => {
      return { ...ink, name: legendName(curve), dash: '', shape: 'dot', isHollow: true }
    })
  const kinds: readonly (LegendEntry & { readonly isThere: boolean })[] = [
    {
      ...{ ...ink, name: 'published', dash: '', shape: 'dot', isHollow: true },
      isThere: twins.some((one) => hasPlace(one.curve) && hasNamesake(one)),
    },
    {
      ...{ ...ink, name: 'computed', dash: COMPUTED_DOTS, shape: 'line', isHollow: false },
      isThere: twins.some(({ curve }) => !hasPlace(curve)),
    },
  ]
  return [...entries, ...alone, ...kinds.filter(({ isThere }) => isThere)]
}
