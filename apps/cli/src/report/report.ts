/**
 * The report: one HTML file that needs nothing else, to be opened, mailed, or kept with results. It
 * holds no time of day, so that the same comparison gives the same bytes.
 */
import type { Result } from '@weir/sim'
import { noiseColumns } from '../comparison.ts'
import type { Comparison } from '../comparison.ts'
import { bestOf, measures } from '../measures.ts'
import { endedText } from '../summary-text.ts'
import { version } from '../version.ts'
import {
  bucketPanels,
  cdfFigure,
  flowsDrawn,
  jainPanels,
  queuePanels,
  ratePanels,
  type Figure,
  type Panel,
} from './figures.ts'
import { fctFinding, jainFinding, queueFinding, rateFinding, slowdownFinding } from './findings.ts'
import { escape, pageHtml } from './html.ts'
import { colour, dash } from './palette.ts'

/** `command` repeats the comparison; `specText` is the first run's scenario with every default. */
export function reportHtml(comparison: Comparison, command: string, specText: string): string {
  const { scenario, results } = comparison
  const title = results[0]?.spec.title || scenario
  const names = results.map((result) => result.spec.scheme.name)
  const body = [
    head(comparison, title, command),
    warnings(results),
    summaryTable(comparison),
    panels(ratePanels(results), rateFinding(results), RATE_NOTE, flowsDrawn(results)),
    panels(queuePanels(results), queueFinding(results), QUEUE_NOTE),
    overlay(cdfFigure(results), names, fctFinding(results), CDF_NOTE),
    panels(bucketPanels(results), slowdownFinding(results), BUCKET_NOTE, names),
    panels(jainPanels(results), jainFinding(results), JAIN_NOTE),
    endings(results),
    scenarioText(results, specText),
  ]
  return pageHtml(title, body)
}

const RATE_NOTE =
  'What each flow receives, sampled over time; every panel has the same axes. ' +
  'Where there are many flows, the line is their mean and the shade their range.'
const QUEUE_NOTE = 'The queue that became deepest under each scheme; every panel has the same axes.'
const CDF_NOTE = 'Fraction of flows that ended within a time; further left is better.'
const BUCKET_NOTE =
  'Completion time over that on an empty fabric, by the size of flows; lower is better, 1 is ideal.'
const JAIN_NOTE = "Jain's index of the rates of the flows active at each moment: 1 is equal shares."

function head({ scenario, seed, results }: Comparison, title: string, command: string): string {
  const description = results[0]?.spec.description ?? ''
  return `<header><h1>${escape(title)}</h1>
<p class="soft">Scenario ${escape(scenario)}, seed ${seed}, Weir ${version}. Made by</p>
<pre>${escape(command)}</pre>
${description === '' ? '' : `<p>${escape(description)}</p>`}</header>`
}

function warnings(results: readonly Result[]): string {
  const items = results.flatMap((result) =>
    result.warnings.map((text) => `<li><b>${escape(result.spec.scheme.name)}</b>: ${escape(text)}`),
  )
  if (items.length === 0) return ''
  return `<section class="warnings"><b>Warnings</b><ul>${items.join('\n')}</ul></section>`
}

function summaryTable({ results, skipped, noise }: Comparison): string {
  const summaries = results.map((result) => result.summary)
  const best = measures.map((measure) => bestOf(measure, summaries))
  const columns = [...measures, ...noiseColumns(noise)]
  const headings = columns.map(
    ({ title, about }) => `<th title="${escape(about)}">${escape(title)}</th>`,
  )
  const rows = results.map((result, row) => {
    const cells = measures.map((measure, index) => {
      const isBest = best[index]!.has(row) ? ' class="best"' : ''
      return `<td${isBest}>${escape(measure.text(result.summary))}</td>`
    })
    cells.push(...noiseColumns(noise).map(({ text }) => `<td>${escape(text(row))}</td>`))
    const name = `<td>${swatch(row)}${escape(result.spec.scheme.name)}</td>`
    return `<tr>${name}${cells.join('')}<td><code>${result.fingerprint}</code></td></tr>`
  })
  const left = skipped.map(
    ({ scheme, why, reason }) =>
      `<tr><td>${escape(scheme)}</td><td class="why" colspan="${columns.length + 1}">` +
      `${why === 'unfit' ? 'skipped' : why}: ${escape(reason)}</td></tr>`,
  )
  return `<h2>Summary</h2>
<p class="soft">Best values are shaded. Slowdown: completion time over that on an empty fabric.</p>
<div class="scroll"><table><thead><tr><th>scheme</th>${headings.join('')}<th>fingerprint</th></tr>
</thead><tbody>${[...rows, ...left].join('\n')}</tbody></table></div>`
}

/** `legend` names the lines that every panel has, in the order of their colours. */
function panels(
  shown: readonly Panel[],
  finding: string,
  note: string,
  legend: readonly string[] = [],
): string {
  if (shown.length === 0) return ''
  const figures = shown.map(
    ({ title, svg, caption, colour: ink }) =>
      `<figure><h3 style="color:${ink}">${escape(title)}</h3>${svg}` +
      `<figcaption>${escape(caption)}</figcaption></figure>`,
  )
  const top = heading(finding, note) + legendOf(legend)
  return `${top}<div class="panels">${figures.join('\n')}</div>`
}

function overlay(
  figure: Figure | undefined,
  names: readonly string[],
  finding: string,
  note: string,
): string {
  if (figure === undefined) return ''
  return `${heading(finding, note)}${legendOf(names)}
<div class="wide">${figure.wide}</div><div class="narrow">${figure.narrow}</div>`
}

function legendOf(names: readonly string[]): string {
  if (names.length === 0) return ''
  const entries = names.map((name, index) => `<span>${swatch(index)}${escape(name)}</span>`)
  return `<div class="legend">${entries.join('')}</div>`
}

function heading(finding: string, note: string): string {
  return `<h2>${escape(finding)}</h2><p class="soft">${escape(note)}</p>`
}

function swatch(index: number): string {
  const dashes = dash(index) === '' ? '' : ` stroke-dasharray="${dash(index)}"`
  return (
    '<svg class="swatch" viewBox="0 0 24 10" aria-hidden="true">' +
    `<line x1="0" y1="5" x2="24" y2="5" stroke="${colour(index)}"${dashes}/></svg>`
  )
}

function endings(results: readonly Result[]): string {
  const items = results.map(
    (result) => `<li><b>${escape(result.spec.scheme.name)}</b>: ${escape(endedText(result))}`,
  )
  return `<h2>How each run ended</h2><ul>${items.join('\n')}</ul>`
}

/** The first run's scenario in full; of the others only the scheme differs, and that is shown. */
function scenarioText(results: readonly Result[], specText: string): string {
  const others = results.map(({ spec }) => {
    const params = Object.entries(spec.scheme.params).map(([name, value]) => `${name}=${value}`)
    return `${spec.scheme.name}: ${params.join(' ') || 'no parameters'}`
  })
  return `<h2>The scenario, with every default</h2>
<details><summary>As it was run under ${escape(results[0]?.spec.scheme.name ?? '')}</summary>
<pre>${escape(specText)}</pre></details>
<details><summary>Parameters of each scheme (ps, bytes, bit/s)</summary>
<pre>${escape(others.join('\n'))}</pre></details>`
}
