/**
 * Reads explicit flows from CSV: thousands of rows, from a spreadsheet or another tool. The first
 * row names the columns, in any order: from, to, size, start, and if wanted stop, name, class,
 * weight, path. Quantities carry their units (`64KB`, `1.5us`). An empty size is a flow without
 * one, which runs until its stop; other empty cells take the default. A path lists switches with
 * spaces or semicolons between. Cells may be quoted ("" is a quote inside); a cell holds no line
 * break. Read by hand, since d3-dsv has no comments, names no line, and takes a quote that is never
 * closed for the rest of the file.
 */
import type { FlowInput } from './contract.ts'
import { CLASS_MAX, WorkloadError } from './contract.ts'
import { parseSize, parseTime, UnitError } from '@weir/engine'

const REQUIRED = ['from', 'to', 'size', 'start'] as const
const OPTIONAL = ['stop', 'name', 'class', 'weight', 'path'] as const
type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]

/** `source` names the file in messages. A flow without a name is called `f` and its number. */
export function parseFlowsCsv(text: string, source: string): FlowInput[] {
  return [...flowsOfCsv(text, source)]
}

/** The same one by one: a million of them are no list of objects. */
export function* flowsOfCsv(text: string, source: string): Generator<FlowInput> {
  let flows = 0
  let columns: Column[] | undefined
  let number = 0
  const words = new Words()
  for (const line of linesOf(text)) {
    number++
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    const place = `${source}, line ${number}`
    const cells = cellsOf(line, place)
    if (columns === undefined) columns = header(cells, place)
    else yield flow(columns, cells, flows++, words, place)
  }
  if (columns === undefined) {
    throw new WorkloadError(`${source} is empty; begin with the row '${REQUIRED.join(',')}'.`)
  }
}

/** One after the other: a million of them at once is a gigabyte of strings. */
function* linesOf(text: string): Generator<string> {
  const end = /\r\n|\n|\r|$/gu
  let from = text.startsWith('\ufeff') ? 1 : 0
  for (;;) {
    end.lastIndex = from
    const match = end.exec(text)!
    yield text.slice(from, match.index)
    if (match[0] === '') return
    from = match.index + match[0].length
  }
}

/** One string for each word, however often it is written: many flows have few hosts. */
class Words {
  readonly #known = new Map<string, string>()

  of(word: string): string {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    // A part of a text keeps all of it: the word is one of its own.
    const own = ` ${word}`.slice(1)
    this.#known.set(own, own)
    return own
  }
}

const NO_PATH: readonly string[] = []

function header(cells: readonly string[], place: string): Column[] {
  const known: readonly string[] = [...REQUIRED, ...OPTIONAL]
  const columns = cells.map((cell) => cell.toLowerCase())
  for (const column of columns) {
    if (!known.includes(column)) {
      throw new WorkloadError(`${place}: ${noColumn(column, columns.length, known)}`)
    }
    if (columns.indexOf(column) !== columns.lastIndexOf(column)) {
      throw new WorkloadError(`${place}: the column '${column}' is there twice; remove one.`)
    }
  }
  for (const column of REQUIRED) {
    if (!columns.includes(column)) {
      throw new WorkloadError(
        `${place}: the column '${column}' is missing; the first row names ${REQUIRED.join(', ')}.`,
      )
    }
  }
  return columns as Column[]
}

const COLUMN_SHOWN_MAX = 40

/** A file of another kind has a first row like anything: it is shown shortened, as plain text. */
function noColumn(column: string, columns: number, known: readonly string[]): string {
  const separator = /[;\t|]/u.exec(column)?.[0]
  if (columns === 1 && separator !== undefined) {
    const name = separator === '\t' ? 'tabs' : `'${separator}'`
    return `cells are separated by ${name}; separate them by commas.`
  }
  const plain = column.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '\ufffd')
  const shown = plain.length > COLUMN_SHOWN_MAX ? `${plain.slice(0, COLUMN_SHOWN_MAX)}...` : plain
  const names = known.join(', ')
  return `there is no column '${shown}'; the first row names the columns, which are ${names}.`
}

/** The number of the line that holds a flow, for a sentence about it. */
export function lineOfFlow(text: string, flow: number): number {
  let number = 0
  let before = -2 // the header comes before flow 0
  for (const line of linesOf(text)) {
    number++
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    if (++before === flow) break
  }
  return number
}

function flow(
  columns: readonly Column[],
  cells: readonly string[],
  number: number,
  words: Words,
  place: string,
): FlowInput {
  if (cells.length !== columns.length) {
    throw new WorkloadError(
      `${place}: there are ${cells.length} cells for ${columns.length} columns; ` +
        'write one for each, empty where there is nothing to say.',
    )
  }
  const cell = (column: Column): string => cells[columns.indexOf(column)] ?? ''
  const read = (column: Column, parse: (text: string) => number, absent?: number): number => {
    const text = cell(column)
    if (text === '' && absent !== undefined) return absent
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof UnitError)) throw error
      throw new WorkloadError(`${place}, column ${column}: ${error.message}`)
    }
  }
  const result: FlowInput = {
    name: cell('name') || `f${number}`,
    from: words.of(cell('from')),
    to: words.of(cell('to')),
    sizeBytes: read('size', someBytes, 0),
    startPs: read('start', parseTime),
    stopPs: read('stop', someTime, 0),
    path: pathOf(cell('path')),
    class: read('class', wholeClass, -1),
    weight: read('weight', positive, 1),
  }
  if (result.from === '' || result.to === '') {
    throw new WorkloadError(`${place}: a flow needs a host in 'from' and in 'to'; name both.`)
  }
  if (result.from === result.to) {
    throw new WorkloadError(
      `${place}: the flow goes from '${result.from}' to itself; name another.`,
    )
  }
  if (result.stopPs !== 0 && result.stopPs <= result.startPs) {
    throw new WorkloadError(`${place}: the flow stops before it starts; give a later stop.`)
  }
  return result
}

function pathOf(text: string): readonly string[] {
  if (text === '') return NO_PATH
  return text.split(/[\s;]+/u).filter((name) => name !== '')
}

/** A flow of 0 bytes would have nothing to send; one without end has no size at all. */
function someBytes(text: string): number {
  const bytes = parseSize(text)
  if (bytes > 0) return bytes
  throw new UnitError(`'${text}' is nothing to send; leave the cell empty for a flow without end.`)
}

function someTime(text: string): number {
  const ps = parseTime(text)
  if (ps > 0) return ps
  throw new UnitError(`'${text}' is no time to stop at; leave the cell empty for none.`)
}

function wholeClass(text: string): number {
  const value = /^\d+$/u.test(text) ? Number(text) : NaN
  if (value <= CLASS_MAX) return value
  throw new UnitError(`'${text}' is no class; write one from 0 to ${CLASS_MAX}.`)
}

function positive(text: string): number {
  const value = /^\d*\.?\d+$/u.test(text) ? Number(text) : 0
  if (value === 0) throw new UnitError(`'${text}' is no weight; write a number above 0.`)
  return value
}

/** The cells of a line, trimmed, with quotes taken off. */
function cellsOf(line: string, place: string): string[] {
  if (!line.includes('"')) return line.split(',').map((cell) => cell.trim())
  const cells: string[] = []
  let rest = line
  for (;;) {
    const match = /^\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/u.exec(rest)
    if (match === null) {
      throw new WorkloadError(
        `${place}: a quote is not closed, or stands inside a cell; write "" for a quote in a cell.`,
      )
    }
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2]!.trim())
    if (match[3] === '') return cells
    rest = rest.slice(match[0].length)
  }
}
