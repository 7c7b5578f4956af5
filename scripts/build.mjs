/**
 * Bundles the command line into dist/: weir.mjs and what it loads only when needed, in chunks. Run
 * as a program, or imported by others: `await bundleCommandLine(folder)`.
 *
 * Small libraries are bundled because one file opens faster than hundreds; jsdom is left in
 * node_modules because it reads its own files at run time. The bundle is written aside and moved
 * into place, weir.mjs last, so that a build never pulls the floor from under another `weir`.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { plainFields } from './plain-fields.mjs'
import { schemePagesText } from './scheme-pages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const CHUNK_KEPT_MS = 3_600_000

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(root, 'dist')
  const aside = join(dist, `.building-${process.pid}`)
  try {
    await bundleCommandLine(aside)
    moveIntoPlace(aside, dist)
  } catch (error) {
    if (!Array.isArray(error?.errors)) console.error(`build: ${error?.message ?? error}`)
    process.exitCode = 1
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

export async function bundleCommandLine(folder, more = {}) {
  await build({
    ...bundled(),
    sourcesContent: false,
    entryPoints: {
      weir: 'apps/cli/src/main.ts',
      worker: 'apps/cli/src/worker.ts',
      'figure-worker': 'apps/cli/src/figure-worker.ts',
      'shared-run-thread': 'apps/cli/src/shared-run-thread.ts',
      ...ownModules(),
    },
    outdir: folder,
    // A process holds the text of all that it loads, of which a third was spaces; of yaml's module
    // form only what is used is bundled.
    minifyWhitespace: true,
    alias: { yaml: join(root, 'node_modules/yaml/browser/dist/index.js') },
    external: ['jsdom', 'playwright-core', 'esbuild', 'typescript'],
    // Some dependencies are CommonJS inside and ask for Node's own modules by `require`.
    banner: {
      js:
        "import { createRequire as __createRequire } from 'node:module'; " +
        'const require = __createRequire(import.meta.url);',
    },
    ...more,
  })
}

/** How all that runs in Node is bundled, tests too. */
export function bundled() {
  return {
    absWorkingDir: root,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    // Inlines constants across modules, the lanes of packets and ports above all: the simulation
    // runs 1.2 times as fast. Names are not shortened, so that stacks and profiles can be read.
    minifySyntax: true,
    plugins: [plainFields],
    legalComments: 'none',
    loader: { '.md': 'text', '.yaml': 'text', '.css': 'text' },
    define: { WEIR_SCHEME_PAGES: schemePagesText(root) },
    logLevel: 'warning',
  }
}

/**
 * What a person's own module imports as 'weir' or '@weir/fabric' is linked to `module-weir.mjs` or
 * `module-fabric.mjs`: the very classes that the program runs (apps/cli/src/own).
 */
function ownModules() {
  const names = ['engine', 'fabric', 'routing', 'schemes', 'metrics']
  return Object.fromEntries(
    [['weir', 'library'], ...names.map((name) => [name, name])].map(([name, folder]) => [
      `module-${name}`,
      `packages/${folder}/src/index.ts`,
    ]),
  )
}

function moveIntoPlace(aside, dist) {
  mkdirSync(dist, { recursive: true })
  const names = readdirSync(aside).sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
  for (const name of names) renameSync(join(aside, name), join(dist, name))
  // A `weir` that is still running may yet load a chunk of the build before: keep those a while.
  const made = new Set(names)
  for (const name of readdirSync(dist)) {
    if (!name.startsWith('chunk-') || made.has(name)) continue
    const path = join(dist, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age > CHUNK_KEPT_MS) rmSync(path, { force: true })
  }
}

function isEntry(name) {
  return name === 'weir.mjs'
}
