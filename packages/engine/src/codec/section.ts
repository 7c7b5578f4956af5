/**
 * A mapping with known keys, by the fields of the value that it stands for. A field's name may end
 * in its unit, and the key has the unit in its value instead: `rateBps` is written `rate: 25Gbps`.
 */
import type { Codec, Json, Place } from './codec.ts'
import { WRONG } from './codec.ts'
import { didYouMean, either, show } from './words.ts'

/** A codec for each field of the value. */
export type Fields<V> = { readonly [K in keyof V]-?: Field<V, V[K]> }

export type Field<V, T> = Codec<T> & {
  /** The key as it is written, where that is not the field's name without its unit. */
  readonly key?: string
  /** Where nothing is written: from the fields that stand before it, and from `also`. */
  absent?(read: V & Also): T
}

/** Keys that are read and are no field: `delay`, of all links alike. */
export type Also = Readonly<Record<string, number>>

export interface Section<V> extends Codec<V> {
  /** What its field `kind` says, if it has one. */
  readonly kind: string
}

/** `what` is how sentences speak of it: `a flow`. */
export function section<V extends object>(
  what: string,
  fields: Fields<V>,
  also: Readonly<Record<string, Codec<number>>> = {},
): Section<V> {
  const entries = entriesOf(fields, also)
  const known = entries.map(({ key }) => key)
  const kind = fields as { readonly kind?: Partial<Literal> }
  return {
    kind: kind.kind?.literal ?? '',
    read: (input, at) =>
      isMapping(input) ? readFields<V>(what, entries, input, at) : at.refuse(noMapping(input)),
    write: (value) => {
      const tree: Record<string, unknown> = {}
      for (const { name, key, codec, isField } of entries) {
        const written = isField ? codec.write(value[name as keyof V]) : undefined
        if (written !== undefined) tree[key] = written
      }
      return tree
    },
    json: jsonOf(entries),
  }

  function noMapping(input: unknown): string {
    const keys = either(known, 'and')
    if (input === undefined) return `missing; write ${what}, with the keys ${keys}`
    if (input === null) {
      const remedy = `write ${what}, with the keys ${keys}, or leave it out`
      return `there is nothing under this key; ${remedy}`
    }
    return `${show(input)} is not ${what}; write a mapping with the keys ${keys}`
  }
}

/** The field `kind` of a section, by which a choice knows it. */
export interface Literal {
  readonly literal: string
}

export function is<W extends string>(literal: W): Codec<W> & Literal {
  return {
    literal,
    read: () => literal,
    write: () => literal,
    json: { const: literal },
  }
}

/** A field that is written by another name. */
export function as<T>(key: string, codec: Codec<T>): Codec<T> & { readonly key: string } {
  return { ...codec, key }
}

/** A field that follows from others where nothing is written. */
export function orFrom<V, T>(codec: Codec<T>, absent: (read: V & Also) => T): Field<V, T> {
  return { ...codec, isOptional: true, absent }
}

export function isMapping(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

interface Entry {
  readonly name: string
  readonly key: string
  readonly isField: boolean
  readonly codec: Field<unknown, unknown>
}

function entriesOf(fields: object, also: Readonly<Record<string, Codec<number>>>): Entry[] {
  const more = Object.entries(also).map(([name, codec]) => ({
    name,
    key: name,
    isField: false,
    codec: codec as Field<unknown, unknown>,
  }))
  const own = Object.entries(fields as Record<string, Field<unknown, unknown>>).map(
    ([name, codec]) => ({ name, key: codec.key ?? keyOf(name), isField: true, codec }),
  )
  return [...own, ...more]
}

/** `hostRateBps` is written `hostRate`, `bytes` as it is. */
function keyOf(name: string): string {
  return name.replace(/(?<=.)(?:Bps|Ps|Bytes)$/u, '')
}

function readFields<V>(
  what: string,
  entries: readonly Entry[],
  input: Readonly<Record<string, unknown>>,
  at: Place,
): V | typeof WRONG {
  const before = at.problems.length
  const value: Record<string, unknown> = {}
  for (const { name, key, codec } of entries) {
    const given = Object.hasOwn(input, key) ? input[key] : undefined
    if (given === undefined && codec.absent !== undefined) value[name] = undefined
    else value[name] = codec.read(given, at.at(key))
  }
  const known = entries.map(({ key }) => key)
  const strange = Object.keys(input).find((key) => !known.includes(key))
  if (strange !== undefined) {
    const hasNone = known.every((key) => key === 'kind')
    const remedy = hasNone ? 'it takes no settings, so leave it out' : didYouMean(strange, known)
    at.at(strange).refuse(`${what} has no key ${show(strange)}; ${remedy}`, 'key')
  }
  if (at.problems.length > before) return WRONG
  for (const { name, codec } of entries) {
    if (value[name] === undefined && codec.absent) value[name] = codec.absent(value as Also)
  }
  for (const { name, isField } of entries) if (!isField) delete value[name]
  return value as V
}

function jsonOf(entries: readonly Entry[]): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(({ key, codec }) => [key, codec.json])),
    required: entries.filter(({ codec }) => codec.isOptional !== true).map(({ key }) => key),
    additionalProperties: false,
  }
}
