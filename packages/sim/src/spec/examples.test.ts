/** What we show must work: the examples, the scenarios, and the specs inside docs/spec.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scenarioByName, scenarios } from '../scenarios/index.ts'
import { jsonSchema } from './json-schema.ts'
import { loadSpec } from './load.ts'
import { parseText } from './parse.ts'
import { specCodec } from './schema.ts'
import { allCards } from './test-cards.ts'

const root = new URL('../../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const examples = readdirSync(new URL('examples/', root)).filter((name) => name.endsWith('.yaml'))

/** As the command line does: files are looked for beside the spec. */
const beside = (name: string): string | undefined => {
  try {
    return read(`examples/${name}`)
  } catch {
    return undefined
  }
}

describe('an example', () => {
  it.each(examples)('examples/%s is a valid spec, with comments that lead through it', (name) => {
    const text = read(`examples/${name}`)
    const spec = loadSpec({ text, sourceName: name, files: beside, schemes: allCards })
    expect(spec.title).not.toBe(spec.name)
    expect(text.match(/# /gu)!.length).toBeGreaterThan(3)
  })

  it('is one of at least three, and the editors accept them all', () => {
    expect(examples.length).toBeGreaterThanOrEqual(3)
    const schema = z.fromJSONSchema(jsonSchema(allCards) as never)
    for (const name of examples) {
      expect(schema.safeParse(parseText(read(`examples/${name}`), name).tree).success).toBe(true)
    }
  })
})

describe('a built-in scenario', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario.text]))(
    '%s is valid and says what to look for',
    (name, text) => {
      const spec = loadSpec({ text, sourceName: `${name}.yaml`, schemes: allCards })
      expect(spec.name).toBe(name)
      expect(spec.title).not.toBe(name)
      expect(spec.description.length).toBeGreaterThan(100)
    },
  )

  it('is found by its name, which no other has', () => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
    expect(scenarioByName('incast')?.name).toBe('incast')
    expect(scenarioByName('nothing')).toBeUndefined()
  })
})

describe('docs/spec.md', () => {
  const page = read('docs/spec.md')
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/gu)].map((match) => match[1]!)

  it('shows only specs and sections that are valid', () => {
    const rest = {
      topology: { kind: 'star', hosts: 32 },
      workload: [{ flows: [{ from: 'h0', to: 'h1' }] }],
    }
    expect(blocks.length).toBeGreaterThan(8)
    for (const block of blocks) {
      const { tree } = parseText(block, 'docs/spec.md')
      const text = JSON.stringify({ ...rest, ...(tree as object) })
      const files = (name: string): string | undefined =>
        name.endsWith('.csv') ? 'from,to,size,start\nh0,h1,1MB,0us\n' : beside(name)
      expect(() => loadSpec({ text, sourceName: block, files, schemes: allCards })).not.toThrow()
    }
  })

  it('names every key that the schema has', () => {
    const keys = new Set<string>()
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      for (const [key, value] of Object.entries(node)) {
        if (key === 'properties') Object.keys(value as object).forEach((name) => keys.add(name))
        collect(value)
      }
    }
    collect(specCodec.json)
    expect(keys.size).toBeGreaterThan(60)
    expect([...keys].filter((key) => !page.includes(`\`${key}\``))).toEqual([])
  })
})
