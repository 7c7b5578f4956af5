/** The package that `npm pack` makes, in a fresh project: `npm run packed` has other Nodes too. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpec, scenarioByName, simulate } from '@weir/sim'
import { freshProject, pack, type Project } from './packed.mjs'

describe('the packed tarball in a fresh project', { timeout: 180_000 }, () => {
  let folder = ''
  let project: Project
  let files: readonly string[] = []

  const text = scenarioByName('incast')?.text ?? ''
  const { fingerprint } = simulate(loadSpec({ text, settings: ['scheme=dcqcn'] }))

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-packed-'))
    const packed = pack(folder, { isLab: false })
    files = packed.files
    project = freshProject(join(folder, 'project'), packed.tarball)
  }, 180_000)

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('holds what is built and its documents, and no sources', () => {
    expect(files).toContain('dist/npm/main.mjs')
    expect(files).toContain('dist/npm/weir.mjs')
    expect(files).toContain('dist/npm/types/library/index.d.ts')
    expect(files).toContain('docs/spec.md')
    expect(files.filter((path) => /^(packages|apps|experiments|scripts)\//.test(path))).toEqual([])
    expect(files.filter((path) => /\.map$|\.test\./.test(path))).toEqual([])
  })

  it('compares incast without installing or building anything more', () => {
    const said = project.run('npx', [
      ...['--no-install', 'weir', 'compare', 'incast'],
      ...['--schemes', 'dcqcn,none', '--json', '--out', 'report.html'],
    ])
    const { runs } = JSON.parse(said) as { runs: { fingerprint: string }[] }
    expect(runs[0]?.fingerprint).toBe(fingerprint)
  })

  it('is imported, in Node and in a script bundled for a page', async () => {
    expect(project.imported().fingerprint).toBe(fingerprint)
    expect(await project.bundled()).toEqual(project.imported())
  })

  it('begins, checks and compares a scheme of your own', () => {
    project.weir(['new', 'scheme', 'my-scheme'])
    const said = project.weir([
      ...['compare', 'incast', '--schemes', 'dcqcn', '--scheme', './my-scheme.ts', '--json'],
    ])
    const { runs } = JSON.parse(said) as { runs: { scheme: string }[] }
    expect(runs.map(({ scheme }) => scheme)).toEqual(['dcqcn', 'my-scheme'])
    const text = readFileSync(project.path('my-scheme.ts'), 'utf8')
    project.write('typo.ts', text.replace('flow.lineRateBps', 'flow.lineRate'))
    expect(() => project.weir(['run', 'incast', '--scheme', './typo.ts'])).toThrow(
      /typo.ts:14:25: Property 'lineRate' does not exist on type 'FlowContext'/,
    )
  })

  it('has types that stand alone, however a project finds its packages', () => {
    expect(() => project.typeCheck()).not.toThrow()
  })
})
