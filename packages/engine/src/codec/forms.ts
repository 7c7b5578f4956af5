/** A value that may be written as a text, a list or a mapping: its form says which it is. */
import type { Codec } from './codec.ts'
import { isText } from './quantities.ts'
import { isMapping } from './section.ts'

export interface Forms<T> {
  readonly text?: Codec<T>
  readonly list?: Codec<T>
  readonly mapping?: Codec<T>
  /** The sentence for what is none of them. */
  readonly error: (input: unknown) => string
  readonly write: (value: T) => unknown
}

export function forms<T>({ text, list, mapping, error, write }: Forms<T>): Codec<T> {
  return {
    read: (input, at) => {
      const form = isText(input)
        ? text
        : Array.isArray(input)
          ? list
          : isMapping(input)
            ? mapping
            : undefined
      return form === undefined ? at.refuse(error(input)) : form.read(input, at)
    },
    write,
    json: { anyOf: [text, list, mapping].flatMap((form) => (form === undefined ? [] : form.json)) },
  }
}
