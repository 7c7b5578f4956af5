/** Figures for the terminal and for other programs: what was published beside what was measured. */
import type { Check, Figure, FigureResult, Verdict } from '../../../experiments/figure.ts'
import { claimantOf, drawsWords, shownOf } from '../../../experiments/shown.ts'
import type { Reproduced } from './reproduction.ts'
import { renderTable, wrap, type Cell, type Column } from './table.ts'
import type { VerdictPaint } from './terminal.ts'

const COLUMNS: readonly Column[] = [
  { title: 'check', align: 'left', wraps: true },
  { title: 'published', align: 'left', wraps: true },
  { title: 'measured', align: 'right' },
  { title: 'unit', align: 'left' },
  { title: 'verdict', align: 'left' },
  { title: 'draws', align: 'left', wraps: true },
  { title: 'note', align: 'left', wraps: true },
]

/** Sentences are read in lines of this many letters. */
const CLAIM_WIDTH = 100

export function reproducedText(
  { figure, result, seconds }: Reproduced,
  paint: VerdictPaint,
  widthMax: number,
): string {
  const rows = result.checks.map((check): Cell[] => {
    const { published, measured, unit, verdict } = shownOf(check)
    return [
      { text: check.name },
      { text: published },
      { text: measured },
      { text: unit },
      { text: verdict, paint: paintOf(check.verdict, paint) },
      { text: drawsText(check, result), paint: paint.dim },
      { text: check.note, paint: paint.dim },
    ]
  })
  const head = headText(figure, `${seconds.toFixed(1)} s`, paint, widthMax)
  const fitted = fittedText(figure, paint, widthMax)
  return `${head}\n${renderTable(COLUMNS, rows, widthMax)}${fitted}${notesText(result, widthMax)}`
}

/** What the runs were, as on the page: without it some checks cannot be judged. */
function notesText({ notes }: FigureResult, widthMax: number): string {
  const lines = notes.flatMap((note) =>
    wrap(note, Math.min(widthMax, CLAIM_WIDTH) - 2).map(
      (line, i) => `${i === 0 ? '-' : ' '} ${line}`,
    ),
  )
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`
}

function paintOf(verdict: Verdict, paint: VerdictPaint): (text: string) => string {
  if (verdict === 'agrees') return paint.agrees
  return verdict === 'differs' ? paint.differs : paint.dim
}

/** Which values were chosen by a result, so that the result is no evidence for them. */
function fittedText({ fitted = [] }: Figure, paint: VerdictPaint, widthMax: number): string {
  if (fitted.length === 0) return ''
  const columns: readonly Column[] = [
    { title: 'fitted', align: 'left', wraps: true },
    { title: 'to', align: 'left', wraps: true },
  ]
  const rows = fitted.map(({ value, to }): Cell[] => [
    { text: value },
    { text: to, paint: paint.dim },
  ])
  return `\n${renderTable(columns, rows, widthMax)}`
}

export function drawsText({ draws }: Check, result: FigureResult): string {
  return drawsWords(draws ?? result.draws ?? '')
}

function headText(figure: Figure, took: string, paint: VerdictPaint, widthMax: number): string {
  const title = paint.bold(`${figure.id}: ${figure.title}`)
  const who = claimantOf(figure)
  const claim = who === '' ? figure.claim : `${who}: ${figure.claim}`
  const lines = wrap(claim, Math.min(widthMax, CLAIM_WIDTH)).join('\n')
  return `${title} ${paint.dim(`(${took})`)}\n${paint.dim(figure.cite)}\n${lines}\n`
}

/**
 * The contract with other programs: DESIGN, "The way in". Checks agree or differ; results that
 * nobody published, and claims that need --full, stand apart.
 */
export function reproducedJson(all: readonly Reproduced[]): string {
  const figures = all.map(({ figure, result, seconds }) => {
    const isChecked = ({ verdict }: Check): boolean => verdict === 'agrees' || verdict === 'differs'
    return {
      id: figure.id,
      seconds: Number(seconds.toFixed(3)),
      checks: result.checks.filter(isChecked).map((check) => checkJson(check, result)),
      others: result.checks.filter((c) => !isChecked(c)).map((check) => checkJson(check, result)),
      fitted: figure.fitted ?? [],
    }
  })
  return JSON.stringify({ figures }, null, 2) + '\n'
}

function checkJson(check: Check, result: FigureResult): object {
  const { name, published, measured, unit, verdict, note, half = null } = check
  return { name, published, measured, unit, verdict, note, half, draws: drawsText(check, result) }
}

/** Of those that can agree: what nobody published, or this size cannot test, does not count. */
export function tally(checks: readonly Check[]): { readonly agree: number; readonly all: number } {
  const agree = checks.filter(({ verdict }) => verdict === 'agrees').length
  const differ = checks.filter(({ verdict }) => verdict === 'differs').length
  return { agree, all: agree + differ }
}
