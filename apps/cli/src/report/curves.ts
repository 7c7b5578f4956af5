/** What the figures draw, taken from results: plain points in base units (ps, bit/s, bytes). */
import type { Result, Series } from '@weir/sim'
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
  const { flows } = result
  const rowOf = new Map(flows.name.map((name, row) => [name, row]))
  return seriesOf(result, 'rate.').map((series) => {
    const name = series.name.slice('rate.'.length)
    const row = rowOf.get(name)
    const start = row === undefined ? -Infinity : flows.startPs[row]!
    const end = row === undefined ? Infinity : endOf(flows.endPs[row]!)
    // One sample before and after, so that a curve is seen to rise from and fall to nothing.
    const { intervalPs } = series
    const points = pointsOf(series).filter(
      ({ x }) => x >= start - intervalPs && x <= end + intervalPs,
    )
    return { name, points }
  })
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
export function fctCdf({ flows }: Pick<Result, 'flows'>): readonly Point[] {
  const sized = flows.fctPs.filter((_, row) => flows.sizeBytes[row]! < Infinity)
  const times = sized.filter((time) => Number.isFinite(time) && time > 0).sort((a, b) => a - b)
  return times.map((x, index) => ({ x, y: (index + 1) / sized.length }))
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
