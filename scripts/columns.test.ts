/**
 * Every column of every output is defined, in one catalogue (packages/sim/src/columns.ts), and
 * docs/columns.md shows it. `WEIR_COLUMNS=write npx vitest run scripts/columns` writes that page.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import { flowsCsv, partsCsv, portsCsv, runsCsv, seriesCsv } from '../apps/cli/src/csv.ts'
import { measures } from '../apps/cli/src/measures.ts'
import {
  counterColumns,
  flowColumns,
  loadSpec,
  partColumns,
  portColumns,
  runColumns,
  seriesColumns,
  simulate,
  summaryColumns,
  type ColumnInfo,
} from '@weir/sim'

const PAGE = new URL('../docs/columns.md', import.meta.url)

const result = simulate(
  loadSpec({
    text: `
topology: { kind: star, hosts: 3 }
workload: [flows: [{ from: h1, to: h0, size: 10KB }, { from: h2, to: h0 }]]
run: { until: 100us }
`,
  }),
)
const entries = [{ label: 'dcqcn', results: [result] }]

const tables: readonly (readonly [string, string, Readonly<Record<string, ColumnInfo>>])[] = [
  ['`runs.csv`', 'One row per run: which it is, and its summary.', runColumns],
  ['`parts.csv`', 'One row per part of a run.', partColumns],
  ['`ports.csv`', 'One row per port, a direction of a link.', portColumns],
  ['`flows.csv`', 'One row per flow.', flowColumns],
  ['`series.csv`', 'One row per sample.', seriesColumns],
  ['`counters` of `result.json`', 'Totals of the whole run.', counterColumns],
]

function page(): string {
  const inTable = measures.map(({ key, title }) => {
    const { unit, about } = summaryColumns[key as keyof typeof summaryColumns]
    return `| \`${title}\` | \`${key}\` | ${about} | ${unit} |`
  })
  const sections = tables.map(([title, about, columns]) => {
    const rows = Object.entries(columns).map(
      ([name, { unit, about: what }]) => `| \`${name}\` | ${what} | ${unit} |`,
    )
    const head = '| column | is | unit |\n| --- | --- | --- |'
    return `## ${title}\n\n${about}\n\n${head}\n${rows.join('\n')}\n`
  })
  return `# Every column of every output

This page is written by the program from its catalogue of columns; a test holds both to the
files that \`weir run\` and \`weir compare\` write. [How a number is made](how-a-number-is-made.md)
follows some of them from the scenario to the table; [results.md](results.md) says how to read
tables and files.

In CSV a value that does not exist is empty, in JSON it is null. Columns have the same names in
JSON: \`summary\` has those of \`runs.csv\`, \`flows\` and \`ports\` of \`result.json\` are lists by
column.

## The table of \`weir compare\`, and of its report

| column | in files | is | unit |
| --- | --- | --- | --- |
${inTable.join('\n')}

${sections.join('\n')}`
}

describe('columns', () => {
  it('are all in the catalogue, in the order in which they are written', () => {
    const header = (csv: string | Iterable<string>): string[] =>
      [...csv].join('').split('\n')[0]!.split(',')
    expect(header(runsCsv(entries)).sort()).toEqual(Object.keys(runColumns).sort())
    expect(header(partsCsv(entries)).sort()).toEqual(Object.keys(partColumns).sort())
    expect(header(portsCsv(entries))).toEqual(Object.keys(portColumns))
    expect(header(flowsCsv(result.flows))).toEqual(Object.keys(flowColumns))
    expect(header(seriesCsv(result.series))).toEqual(Object.keys(seriesColumns))
    expect(Object.keys(result.counters)).toEqual(Object.keys(counterColumns))
    const parts = ['buckets', 'items', 'classes']
    const summary = Object.keys(result.summary).filter((key) => !parts.includes(key))
    expect(summary.sort()).toEqual(Object.keys(summaryColumns).sort())
  })

  it('have a unit that their name ends in', () => {
    const units = { Ps: 'ps', Bps: 'bit/s', Bytes: 'bytes' }
    for (const [, , columns] of tables) {
      for (const [name, { unit }] of Object.entries(columns)) {
        const end = /(Ps|Bps|Bytes)(?:Max|Mean|P\d+)?$/.exec(name)?.[1] as keyof typeof units
        if (end !== undefined) expect(unit, name).toBe(units[end])
      }
    }
  })

  it('are all on the page', async () => {
    const text = await format(page(), { parser: 'markdown', printWidth: 100 })
    if (process.env['WEIR_COLUMNS'] === 'write') writeFileSync(PAGE, text)
    expect(readFileSync(PAGE, 'utf8')).toBe(text)
  })
})
