/** Figures for the terminal and for other programs: what was published beside what was measured. */
import type { Check, Figure } from '../../../experiments/figure.ts'
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
    { text: check.verdict, paint: check.verdict === 'agrees' ? paint.agrees : paint.differs },
    { text: check.note, paint: paint.dim },
  ])
  const head = headText(figure, `${seconds.toFixed(1)} s`, paint)
  return `${head}\n${renderTable(COLUMNS, rows, widthMax)}`
}

function headText(figure: Figure, took: string, paint: VerdictPaint): string {
  const title = paint.bold(`${figure.id}: ${figure.title}`)
  return `${title} ${paint.dim(`(${took})`)}\n${paint.dim(figure.cite)}\n`
}

/** The contract with other programs: DESIGN, "The way in". */
export function reproducedJson(all: readonly Reproduced[]): string {
  const figures = all.map(({ figure, result, seconds }) => ({
    id: figure.id,
    seconds: Number(seconds.toFixed(3)),
    checks: result.checks.map(({ name, published, measured, unit, verdict, note }) => ({
      ...{ name, published, measured, unit, verdict, note },
    })),
  }))
  return JSON.stringify({ figures }, null, 2) + '\n'
}

export function tally(checks: readonly Check[]): { readonly agree: number; readonly all: number } {
  const agree = checks.filter(({ verdict }) => verdict === 'agrees').length
  return { agree, all: checks.length }
}

export function publishedText({ published }: Check): string {
  return typeof published === 'number' ? number(published) : published
}

export function measuredText({ measured }: Check): string {
  return number(measured)
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
