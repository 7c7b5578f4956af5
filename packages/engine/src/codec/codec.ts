/**
 * A codec: a kind of value as people write it and as programs hold it, described once. `read`
 * checks what was written and gives the value, `write` is its inverse, `json` describes the written
 * form to editors. `10us` and 10,000,000 ps; `{kind: star, hosts: 9}` and a star's parameters with
 * every default.
 *
 * Reading goes on after a mistake, so that the one that matters most can be told: a misspelt key
 * often makes a required one missing, and the spelling is the news.
 */
import { Refusal } from './refusal.ts'
import type { SpecPath } from './refusal.ts'

export interface Codec<T> {
  /** The value; or WRONG, and `at` has been told why. `input` is undefined where nothing stands. */
  read(input: unknown, at: Place): T | Wrong
  /** As a person would write it: `read` gives the same value again. undefined: left out. */
  write(value: T): unknown
  /** A JSON Schema of what `read` takes. */
  readonly json: Json
  /** It need not be written. */
  readonly isOptional?: boolean
}

export type Json = Readonly<Record<string, unknown>>

export const WRONG: unique symbol = Symbol('wrong')
export type Wrong = typeof WRONG

/** Where reading is, and what was wrong so far. */
export class Place {
  readonly path: SpecPath
  readonly problems: Refusal[]

  constructor(path: SpecPath = [], problems: Refusal[] = []) {
    this.path = path
    this.problems = problems
  }

  at(step: string | number): Place {
    return new Place([...this.path, step], this.problems)
  }

  refuse(sentence: string, part: 'key' | 'value' = 'value'): Wrong {
    this.problems.push(new Refusal(this.path, sentence, part))
    return WRONG
  }
}

/** The value, or throws a `Refusal` for what is most wrong. */
export function readWhole<T>(codec: Codec<T>, input: unknown, path: SpecPath = []): T {
  const place = new Place(path)
  const value = codec.read(input, place)
  if (value !== WRONG && place.problems.length === 0) return value
  throw place.problems.find(({ part }) => part === 'key') ?? place.problems[0]!
}

/** Where nothing is written, it is as if this had been. */
export function otherwise<T>(codec: Codec<T>, written: unknown): Codec<T> {
  return {
    ...codec,
    isOptional: true,
    json: { ...codec.json, default: written },
    read: (input, at) => codec.read(input === undefined ? written : input, at),
    write: (value) => codec.write(value),
  }
}

/** Where nothing is written, there is nothing: somebody else will say what that means. */
export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    ...codec,
    isOptional: true,
    read: (input, at) => (input === undefined ? undefined : codec.read(input, at)),
    write: (value) => (value === undefined ? undefined : codec.write(value)),
  }
}

/** Where nothing is written, this value; and it is not written either. */
export function unless<T>(value: T, codec: Codec<T>): Codec<T> {
  return {
    ...codec,
    isOptional: true,
    read: (input, at) => (input === undefined ? value : codec.read(input, at)),
    write: (given) => (given === value ? undefined : codec.write(given)),
  }
}

/** The same written form for another value; `to` may refuse. */
export function mapped<A, B>(
  codec: Codec<A>,
  to: (value: A, at: Place) => B | Wrong,
  from: (value: B) => A,
): Codec<B> {
  return {
    ...codec,
    read: (input, at) => {
      const value = codec.read(input, at)
      return value === WRONG ? WRONG : to(value, at)
    },
    write: (value) => codec.write(from(value)),
  }
}
