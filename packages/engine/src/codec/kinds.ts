/**
 * A choice among sections that differ by `kind`: a word, or a mapping with its settings. The list
 * of kinds is the list of sections; no name is written twice.
 */
import { UnitError } from '../units.ts'
import type { Codec, Place, Wrong } from './codec.ts'
import { isText } from './quantities.ts'
import { isMapping } from './section.ts'
import type { Section } from './section.ts'
import { either, nearest, show } from './words.ts'

export interface Choice<T> {
  /** `a kind of flow control`. */
  readonly what: string
  /** In the order in which sentences list them. */
  readonly members: readonly Section<unknown>[]
  /** Kinds that may stand alone; all unless given. */
  readonly words?: readonly string[]
  /** Other short forms (a size, a table's name) as the mapping they stand for. */
  readonly read?: (text: string) => object | undefined
  /** What `read` takes, for the sentence: `a size such as 64KB`. */
  readonly reads?: string
  /** Names that `read` takes, for what was probably meant. */
  readonly readNames?: readonly string[]
  /** The short form of a value, where it is written by one. */
  readonly short?: (value: T) => unknown
  /** The kind of a value, where its own field `kind` is another. */
  readonly kindOf?: (value: T) => string
}

export function kinds<T>(choice: Choice<T>): Codec<T> {
  const { what, read, reads, short } = choice
  const members = new Map(
    choice.members.map((member) => [member.kind, member as unknown as Section<T>]),
  )
  const names = [...members.keys()]
  const words = choice.words ?? names
  const all = reads === undefined ? names : [...names, reads]
  const kindOf = choice.kindOf ?? ((value: T) => (value as { readonly kind: string }).kind)

  const wrongKind = (given: unknown): string => {
    if (given === undefined) return `missing; say which kind: ${either(names)}`
    const near =
      typeof given === 'string'
        ? nearest(given, [...names, ...(choice.readNames ?? [])])
        : undefined
    const remedy = near === undefined ? `write ${either(all)}` : `did you mean ${near}?`
    return `${show(given)} is not ${what}; ${remedy}`
  }
  const readMapping = (tree: Readonly<Record<string, unknown>>, at: Place): T | Wrong => {
    const kind = Object.hasOwn(tree, 'kind') ? tree['kind'] : undefined
    const member = members.get(kind as string)
    return member === undefined ? at.at('kind').refuse(wrongKind(kind)) : member.read(tree, at)
  }
  const readShort = (given: string | number, at: Place): T | Wrong => {
    const written = String(given)
    if (words.includes(written)) return readMapping({ kind: written }, at)
    try {
      const longer = read?.(written)
      if (longer !== undefined) return readMapping(longer as Record<string, unknown>, at)
      return at.refuse(wrongKind(given))
    } catch (error) {
      if (!(error instanceof UnitError)) throw error
      // A word without a digit was meant as a name, not as a quantity.
      return at.refuse(/\d/u.test(written) ? error.message : wrongKind(given))
    }
  }
  return {
    read: (input, at) => {
      if (isMapping(input)) return readMapping(input, at)
      if (isText(input)) return readShort(input, at)
      if (input === undefined) return at.refuse(`missing; write ${what}: ${either(all)}`)
      if (input === null) return at.refuse(`there is no value here; write ${what}: ${either(all)}`)
      return at.refuse(
        `${show(input)} is not ${what}; write ${either(all)}, or a mapping with kind`,
      )
    },
    write: (value) => {
      const written = short?.(value)
      if (written !== undefined) return written
      const kind = kindOf(value)
      const tree = members.get(kind)!.write(value) as object
      return Object.keys(tree).length === 1 && words.includes(kind) ? kind : tree
    },
    json: {
      anyOf: [
        reads === undefined ? { type: 'string', enum: words } : { type: ['string', 'number'] },
        ...[...members.values()].map(({ json }) => json),
      ],
      description: `Short for a mapping: ${either([...words, ...(reads ? [reads] : [])])}.`,
    },
  }
}
