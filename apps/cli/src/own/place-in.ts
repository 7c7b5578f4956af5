import { relative } from 'node:path'
import process from 'node:process'

/** The innermost frame of a stack in one of these files: `mine.ts:12:5`. */
export function placeIn(stack: string, sources: readonly string[]): string | undefined {
  for (const frame of stack.split('\n')) {
    const [, path = '', place = ''] = /(?:file:\/\/)?(\/[^()]*?)(:\d+:\d+)\)?$/u.exec(frame) ?? []
    if (sources.includes(path)) return shownPath(path) + place
  }
  return undefined
}

/** As a person would write it from here. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : path
}
