import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { PLAIN_FIELD, plainFields, withPlainFields } from './plain-fields.mjs'

it('makes private names plain, those of a derived class with its name, and no texts', () => {
  const text = `class Outer {
  readonly #a: number
  #b() { return class Inner extends Base { #a = '#a'; f(o: Outer) { return this.#a + o.#b() } } }
  c = (o: Outer) => o.#a // #a
}`
  const plain = withPlainFields(text, 'example.ts')
  const names = plain.match(/\b[ab]\$\w*/g)
  expect(plain).toContain("a$Inner = '#a'")
  expect(plain).toContain('// #a')
  expect(names).toEqual(['a$', 'b$', 'a$Inner', 'a$Inner', 'b$', 'a$'])
  for (const name of ['a$', 'settleDue$Fabric']) expect(name).toMatch(PLAIN_FIELD)
  expect(() => withPlainFields('class A { b = this.#c }', 'a.ts')).toThrow('a.ts: no class')
})

it('bundles fields that are set once, in the constructor', async () => {
  const path = new URL('../packages/fabric/src/switches/shared-memory.ts', import.meta.url).pathname
  expect(readFileSync(path, 'utf8')).toMatch(/readonly #\w+:/)
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    target: 'node20',
    plugins: [plainFields],
    write: false,
  })
  const text = outputFiles[0]!.text
  expect(text).toMatch(/this\.\w+\$ = /)
  expect(text).not.toMatch(/this\.#/)
  expect(text).not.toMatch(/^ {2}[\w$]+;$/m)
})
