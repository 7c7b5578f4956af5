/**
 * A Bode plot in letters: gain and phase of the open loop against frequency, with the edge of each
 * (0 dB, -180 degrees) as a line of dashes and the gain crossover as a column of dots. Where the
 * phase crosses its column above the dashes there is a margin.
 */
import type { Stability } from '@weir/theory'

const COLUMNS = 60
const ROWS = 9
/** Decades on either side of the crossover. */
const BELOW = 2
const ABOVE = 1.2
/** Beyond a turn and a half of a delay nothing can be told from a plot. */
const PHASE_LEAST = -540

export function bodeText({ bode, margins }: Pick<Stability, 'bode' | 'margins'>): string {
  const { omega, gainDb, phaseDegrees } = bode
  const middle = Math.log10(Number.isFinite(margins.crossover) ? margins.crossover : omega[0]!)
  const isShown = (w: number, i: number): boolean =>
    phaseDegrees[i]! > PHASE_LEAST &&
    (!Number.isFinite(margins.crossover) ||
      (Math.log10(w) >= middle - BELOW && Math.log10(w) <= middle + ABOVE))
  const kept = omega.flatMap((w, i) => (isShown(w, i) ? [i] : []))
  if (kept.length < 2) return ''
  const pick = (values: readonly number[]): number[] => kept.map((i) => values[i]!)
  const frame = { x: pick(omega).map(Math.log10), mark: middle }
  return [
    ...panel(frame, pick(gainDb), 0, 'dB'),
    ...panel(frame, pick(phaseDegrees), -180, 'deg'),
    axis(frame.x),
  ].join('\n')
}

interface Frame {
  /** Powers of ten, in rad/s. */
  readonly x: readonly number[]
  readonly mark: number
}

function panel({ x, mark }: Frame, y: readonly number[], edge: number, unit: string): string[] {
  const [low, high] = [Math.min(edge, ...y), Math.max(edge, ...y)]
  const column = (value: number): number =>
    Math.round(((COLUMNS - 1) * (value - x[0]!)) / (x.at(-1)! - x[0]!))
  const row = (value: number): number =>
    Math.round(((ROWS - 1) * (high - value)) / Math.max(high - low, 1e-9))
  const cells = Array.from({ length: ROWS }, () => new Array<string>(COLUMNS).fill(' '))
  cells[row(edge)]!.fill('-')
  const dots = column(mark)
  if (dots >= 0 && dots < COLUMNS) for (const line of cells) line[dots] = ':'
  y.forEach((value, i) => (cells[row(value)]![column(x[i]!)] = '*'))
  const label = (i: number): string =>
    i === row(edge)
      ? edge.toFixed(0)
      : i === 0
        ? high.toFixed(0)
        : i === ROWS - 1
          ? low.toFixed(0)
          : ''
  return cells.map((line, i) => {
    const text = label(i)
    return `${(text && `${text} ${unit}`).padStart(9)} |${line.join('').trimEnd()}`
  })
}

/** Whole powers of ten below the columns where they are. */
function axis(x: readonly number[]): string {
  const [from, to] = [x[0]!, x.at(-1)!]
  const line = new Array<string>(COLUMNS).fill('-')
  const text = new Array<string>(COLUMNS + 8).fill(' ')
  for (let power = Math.ceil(from); power <= to; power++) {
    const at = Math.round(((COLUMNS - 1) * (power - from)) / (to - from))
    line[at] = '+'
    ;[...`1e${power}`].forEach((letter, i) => (text[at + i] = letter))
  }
  return `${' '.repeat(10)}+${line.join('')}\n${' '.repeat(11)}${text.join('').trimEnd()} rad/s`
}
