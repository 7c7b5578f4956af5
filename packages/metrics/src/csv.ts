/**
 * Rows as comma-separated values (RFC 4180), with a number that does not exist as an empty field.
 * The command line and the lab write by this.
 */
import { csvFormatValue } from 'd3-dsv'

export type CsvValue = string | number

/** Rows of a piece of text. */
const ROWS = 1000

/** The same text in pieces, for tables that are too long for one string. */
export function* csvChunks(rows: Iterable<readonly CsvValue[]>): Generator<string> {
  let piece: (readonly CsvValue[])[] = []
  for (const row of rows) {
    if (piece.push(row) < ROWS) continue
    yield csvText(piece)
    piece = []
  }
  yield csvText(piece)
}

export function csvText(rows: Iterable<readonly CsvValue[]>): string {
  let text = ''
  for (const row of rows) text += `${row.map(field).join(',')}\n`
  return text
}

function field(value: CsvValue): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return csvFormatValue(value)
}
