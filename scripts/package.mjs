/**
 * What `npm pack` puts into the tarball, in dist/npm: the command line, the lab, the library and
 * its types. It runs by itself before a pack (`prepack`); `node scripts/package.mjs --no-lab`
 * leaves out the lab, which takes longest.
 *
 * Everything is bundled but jsdom, which reads its own files, and TypeScript, which is large: the
 * two dependencies of package.json.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { chmodSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'
import { buildLab } from '../apps/lab/build.mjs'
import { bundleCommandLine } from './build.mjs'
import { plainFields } from './plain-fields.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Without a library of types, TypeScript declares a method by a symbol as a property as well. */
const TWICE = /^ *(\[[\w.]+\]): .*\n(?=(?:.*\n)*? *\1\()/gmu
const ENTRIES = ['index', 'testing', 'theory']
/** What a person's own scheme may name as well: the packages that the lab's schemes import. */
const PACKAGES = ['engine', 'fabric', 'routing', 'schemes', 'metrics']

/** The way in: it speaks any Node, so that one that is too old is named. */
const PROGRAM = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 20 || (major === 20 && minor >= 19)) import('./weir.mjs')
else {
  console.error('weir: Node 20.19 or newer is needed; this is ' + process.version + '.')
  process.exitCode = 1
}
`

const folder = join(root, 'dist', 'npm')
const aside = `${folder}.building-${process.pid}`
try {
  mkdirSync(aside, { recursive: true })
  await bundleCommandLine(aside, { sourcemap: false })
  writeProgram(join(aside, 'main.mjs'))
  await bundleLibrary(join(aside, 'lib'))
  writeTypes(join(aside, 'types'))
  if (!process.argv.includes('--no-lab')) await buildLab(join(aside, 'lab'))
  rmSync(folder, { recursive: true, force: true })
  renameSync(aside, folder)
} catch (error) {
  if (!Array.isArray(error?.errors)) console.error(`package: ${error?.message ?? error}`)
  process.exitCode = 1
} finally {
  rmSync(aside, { recursive: true, force: true })
}

function writeProgram(path) {
  writeFileSync(path, PROGRAM)
  chmodSync(path, 0o755)
}

/** For Node and for bundlers of pages: no Node API is in it. */
async function bundleLibrary(outdir) {
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      ENTRIES.map((name) => [name, `packages/library/src/${name}.ts`]),
    ),
    outdir,
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    minifySyntax: true,
    plugins: [plainFields],
    legalComments: 'none',
    external: ['vitest'],
    logLevel: 'warning',
  })
}

/** Declarations of every source that the entries and the packages reach, as files beside it. */
function writeTypes(outdir) {
  const waiting = [
    ...ENTRIES.map((name) => join(root, 'packages/library/src', `${name}.ts`)),
    ...PACKAGES.map((name) => join(root, 'packages', name, 'src/index.ts')),
  ]
  const done = new Set()
  while (waiting.length > 0) {
    const path = waiting.pop()
    if (done.has(path)) continue
    done.add(path)
    const { outputText } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
      fileName: path,
      compilerOptions: { target: ts.ScriptTarget.ES2022, stripInternal: true },
    })
    const target = typesPath(path)
    const text = outputText
      .replace(TWICE, '')
      .replaceAll(/((?:from|import\()\s*['"])([^'"]+)(['"])/gu, (whole, before, name, after) => {
        const source = sourceOf(name, path)
        if (source === undefined) return whole
        waiting.push(source)
        const to = relative(dirname(target), typesPath(source)).replace(/\.d\.ts$/, '.js')
        return `${before}${to.startsWith('.') ? to : `./${to}`}${after}`
      })
    mkdirSync(dirname(join(outdir, target)), { recursive: true })
    writeFileSync(join(outdir, target), text)
  }
}

/** `packages/fabric/src/ports.ts` has its types in `fabric/ports.d.ts`. */
function typesPath(source) {
  const [, name, path] = /packages[/\\]([\w-]+)[/\\]src[/\\](.+)\.ts$/.exec(source)
  return `${name}/${path}.d.ts`
}

function sourceOf(name, from) {
  if (name.startsWith('.')) return join(dirname(from), name)
  const [, layer, entry = '.'] = /^@weir\/([\w-]+)(?:\/(.+))?$/.exec(name) ?? []
  if (layer === undefined) return undefined
  const manifest = JSON.parse(readFileSync(join(root, 'packages', layer, 'package.json'), 'utf8'))
  return join(root, 'packages', layer, manifest.exports[entry === '.' ? '.' : `./${entry}`])
}
