/** The tables of a report: schemes side by side, the same by parts, and each scheme's ports. */
import { breakdowns } from '../breakdown.ts'
import { noiseColumns, summariesOf, type Comparison, type Entry } from '../comparison.ts'
import { count } from '../format.ts'
import { bestOf, cellText, measures } from '../measures.ts'
import { PORT_COLUMNS, worstPorts } from '../ports-text.ts'
import { THEORY_COLUMNS, theoryNotes, type TheoryRow } from '../theory-over.ts'
import { escape } from './html.ts'
import { colour, dash } from './palette.ts'

/** Ports shown of each scheme. */
const PORTS_MAX = 40

interface Heading {
  readonly title: string
  readonly about: string
}

interface Cell {
  readonly text: string
  readonly isBest?: boolean
}

export function summaryTable({ entries, skipped, noise, draws }: Comparison): string {
  const rows = entries.map(summariesOf)
  const best = measures.map((measure) => bestOf(measure, rows))
  const columns = [...measures, ...noiseColumns(noise), PRINT]
  const cells = entries.map(({ results }, row): Cell[] => [
    ...measures.map((measure, index) => ({
      text: cellText(measure, rows[row]!),
      isBest: best[index]!.has(row),
    })),
    ...noiseColumns(noise).map(({ text }) => ({ text: text(row) })),
    { text: results[0]!.fingerprint },
  ])
  const left = skipped.map(
    ({ scheme, why, reason }) =>
      `<tr><td>${escape(scheme)}</td><td class="why" colspan="${columns.length}">` +
      `${why === 'unfit' ? 'skipped' : why}: ${escape(reason)}</td></tr>`,
  )
  const several =
    draws.count > 1
      ? ` Means over ${draws.count} draws, ± half of the 95% interval; shaded are those that the ` +
        `draws do not tell from the best. Curves are of the first draw.`
      : ' One draw: differences may be chance.'
  return `<h2>Summary</h2>
<p class="soft">Best values are shaded. Slowdown: completion time over that on an empty fabric;
${escape('>=')} is a lower bound, where flows had not ended.${several}</p>
${tableHtml(columns, entries, cells, left)}`
}

const PRINT: Heading = {
  title: 'fingerprint',
  about: 'of the trajectory of every packet; of the first draw',
}

/** Theory beside packets, and where it says nothing. */
export function theoryTable(entries: readonly Entry[], rows: readonly TheoryRow[]): string {
  const cells = rows.map((row) => THEORY_COLUMNS.map(({ text }): Cell => ({ text: text(row) })))
  const notes = theoryNotes(entries, rows).map((note) => `<li>${escape(note)}`)
  return `<h2>Theory beside packets</h2>
<p class="soft">Of the first draw. ${THEORY_COLUMNS.map(
    ({ title, about }) => `<b>${escape(title)}</b>: ${escape(about)}`,
  ).join('; ')}.</p>
${tableHtml(THEORY_COLUMNS, entries, cells)}<ul>${notes.join('\n')}</ul>`
}

/** By item of the workload, by class, by flow size. */
export function partTables(entries: readonly Entry[]): string {
  return breakdowns(entries)
    .map(
      ({ title, note, columns, cells }) =>
        `<h2>${escape(title)}</h2><p class="soft">${escape(note)}</p>` +
        tableHtml(columns, entries, cells),
    )
    .join('\n')
}

/** Of each scheme, the ports that lost, waited or filled most; the rest are in ports.csv. */
export function portTables(entries: readonly Entry[]): string {
  const parts = entries.map(({ label, results: [first] }) => {
    const { ports } = first!
    const rows = worstPorts(first!, PORTS_MAX)
    const heads = PORT_COLUMNS.map(headHtml).join('')
    const lines = rows.map((row) => {
      const cells = PORT_COLUMNS.map(({ text }) => `<td>${escape(text(ports, row))}</td>`).join('')
      return `<tr><td>${escape(ports.name[row]!)}</td>${cells}</tr>`
    })
    const paused = ports.pausedPs.filter((ps) => ps > 0).length
    const summary =
      `${escape(label)}: ${count(paused)} of ${count(ports.name.length)} ports were paused` +
      (rows.length < ports.name.length ? ` (of all, the ${rows.length} worst are here)` : '')
    return `<details><summary>${summary}</summary><div class="scroll"><table><thead>
<tr><th>port</th>${heads}</tr></thead><tbody>${lines.join('\n')}</tbody></table></div></details>`
  })
  return `<h2>Ports: how busy, how deep, and who paused whom</h2>
<p class="soft">A port is one direction of a link. A port that was paused waited for a queue of the
switch at its far end: follow it from row to row to where congestion began. ${FIRST}</p>
${parts.join('\n')}`
}

const FIRST = 'Of the first draw; the whole run, busy and mean up to the end of arrivals.'

export function swatch(index: number): string {
  const dashes = dash(index) === '' ? '' : ` stroke-dasharray="${dash(index)}"`
  return (
    '<svg class="swatch" viewBox="0 0 24 10" aria-hidden="true">' +
    `<line x1="0" y1="5" x2="24" y2="5" stroke="${colour(index)}"${dashes}/></svg>`
  )
}

function tableHtml(
  columns: readonly Heading[],
  entries: readonly Entry[],
  cells: readonly (readonly Cell[])[],
  more: readonly string[] = [],
): string {
  const rows = entries.map(({ label }, row) => {
    const own = cells[row]!.map(
      ({ text, isBest }) => `<td${isBest === true ? ' class="best"' : ''}>${escape(text)}</td>`,
    )
    return `<tr><td>${swatch(row)}${escape(label)}</td>${own.join('')}</tr>`
  })
  const heads = columns.map(headHtml).join('')
  return `<div class="scroll"><table><thead><tr><th>scheme</th>${heads}</tr>
</thead><tbody>${[...rows, ...more].join('\n')}</tbody></table></div>`
}

function headHtml({ title, about }: Heading): string {
  return `<th title="${escape(about)}">${escape(title)}</th>`
}
