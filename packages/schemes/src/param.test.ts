import { describe, expect, it } from 'vitest'
import { inertControl } from '@weir/fabric'
import { isNumberParam, resolveParams } from './param.ts'
import type { Params, ParamsOf, Preset, ValuesOf } from './param.ts'
import { defineScheme } from './scheme.ts'
import { FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'

const words = { about: 'It is there.', source: 'this test' }
const params = {
  step: { unit: 'rate', default: 10e6, min: 1e3, ...words },
  isFast: { unit: 'boolean', default: true, ...words },
  form: { unit: 'choice', default: 'short', choices: ['short', 'long'], ...words },
  table: { unit: 'text', default: '', ...words },
} as const satisfies Params

type Values = ValuesOf<typeof params>

describe('the values of parameters', () => {
  it('are the defaults, then a preset, then what the spec says', () => {
    const preset: Preset = { ...words, values: { step: 1, form: 'long' } }
    expect(resolveParams(params, preset, { step: 2 })).toEqual({
      step: 2,
      isFast: true,
      form: 'long',
      table: '',
    })
    expect(Object.values(params).map(isNumberParam)).toEqual([true, false, false, false])
  })

  it('have the types of their parameters, and no other names', () => {
    const values: Values = { step: 1, isFast: false, form: 'long', table: 'x' }
    // @ts-expect-error -- a typo in a name does not compile
    expect(values.setp).toBeUndefined()
    // @ts-expect-error -- nor a word that is no choice
    const other: Values = { ...values, form: 'tall' }
    // @ts-expect-error -- nor a value of another kind
    const wrong: Values = { ...values, step: '10Mbps' }
    expect([other.form, wrong.step]).toEqual(['tall', '10Mbps'])
  })

  it('may be declared first: then the parameters must be these', () => {
    const { step, isFast, form, table } = params
    const right: ParamsOf<Values> = { step, isFast, form, table }
    // @ts-expect-error -- one is missing
    const missing: ParamsOf<Values> = { step, isFast, form }
    // @ts-expect-error -- a rate is not a word
    const mixed: ParamsOf<Values> = { step, isFast, form: step, table }
    expect([right, missing, mixed]).toHaveLength(3)
  })

  it('reach a scheme by name', () => {
    const card = { title: 'a test', cite: 'nowhere', needs: [], params, presets: {} }
    const scheme = defineScheme({
      ...card,
      name: 'typed',
      // @ts-expect-error -- `setp` is not a parameter
      ordered: [['step', 'setp']],
      create: (values) => ({ ...inertControl, dataHeaderBytes: values.isFast ? values.step : 0 }),
    })
    const control = scheme.create(valuesOf(scheme, { step: 12 }), fakeContext())
    expect(control.dataHeaderBytes).toBe(12)
    const point = control.reaction(new FakeFlow(10e9, 20e6))
    expect([point.rateBps, point.windowBytes]).toEqual([Infinity, Infinity])
  })
})
