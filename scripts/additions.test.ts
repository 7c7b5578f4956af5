/**
 * How many files one has to touch to add something: where the name of one that is there occurs, in
 * code, without comments, tests, scenarios and what users of it may name. CONTRIBUTING.md says how.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^[\w-]+\/src\/.*\.ts$/u.test(path))
  .filter((path) => !/\.test\.ts$|\/testing|\/scenarios\//u.test(path))
  .map((path) => ({
    path,
    text: withoutComments(readFileSync(join(root, 'packages', path), 'utf8')),
  }))

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//gu, '').replaceAll(/^\s*\/\/.*$/gmu, '')
}

const filesWith = (word: RegExp): string[] =>
  sources.filter(({ text }) => word.test(text)).map(({ path }) => path)

describe('to add', () => {
  it('a topology one writes its file and names it in the index', () => {
    expect(filesWith(/folded-?clos/iu)).toEqual([
      'fabric/src/topologies/folded-clos.ts',
      'fabric/src/topologies/index.ts',
    ])
  })

  it('a pattern one writes its file and names it in the catalogue', () => {
    expect(filesWith(/hot-?spot/iu)).toEqual([
      'workloads/src/patterns/hot-spot.ts',
      'workloads/src/patterns/patterns.ts',
    ])
  })

  it('a distribution of sizes one writes its file and names it in the catalogue', () => {
    expect(filesWith(/\bpareto/iu)).toEqual([
      'workloads/src/sizes/pareto.ts',
      'workloads/src/sizes/sizes.ts',
    ])
  })

  it('a routing one writes its file and names it in the index', () => {
    expect(filesWith(/['/]shortest-path['.]/u)).toEqual([
      'routing/src/index.ts',
      'routing/src/shortest-path.ts',
    ])
  })

  it('a scheme one writes its file, registers it and exports it', () => {
    expect(filesWith(/\btcp-?reno/iu)).toEqual([
      'schemes/src/index.ts',
      'schemes/src/registry.ts',
      'schemes/src/tcp-reno.ts',
    ])
  })

  it('a key one describes it in its section and reads it where it acts', () => {
    expect(filesWith(/\bidleRestart\b/u)).toEqual([
      'fabric/src/hosts/connections.ts',
      'sim/src/spec/hosts.ts',
    ])
  })
})
