/** Text in aligned columns. Colours are put on after the padding, so that they do not count. */

export interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
  /** On a narrow terminal, columns with the highest number are left out first; 0 never. */
  readonly dropOrder?: number
  /** Its text may be broken into several lines where the terminal is too narrow for it. */
  readonly wraps?: boolean
  /** A column that wraps is not made narrower than this: others are left out before. */
  readonly widthMin?: number
}

export interface Cell {
  readonly text: string
  readonly paint?: (text: string) => string
}

/** Narrower than this a column of words cannot be read. */
const WRAP_MIN = 14

export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  widthMax: number = Infinity,
): string {
  const natural = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => row[index]?.text.length ?? 0)),
  )
  const widths = narrowed(columns, natural, widthMax)
  const kept = keptColumns(columns, widths, widthMax)
  const line = (cells: readonly Cell[]): string =>
    kept
      .map((index) => {
        const cell = cells[index] ?? { text: '' }
        const width = widths[index]!
        const padded =
          columns[index]!.align === 'left' ? cell.text.padEnd(width) : cell.text.padStart(width)
        return cell.paint === undefined ? padded : cell.paint(padded)
      })
      .join('  ')
      .trimEnd()
  const header = line(columns.map((column) => ({ text: column.title })))
  const rule = kept
    .map((index) => '-'.repeat(widths[index]!))
    .join('  ')
    .trimEnd()
  const lines = rows.flatMap((row) => linesOf(row, widths, kept).map(line))
  return [header, rule, ...lines].join('\n') + '\n'
}

/**
 * Words in lines of no more letters than there is room for; a longer word has a line of its own.
 */
export function wrap(text: string, room: number): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)!
    if (last !== '' && last.length + 1 + word.length > room) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

/** Lines that keep their shape: of a table, a formula, a fence. */
const SHAPED = /^(?: {4}|\t|\|)/u
const FENCE = /^```/u
const ITEM = /^(\s*(?:[-*]|\d+\.) +)(.*)$/u

/**
 * Prose that was broken for a page, broken for a terminal: a paragraph or an item of a list becomes
 * lines of this width. What is indented as code, or is a row of a table, stays.
 */
export function reflowed(text: string, widthMax: number): string {
  if (widthMax === Infinity) return text
  const lines: string[] = []
  let [mark, words, isFenced] = ['', '', false]
  const flush = (): void => {
    const broken = words === '' ? [] : wrap(words, Math.max(widthMax - mark.length, WRAP_MIN))
    lines.push(...broken.map((line, i) => (i === 0 ? mark : ' '.repeat(mark.length)) + line))
    mark = words = ''
  }
  for (const line of text.split('\n')) {
    const item = ITEM.exec(line)
    if (FENCE.test(line)) isFenced = !isFenced
    if (line.trim() === '' || isFenced || SHAPED.test(line) || FENCE.test(line)) {
      flush()
      lines.push(line)
    } else if (item !== null) {
      flush()
      ;[mark, words] = [item[1]!, item[2]!]
    } else words = words === '' ? line.trim() : `${words} ${line.trim()}`
  }
  flush()
  return lines.join('\n')
}

/** Colours take no room. */
const COLOUR = /\u001b\[[0-9;]*m/gu

/**
 * Prose broken between words where the terminal would break it within one. What follows a label
 * (`infiniband  skipped: ...`) stays to its right; rows of tables, whose columns would be lost, are
 * left as they are.
 */
export function fitted(text: string, widthMax: number): string {
  if (widthMax === Infinity) return text
  return text
    .split('\n')
    .map((line) => fittedLine(line, widthMax))
    .join('\n')
}

function fittedLine(line: string, widthMax: number): string {
  const plain = line.replaceAll(COLOUR, '')
  const columns = plain.trimStart().split(/ {2,}/u)
  if (plain.length <= widthMax || columns.length > 2) return line
  const indent = plain.length - plain.trimStart().length
  const label = columns.length === 2 ? plain.length - columns[1]!.length : indent
  // A label that takes half of the line leaves no room to its right.
  const hang = label < widthMax / 2 ? label : indent
  const [first, ...rest] = wrap(plain.slice(hang), Math.max(widthMax - hang, WRAP_MIN))
  const broken = [plain.slice(0, hang) + first!, ...rest.map((more) => ' '.repeat(hang) + more)]
  // One colour for a whole line, or none: those of single words are lost in a line that is broken.
  const [colour] = line.match(COLOUR) ?? []
  const isWhole = colour !== undefined && line.startsWith(colour)
  return broken.map((one) => (isWhole ? `${colour}${one}\u001b[0m` : one)).join('\n')
}

/** A row whose texts do not fit becomes several lines. */
function linesOf(
  row: readonly Cell[],
  widths: readonly number[],
  kept: readonly number[],
): Cell[][] {
  const texts = row.map(({ text }, index) =>
    text.length > widths[index]! ? wrap(text, widths[index]!) : [text],
  )
  const height = Math.max(1, ...kept.map((index) => texts[index]?.length ?? 0))
  return Array.from({ length: height }, (_, i) =>
    row.map((cell, index) => ({ ...cell, text: texts[index]![i] ?? '' })),
  )
}

/** Columns that wrap give way, the widest first, as long as they can still be read. */
function narrowed(
  columns: readonly Column[],
  natural: readonly number[],
  widthMax: number,
): readonly number[] {
  const widths = [...natural]
  const least = columns.map(({ title, wraps, widthMin = WRAP_MIN }) =>
    wraps ? Math.max(title.length, widthMin) : 0,
  )
  let excess = widths.reduce((sum, width) => sum + width + 2, -2) - widthMax
  while (excess > 0) {
    const candidates = widths
      .map((_, index) => index)
      .filter((index) => columns[index]!.wraps === true && widths[index]! > least[index]!)
    if (candidates.length === 0) break
    const widest = candidates.reduce((a, b) => (widths[b]! > widths[a]! ? b : a))
    widths[widest]!--
    excess--
  }
  return widths
}

function keptColumns(
  columns: readonly Column[],
  widths: readonly number[],
  widthMax: number,
): number[] {
  let kept = columns.map((_, index) => index)
  const total = (): number => kept.reduce((sum, index) => sum + widths[index]! + 2, -2)
  while (total() > widthMax) {
    const order = (index: number): number => columns[index]!.dropOrder ?? 0
    const victim = kept.reduce((worst, index) => (order(index) > order(worst) ? index : worst))
    if (order(victim) === 0) break
    kept = kept.filter((index) => index !== victim)
  }
  return kept
}
