/**
 * The one error a spec can cause: a sentence that names the place and the remedy.
 *
 * `incast.yaml:12:9: workload[0].flows[3].size: '64 kb' counts bits, ...; write 'KB' instead ...`
 *
 * The command line prints the message and nothing else; an editor or the lab reads the fields.
 */

/** Keys and list indices from the root of a spec down to one of its values. */
export type SpecPath = readonly (string | number)[]

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

/**
 * What validation throws where it knows the path but not the text; `validateSpec` adds the place.
 */
export class Refusal extends Error {
  readonly path: SpecPath
  readonly part: 'key' | 'value'
  constructor(path: SpecPath, sentence: string, part: 'key' | 'value' = 'value') {
    super(sentence)
    this.path = path
    this.part = part
  }
}

/** `['workload', 0, 'flows', 3]` is `workload[0].flows[3]`. */
export function pathText(path: SpecPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}
