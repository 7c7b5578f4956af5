/**
 * Tests at the speed of the program: a plugin for vitest that bundles test files, and what they
 * import of this tree, as `weir` itself is bundled. vitest gives each module an object of getters
 * and each use of an import a look into it, constants of the inner loops too: a simulation then
 * takes five to six times as long.
 *
 * All test files of a run are one build, whose common parts are chunks that Node imports by itself.
 * Watching is left as it was, since chunks would have to be made anew at each change.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, transform } from 'esbuild'
import { bundled } from './build.mjs'
import { plainFields } from './plain-fields.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export function bundledTests() {
  let vitest
  let built
  return {
    name: 'weir:bundled-tests',
    enforce: 'pre',
    configureVitest(context) {
      if (!context.vitest.config.watch) vitest = context.vitest
    },
    async load(id) {
      if (vitest === undefined || !id.endsWith('.test.ts')) return undefined
      built ??= filesOf(vitest).then(bundle)
      // What cannot be bundled is left to vitest, which says of each file what is wrong with it.
      const folder = await built.catch(() => undefined)
      if (folder === undefined) return undefined
      const made = join(folder, relative(root, id).replace(/\.ts$/u, '.mjs'))
      const placed = (_, before, chunk) => before + resolve(made, '..', chunk)
      const code = readFileSync(made, 'utf8').replaceAll(CHUNK, placed)
      const map = JSON.parse(readFileSync(`${made}.map`, 'utf8'))
      return { code, map: { ...map, sources: map.sources.map((of) => resolve(made, '..', of)) } }
    },
  }
}

/** Chunks are named from where an entry is, in imports of both kinds. */
const CHUNK = /(\b(?:from|import) ?\(?")(\.\.?\/[^"]*chunk-)/gu

async function filesOf(vitest) {
  const specifications = await vitest.globTestSpecifications(vitest.filenamePattern)
  return specifications.map(({ moduleId }) => moduleId)
}

async function bundle(files) {
  const parent = join(root, 'node_modules', '.weir-tests')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'run-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    ...bundled(),
    entryPoints: files,
    outbase: root,
    outdir: folder,
    plugins: [ownSourcesOnly, placesKept, plainFields],
  })
  return folder
}

/** Libraries are Node's to find; Weir's packages are links to sources. */
const ownSourcesOnly = {
  name: 'own-sources-only',
  setup(of) {
    of.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@weir/') ? undefined : { path, external: true },
    )
  },
}

/** A source that asks where it is hears where it was. */
const placesKept = {
  name: 'places-kept',
  setup(of) {
    of.onLoad({ filter: /\.m?ts$/ }, async ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta')) return undefined
      const define = {
        'import.meta.url': JSON.stringify(pathToFileURL(path).href),
        'import.meta.dirname': JSON.stringify(dirname(path)),
      }
      const { code } = await transform(text, {
        ...{ define, loader: 'ts', target: 'node20' },
        ...{ sourcefile: path, sourcemap: 'inline' },
      })
      return { contents: code, loader: 'js' }
    })
  },
}
