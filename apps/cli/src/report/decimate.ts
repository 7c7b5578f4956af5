/**
 * A long series as no more points than can be seen: of each pixel's samples the least and the
 * greatest, in the order in which they came. Spikes stay, which averaging would hide. A series that
 * is short enough stays as it is.
 */
import type { List } from '@weir/sim'

export interface Point {
  readonly x: number
  readonly y: number
}

export function decimate(points: List<Point>, pixels: number): readonly Point[] {
  if (points.length <= pixels * 2) return Array.isArray(points) ? points : [...points]
  const first = points.at(0)!.x
  const span = points.at(-1)!.x - first
  const kept: Point[] = []
  let low = points.at(0)!
  let high = low
  let pixel = 0
  const flush = (): void => {
    if (low === high) kept.push(low)
    else kept.push(...(low.x < high.x ? [low, high] : [high, low]))
  }
  for (const point of points) {
    const at = Math.min(pixels - 1, Math.floor(((point.x - first) / span) * pixels))
    if (at !== pixel) {
      flush()
      pixel = at
      low = high = point
      continue
    }
    if (point.y < low.y) low = point
    if (point.y > high.y) high = point
  }
  flush()
  return kept
}

/** A flat stretch needs only its ends: a queue that is empty for most of a run costs nothing. */
export function withoutFlats(points: readonly Point[]): readonly Point[] {
  return points.filter(
    ({ y }, index) =>
      index === 0 ||
      index === points.length - 1 ||
      points[index - 1]!.y !== y ||
      points[index + 1]!.y !== y,
  )
}
