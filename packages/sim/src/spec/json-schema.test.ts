import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scenarios } from '../scenarios/index.ts'
import { jsonSchema } from './json-schema.ts'
import { parseText } from './parse.ts'
import { allCards, testCards } from './test-cards.ts'

const accepts = (schema: object, text: string): boolean =>
  z.fromJSONSchema(schema as never).safeParse(parseText(text, 'a.yaml').tree).success

describe('jsonSchema', () => {
  const schema = jsonSchema(testCards)

  it.each(scenarios.map((scenario) => [scenario.name, scenario.text]))(
    'accepts the built-in scenario %s',
    (_, text) => {
      expect(accepts(jsonSchema(allCards), text)).toBe(true)
    },
  )

  const minimal = 'topology: {kind: star, hosts: 4}\nworkload: [{flowsFile: a.csv}]\n'

  it('underlines unknown keys, kinds, schemes, presets and parameters', () => {
    expect(accepts(schema, minimal)).toBe(true)
    expect(accepts(schema, `${minimal}fabrics: {}\n`)).toBe(false)
    expect(accepts(schema, minimal.replace('star', 'strar'))).toBe(false)
    expect(accepts(schema, `${minimal}scheme: dcqcn\n`)).toBe(true)
    expect(accepts(schema, `${minimal}scheme: dqcn\n`)).toBe(false)
    expect(accepts(schema, `${minimal}scheme: {name: dcqcn, preset: paper}\n`)).toBe(true)
    expect(accepts(schema, `${minimal}scheme: {name: dcqcn, preset: papr}\n`)).toBe(false)
    expect(accepts(schema, `${minimal}scheme: {name: dcqcn, params: {g: 1/256}}\n`)).toBe(true)
    expect(accepts(schema, `${minimal}scheme: {name: dcqcn, params: {h: 1/256}}\n`)).toBe(false)
  })

  it('is JSON, and says what it is for', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
    expect(schema).toMatchObject({ title: 'Weir scenario', type: 'object' })
  })
})
