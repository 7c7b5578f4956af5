/**
 * The figures of a report. Curves over time are small multiples: one panel a scheme, the same axes
 * in all, so that panels can be read against each other. Whatever overlays schemes is drawn twice,
 * wide and narrow, and the page shows the one that fits: text scaled down cannot be read on phones.
 */
import type { Bucket, List } from '@weir/sim'
import { bucketName } from '../breakdown.ts'
import { tickText } from './axes.ts'
import { Plot, draw } from './canvas.ts'
import { bandOf, deepestQueue, fctCdf, jainCurve, rateCurves, type Curve } from './curves.ts'
import { decimate, withoutFlats, type Point } from './decimate.ts'
import { colour, dash } from './palette.ts'
import type { Shown } from './shown.ts'
import { rateScale, sizeScale, timeScale, type Scale } from './scale.ts'

/** One picture; `caption` stands under a panel, '' for none. */
export interface Panel {
  readonly title: string
  readonly colour: string
  readonly svg: string
  readonly caption: string
}

/** The same figure for a wide and for a narrow page. */
export interface Figure {
  readonly wide: string
  readonly narrow: string
}

const PANEL = {
  width: 400,
  height: 210,
  marginLeft: 52,
  marginRight: 14,
  marginBottom: 38,
} as const
const BUCKET_PANEL = { ...PANEL, height: 270, marginBottom: 66 } as const
const WIDE = { width: 860, height: 380, marginLeft: 60, marginBottom: 42 } as const
const NARROW = { width: 380, height: 320, marginLeft: 52, marginBottom: 42 } as const
/** Above this many flows a panel shows their range and mean, not each. */
const FLOWS_DRAWN_MAX = 8
/** Ticks of a logarithmic axis as plain numbers: 0.5, not 500m. */
const PLAIN_LOG = { ticks: 6, tickFormat: tickText } as const
const FAINT = { stroke: 'currentColor', strokeOpacity: 0.12 } as const

export function ratePanels(results: readonly Shown[]): readonly Panel[] {
  const curves = results.map(rateCurves)
  const peak = greatest(curves.flat().map(({ points }) => peakOf(points)))
  if (!(peak > 0)) return []
  const y = rateScale(peak)
  const time = timeScale(greatest(results.map((result) => result.measuredPs)))
  return results.map((result, index) => {
    const isEach = curves[index]!.length <= FLOWS_DRAWN_MAX
    const marks = isEach
      ? curves[index]!.map((curve, flow) => lineMark(curve.points, time, y, flow))
      : bandMarks(curves[index]!, time, y, index)
    const label = `Throughput of flows under ${nameOf(result)}`
    return {
      title: nameOf(result),
      colour: isEach ? 'inherit' : colour(index),
      caption: isEach ? '' : `mean and range of ${curves[index]!.length} flows`,
      svg: framed(label, results, time, y, peak, 'flow rate', marks),
    }
  })
}

/** The flows that the rate panels draw one by one, in the order of their colours; or none. */
export function flowsDrawn(results: readonly Shown[]): readonly string[] {
  const names = results.map((result) => rateCurves(result).map((curve) => curve.name))
  const longest = names.reduce((most, own) => (own.length > most.length ? own : most), [])
  return longest.length <= FLOWS_DRAWN_MAX ? longest : []
}

export function queuePanels(results: readonly Shown[]): readonly Panel[] {
  const queues = results.map(deepestQueue)
  const peak = greatest(queues.map((curve) => peakOf(curve?.points ?? [])))
  if (!(peak > 0)) return []
  const y = sizeScale(peak)
  const time = timeScale(greatest(results.map((result) => result.measuredPs)))
  return results.map((result, index) => {
    const queue = queues[index]
    const marks = queue === undefined ? [] : areaMarks(queue.points, time, y, index)
    const label = `Deepest queue under ${nameOf(result)}`
    return {
      title: nameOf(result),
      colour: colour(index),
      caption: queue === undefined ? 'no queue was seen' : `port ${queue.name}`,
      svg: framed(label, results, time, y, peak, 'queue', marks),
    }
  })
}

export function jainPanels(results: readonly Shown[]): readonly Panel[] {
  const curves = results.map((result) => jainCurve(rateCurves(result)))
  if (curves.every((points) => points.length < 2)) return []
  const time = timeScale(greatest(results.map((result) => result.measuredPs)))
  const y: Scale = { unit: '', divisor: 1 }
  return results.map((result, index) => ({
    title: nameOf(result),
    colour: colour(index),
    caption: '',
    svg: framed(
      `Jain's index over time under ${nameOf(result)}`,
      results,
      time,
      y,
      1,
      "Jain's index",
      [lineMark(curves[index]!, time, y, index)],
    ),
  }))
}

export function cdfFigure(results: readonly Shown[]): Figure | undefined {
  const curves = results.map(fctCdf)
  if (curves.every((points) => points.length < 2)) return undefined
  const unit = timeScale(greatestX(curves))
  const least = Math.min(...curves.map((points) => points.at(0)?.x ?? Infinity))
  // Less than a decade has too few ticks on a logarithmic axis.
  const timeAxis = greatestX(curves) > 10 * least ? { type: 'log' as const, ...PLAIN_LOG } : {}
  return both((size) =>
    draw({
      ...size,
      label: 'Cumulative distribution of flow completion times by scheme',
      x: { ...timeAxis, label: `flow completion time (${unit.unit})` },
      y: { domain: [0, 1], label: 'fraction of flows', grid: true },
      marks: [
        Plot.ruleY([0], { strokeOpacity: 0.4 }),
        ...curves.map((points, index) =>
          Plot.line(staircase(decimate(points, size.width), unit), {
            ...strokeOf(index),
            curve: 'step-after',
          }),
        ),
      ],
    }),
  )
}

/** From the ground up: at the first flow's time the fraction leaves 0. */
function staircase(points: readonly Point[], unit: Scale): [number, number][] {
  const steps = points.map(({ x, y }): [number, number] => [x / unit.divisor, y])
  return steps.length === 0 ? [] : [[steps[0]![0], 0], ...steps]
}

/** Slowdown against flow size, as papers show it: the median in one panel, the tail in another. */
export function bucketPanels(results: readonly Shown[]): readonly Panel[] {
  const buckets = results.map(({ summary }) =>
    summary.buckets.filter(({ flows, slowdownP50 }) => flows > 0 && Number.isFinite(slowdownP50)),
  )
  const all = buckets.flat().sort((a, b) => a.fromBytes - b.fromBytes)
  const names = [...new Set(all.map(bucketName))]
  // Flows of one size are told apart by nothing here that the table does not say.
  if (names.length < 2) return []
  const domain = [1, 1.1 * Math.max(2, greatest(all.map((bucket) => bucket.slowdownP99)))]
  const one = (title: string, value: (bucket: Bucket) => number): Panel => ({
    title,
    colour: 'inherit',
    caption: '',
    svg: draw({
      ...BUCKET_PANEL,
      label: `${title} by flow size`,
      x: { type: 'point', domain: names, label: 'flow size up to', tickRotate: -45 },
      y: { type: 'log', domain, label: 'slowdown', grid: true, ...PLAIN_LOG },
      marks: buckets.flatMap((own, index) => {
        const points = own.map((bucket) => [bucketName(bucket), Math.max(1, value(bucket))])
        return [
          Plot.line(points, strokeOf(index)),
          Plot.dot(points, { r: 2.5, fill: colour(index) }),
        ]
      }),
    }),
  })
  return [
    one('Median slowdown', (bucket) => bucket.slowdownP50),
    one('99th percentile of slowdown', (bucket) => bucket.slowdownP99),
  ]
}

/** A panel's frame: axes that all of a row share, and what is drawn in it. */
export function framed(
  label: string,
  results: readonly Shown[],
  time: Scale,
  y: Scale,
  peak: number,
  what: string,
  marks: readonly Plot.Markish[],
): string {
  const end = greatest(results.map((result) => result.measuredPs))
  return draw({
    ...PANEL,
    label,
    x: { domain: [0, end / time.divisor], label: `time (${time.unit})`, ticks: 5 },
    y: {
      domain: [0, (peak / y.divisor) * 1.04],
      label: y.unit === '' ? what : `${what} (${y.unit})`,
      ticks: 4,
    },
    marks: [Plot.gridY({ ...FAINT, ticks: 4 }), Plot.ruleY([0], { strokeOpacity: 0.4 }), ...marks],
  })
}

function lineMark(points: readonly Point[], time: Scale, y: Scale, index: number): Plot.Markish {
  return Plot.line(lanes(points, time, y), { ...strokeOf(index), strokeWidth: 1.3 })
}

function areaMarks(points: readonly Point[], time: Scale, y: Scale, index: number): Plot.Markish[] {
  const drawn = lanes(points, time, y)
  return [
    Plot.areaY(drawn, { x: '0', y: '1', fill: colour(index), fillOpacity: 0.18 }),
    Plot.line(drawn, { stroke: colour(index), strokeWidth: 1.1 }),
  ]
}

function bandMarks(curves: readonly Curve[], time: Scale, y: Scale, index: number): Plot.Markish[] {
  const band = bandOf(curves)
  const edge = (pick: 'low' | 'mean' | 'high'): [number, number][] =>
    lanes(
      band.map((entry) => ({ x: entry.x, y: entry[pick] })),
      time,
      y,
    )
  // The two edges keep points at different times, so they are joined into one closed outline.
  const outline = [...edge('high'), ...edge('low').reverse()]
  return [
    Plot.line(outline, { fill: colour(index), fillOpacity: 0.2, curve: 'linear-closed' }),
    Plot.line(edge('mean'), { stroke: colour(index), strokeWidth: 1.6 }),
  ]
}

function lanes(points: readonly Point[], time: Scale, y: Scale): [number, number][] {
  return withoutFlats(decimate(points, PANEL.width)).map((point) => [
    point.x / time.divisor,
    point.y / y.divisor,
  ])
}

function strokeOf(index: number): {
  stroke: string
  strokeWidth: number
  strokeDasharray?: string
} {
  const pattern = dash(index)
  const stroke = { stroke: colour(index), strokeWidth: 1.8 }
  return pattern === '' ? stroke : { ...stroke, strokeDasharray: pattern }
}

function both(figure: (size: typeof WIDE | typeof NARROW) => string): Figure {
  return { wide: figure(WIDE), narrow: figure(NARROW) }
}

function nameOf(result: Shown): string {
  return result.label
}

function greatestX(curves: readonly List<Point>[]): number {
  return greatest(curves.map((points) => points.at(-1)?.x ?? 0))
}

function peakOf(points: readonly Point[]): number {
  return points.reduce((most, { y }) => Math.max(most, y), 0)
}

function greatest(values: readonly number[]): number {
  return values.reduce((most, value) => (value > most ? value : most), 0)
}
