/** Text in aligned columns. Colours are put on after the padding, so that they do not count. */

export interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
  /** On a narrow terminal, columns with the highest number are left out first; 0 never. */
  readonly dropOrder?: number
}

export interface Cell {
  readonly text: string
  readonly paint?: (text: string) => string
}

export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  widthMax: number = Infinity,
): string {
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => row[index]?.text.length ?? 0)),
  )
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
  return [header, rule, ...rows.map(line)].join('\n') + '\n'
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
