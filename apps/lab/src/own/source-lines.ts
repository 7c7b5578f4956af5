/**
 * Which line of the author's text each line of its JavaScript came from. The table travels with the
 * code, in a comment at its end.
 */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const MARK = '//# weir-lines='

/** From the `mappings` of a source map (revision 3): by line, from 1; lines without one keep on. */
export function sourceLines(mappings: string): number[] {
  const lines: number[] = []
  let source = 0
  for (const line of mappings.split(';')) {
    let first = -1
    for (const segment of line.split(',')) {
      const fields = decoded(segment)
      source += fields[2] ?? 0
      if (first < 0 && fields.length > 2) first = source
    }
    lines.push(first < 0 ? (lines.at(-1) ?? 1) : first + 1)
  }
  return lines
}

/** Numbers in base 64, of variable length, the sign in the lowest bit. */
function decoded(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter)
    value += (digit & 31) << shift
    shift += 5
    if (digit >= 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

export function withLines(code: string, lines: readonly number[]): string {
  return `${code}\n${MARK}${lines.join(',')}\n`
}

/** The author's line; the line itself if the code has no table. */
export function lineIn(code: string, line: number): number {
  const at = code.lastIndexOf(MARK)
  if (at < 0) return line
  const lines = code
    .slice(at + MARK.length)
    .trim()
    .split(',')
    .map(Number)
  return lines[Math.min(line, lines.length) - 1] ?? line
}
