/**
 * Rows as comma-separated values (RFC 4180), with a number that does not exist as an empty field.
 * The command line and the lab write by this.
 */
import { csvFormatValue } from 'd3-dsv'

export type CsvValue = string | number

export function csvText(rows: Iterable<readonly CsvValue[]>): string {
  let text = ''
  for (const row of rows) text += `${row.map(field).join(',')}\n`
  return text
}

function field(value: CsvValue): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return csvFormatValue(value)
}
