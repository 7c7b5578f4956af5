import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { jsonSchema } from '@weir/sim'

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
}

it('the JSON Schema that editors read is the one of this version', () => {
  const committed: unknown = JSON.parse(read('docs/schema/weir.schema.json'))
  // If this fails: ./weir schema --out docs/schema/weir.schema.json
  expect(JSON.parse(JSON.stringify(jsonSchema()))).toEqual(committed)
})

/** Every key of a scenario, and every word that one may be; schemes have pages of their own. */
function* words(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') {
      for (const [name, below] of Object.entries(value as object)) {
        yield name
        if (name !== 'scheme') yield* words(below)
      }
    } else if (key === 'const' || key === 'enum') {
      for (const word of [value].flat()) if (typeof word === 'string') yield word
    } else yield* words(value)
  }
}

it('every key and kind of a scenario is told of in docs/spec.md', () => {
  const page = read('docs/spec.md')
  const all = [...new Set(words(jsonSchema()))]
  expect(all.length).toBeGreaterThan(200)
  expect(all).toContain('folded-clos')
  expect(all.filter((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'u').test(page))).toEqual(
    [],
  )
})
