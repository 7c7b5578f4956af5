/**
 * The leaves of a spec: times, sizes, rates, numbers, counts, words and names. Text with a unit
 * comes in, a number in the base unit (ps, bytes, bit/s) goes out, and what is wrong is said in a
 * sentence with the remedy. A bare number is refused (but 0): nobody should have to guess its unit.
 */
import {
  formatRate,
  formatSize,
  formatTime,
  parseRate,
  parseSize,
  parseTime,
  UnitError,
} from '../units.ts'
import type { Codec } from './codec.ts'
import { WRONG } from './codec.ts'
import { Place } from './codec.ts'
import { didYouMean, either, show } from './words.ts'

export interface QuantityRange {
  /** 0 is refused unless this is set: where there can be `none`, that is what to write. */
  readonly zero?: boolean
  /** The word for 0, if there is one: `rateCap: none`. */
  readonly none?: boolean
  /** A value that makes sense here, for sentences. */
  readonly example?: string
}

export function time(range: QuantityRange = {}): Codec<number> {
  return quantity({ what: 'a time', example: '10us', parse: parseTime, format: formatTime }, range)
}

export function size(range: QuantityRange = {}): Codec<number> {
  return quantity({ what: 'a size', example: '64KB', parse: parseSize, format: formatSize }, range)
}

export function rate(range: QuantityRange = {}): Codec<number> {
  return quantity(
    { what: 'a rate', example: '25Gbps', parse: parseRate, format: formatRate },
    range,
  )
}

interface Quantity {
  readonly what: string
  readonly example: string
  readonly parse: (text: string) => number
  readonly format: (value: number) => string
}

function quantity(kind: Quantity, range: QuantityRange): Codec<number> {
  const { what, example, parse, format } = kind
  const orNone = range.none === true ? ', or none' : ''
  const written = `write ${what} such as ${range.example ?? example}${orNone}`
  return {
    read: (input, at) => {
      if (!isText(input)) return at.refuse(wrong(input, what, written))
      if (range.none === true && input === 'none') return 0
      try {
        const number = parse(String(input))
        if (number > 0 || range.zero === true) return number
        return at.refuse(`${show(input)} is zero; ${written}`)
      } catch (error) {
        if (!(error instanceof UnitError)) throw error
        // A word was meant as a word, so the words that fit are the remedy.
        const isWord = !/\d/u.test(String(input))
        return at.refuse(isWord ? `${show(input)} is not ${what}; ${written}` : error.message)
      }
    },
    write: (value) => (range.none === true && value === 0 ? 'none' : format(value)),
    json: {
      type: ['string', 'number'],
      description: `${what[0]!.toUpperCase()}${what.slice(1)}, such as ${example}.`,
    },
  }
}

/** `auto`, kept as a word for a value that is found later, or a quantity. */
export function orAuto(leaf: Codec<number>): Codec<number | 'auto'> {
  return {
    read: (input, at) => {
      if (!isText(input)) return at.refuse(wrong(input, 'a quantity', 'write one, or auto'))
      if (input === 'auto') return 'auto'
      const inner = new Place(at.path)
      const value = leaf.read(input, inner)
      if (value !== WRONG) return value
      return at.refuse(`${inner.problems[0]!.message.replace(/\.$/u, '')}, or auto`)
    },
    write: (value) => (value === 'auto' ? 'auto' : leaf.write(value)),
    json: { type: ['string', 'number'], description: 'A quantity with its unit, or auto.' },
  }
}

/** A number which may be written as a quotient or in per cent: `1/8`, `0.125`, `12.5%`. */
export function ratio(min: number, max: number, example: string): Codec<number> {
  const bounds = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`
  const written = `write a number ${bounds}, such as ${example}`
  return {
    read: (input, at) => {
      if (!isText(input)) return at.refuse(wrong(input, 'a number', written))
      const number = readNumber(input)
      if (number !== undefined && number >= min && number <= max) return number
      const why = number === undefined ? 'is not a number' : 'is out of range'
      return at.refuse(`${show(input)} ${why}; ${written}`)
    },
    write: (value) => value,
    json: {
      type: ['string', 'number'],
      description: `A number ${bounds}; 1/8 and 12.5% are numbers too.`,
    },
  }
}

/** A plain number, a quotient or a percentage; undefined if it is none of these. */
export function readNumber(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const match = /^\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(?:(%)|\/\s*([\d.]+))?\s*$/u.exec(value)
  if (match === null) return undefined
  const divisor = match[2] === '%' ? 100 : Number(match[3] ?? 1)
  const number = Number(match[1]) / divisor
  return Number.isFinite(number) ? number : undefined
}

export function count(min: number, max: number, example: number): Codec<number> {
  return whole(min, max, `write a whole number from ${min} to ${max}, such as ${example}`)
}

/** A bound on a count, or `none`, which is held as 0. */
export function bound(max: number, example: number): Codec<number> {
  const written = `write a whole number of 1 or more, such as ${example}, or none`
  const number = whole(1, max, written)
  return {
    read: (input, at) => {
      if (input === 'none') return 0
      if (typeof input !== 'number') return at.refuse(wrong(input, 'a bound', written))
      return number.read(input, at)
    },
    write: (value) => (value === 0 ? 'none' : value),
    json: { anyOf: [{ const: 'none' }, number.json] },
  }
}

function whole(min: number, max: number, written: string): Codec<number> {
  return {
    read: (input, at) => {
      if (typeof input !== 'number' || !Number.isSafeInteger(input)) {
        return at.refuse(wrong(input, 'a whole number', written))
      }
      if (input < min) return at.refuse(`${show(input)} is too small; ${written}`)
      if (input > max) return at.refuse(`${show(input)} is too large; ${written}`)
      return input
    },
    write: (value) => value,
    json: { type: 'integer', minimum: min, maximum: max },
  }
}

/** True or false. */
export function yesOrNo(): Codec<boolean> {
  return {
    read: (input, at) =>
      typeof input === 'boolean'
        ? input
        : at.refuse(wrong(input, 'yes or no', 'write true or false')),
    write: (value) => value,
    json: { type: 'boolean' },
  }
}

/** One of a few words. */
export function word<W extends string>(what: string, words: readonly W[]): Codec<W> {
  return {
    read: (input, at) => {
      if (words.includes(input as W)) return input as W
      return at.refuse(
        typeof input === 'string'
          ? `${show(input)} is not ${what}; ${didYouMean(input, words)}`
          : wrong(input, what, `write ${either(words)}`),
      )
    },
    write: (value) => value,
    json: { type: 'string', enum: words },
  }
}

export function text(what: string, example: string): Codec<string> {
  return {
    read: (input, at) =>
      typeof input === 'string'
        ? input
        : at.refuse(wrong(input, what, `write ${what} such as ${example}`)),
    write: (value) => value,
    json: { type: 'string' },
  }
}

/** The name of a node, flow or generator: a word without spaces; YAML may read `12` as a number. */
export function name(what: string, example: string): Codec<string> {
  const written = `write ${what} such as ${example}`
  return {
    read: (input, at) => {
      if (!isText(input)) return at.refuse(wrong(input, what, written))
      const given = String(input)
      if (/^\S+$/u.test(given)) return given
      const why = given === '' ? 'is empty' : 'has a space in it'
      return at.refuse(`${show(given)} ${why}; ${written}`)
    },
    write: (value) => value,
    json: { type: ['string', 'number'], description: `${what}, such as ${example}.` },
  }
}

export function list<T>(item: Codec<T>, written: string): Codec<readonly T[]> {
  return {
    read: (input, at) => {
      if (!Array.isArray(input)) return at.refuse(wrong(input, 'a list', `write ${written}`))
      const values = input.map((one, i) => item.read(one, at.at(i)))
      return values.includes(WRONG) ? WRONG : (values as T[])
    },
    write: (values) => values.map((value) => item.write(value)),
    json: { type: 'array', items: item.json },
  }
}

/** The sentence for a value of the wrong type, or none at all. */
export function wrong(input: unknown, what: string, written: string): string {
  if (input === undefined) return `missing; ${written}`
  if (input === null) return `there is no value here; ${written}`
  return `${show(input)} is not ${what}; ${written}`
}

export function isText(input: unknown): input is string | number {
  return typeof input === 'string' || (typeof input === 'number' && !Number.isNaN(input))
}
