/** What this terminal can show. Colours only on a terminal that wants them (NO_COLOR is heeded). */
import process from 'node:process'
import pc from 'picocolors'
import type { Paint } from './comparison.ts'

export function terminalPaint(): Paint {
  const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported)
  return { best: (text) => colors.bold(colors.green(text)), dim: (text) => colors.dim(text) }
}

export interface VerdictPaint {
  readonly agrees: (text: string) => string
  readonly differs: (text: string) => string
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

export function verdictPaint(): VerdictPaint {
  const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported)
  return {
    agrees: (text) => colors.green(text),
    differs: (text) => colors.yellow(text),
    bold: (text) => colors.bold(text),
    dim: (text) => colors.dim(text),
  }
}

/** Columns of the terminal; a pipe has no width. */
export function terminalWidth(): number {
  return process.stdout.isTTY === true ? process.stdout.columns || 80 : Infinity
}

export function isTerminal(): boolean {
  return process.stdout.isTTY === true
}
