/**
 * Taste as a test: what a linter cannot see. One `it` a rule; each names the files that break it.
 * Lengths are a ratchet: scripts/tidy-ratchet.json lists what is longer than it should be, with the
 * length it must not exceed. The test itself takes out what has become shorter, and refuses a list
 * that is longer than at the commit before.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { topologies } from '@weir/fabric'
import { schemes } from '@weir/schemes'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const LINE_COLUMNS_MAX = 100
const FUNCTION_LINES_MAX = 70
const FILE_LINES_MAX = 400
const RATCHET = 'scripts/tidy-ratchet.json'
const FILE_BYTES_MAX = 256 * 1024
const SIX_HEADINGS = [
  ...['Idea', 'Equations', 'Parameters', 'Not modelled', 'Validation', 'References'],
]
const LAYERS = [
  ...['engine', 'fabric', 'routing', 'theory', 'rack', 'schemes', 'workloads', 'metrics'],
  ...['sim', 'store', 'cluster', 'library'],
]
/** Layers that hold no simulation and may use Node. */
const OUTER = ['rack', 'store', 'cluster']

/** What tests and programs outside packages may import from, besides their own place. */
const REACH: Readonly<Record<string, readonly string[]>> = {
  packages: [],
  experiments: ['packages'],
  hdl: ['packages'],
  bench: ['packages'],
  'apps/lab': ['packages', 'experiments'],
  'apps/cli': ['packages', 'experiments', 'apps/lab'],
}

/** Tracked files and new ones, not what git ignores, and nothing that was built. */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  .toString()
  .split('\0')
  .filter((path) => path !== '' && !/(^|\/)(dist|node_modules)\//.test(path))
  .filter((path) => existsSync(join(root, path)))
const sources = files.filter((path) => /\.(ts|mjs)$/.test(path))
const texts = files.filter((path) => /\.(ts|mjs|md|yaml|yml|json|css|html|sh)$/.test(path))

describe('tidy', () => {
  it('imports point down the layers, and never across by a relative path', () => {
    const wrong = packageSources().flatMap(({ path, layer, imports }) =>
      imports
        .filter((name) => {
          const target = /^@weir\/([\w-]+)/.exec(name)?.[1]
          if (target !== undefined) return LAYERS.indexOf(target) >= LAYERS.indexOf(layer)
          const inside = join(root, 'packages', layer)
          return name.startsWith('.') && !resolve(root, dirname(path), name).startsWith(inside)
        })
        .map((name) => `${path} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('tests, experiments and apps reach down as well: nothing but scripts imports an app', () => {
    const wrong = sources.flatMap((path) => {
      const place = /^(packages|experiments|hdl|bench|apps\/\w+)\//.exec(path)?.[1]
      // How an app is built is a script, beside it.
      if (place === undefined || path.endsWith('/build.mjs')) return []
      const allowed = REACH[place] ?? []
      return importsOf(path)
        .map((name) => placeOf(path, name))
        .filter((target) => target !== undefined && target !== place && !allowed.includes(target))
        .map((target) => `${path} imports from ${target}`)
    })
    expect([...new Set(wrong)]).toEqual([])
  })

  it('nothing below apps imports a module of Node', () => {
    const wrong = packageSources()
      .filter(({ layer }) => !OUTER.includes(layer))
      .flatMap(({ path, imports }) =>
        imports.filter((name) => name.startsWith('node:')).map((name) => `${path}: ${name}`),
      )
    expect(wrong).toEqual([])
  })

  it('the engine depends on nothing', () => {
    const manifest = JSON.parse(read('packages/engine/package.json')) as Record<string, unknown>
    expect(manifest['dependencies'] ?? {}).toEqual({})
    const outside = packageSources()
      .filter(({ layer }) => layer === 'engine')
      .flatMap(({ imports }) => imports.filter((name) => !name.startsWith('.')))
    expect(outside).toEqual([])
  })

  it('every scheme has a file, a test that calls conforms, and a page', () => {
    const wrong = schemes.flatMap(({ name }) =>
      [
        existsSync(join(root, `packages/schemes/src/${name}.ts`)) ? '' : `${name}.ts`,
        callsConforms(name) ? '' : `${name}.test.ts that calls conforms`,
        existsSync(join(root, `docs/schemes/${name}.md`)) ? '' : `docs/schemes/${name}.md`,
      ]
        .filter((missing) => missing !== '')
        .map((missing) => `${name} lacks ${missing}`),
    )
    expect(wrong).toEqual([])
  })

  it('every topology has a test that calls conforms', () => {
    const folder = 'packages/fabric/src/topologies'
    const made = files.filter(
      (path) => path.startsWith(`${folder}/`) && /^export const \w+: Topology</mu.test(read(path)),
    )
    expect(made.length).toBe(Object.keys(topologies).length)
    expect(made.filter((path) => !conformsIn(path.replace(/\.ts$/, '.test.ts')))).toEqual([])
  })

  it('every page of a scheme has the six headings, in order', () => {
    const pages = files.filter((path) => /^docs\/schemes\/[\w-]+\.md$/.test(path))
    for (const path of pages.filter((path) => !path.endsWith('/README.md'))) {
      const headings = [...read(path).matchAll(/^## (.+)$/gm)].map((match) => match[1]!.trim())
      expect(headings, path).toEqual(SIX_HEADINGS)
    }
  })

  it('no note to self is left behind', () => {
    // Spelt apart, so that this file passes its own test.
    const note = new RegExp(`\\b(${'FIX'}ME|${'TO'}DO|${'XX'}X)\\b`)
    expect(linesWhere((line) => note.test(line))).toEqual([])
  })

  it('no tabs, no blanks at the end of a line', () => {
    // Tests of what people write may hold what they should not write.
    const isWrong = (line: string, path: string): boolean =>
      (line.includes('\t') && !path.endsWith('.test.ts')) || /[^ ] +$/.test(line)
    expect(linesWhere(isWrong)).toEqual([])
  })

  it('lines, functions and files that are too long do not grow, and none joins them', () => {
    const ratchet = JSON.parse(read(RATCHET)) as Ratchet
    const long: Ratchet = { ...tooLong(), ...tooWide() }
    const wrong = Object.entries(long)
      .filter(([what, lines]) => lines > (ratchet[what] ?? 0))
      .map(([what, lines]) => `${what} has ${lines} lines; it may have ${ratchet[what] ?? 'fewer'}`)
    expect(wrong).toEqual([])
    // What has become shorter stays so: the file is written anew, to be committed.
    const sorted = Object.entries(long).sort(([a], [b]) => (a < b ? -1 : 1))
    const text = JSON.stringify(Object.fromEntries(sorted), null, 2) + '\n'
    if (text !== read(RATCHET)) writeFileSync(join(root, RATCHET), text)
  })

  it('the list of what is too long only shrinks, from each commit to the next', () => {
    const now = JSON.parse(read(RATCHET)) as Ratchet
    const grown = ['HEAD', 'HEAD^'].flatMap((commit) => {
      const before = ratchetAt(commit)
      if (before === undefined) return []
      return Object.entries(now)
        .filter(([what, lines]) => lines > (before[what] ?? 0))
        .map(([what, lines]) => `${what}: ${before[what] ?? 0} at ${commit}, ${lines} now`)
    })
    expect(grown).toEqual([])
  })

  it('no file is over 256 kB', () => {
    const big = files.filter(
      (path) => path !== 'package-lock.json' && statSync(join(root, path)).size > FILE_BYTES_MAX,
    )
    expect(big).toEqual([])
  })

  it('links between documents lead somewhere', () => {
    const broken = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        linksOf(read(path))
          .filter((link) => !existsSync(resolve(root, dirname(path), link)))
          .map((link) => `${path}: ${link}`),
      )
    expect(broken).toEqual([])
  })

  it('a lint rule is waived only with a reason', () => {
    const silent = linesWhere(
      (line, path) =>
        /\.(ts|mjs)$/.test(path) && /(\/\/|\/\*) eslint-disable/.test(line) && !/ -- \S/.test(line),
    )
    expect(silent).toEqual([])
  })
})

/** Lengths by `path`, `path#function` or `path@columns`. */
type Ratchet = Record<string, number>

/** undefined where there is no such commit, or no git. */
function ratchetAt(commit: string): Ratchet | undefined {
  try {
    const args = ['show', `${commit}:${RATCHET}`]
    const text = execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    return JSON.parse(text.toString()) as Ratchet
  } catch {
    return undefined
  }
}

interface PackageSource {
  readonly path: string
  readonly layer: string
  readonly imports: readonly string[]
}

/** Tests may reach upwards, to try a part in a whole; what ships may not. */
function packageSources(): PackageSource[] {
  return sources.flatMap((path) => {
    const layer = /^packages\/([\w-]+)\/src\//.exec(path)?.[1]
    if (layer === undefined || path.endsWith('.test.ts')) return []
    return [{ path, layer, imports: importsOf(path) }]
  })
}

function importsOf(path: string): string[] {
  return ts.preProcessFile(read(path), true, true).importedFiles.map(({ fileName }) => fileName)
}

/** Which part of the tree an import leads to; undefined: a library, or Node. */
function placeOf(from: string, name: string): string | undefined {
  const app = /^@weir\/(cli|lab)\b/.exec(name)?.[1]
  if (app !== undefined) return `apps/${app}`
  if (name.startsWith('@weir/')) return 'packages'
  if (!name.startsWith('.')) return undefined
  const path = resolve(root, dirname(from), name).slice(root.length + 1)
  return /^(packages|experiments|hdl|bench|apps\/\w+|scripts)\b/.exec(path)?.[1]
}

function callsConforms(name: string): boolean {
  return conformsIn(`packages/schemes/src/${name}.test.ts`)
}

function conformsIn(path: string): boolean {
  return existsSync(join(root, path)) && /\bconforms\(/.test(read(path))
}

function linesWhere(isWrong: (line: string, path: string) => boolean): string[] {
  return texts
    .filter((path) => path !== 'package-lock.json' && !path.startsWith('docs/schema/'))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => (isWrong(line, path) ? [`${path}:${index + 1}`] : [])),
    )
}

/** How many lines of a file are over the width, by `path@columns`. */
function tooWide(): Record<string, number> {
  const isExempt = (path: string, line: string): boolean =>
    /\.(json|svg|html)$/.test(path) ||
    (path.endsWith('.md') && !/^ {0,3}(\/\/|```)/.test(line)) ||
    // A link or a citation cannot be broken.
    /https?:\/\/\S{60,}/.test(line)
  const wide: Record<string, number> = {}
  for (const place of linesWhere(
    (line, path) => line.length > LINE_COLUMNS_MAX && !isExempt(path, line),
  )) {
    const what = place.replace(/:\d+$/, '@columns')
    wide[what] = (wide[what] ?? 0) + 1
  }
  return wide
}

/**
 * Lengths in lines of every file and function over its limit, by `path` or `path#function`. Tests
 * are lists of cases, and may be as long as there are cases.
 */
function tooLong(): Record<string, number> {
  const long: Record<string, number> = {}
  for (const path of sources) {
    const text = read(path)
    if (path.endsWith('.test.ts')) continue
    const lines = text.split('\n').length - 1
    if (lines > FILE_LINES_MAX) long[path] = lines
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    visitFunctions(file, (name, node) => {
      const from = file.getLineAndCharacterOfPosition(node.getStart()).line
      const to = file.getLineAndCharacterOfPosition(node.end).line
      if (to - from + 1 > FUNCTION_LINES_MAX) long[`${path}#${name}`] = to - from + 1
    })
  }
  return long
}

function visitFunctions(file: ts.SourceFile, visit: (name: string, node: ts.Node) => void): void {
  const walk = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const name =
        node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined)
      visit(name?.getText(file) ?? 'anonymous', node)
    }
    ts.forEachChild(node, walk)
  }
  walk(file)
}

/** Relative links of a document, without those in code and without anchors. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)]
    .map((match) => match[1]!.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/i.test(link))
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
