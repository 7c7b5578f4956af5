/** What is wrong with a value that a person wrote, and where: a sentence that names the remedy. */

/** Keys and list indices from the root of a spec down to one of its values. */
export type SpecPath = readonly (string | number)[]

/** Whoever has the text adds the line to it. */
export class Refusal extends Error {
  readonly path: SpecPath
  /** Is it the key that is wrong, or its value? */
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
