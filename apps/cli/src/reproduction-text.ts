/** Figures for the terminal and for other programs: what was published beside what was measured. */
import type { Check, Figure, FigureResult, Verdict } from '../../../experiments/figure.ts'
import type { Reproduced } from './reproduction.ts'
import { count, ratio } from './format.ts'
import { renderTable, type Cell, type Column } from './table.ts'
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

export function reproducedText(
  { figure, result, seconds }: Reproduced,
  paint: VerdictPaint,
  widthMax: number,
): string {
  const rows = result.checks.map((check): Cell[] => [
    { text: check.name },
    { text: publishedText(check) },
    { text: measuredText(check) },
    { text: check.unit },
    { text: check.verdict, paint: paintOf(check.verdict, paint) },
    { text: drawsText(check, result), paint: paint.dim },
    { text: check.note, paint: paint.dim },
  ])
  const head = headText(figure, `${seconds.toFixed(1)} s`, paint)
  return `${head}\n${renderTable(COLUMNS, rows, widthMax)}${fittedText(figure, paint, widthMax)}`
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
  return draws ?? result.draws ?? ''
}

function headText(figure: Figure, took: string, paint: VerdictPaint): string {
  const title = paint.bold(`${figure.id}: ${figure.title}`)
  return `${title} ${paint.dim(`(${took})`)}\n${paint.dim(figure.cite)}\n`
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

export function publishedText({ published }: Check): string {
  return typeof published === 'number' ? number(published) : published
}

export function measuredText({ measured, half = NaN }: Check): string {
  return Number.isNaN(half) ? number(measured) : `${number(measured)} ± ${shortNumber(half)}`
}

/** Two digits: an interval is not known better. */
function shortNumber(value: number): string {
  return value >= 1000 ? count(Math.round(value)) : String(Number(value.toPrecision(2)))
}

/** Four digits, as published numbers have at most; whole numbers as they are. */
function number(value: number): string {
  if (Number.isInteger(value)) return count(value)
  if (!Number.isFinite(value)) return '-'
  const isPlain = Math.abs(value) >= 1e-3 && Math.abs(value) < 1000
  return isPlain ? String(Number(value.toPrecision(4))) : tiny(value)
}

function tiny(value: number): string {
  return Math.abs(value) >= 1000 ? ratio(value) : value.toExponential(2)
}
