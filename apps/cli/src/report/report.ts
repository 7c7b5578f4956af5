/**
 * The report: one HTML file that needs nothing else, to be opened, mailed, or kept with results. It
 * holds no time of day, so that the same comparison gives the same bytes.
 */
import { drawnWarnings, sameCourse, type Comparison, type Entry } from '../comparison.ts'
import { drawsText } from '../draw-options.ts'
import { endedText } from '../summary-text.ts'
import { verdict } from '../verdict.ts'
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
import { shownOf, type Shown } from './shown.ts'
import { partTables, portTables, summaryTable, swatch, theoryTable } from './tables.ts'
import { fluidPanels, maxMinPanels } from './theory-panels.ts'

/** `command` repeats the comparison; `specText` is the first run's scenario with every default. */
export function reportHtml(comparison: Comparison, command: string, specText: string): string {
  const { scenario, entries } = comparison
  const results = shownOf(entries)
  const title = results[0]?.spec.title || scenario
  const names = results.map(({ label }) => label)
  const body = [
    head(comparison, results, title, command),
    warnings(comparison),
    verdictList(entries),
    summaryTable(comparison),
    partTables(entries),
    ...theorySections(comparison, results),
    panels(ratePanels(results), rateFinding(entries), RATE_NOTE, flowsDrawn(results)),
    panels(queuePanels(results), queueFinding(entries), QUEUE_NOTE),
    overlay(cdfFigure(results), names, fctFinding(entries), CDF_NOTE),
    panels(bucketPanels(results), slowdownFinding(entries), BUCKET_NOTE, names),
    panels(jainPanels(results), jainFinding(entries), JAIN_NOTE),
    portTables(entries),
    endings(results),
    scenarioText(results, specText),
  ]
  return pageHtml(title, body)
}

function theorySections({ entries, theory }: Comparison, results: readonly Shown[]): string[] {
  if (theory === undefined) return []
  return [
    theoryTable(entries, theory),
    panels(fluidPanels(results, theory), 'The queue of packets, and the fluid', FLUID_NOTE),
    panels(maxMinPanels(results, theory), 'Rates, and exact max-min', MAX_MIN_NOTE),
  ]
}

const FLUID_NOTE =
  'The queue of the port that holds all flows that cross it, and the fluid model of the scheme ' +
  'with the parameters and delays of this scenario (weir theory); every panel has the same axes.'
const MAX_MIN_NOTE =
  'What each flow receives, and the max-min rates of the flows that are there at each moment: ' +
  'what a perfect congestion control would give them at once.'
const RATE_NOTE =
  'What each flow receives, sampled over time; every panel has the same axes. ' +
  'Where there are many flows, the line is their mean and the shade their range.'
const QUEUE_NOTE =
  'The queue of a switch that became deepest under each scheme; every panel has the same axes.'
const CDF_NOTE =
  'Fraction of flows that ended within a time; further left is better. A curve that ends below 1 ' +
  'has flows that did not end.'
const BUCKET_NOTE =
  'Completion time over that on an empty fabric, by the size of flows; lower is better, 1 is ideal.'
const JAIN_NOTE =
  "Jain's index of the rates of the flows active at each moment: 1 is equal rates. Of flows " +
  'without end the title has that of their shares of max-min rates, which differs where some ' +
  'may have more than others.'

function head(
  { scenario, seed, draws }: Comparison,
  results: readonly Shown[],
  title: string,
  command: string,
): string {
  const description = results[0]?.spec.description ?? ''
  const drawn = drawsText(seed, draws)
  return `<header><h1>${escape(title)}</h1>
<p class="soft">Scenario ${escape(scenario)}, ${drawn}, Weir ${version}. Made by</p>
<pre>${escape(command)}</pre>
${description === '' ? '' : `<p>${escape(description)}</p>`}</header>`
}

function warnings({ entries }: Comparison): string {
  const items = entries.flatMap(({ label, results }) =>
    drawnWarnings(results).map((text) => `<li><b>${escape(label)}</b>: ${escape(text)}`),
  )
  items.push(...sameCourse(entries).map((text) => `<li>${escape(text)}`))
  if (items.length === 0) return ''
  return `<section class="warnings"><b>Warnings</b><ul>${items.join('\n')}</ul></section>`
}

function verdictList(entries: readonly Entry[]): string {
  const lines = verdict(entries)
  if (lines.length === 0) return ''
  return `<ul>${lines.map((line) => `<li>${escape(line)}`).join('\n')}</ul>`
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

function endings(results: readonly Shown[]): string {
  const items = results.map(
    (result) => `<li><b>${escape(result.label)}</b>: ${escape(endedText(result))}`,
  )
  return `<h2>How each run ended</h2><ul>${items.join('\n')}</ul>`
}

/** The first run's scenario in full; of the others only the scheme differs, and that is shown. */
function scenarioText(results: readonly Shown[], specText: string): string {
  const others = results.map(({ label, spec }) => {
    const params = Object.entries(spec.scheme.params).map(([name, value]) => `${name}=${value}`)
    return `${label}: ${params.join(' ') || 'no parameters'}`
  })
  return `<h2>The scenario, with every default</h2>
<details><summary>As it was run under ${escape(results[0]?.label ?? '')}</summary>
<pre>${escape(specText)}</pre></details>
<details><summary>Parameters of each scheme (ps, bytes, bit/s)</summary>
<pre>${escape(others.join('\n'))}</pre></details>`
}
