/**
 * The words of error sentences: values shown briefly, lists read aloud, the name that was meant.
 */
import { nearMiss } from './near-miss.ts'

/** A value as a sentence quotes it: `"pcf"`, `12`, `a list`. */
export function show(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value)
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null) return 'no value'
  if (Array.isArray(value)) return 'a list'
  return value === undefined ? 'nothing' : 'a mapping'
}

/** `a, b or c`; long lists are cut, because a sentence is to be read. */
export function either(names: readonly string[], joint = 'or'): string {
  if (names.length > 12) return `${names.slice(0, 10).join(', ')} ... (${names.length} in all)`
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`
}

/** The remedy for a wrong name: the one that was meant, or else all there are. */
export function didYouMean(given: string, names: readonly string[]): string {
  const near = nearest(given, names)
  if (near !== undefined) return `did you mean ${near}?`
  return names.length === 0 ? 'there is none to choose' : `write ${either(names)}`
}

/** The closest name, hyphens, dots and underscores aside: `leafspine` means `leaf-spine`. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/gu, '')
  const meant = nearMiss(plain(given), names.map(plain))
  return names.find((name) => plain(name) === meant)
}
