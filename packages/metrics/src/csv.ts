/**
 * Rows as comma-separated values (RFC 4180): what has a comma, a quote or a line break is quoted,
 * and a number that does not exist is an empty field. The command line and the lab write by this.
 */
export type CsvValue = string | number

export function csvText(rows: Iterable<readonly CsvValue[]>): string {
  let text = ''
  for (const row of rows) text += `${row.map(field).join(',')}\n`
  return text
}

function field(value: CsvValue): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
