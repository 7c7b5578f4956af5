/** Results as comma-separated columns, units in the names, for any other tool. */
import type { FlowStats, FlowTable, Result, Series, Summary } from '@weir/sim'

/** Runs side by side; the label tells them apart. */
export interface Labelled {
  readonly label: string
  readonly results: readonly Result[]
}

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

/** One line a run: its summary, without what `partsCsv` has. */
export function runsCsv(entries: readonly Labelled[]): string {
  const rows = eachRun(entries).map(([label, { seed, spec, fingerprint, summary }]) => {
    const { buckets: _b, items: _i, classes: _c, atLeast, ...numbers } = summary
    const named = { scheme: label, seed, chanceSeed: spec.chanceSeed, fingerprint }
    return { ...named, ...numbers, atLeast: atLeast.join(' ') }
  })
  return table(rows)
}

/** One line a part of a run: an item of the workload, a traffic class, a range of flow sizes. */
export function partsCsv(entries: readonly Labelled[]): string {
  const rows = eachRun(entries).flatMap(([label, { seed, summary }]) =>
    partsOf(summary).map(([by, name, part]) => {
      const { atLeast, ...numbers } = part
      return { scheme: label, seed, by, name, ...numbers, atLeast: atLeast.join(' ') }
    }),
  )
  return table(rows)
}

function partsOf({ items, classes, buckets }: Summary): [string, string, FlowStats][] {
  return [
    ...items.map(({ name, ...part }): [string, string, FlowStats] => ['item', name, part]),
    ...classes.map(({ name, ...part }): [string, string, FlowStats] => ['class', name, part]),
    ...buckets.map(({ fromBytes, toBytes, ...part }): [string, string, FlowStats] => [
      'size',
      `${fromBytes} to ${Number.isFinite(toBytes) ? toBytes : 'any'} bytes`,
      { ...part, flowsUnsized: '', goodputBps: '' } as FlowStats,
    ]),
  ]
}

/** One line a port and run; `pausedBy` is `port share`, with semicolons between. */
export function portsCsv(entries: readonly Labelled[]): string {
  const rows = eachRun(entries).flatMap(([label, { seed, ports }]) => {
    const { pausedBy, ...columns } = ports
    const names = Object.keys(columns) as (keyof typeof columns)[]
    return ports.name.map((_, row) => ({
      ...{ scheme: label, seed },
      ...Object.fromEntries(names.map((name) => [name, columns[name][row]!])),
      pausedBy: pausedBy[row]!.map(({ port, share }) => `${port} ${share.toFixed(4)}`).join('; '),
    }))
  })
  return table(rows)
}

function eachRun(entries: readonly Labelled[]): (readonly [string, Result])[] {
  return entries.flatMap(({ label, results }) => results.map((one) => [label, one] as const))
}

/** Columns are those of the first row. */
function table(rows: readonly Record<string, string | number>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => names.map((name) => field(row[name] ?? '')).join(','))
  return [names.join(','), ...lines].join('\n') + '\n'
}

/** No value is an empty field. */
function field(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
