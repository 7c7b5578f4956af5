import { describe, expect, it } from 'vitest'
import { readWhole } from '@weir/engine/codec'
import { boundsOf, paramCodec, paramText } from './param-codec.ts'
import { isNumberParam } from './param.ts'
import type { NumberParam, Param } from './param.ts'
import { schemes } from './registry.ts'

const words = { about: 'How fast it grows.', source: 'a paper, section 3' }
const number = (unit: NumberParam['unit'], more: Partial<NumberParam> = {}): NumberParam => {
  return { unit, default: 2, ...more, ...words }
}
const yesNo: Param = { unit: 'boolean', default: true, ...words }
const form: Param = { unit: 'choice', default: 'short', choices: ['short', 'long'], ...words }
const table: Param = { unit: 'text', default: '', ...words }

const read = (param: Param, input: unknown): unknown => readWhole(paramCodec(param), input)

describe('a parameter as a scenario writes it', () => {
  it.each<[string, Param, unknown, unknown]>([
    ['a time', number('time'), '55us', 55e6],
    ['a size', number('size'), '10KB', 10e3],
    ['a rate', number('rate'), '40Mbps', 40e6],
    ['a fraction', number('fraction'), 0.25, 0.25],
    ['a number below zero', number('number'), -3.5, -3.5],
    ['a count', number('count'), 7, 7],
    ['true', yesNo, true, true],
    ['false', yesNo, false, false],
    ['a word', form, 'long', 'long'],
    ['a text', table, '0 5 12', '0 5 12'],
  ])('is read and written back: %s', (_, param, written, value) => {
    expect(read(param, written)).toBe(value)
    expect(paramCodec(param).write(value as never)).toBe(written)
  })

  it('may be a number in quotes, or a text that is a number', () => {
    expect(read(number('count'), '7')).toBe(7)
    expect(read(number('fraction'), '0.5')).toBe(0.5)
    expect(read(table, 12)).toBe('12')
  })

  it.each<[string, Param, unknown, string]>([
    ['a word for true', yesNo, 'yes', '"yes" is neither true nor false; write one of them'],
    ['another word', form, 'shrt', 'did you mean short?'],
    ['no word', form, 3, '3 is not a choice; '],
    ['a list for a text', table, [1], 'is not a text; write one in quotes'],
    ['a list for a time', number('time'), [1], 'is not a quantity; write a time such as 55us'],
    ['nothing for a size', number('size'), null, 'is not a quantity; write a size such as 10KB'],
    ['a yes for a rate', number('rate'), true, 'is not a quantity; write a rate such as 40Mbps'],
    ['a time without unit', number('time'), '55 parsecs', '55 parsecs'],
    ['a word for a count', number('count'), 'many', 'is not a number; write one such as 2'],
    ['a list for a number', number('number'), [1], 'is not a number; write one such as 2'],
    ['half a packet', number('count'), 1.5, '1.5 is not a whole number; write one such as 2'],
  ])('is refused with what to write: %s', (_, param, input, sentence) => {
    expect(() => read(param, input)).toThrow(sentence)
  })

  it('says in a schema what it is, and where its default comes from', () => {
    const description = 'How fast it grows. (a paper, section 3)'
    expect(paramCodec(yesNo).json).toEqual({ type: 'boolean', description })
    expect(paramCodec(form).json).toEqual({ enum: ['short', 'long'], description })
    for (const param of [table, number('time'), number('count')]) {
      expect(paramCodec(param).json).toMatchObject({ type: ['string', 'number'], description })
    }
  })
})

describe('the bounds of a parameter', () => {
  it.each<[NumberParam['unit'], number, number]>([
    ['time', 0, Infinity],
    ['size', 0, Infinity],
    ['rate', 0, Infinity],
    ['count', 0, Infinity],
    ['fraction', 0, 1],
    ['number', -Infinity, Infinity],
  ])('of a %s are those of its unit, unless it says others', (unit, min, max) => {
    expect(boundsOf(number(unit))).toEqual({ min, max })
    expect(boundsOf(number(unit, { min: 0.5, max: 0.75 }))).toEqual({ min: 0.5, max: 0.75 })
  })

  it('belong to it', () => {
    const rate = number('rate', { min: 1e6, max: 40e9 })
    expect([read(rate, '1Mbps'), read(rate, '40Gbps')]).toEqual([1e6, 40e9])
  })

  it.each<[NumberParam, unknown, string]>([
    [number('rate', { min: 1e6, max: 40e9 }), '999kbps', 'a value from 1Mbps to 40Gbps'],
    [number('rate', { min: 1e6, max: 40e9 }), '41Gbps', '41Gbps is out of range'],
    [number('count', { min: 1 }), 0, '0 is out of range; write a value of 1 or more'],
    [number('number', { max: 3 }), 4, '4 is out of range; write a value up to 3'],
    [number('fraction'), 1.5, '1.5 is out of range; write a value from 0 to 1'],
    [number('fraction'), -0.5, '-0.5 is out of range; write a value from 0 to 1'],
  ])('keep out what is beyond them (%#)', (param, input, sentence) => {
    expect(() => read(param, input)).toThrow(sentence)
  })
})

describe('a value as a person would write it', () => {
  it('has its unit, and may be endless', () => {
    expect(paramText({ unit: 'time' }, 55e6)).toBe('55us')
    expect(paramText({ unit: 'size' }, 10e3)).toBe('10KB')
    expect(paramText({ unit: 'rate' }, 40e6)).toBe('40Mbps')
    expect(paramText({ unit: 'count' }, 5)).toBe('5')
    expect(paramText({ unit: 'rate' }, Infinity)).toBe('Infinity')
  })
})

describe('every parameter of every scheme', () => {
  const all = schemes.flatMap(({ name, params }) =>
    Object.entries(params).map(([key, param]) => [`${name} ${key}`, param as Param] as const),
  )

  it.each(all)('%s has a default that is read as it is written, within its bounds', (_, param) => {
    expect(read(param, paramCodec(param).write(param.default))).toBe(param.default)
    if (!isNumberParam(param)) return
    const { min, max } = boundsOf(param)
    expect(param.default).toBeGreaterThanOrEqual(min)
    expect(param.default).toBeLessThanOrEqual(max)
  })
})
