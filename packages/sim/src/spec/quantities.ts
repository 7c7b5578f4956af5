/**
 * The leaves of the user-facing schema: times, sizes, rates, fractions, counts, words and names.
 * Text with a unit comes in, a number in Weir's base unit goes out, and what is wrong is said in a
 * sentence with the remedy. A bare number is refused (but 0): nobody should have to guess its unit.
 */
import { z } from 'zod'
import { parseRate, parseSize, parseTime, UnitError } from '@weir/engine'
import { didYouMean, either, show } from './words.ts'

type Leaf<T> = z.ZodType<T>

interface QuantityRange {
  /** 0 is refused unless this is set: where there can be `none`, that is what to write. */
  readonly zero?: boolean
  /** The word for 0, if there is one: `rateCap: none`. */
  readonly none?: boolean
  /** A value that makes sense here, for sentences. */
  readonly example?: string
}

export function time(range: QuantityRange = {}): Leaf<number> {
  return quantity({ what: 'a time', example: '10us', parse: parseTime }, range)
}

export function size(range: QuantityRange = {}): Leaf<number> {
  return quantity({ what: 'a size', example: '64KB', parse: parseSize }, range)
}

export function rate(range: QuantityRange = {}): Leaf<number> {
  return quantity({ what: 'a rate', example: '25Gbps', parse: parseRate }, range)
}

/** `auto`, kept as a word for a value that is found later, or a quantity. */
export function orAuto(leaf: Leaf<number>): Leaf<number | 'auto'> {
  return z
    .union([z.string(), z.number()], {
      error: (issue) => wrong(issue.input, 'a quantity', 'write one, or auto'),
    })
    .transform((value, context) => {
      if (value === 'auto') return 'auto'
      const read = leaf.safeParse(value)
      if (read.success) return read.data
      const { message } = read.error.issues[0]!
      context.addIssue({ code: 'custom', message: `${message.replace(/\.$/u, '')}, or auto` })
      return z.NEVER
    })
    .meta({ description: 'A quantity with its unit, or auto.' }) as Leaf<number | 'auto'>
}

interface Quantity {
  readonly what: string
  readonly example: string
  readonly parse: (text: string) => number
}

function quantity({ what, example, parse }: Quantity, range: QuantityRange): Leaf<number> {
  const orNone = range.none === true ? ', or none' : ''
  const written = `write ${what} such as ${range.example ?? example}${orNone}`
  return z
    .union([z.string(), z.number()], { error: (issue) => wrong(issue.input, what, written) })
    .transform((value, context) => {
      if (range.none === true && value === 'none') return 0
      try {
        const number = parse(String(value))
        if (number > 0 || range.zero === true) return number
        context.addIssue({ code: 'custom', message: `${show(value)} is zero; ${written}` })
      } catch (error) {
        if (!(error instanceof UnitError)) throw error
        // A word was meant as a word, so the words that fit are the remedy.
        const isWord = !/\d/u.test(String(value))
        const message = isWord ? `${show(value)} is not ${what}; ${written}` : error.message
        context.addIssue({ code: 'custom', message })
      }
      return z.NEVER
    })
    .meta({ description: `${what[0]!.toUpperCase()}${what.slice(1)}, such as ${example}.` })
}

/** A number which may be written as a quotient or in per cent: `1/8`, `0.125`, `12.5%`. */
export function ratio(min: number, max: number, example: string): Leaf<number> {
  const bounds = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`
  const written = `write a number ${bounds}, such as ${example}`
  return z
    .union([z.string(), z.number()], { error: (issue) => wrong(issue.input, 'a number', written) })
    .transform((value, context) => {
      const number = readNumber(value)
      if (number !== undefined && number >= min && number <= max) return number
      const why = number === undefined ? 'is not a number' : 'is out of range'
      context.addIssue({ code: 'custom', message: `${show(value)} ${why}; ${written}` })
      return z.NEVER
    })
    .meta({ description: `A number ${bounds}; 1/8 and 12.5% are numbers too.` })
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

export function count(min: number, max: number, example: number): Leaf<number> {
  return whole(min, max, `write a whole number from ${min} to ${max}, such as ${example}`)
}

/** A bound on a count, or `none`, which is held as 0. */
export function bound(max: number, example: number): Leaf<number> {
  const written = `write a whole number of 1 or more, such as ${example}, or none`
  return z.union([z.literal('none').transform(() => 0), whole(1, max, written)], {
    error: (issue) => wrong(issue.input, 'a bound', written),
  })
}

function whole(min: number, max: number, written: string): Leaf<number> {
  return z
    .int({ error: (issue) => wrong(issue.input, 'a whole number', written) })
    .min(min, { error: (issue) => `${show(issue.input)} is too small; ${written}` })
    .max(max, { error: (issue) => `${show(issue.input)} is too large; ${written}` })
}

/** One of a few words. */
export function word<W extends string>(what: string, words: readonly W[]): Leaf<W> {
  return z.enum(words as readonly [W, ...W[]], {
    error: ({ input }) =>
      typeof input === 'string'
        ? `${show(input)} is not ${what}; ${didYouMean(input, words)}`
        : wrong(input, what, `write ${either(words)}`),
  }) as unknown as Leaf<W>
}

export function text(what: string, example: string): Leaf<string> {
  return z.string({
    error: (issue) => wrong(issue.input, what, `write ${what} such as ${example}`),
  })
}

/** The name of a node, flow or generator: a word without spaces; YAML may read `12` as a number. */
export function name(what: string, example: string): Leaf<string> {
  const written = `write ${what} such as ${example}`
  return z
    .union([z.string(), z.number()], { error: (issue) => wrong(issue.input, what, written) })
    .transform((value, context) => {
      const given = String(value)
      if (/^\S+$/u.test(given)) return given
      const why = given === '' ? 'is empty' : 'has a space in it'
      context.addIssue({ code: 'custom', message: `${show(given)} ${why}; ${written}` })
      return z.NEVER
    })
    .meta({ description: `${what}, such as ${example}.` })
}

export function list<T>(item: Leaf<T>, written: string): Leaf<T[]> {
  return z.array(item, { error: (issue) => wrong(issue.input, 'a list', `write ${written}`) })
}

/** The sentence for a value of the wrong type, or none at all. */
export function wrong(input: unknown, what: string, written: string): string {
  if (input === undefined) return `missing; ${written}`
  if (input === null) return `there is no value here; ${written}`
  return `${show(input)} is not ${what}; ${written}`
}
