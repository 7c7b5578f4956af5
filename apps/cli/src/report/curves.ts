/** What the figures draw, taken from results: plain points in base units (ps, bit/s, bytes). */
import { ComputedList, flowLists } from '@weir/sim'
import type { List, Result, Series } from '@weir/sim'
import type { Point } from './decimate.ts'

export interface Curve {
  readonly name: string
  readonly points: readonly Point[]
}

/** Least, mean and greatest of the active flows' rates at each sample. */
export interface Band {
  readonly x: number
  readonly low: number
  readonly mean: number
  readonly high: number
}

/** Rates of flows by name, each only while its flow was active. */
export function rateCurves(result: Result): readonly Curve[] {
  const flows = flowLists(result.flows)
  const rates = seriesOf(result, 'rate.')
  const nameOf = ({ name }: Series): string => name.slice('rate.'.length)
  const rowOf = rowsOf(flows.name, new Set(rates.map(nameOf)))
  return rates.map((series) => {
    const name = nameOf(series)
    const row = rowOf.get(name)
    const start = row === undefined ? -Infinity : flows.startPs.at(row)!
    const end = row === undefined ? Infinity : endOf(flows.endPs.at(row)!)
    // One sample before and after, so that a curve is seen to rise from and fall to nothing.
    const { intervalPs } = series
    const points = pointsOf(series).filter(
      ({ x }) => x >= start - intervalPs && x <= end + intervalPs,
    )
    return { name, points }
  })
}

/** Where these names stand; of several of one name the last. */
function rowsOf(names: List<string>, wanted: ReadonlySet<string>): Map<string, number> {
  const rows = new Map<string, number>()
  if (wanted.size === 0) return rows
  let row = 0
  for (const name of names) {
    if (wanted.has(name)) rows.set(name, row)
    row++
  }
  return rows
}

export function bandOf(curves: readonly Curve[]): readonly Band[] {
  const at = new Map<number, number[]>()
  for (const { points } of curves) {
    for (const { x, y } of points) {
      const values = at.get(x)
      if (values === undefined) at.set(x, [y])
      else values.push(y)
    }
  }
  return [...at]
    .sort(([a], [b]) => a - b)
    .map(([x, values]) => ({
      x,
      low: Math.min(...values),
      mean: values.reduce((sum, value) => sum + value, 0) / values.length,
      high: Math.max(...values),
    }))
}

/**
 * The queue of a switch that became deepest; undefined if none was sampled or none ever held a
 * byte. What waits in a host is no queue of the fabric.
 */
export function deepestQueue(result: Result): Curve | undefined {
  const { ports } = result
  const ofHosts = new Set(ports.name.filter((_, row) => ports.of[row] === 'host'))
  let deepest: Series | undefined
  let depth = 0
  for (const series of seriesOf(result, 'queue.')) {
    if (ofHosts.has(series.name.slice('queue.'.length).replace(/\.c\d+$/, ''))) continue
    const peak = series.values.reduce((most, value) => Math.max(most, value), 0)
    if (peak <= depth) continue
    deepest = series
    depth = peak
  }
  if (deepest === undefined) return undefined
  return { name: deepest.name.slice('queue.'.length), points: pointsOf(deepest) }
}

/** Jain's index of the active flows' rates at each sample at which two or more are active. */
export function jainCurve(curves: readonly Curve[]): readonly Point[] {
  const sums = new Map<number, { n: number; sum: number; squares: number }>()
  for (const { points } of curves) {
    for (const { x, y } of points) {
      const entry = sums.get(x) ?? { n: 0, sum: 0, squares: 0 }
      sums.set(x, { n: entry.n + 1, sum: entry.sum + y, squares: entry.squares + y * y })
    }
  }
  return [...sums]
    .sort(([a], [b]) => a - b)
    .filter(([, { n, squares }]) => n > 1 && squares > 0)
    .map(([x, { n, sum, squares }]) => ({ x, y: (sum * sum) / (n * squares) }))
}

/**
 * Cumulative fraction of flows by FCT, as a staircase. It ends below 1 where flows with a size did
 * not end: they are flows too.
 */
export function fctCdf({ flows }: Pick<Result, 'flows'>): List<Point> {
  const { fctPs, sizeBytes } = flowLists(flows)
  const times = new Float64Array(fctPs.length)
  let sized = 0
  let ended = 0
  for (let row = 0; row < times.length; row++) {
    if (!(sizeBytes.at(row)! < Infinity)) continue
    const time = fctPs.at(row)!
    sized++
    if (Number.isFinite(time) && time > 0) times[ended++] = time
  }
  const sorted = times.subarray(0, ended).sort()
  return new ComputedList(ended, (index) => ({ x: sorted[index]!, y: (index + 1) / sized }))
}

function seriesOf(result: Result, prefix: string): readonly Series[] {
  return result.series.filter(({ name }) => name.startsWith(prefix))
}

function pointsOf({ startPs, intervalPs, values }: Series): Point[] {
  return values.map((y, index) => ({ x: startPs + index * intervalPs, y }))
}

function endOf(endPs: number): number {
  return Number.isFinite(endPs) && endPs > 0 ? endPs : Infinity
}
