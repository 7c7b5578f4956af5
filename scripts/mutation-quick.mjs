/**
 * `npm run mutation -- --quick ...`: the mutants that Stryker would try, several times as fast. The
 * tests are bundled once with all mutants in them (Stryker's own instrumenter) and run again and
 * again in one thread, with mutation-stand-in.mjs in vitest's place. What does not end is known by
 * its count of hits or by its CPU time: a machine that does other work kills no mutants.
 *
 * Departs from Stryker: tests share the state of their modules over all mutants.
 */
import { fork } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** CPU seconds that a test of a mutant may take, and so many times what it takes without one. */
const CPU_MAX = 5
const CPU_FACTOR = 5
/** Ticks of /proc/<pid>/stat. */
const TICKS_PER_SECOND = 100
/** Memory that the heap may have, and the whole process: a mutant that takes more is killed. */
const HEAP_MB_MAX = 800
const RESIDENT_MB_MAX = 1400
/** Pages of /proc/<pid>/statm. */
const PAGES_PER_MB = 256

/**
 * Tries what stands in `ranges` with tests that match `patterns`; writes a report to `file`. A run
 * that is cut leaves what it has found as lines, in `file` with an l behind it.
 */
export async function quick(ranges, patterns, file, underMs = Infinity) {
  const { sources, mutants } = await instrumented(ranges)
  const folder = join(root, 'node_modules/.cache/mutation', String(process.pid))
  mkdirSync(folder, { recursive: true })
  const bundle = join(folder, 'tests.mjs')
  await bundled(sources, testFiles(patterns), bundle)
  mkdirSync(join(root, dirname(file)), { recursive: true })
  const lines = join(root, `${file}l`)
  writeFileSync(lines, '')
  const found = (mutant) => appendFileSync(lines, `${JSON.stringify(mutant)}\n`)
  const statuses = await tried(bundle, mutants, found, underMs)
  rmSync(folder, { recursive: true })
  const files = {}
  for (const mutant of mutants) {
    const { fileName, ...rest } = reported(mutant, statuses.get(mutant.id) ?? 'Pending')
    const path = relative(root, fileName)
    files[path] ??= { source: readFileSync(join(root, path), 'utf8'), mutants: [] }
    files[path].mutants.push(rest)
  }
  writeFileSync(join(root, file), JSON.stringify({ files }))
  rmSync(lines)
}

/** A mutant as Stryker's reports have it, whose lines and columns begin with 1. */
function reported({ id, fileName, mutatorName, replacement, location }, status) {
  const up = ({ line, column }) => ({ line: line + 1, column: column + 1 })
  const where = { start: up(location.start), end: up(location.end) }
  return { id, fileName, mutatorName, replacement, location: where, status }
}

/** Sources with all of their mutants in them, each behind a switch. */
async function instrumented(ranges) {
  const byFile = new Map()
  for (const range of ranges) {
    const [, path, ...numbers] = /^(.*?)(?::(\d+)(?::(\d+))?-(\d+)(?::(\d+))?)?$/.exec(range)
    const [line, column = 0, endLine, endColumn = Infinity] = numbers.map((text) =>
      text === undefined ? undefined : Number(text),
    )
    const part = {
      start: { line: line - 1, column },
      end: { line: endLine - 1, column: endColumn },
    }
    if (line === undefined) byFile.set(path, true)
    else if (byFile.get(path) !== true) byFile.set(path, [...(byFile.get(path) ?? []), part])
  }
  const silent = () => undefined
  const logger = { debug: silent, info: silent, warn: silent, isDebugEnabled: () => false }
  const inputs = [...byFile].map(([path, mutate]) => {
    const name = join(root, path)
    return { name, mutate, content: readFileSync(name, 'utf8') }
  })
  const options = { plugins: null, excludedMutations: [], ignorers: [], mutator: {} }
  const { files, mutants } = await new Instrumenter(logger).instrument(inputs, options)
  return { sources: new Map(files.map(({ name, content }) => [name, content])), mutants }
}

function bundled(sources, tests, outfile) {
  const standIn = join(root, 'scripts/mutation-stand-in.mjs')
  const entry = [
    `export { run } from ${JSON.stringify(standIn)}`,
    ...tests.map((path) => `import ${JSON.stringify(path)}`),
    `export { LONG } from ${JSON.stringify(join(root, 'scripts/mutation-long.ts'))}`,
  ]
  const redirected = {
    name: 'mutants',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^vitest$/ }, () => ({ path: standIn }))
      onResolve({ filter: /^@weir\/[\w-]+/ }, ({ path }) => ({ path: entryOf(path) }))
      // Packages say that their modules do nothing by being loaded; tests do.
      onResolve({ filter: /\.test\.ts$/ }, ({ path }) => ({ path, sideEffects: true }))
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = sources.get(path)
        return contents === undefined ? undefined : { contents, loader: 'ts' }
      })
    },
  }
  return build({
    stdin: { contents: entry.join('\n'), resolveDir: root },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [redirected],
    banner: {
      js:
        "import { createRequire } from 'node:module'; " +
        'const require = createRequire(import.meta.url)',
    },
  })
}

/** `@weir/sim/testing` is packages/sim/src/testing/index.ts, as its package.json says. */
function entryOf(name) {
  const [, owner, ...rest] = name.split('/')
  const folder = join(root, 'packages', owner)
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const found = typeof exports === 'string' ? exports : exports[['.', ...rest].join('/')]
  return join(folder, found)
}

function testFiles(patterns) {
  const all = readdirSync(join(root, 'packages'), { recursive: true })
    .map((path) => `packages/${path}`)
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  const expressions = patterns.map((pattern) => {
    const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&')
    const source = escaped.replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'))
    return new RegExp(`^${source}$`)
  })
  return all
    .filter((path) => expressions.some((one) => one.test(path)))
    .sort()
    .map((path) => join(root, path))
}

/**
 * Statuses by mutant. A mutant that does not end, or that takes all the memory it can get, ends its
 * process; the next one begins another, which knows what the first has seen of the tests.
 */
async function tried(bundle, mutants, found, underMs) {
  const ids = mutants.map(({ id }) => id)
  const statuses = new Map()
  const tell = (at, status) => {
    statuses.set(ids[at], status)
    found(reported(mutants[at], status))
  }
  let from = 0
  while (from < ids.length) {
    from = await new Promise((resolve) => {
      const child = fork(
        fileURLToPath(import.meta.url),
        [bundle, String(underMs), String(from), ...ids],
        {
          env: { ...process.env, CASES: '4' },
          execArgv: [`--max-old-space-size=${HEAP_MB_MAX}`],
          stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        },
      )
      let [done, hasBegun, isStopped, since, most] = [from, false, false, 0, Infinity]
      const watch = setInterval(() => {
        const isLate = cpuSeconds(child.pid) - since > most
        if (!isLate && !(hasBegun && residentMb(child.pid) > RESIDENT_MB_MAX)) return
        clearInterval(watch)
        isStopped = true
        tell(done++, isLate ? 'Timeout' : 'Killed')
        child.kill('SIGKILL')
      }, 250)
      child.on('message', ({ seen, costUs, id, status }) => {
        since = cpuSeconds(child.pid)
        if (seen !== undefined) {
          writeFileSync(seenFor(bundle), seen)
          describe(JSON.parse(seen))
        }
        if (costUs !== undefined) most = CPU_MAX + (CPU_FACTOR * costUs) / 1e6
        hasBegun = true
        if (id === undefined) return
        tell(done++, status)
        if (done % 100 === 0) console.log(`${done} of ${ids.length}`)
      })
      child.on('exit', (code) => {
        clearInterval(watch)
        if (!isStopped && !hasBegun) throw new Error('the tests cannot be run')
        if (code !== 0 && !isStopped) tell(done++, 'Killed')
        resolve(done)
      })
    })
  }
  return statuses
}

function seenFor(bundle) {
  return bundle.replace(/mjs$/, 'json')
}

function describe({ usable, failed, slow }) {
  console.log(`${usable.length} tests; ${failed.length} are left out, which fail by themselves`)
  for (const name of failed) console.log(`  ${name}`)
  if (slow.length > 0) console.log('these are slow:')
  for (const line of slow) console.log(`  ${line}`)
}

function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

/** Memory that a process has, arrays beside the heap included. */
function residentMb(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) / PAGES_PER_MB
  } catch {
    return 0
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.send !== undefined) {
  const [, , bundle, underMs, from, ...ids] = process.argv
  const { LONG, run } = await import(bundle)
  const known = existsSync(seenFor(bundle)) ? readFileSync(seenFor(bundle), 'utf8') : undefined
  // Of a long message only the beginning leaves before the next turn of the event loop.
  const tell = (what) => new Promise((sent) => process.send(what, sent))
  const most = { underUs: 1000 * Number(underMs), long: LONG }
  await run({ ids, from: Number(from), ...most, known, tell })
  process.disconnect()
}
