/**
 * Builds the lab into dist/lab: plain files that any static host can serve, with nothing from
 * elsewhere. Run as a program, or imported by others: `await buildLab()`.
 *
 * The page is modules with chunks that are loaded when they are needed. The worker of a run is text
 * inside a chunk, so that it is made from a blob and inherits the page's content security policy.
 * The workers of figures and of TypeScript run no code of a user's and are files of their own.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { PLAIN_FIELD, plainFields } from '../../scripts/plain-fields.mjs'

const lab = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(lab))
const ts = createRequire(import.meta.url)('typescript')

const common = {
  absWorkingDir: lab,
  bundle: true,
  minify: process.env.WEIR_LAB_PLAIN === undefined,
  target: 'es2022',
  platform: 'browser',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}

/**
 * The page lists figures; their programs run in a worker. The list is made here: a chunk with the
 * programs would leave what they alone use in the chunks that it shares with the first view.
 */
const listed = {
  name: 'listed',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]figures[\\/]catalogue\.ts$/ }, async ({ path }) => {
      const made = await build({ ...common, entryPoints: [path], format: 'esm', write: false })
      const { text } = made.outputFiles[0]
      const { catalogue } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
      return { contents: `export const catalogue = ${JSON.stringify(catalogue)}` }
    })
  },
}

/** Theory builds a network, which the page never does otherwise: with copies of what it shares. */
const theoryApart = {
  name: 'theory-apart',
  setup(builder) {
    builder.onResolve({ filter: /[\\/]model[\\/]theory\.ts$/ }, () => ({
      path: './theory.js',
      external: true,
    }))
  },
}

/** Workers simulate; the page does not, and plain names would make it larger. */
const quick = { ...common, plugins: [plainFields], mangleProps: PLAIN_FIELD }

export async function buildLab(folder = join(root, 'dist', 'lab')) {
  mkdirSync(dirname(folder), { recursive: true })
  // Of its own for each build: two threads of one process may build at once.
  const aside = mkdtempSync(`${folder}.building-`)
  try {
    const [worker, types, others, theory] = await Promise.all([
      bundled('src/worker/run-worker.ts'),
      buildTypesWorker(aside),
      build({
        ...quick,
        entryPoints: { 'figure-worker': 'src/figures/figure-worker.ts', cell: 'src/cell/cell.ts' },
        format: 'iife',
        outdir: aside,
      }),
      build({
        ...common,
        entryPoints: { theory: 'src/model/theory.ts' },
        format: 'esm',
        outdir: aside,
      }),
    ])
    const made = await build({
      ...common,
      plugins: [listed, theoryApart],
      entryPoints: { lab: 'src/main.ts', style: 'src/style.css' },
      outdir: aside,
      splitting: true,
      format: 'esm',
      chunkNames: 'chunk-[hash]',
      define: { WEIR_RUN_WORKER: JSON.stringify(worker.outputFiles[0].text) },
    })
    const bundles = [made, worker, types, others, theory].map(({ metafile }) =>
      Object.keys(metafile.inputs),
    )
    writeFileSync(join(aside, 'notices.html'), notices(bundles.flat()))
    for (const name of ['index.html', 'cell.html']) cpSync(join(lab, name), join(aside, name))
    moveIntoPlace(aside, folder)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** The licences of what is bundled travel with it: those of the page, and of all its workers. */
function notices(inputs) {
  const names = inputs.flatMap((path) => {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path) ?? []
    return name === undefined ? [] : [name]
  })
  const all = [...new Set(names)].sort()
  const parts = all.map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
    return `<h2>${name} ${version} (${license})</h2>\n<pre>${escaped(text)}</pre>`
  })
  const head =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Notices</title>' +
    '<link rel="icon" href="data:,">'
  return `${head}<h1>Libraries in the lab</h1>\n${parts.join('\n')}\n</html>\n`
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function bundled(entry) {
  return build({ ...quick, entryPoints: [entry], format: 'iife', write: false })
}

/** TypeScript for the scheme editor; what it asks of Node it never reaches in a browser. */
function buildTypesWorker(folder) {
  return build({
    ...common,
    entryPoints: { 'types-worker': 'src/own/types-worker.ts' },
    format: 'iife',
    outdir: folder,
    define: { WEIR_TYPES: JSON.stringify(declarations()) },
    external: ['fs', 'path', 'os', 'inspector', 'perf_hooks', 'module', 'crypto'].concat(
      'source-map-support',
    ),
  })
}

/** What a scheme may import, as declarations, and the language's own library without the page's. */
function declarations() {
  const files = {}
  for (const name of ['engine', 'fabric', 'schemes']) {
    const source = join(root, 'packages', name, 'src')
    for (const path of readdirSync(source, { recursive: true })) {
      if (!path.endsWith('.ts') || /\.test\.ts$|(^|\/)(testing|conforms)\b/.test(path)) continue
      const text = readFileSync(join(source, path), 'utf8')
      const { outputText } = ts.transpileDeclaration(text, { fileName: path, compilerOptions: {} })
      files[`/weir/${name}/${path.replaceAll('\\', '/')}`] = outputText
    }
  }
  const libs = join(dirname(createRequire(import.meta.url).resolve('typescript')))
  for (const name of readdirSync(libs)) {
    if (
      !/^lib\.(es5|decorators|decorators\.legacy|es20(1[5-9]|2[0-3])(\.\w+)*)\.d\.ts$/.test(name)
    ) {
      continue
    }
    if (/\.full\./.test(name)) continue
    files[`/lib/${name}`] = readFileSync(join(libs, name), 'utf8')
  }
  return files
}

/** index.html goes last: it names the others. A page that is open may still load older chunks. */
function moveIntoPlace(aside, folder) {
  mkdirSync(folder, { recursive: true })
  const names = readdirSync(aside).sort(
    (a, b) => Number(a === 'index.html') - Number(b === 'index.html'),
  )
  const made = new Set(names)
  for (const name of names) renameSync(join(aside, name), join(folder, name))
  for (const name of readdirSync(folder)) {
    if (!made.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
  }
  writeFileSync(join(folder, 'built'), '')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildLab(process.argv[2])
  } catch (error) {
    if (!Array.isArray(error?.errors)) console.error(`lab: ${error?.message ?? error}`)
    process.exitCode = 1
  }
}
