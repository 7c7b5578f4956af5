import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { jsonSchema } from '@weir/sim'

it('the JSON Schema that editors read is the one of this version', () => {
  const file = new URL('../docs/schema/weir.schema.json', import.meta.url)
  const committed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  // If this fails: ./weir schema --out docs/schema/weir.schema.json
  expect(JSON.parse(JSON.stringify(jsonSchema()))).toEqual(committed)
})
