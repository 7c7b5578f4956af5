/** Results as comma-separated columns, units in the names, for any other tool. */
import type { FlowTable, Series } from '@weir/sim'

export function flowsCsv(flows: FlowTable): string {
  const names = Object.keys(flows) as (keyof FlowTable)[]
  const lines = [names.join(',')]
  for (let row = 0; row < flows.name.length; row++) {
    lines.push(names.map((name) => field(flows[name][row]!)).join(','))
  }
  return lines.join('\n') + '\n'
}

/** One line a sample, because series may start and step differently. */
export function seriesCsv(series: readonly Series[]): string {
  const lines = ['series,unit,timePs,value']
  for (const { name, unit, startPs, intervalPs, values } of series) {
    const head = `${field(name)},${unit}`
    values.forEach((value, index) => {
      lines.push(`${head},${startPs + index * intervalPs},${field(value)}`)
    })
  }
  return lines.join('\n') + '\n'
}

/** No value is an empty field. */
function field(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
