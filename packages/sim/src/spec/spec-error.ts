/**
 * The one error a spec can cause: a sentence that names the place and the remedy.
 *
 * `incast.yaml:12:9: workload[0].flows[3].size: '64 kb' counts bits, ...; write 'KB' instead ...`
 *
 * The command line prints the message and nothing else; an editor or the lab reads the fields.
 */

import { pathText } from '@weir/engine/codec'
import type { SpecPath } from '@weir/engine/codec'

export { pathText, Refusal } from '@weir/engine/codec'
export type { SpecPath } from '@weir/engine/codec'

export interface TextPlace {
  /** Both count from 1, as editors do. */
  readonly line: number
  readonly column: number
}

/** Where in the text a path was written; undefined if it was not, nor anything around it. */
export type Locate = (path: SpecPath, part?: 'key' | 'value') => TextPlace | string | undefined

export class SpecError extends Error {
  override readonly name = 'SpecError'
  /** `workload[0].flows[3].size`; '' is the whole spec. */
  readonly path: string
  readonly sourceName: string
  /** 0 if the error has no place in a text, as when `--set` caused it. */
  readonly line: number
  readonly column: number

  constructor(
    sourceName: string,
    place: TextPlace | string | undefined,
    path: SpecPath,
    sentence: string,
  ) {
    const where =
      typeof place === 'string'
        ? place
        : place === undefined
          ? sourceName
          : `${sourceName}:${place.line}:${place.column}`
    const name = pathText(path)
    const text = sentence.replaceAll(/\s*\n\s*/gu, ' ').replace(/\.$/u, '')
    super([where, name, text].filter((part) => part !== '').join(': '))
    this.path = name
    this.sourceName = sourceName
    this.line = typeof place === 'object' ? place.line : 0
    this.column = typeof place === 'object' ? place.column : 0
  }
}
