/**
 * Reads a size distribution in the text form that simulators pass around: a row is `<bytes>
 * <cumulative>`, the cumulative in per cent or as a fraction, which the last row tells. Blank
 * lines, lines that start with '#', commas between the columns and exponents are taken.
 */
import type { CdfRow } from './cdf.ts'
import { WorkloadError } from '../contract.ts'

/** `source` names the file in messages. Rows are [bytes, fraction], the last fraction exactly 1. */
export function parseCdf(text: string, source: string): CdfRow[] {
  const rows: CdfRow[] = []
  let lastLine = 0
  const lines = text.replace(/^\ufeff/u, '').split(/\r\n|\n|\r/u)
  lines.forEach((line, i) => {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) return
    lastLine = i + 1
    const place = `${source}, line ${lastLine}`
    const cells = trimmed.split(/\s*[,;]\s*|\s+/u)
    if (cells.length !== 2) {
      throw new WorkloadError(
        `${place}: '${trimmed}' has a number of columns other than two; ` +
          'write the size in bytes and the cumulative.',
      )
    }
    const row: CdfRow = [number(cells[0]!, place), number(cells[1]!, place)]
    const before = rows.at(-1)
    if (before !== undefined && row[0] < before[0]) {
      throw new WorkloadError(
        `${place}: the size ${row[0]} is below the ${before[0]} before it; sort the rows by size.`,
      )
    }
    if (before !== undefined && row[1] < before[1]) {
      throw new WorkloadError(
        `${place}: the cumulative ${row[1]} is below the ${before[1]} before it; ` +
          'write cumulative values, not the share of each size.',
      )
    }
    rows.push(row)
  })
  const last = rows.at(-1)
  if (last === undefined) {
    throw new WorkloadError(`${source} has no rows; write '<bytes> <cumulative>' on each line.`)
  }
  const whole = scaleOf(last[1], `${source}, line ${lastLine}`)
  return rows.map(([bytes, cumulative]) => [bytes, Math.min(1, cumulative / whole)])
}

/** 1 for fractions, 100 for per cent; the last row must be there but for rounding. */
function scaleOf(last: number, place: string): number {
  for (const whole of [1, 100]) if (Math.abs(last - whole) <= whole * 1e-9) return last
  throw new WorkloadError(
    last > 100
      ? `${place}: the cumulative ${last} is above 100; write per cent or fractions.`
      : `${place}: the distribution stops at ${last}, below ${last < 1 ? '1' : '100 per cent'}; ` +
          'add the row of the largest size.',
  )
}

function number(cell: string, place: string): number {
  const value = /^[+]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/u.test(cell) ? Number(cell) : NaN
  if (!Number.isFinite(value)) {
    throw new WorkloadError(`${place}: '${cell}' is not a number of 0 or more; write it in digits.`)
  }
  return value
}
