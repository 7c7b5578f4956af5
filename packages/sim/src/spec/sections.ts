/**
 * The branches of the user-facing schema. `section` is a mapping that refuses keys it does not
 * know; `kinds` is a choice, written either as a word (`flowControl: pfc`) or as a mapping with
 * `kind` and settings (`flowControl: {kind: pfc, xoff: 64KB}`). The rule is the same everywhere, so
 * that it is learnt once.
 */
import { z } from 'zod'
import { UnitError } from '@weir/engine'
import { didYouMean, either, nearest, show } from './words.ts'

export type Shape = Readonly<Record<string, z.ZodType>>

/** A mapping. `what` is how sentences call it: `a flow`. */
export function section<S extends Shape>(what: string, shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') {
        const key = (issue['keys'] as string[])[0]!
        const hasNone = known.every((name) => name === 'kind')
        const remedy = hasNone ? 'it takes no settings, so leave it out' : didYouMean(key, known)
        return `${what} has no key ${show(key)}; ${remedy}`
      }
      if (issue.code !== 'invalid_type') return undefined
      const keys = either(known, 'and')
      if (issue.input === undefined) return `missing; write ${what}, with the keys ${keys}`
      if (issue.input === null) {
        return `there is nothing under this key; write ${what}, with the keys ${keys}, or leave it out`
      }
      return `${show(issue.input)} is not ${what}; write a mapping with the keys ${keys}`
    },
  })
}

interface Choice {
  /** `a kind of flow control`. */
  readonly what: string
  /** Sections whose `kind` is a literal. */
  readonly members: readonly z.ZodType[]
  /** Every kind, in the order in which sentences list them. */
  readonly names: readonly string[]
  /** Kinds that may stand alone; all unless given. */
  readonly words?: readonly string[]
  /** Other short forms (a size, a table's name) as the mapping they stand for. */
  readonly read?: (text: string) => object | undefined
  /** What `read` takes, for the sentence: `a size such as 64KB`. */
  readonly reads?: string
  /** Names that `read` takes, for what was probably meant. */
  readonly readNames?: readonly string[]
}

export function kinds<T>(choice: Choice): z.ZodType<T> {
  const { what, names, read, reads } = choice
  const words = choice.words ?? names
  const all = reads === undefined ? names : [...names, reads]
  const meant = (given: string): string | undefined => {
    const near = nearest(given, [...names, ...(choice.readNames ?? [])])
    return near === undefined ? undefined : `did you mean ${near}?`
  }
  const wrongKind = (given: unknown): string =>
    given === undefined
      ? `missing; say which kind: ${either(names)}`
      : typeof given === 'string'
        ? `${show(given)} is not ${what}; ${meant(given) ?? `write ${either(all)}`}`
        : `${show(given)} is not ${what}; write ${either(all)}`

  const mapping = z.discriminatedUnion('kind', choice.members as never, {
    error: (issue) =>
      issue['note'] === 'No matching discriminator'
        ? wrongKind((issue.input as Record<string, unknown>)['kind'])
        : undefined,
  })
  const short = z
    .union([z.string(), z.number()])
    .transform((given, context) => {
      const written = String(given)
      if (words.includes(written)) return { kind: written }
      try {
        const longer = read?.(written)
        if (longer !== undefined) return longer
        context.addIssue({ code: 'custom', message: wrongKind(given) })
      } catch (error) {
        if (!(error instanceof UnitError)) throw error
        // A word without a digit was meant as a name, not as a quantity.
        const message = /\d/u.test(written) ? error.message : wrongKind(given)
        context.addIssue({ code: 'custom', message })
      }
      return z.NEVER
    })
    .pipe(mapping as unknown as z.ZodType<unknown, object>)
    .meta({ description: `Short for a mapping: ${either([...words, ...(reads ? [reads] : [])])}.` })
  return z.union([short, mapping], {
    error: ({ input }) =>
      input === undefined
        ? `missing; write ${what}: ${either(all)}`
        : input === null
          ? `there is no value here; write ${what}: ${either(all)}`
          : `${show(input)} is not ${what}; write ${either(all)}, or a mapping with kind`,
  }) as unknown as z.ZodType<T>
}
