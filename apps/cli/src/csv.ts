/** Results as comma-separated columns, units in the names, for any other tool. */
import { csvChunks, csvText, type CsvValue } from '@weir/metrics'
import { flowLists } from '@weir/sim'
import type { FlowStats, FlowTable, List, Result, Series, Summary } from '@weir/sim'

/** Runs side by side; the label tells them apart. */
export interface Labelled {
  readonly label: string
  readonly results: readonly Result[]
}

/** In pieces, as the next one is: there may be millions of flows and samples. */
export function flowsCsv(flows: FlowTable): Iterable<string> {
  return csvChunks(flowRows(flows))
}

function* flowRows(flows: FlowTable): Generator<CsvValue[]> {
  const columns = Object.entries<List<CsvValue>>(flowLists(flows))
  yield columns.map(([name]) => name)
  const lists = columns.map(([, list]) => list)
  for (let row = 0; row < lists[0]!.length; row++) yield lists.map((list) => list.at(row)!)
}

/** One line a sample, because series may start and step differently. */
export function seriesCsv(series: readonly Series[]): Iterable<string> {
  return csvChunks(samples(series))
}

function* samples(series: readonly Series[]): Generator<CsvValue[]> {
  yield ['series', 'unit', 'timePs', 'value']
  for (const { name, unit, startPs, intervalPs, values } of series) {
    for (const [i, value] of values.entries()) yield [name, unit, startPs + i * intervalPs, value]
  }
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
function table(rows: readonly Record<string, CsvValue>[]): string {
  const names = Object.keys(rows[0] ?? {})
  return csvText([names, ...rows.map((row) => names.map((name) => row[name] ?? ''))])
}
