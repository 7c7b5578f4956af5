/**
 * One line on stderr that says how far a job is. It appears only on a terminal and only for jobs
 * that last longer than a second, is redrawn at most ten times a second, and leaves nothing behind.
 */
import process from 'node:process'

const APPEARS_AFTER_MS = 1000
const REDRAW_MS = 100
const BAR_CELLS = 24

export class Progress {
  readonly #label: string
  readonly #stream: NodeJS.WriteStream
  readonly #isShown: boolean
  readonly #startMs: number
  #drawnMs = -Infinity
  #isDrawn = false

  constructor(label: string, stream: NodeJS.WriteStream = process.stderr) {
    this.#label = label
    this.#stream = stream
    this.#isShown = stream.isTTY === true
    this.#startMs = Date.now()
  }

  /** `fraction` in 0..1; `detail` is said after the bar. */
  show(fraction: number, detail = ''): void {
    if (!this.#isShown) return
    const now = Date.now()
    if (now - this.#startMs < APPEARS_AFTER_MS || now - this.#drawnMs < REDRAW_MS) return
    this.#drawnMs = now
    this.#isDrawn = true
    const line = `${this.#label} ${bar(fraction)} ${detail}`
    const columns = this.#stream.columns || 80
    this.#stream.write(`\r\x1b[2K${line.slice(0, columns - 1)}`)
  }

  /** Wipes the line; to be called before anything else is written to the terminal. */
  clear(): void {
    if (!this.#isDrawn) return
    this.#stream.write('\r\x1b[2K')
    this.#isDrawn = false
  }
}

export function bar(fraction: number): string {
  const clamped = Math.min(1, Math.max(0, Number.isFinite(fraction) ? fraction : 0))
  const full = Math.floor(clamped * BAR_CELLS)
  const percent = String(Math.floor(clamped * 100)).padStart(3)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}] ${percent} %`
}
