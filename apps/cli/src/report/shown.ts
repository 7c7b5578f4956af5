/** What a report draws of each entry: its first draw, under the entry's own name. */
import type { Result } from '@weir/sim'
import type { Entry } from '../comparison.ts'

export interface Shown extends Result {
  readonly label: string
}

export function shownOf(entries: readonly Entry[]): Shown[] {
  return entries.map(({ label, results }) => ({ ...results[0]!, label }))
}
