/** A parameter as scenarios write it: by its unit, within its bounds. */
import { formatRate, formatSize, formatTime, parseRate, parseSize, parseTime } from '@weir/engine'
import { didYouMean, isText, readNumber, show, text } from '@weir/engine/codec'
import type { Codec, Place, Wrong } from '@weir/engine/codec'
import type { NumberParam, Param, ParamValue } from './param.ts'

export function paramCodec(param: Param): Codec<ParamValue> {
  const description = `${param.about} (${param.source})`
  switch (param.unit) {
    case 'boolean':
      return {
        read: (input, at) =>
          typeof input === 'boolean'
            ? input
            : at.refuse(`${show(input)} is neither true nor false; write one of them`),
        write: (value) => value,
        json: { type: 'boolean', description },
      }
    case 'choice': {
      const { choices } = param
      return {
        read: (input, at) => {
          const given = typeof input === 'string' ? input : ''
          if (choices.includes(given)) return given
          return at.refuse(`${show(input)} is not a choice; ${didYouMean(given, choices)}`)
        },
        write: (value) => value,
        json: { enum: choices, description },
      }
    }
    case 'text':
      return {
        read: (input, at) =>
          isText(input)
            ? String(input)
            : at.refuse(`${show(input)} is not a text; write one in quotes`),
        write: (value) => value,
        json: { ...text('a text', '').json, type: ['string', 'number'], description },
      }
    case 'time':
    case 'size':
    case 'rate':
    case 'fraction':
    case 'number':
    case 'count':
      return {
        read: (input, at) => {
          const value = readQuantity(param, input, at)
          return typeof value === 'number' ? within(param, value, at) : value
        },
        write: (value) => (param.unit in UNITS ? paramText(param, value as number) : value),
        json: { type: ['string', 'number'], description },
      }
  }
}

interface Unit {
  readonly written: string
  readonly parse: (text: string) => number
  readonly format: (value: number) => string
}

const UNITS: Readonly<Partial<Record<Param['unit'], Unit>>> = {
  time: { written: 'a time such as 55us', parse: parseTime, format: formatTime },
  size: { written: 'a size such as 10KB', parse: parseSize, format: formatSize },
  rate: { written: 'a rate such as 40Mbps', parse: parseRate, format: formatRate },
}

function readQuantity(param: NumberParam, input: unknown, at: Place): number | Wrong {
  const unit = UNITS[param.unit]
  if (unit !== undefined) {
    if (!isText(input)) {
      return at.refuse(`${show(input)} is not a quantity; write ${unit.written}`)
    }
    try {
      return unit.parse(String(input))
    } catch (error) {
      return at.refuse((error as Error).message)
    }
  }
  const number = isText(input) ? readNumber(input) : undefined
  const example = `write one such as ${param.default}`
  if (number === undefined) return at.refuse(`${show(input)} is not a number; ${example}`)
  if (param.unit === 'count' && !Number.isInteger(number)) {
    return at.refuse(`${show(input)} is not a whole number; ${example}`)
  }
  return number
}

function within(param: NumberParam, value: number, at: Place): number | Wrong {
  const { min, max } = boundsOf(param)
  if (value >= min && value <= max) return value
  const low = paramText(param, min)
  const high = paramText(param, max)
  const range =
    max === Infinity
      ? `of ${low} or more`
      : min === -Infinity
        ? `up to ${high}`
        : `from ${low} to ${high}`
  return at.refuse(`${paramText(param, value)} is out of range; write a value ${range}`)
}

/** What its unit says where the parameter does not. */
export function boundsOf({ unit, min, max }: NumberParam): { min: number; max: number } {
  return {
    min: min ?? (unit === 'number' ? -Infinity : 0),
    max: max ?? (unit === 'fraction' ? 1 : Infinity),
  }
}

/** A value as a person would write it. */
export function paramText(param: Pick<Param, 'unit'>, value: number): string {
  if (!Number.isFinite(value)) return String(value)
  return UNITS[param.unit]?.format(value) ?? String(value)
}
