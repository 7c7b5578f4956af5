/**
 * A claim over draws that too few of them cannot decide: the mean is in range, and its 95% interval
 * reaches out of it. The small version then needs the full one; the full one differs, and says that
 * it is the spread and not the mean that does.
 */
import type { Check, FigureContext, Range } from '../figure.ts'
import { drawn } from '../figure.ts'
import { spanText, withUnit } from '../shown.ts'

type Size = FigureContext['size']

/** As `drawn`, for a size. */
export function decided(
  size: Size,
  ...[name, published, values, range, unit, note = '']: Parameters<typeof drawn>
): Check {
  const check = drawn(name, published, values, range, unit, note)
  if (check.verdict === 'agrees' || !isIn(check.measured, range)) return check
  const inside = values.filter((value) => isIn(value, range)).length
  const span = withUnit(spanText(check.measured, check.half ?? NaN, { bounds: range }), unit)
  const why =
    `${span}: the mean is in range, its interval is not; ` +
    `${inside} of ${values.length} draws are`
  return {
    ...check,
    verdict: size === 'quick' ? 'needs --full' : 'differs',
    note: note === '' ? why : `${why}; ${note}`,
  }
}

function isIn(value: number, [low, high]: Range): boolean {
  return value >= low && value <= high
}
