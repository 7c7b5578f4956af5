/**
 * Documents' figures as one HTML page that needs nothing else: what each document says, what was
 * measured beside it, the plots, and why they differ where they do. It holds no time of day, so
 * that the same figures give the same bytes.
 */
import type { Check, Figure, FigureResult, Verdict } from '../../../../experiments/figure.ts'
import { foundSentences } from '../../../../experiments/found.ts'
import {
  claimantOf,
  drawsSentence,
  drawsWords,
  saidAndFound,
} from '../../../../experiments/shown.ts'
import { isFitted, shownOf } from '../../../../experiments/shown.ts'
import { drawsText, tally } from '../reproduction-text.ts'
import { version } from '../version.ts'
import { plotSvg } from './figure-plots.ts'
import { escape, pageHtml } from './html.ts'

/** One finished figure, drawn once: the page is written anew after each figure. */
export interface DrawnFigure {
  readonly figure: Figure
  readonly result: FigureResult
  readonly svgs: readonly string[]
  readonly section: string
}

export function drawFigure(figure: Figure, result: FigureResult): DrawnFigure {
  const svgs = result.plots.map((plot) => plotSvg(plot, result.plots))
  return { figure, result, svgs, section: section(figure, result, svgs) }
}

export function figurePage(drawn: readonly DrawnFigure[], command: string, size: string): string {
  const title = drawn.length === 1 ? drawn[0]!.figure.title : 'Published figures, reproduced'
  const head = `<header><h1>${escape(title)}</h1>
<p class="soft">Published numbers beside Weir's, ${size} size, Weir ${version}. Made by</p>
<pre>${escape(command)}</pre>
<p class="soft">${KEY}</p></header>`
  const contents = drawn.length > 1 ? [contentsTable(drawn)] : []
  return pageHtml(title, [head, ...contents, ...drawn.map((one) => one.section)])
}

/** Of the marks of all plots. */
const KEY =
  'Full lines and filled marks are runs; hollow marks and dashed lines are what the paper gives; ' +
  'what is dotted is computed. Where curves lie on each other the lower one is wider.'

function contentsTable(drawn: readonly DrawnFigure[]): string {
  const rows = drawn.map(({ figure, result }) => {
    const { agree, all } = tally(result.checks)
    const kind = all === 0 ? 'soft' : agree === all ? 'agrees' : 'differs'
    const words = all === 0 ? 'no check in this size' : `${agree} of ${all} agree`
    const link = `<a href="#${anchor(figure)}">${escape(figure.id)}</a>`
    return (
      `<tr><td>${link}</td><td>${escape(figure.title)}</td>` +
      `<td class="${kind}">${words}</td></tr>`
    )
  })
  return `<div class="scroll"><table class="checks"><tbody>${rows.join('\n')}</tbody></table></div>`
}

function section(figure: Figure, result: FigureResult, svgs: readonly string[]): string {
  const drawn = (isAside: boolean): string =>
    svgs
      .filter((_, i) => (result.plots[i]!.isAside === true) === isAside)
      .map((svg) => `<figure>${svg}</figure>`)
      .join('\n')
  const asides = drawn(true)
  const items = result.notes.map((note) => `<li>${escape(note)}`)
  return `<section id="${anchor(figure)}"><h2>${escape(figure.id)}: ${escape(figure.title)}</h2>
<p class="soft">${escape(figure.cite)}</p>${claimHtml(figure)}
<p><b>Found here:</b> ${escape(foundSentences(figure, result))}
${foundWords(result)}</p>
<div class="plots">${drawn(false)}</div>
${asides === '' ? '' : ASIDES + asides + '</div></details>'}
${checksTable(result)}${fittedTable(figure)}
${items.length === 0 ? '' : `<ul>${items.join('\n')}</ul>`}</section>`
}

const ASIDES = '<details><summary>More plots, not of the document</summary><div class="plots">'

/** Whose claim it is: what was found may be otherwise. */
function claimHtml(figure: Figure): string {
  const who = claimantOf(figure)
  const [said, found] = saidAndFound(figure.claim)
  const ours = found === '' ? '' : `\n<p><b>What we found:</b> ${escape(found)}</p>`
  return `<p>${who === '' ? '' : `<b>${escape(who)}:</b> `}${escape(said)}</p>${ours}`
}

function foundWords({ checks }: FigureResult): string {
  const { agree, all } = tally(checks)
  const said = (is: (check: Check) => boolean, one: string, several: string): string[] => {
    const count = checks.filter(is).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]
  }
  const isOurs = (check: Check): boolean => check.verdict === 'ours' && !isFitted(check)
  const isLater = ({ verdict }: Check): boolean => verdict === 'needs --full'
  const words = [
    ...(all === 0 ? [] : [`${agree} of ${all} checks agree`]),
    ...said(isOurs, 'is a result of our own', 'are results of our own'),
    ...said(isFitted, 'is no check: it was fitted', 'are no checks: they were fitted'),
    ...said(isLater, 'needs the full size', 'need the full size'),
  ]
  return `${words.join('; ')}.`
}

function checksTable(result: FigureResult): string {
  if (result.checks.length === 0) return ''
  const drawsOf = (check: Check): string =>
    check.verdict === 'needs --full' ? '' : drawsText(check, result)
  // What all have in common is said once, below.
  const all = drawsWords(result.draws ?? '')
  const hasDraws = result.checks.some((check) => !['', all].includes(drawsOf(check)))
  const rows = result.checks.map((check) => {
    const { name, note } = check
    const { published, measured, unit, verdict } = shownOf(check)
    return (
      `<tr><td>${escape(name)}</td><td>${escape(published)}</td>` +
      `<td class="number">${escape(measured)}</td><td>${escape(unit)}</td>` +
      `<td class="verdict ${classOf(check.verdict)}">${verdict}</td>` +
      (hasDraws ? `<td class="soft">${escape(drawsOf(check))}</td>` : '') +
      `<td class="why">${escape(note)}</td></tr>`
    )
  })
  const draws = hasDraws ? ['random draws'] : []
  const titles = ['check', 'published', 'measured', 'unit', 'verdict', ...draws, 'note']
  const foot = hasDraws || all === '' ? '' : `<p class="soft">${drawsSentence(all)}</p>`
  const head = titles.map((title) => `<th>${title}</th>`).join('')
  return `<div class="scroll"><table class="checks"><thead><tr>${head}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>${foot}`
}

function classOf(verdict: Verdict): string {
  return verdict === 'agrees' || verdict === 'differs' ? verdict : 'soft'
}

/** What was chosen by a result: that result is no evidence for it. */
function fittedTable({ fitted = [] }: Figure): string {
  if (fitted.length === 0) return ''
  const rows = fitted.map(
    ({ value, to }) => `<tr><td>${escape(value)}</td><td class="why">${escape(to)}</td></tr>`,
  )
  const head = '<thead><tr><th>fitted</th><th>to</th></tr></thead>'
  return `<div class="scroll"><table class="checks">${head}
<tbody>${rows.join('\n')}</tbody></table></div>`
}

function anchor({ id }: Figure): string {
  return id.replaceAll('/', '-')
}
