/**
 * `npm run mutation -- packages/theory [--every 3] [--tests a.test.ts,b.test.ts]`: changes the code
 * of a file or folder in one place after another, and says which changes no test noticed. Writes
 * results/mutation/<path>.json (Stryker's report) and prints the score of each file, then the
 * survivors. `--every n` takes only every n-th line of each file, and of that only what stands on
 * one line: a sample that is the same each time.
 *
 * `--report file` prints a report that is there, also the .jsonl of a run that was cut (see
 * mutation-reporter.mjs). `--again file` tries what survived in a report once more, say with new
 * tests, puts what it finds in its place, and prints and writes the whole: the code must be the
 * same. `--quick` has them tried in one thread (see mutation-quick.mjs). `--timeouts` lists, too,
 * what counts as killed because the tests did not end.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { quick } from './mutation-quick.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    tests: { type: 'string' },
    report: { type: 'string' },
    again: { type: 'string' },
    timeouts: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
    under: { type: 'string' },
  },
})

if (values.report !== undefined) print(read(values.report))
else if (values.again !== undefined) await again(values.again)
else if (positionals.length === 0) fail('give a file or folder of packages/schemes, say.')
else print(read(await run(positionals, sample(positionals))))

function sample(paths) {
  const sources = paths.flatMap((path) => sourcesIn(path))
  if (sources.length === 0) fail(`${paths.join(', ')}: there is no source to change.`)
  return sources.flatMap((path) => sampled(path, Number(values.every)))
}

/** Tries files and ranges with the tests for these paths; returns its report's path. */
async function run(paths, ranges, name = nameOf(paths[0])) {
  const file = `results/mutation/${name}.json`
  if (values.quick) {
    await quick(
      ranges,
      values.tests?.split(',') ?? testsFor(paths),
      file,
      Number(values.under ?? Infinity),
    )
    return file
  }
  const { status } = spawnSync(join(root, 'node_modules/.bin/stryker'), ['run'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      WEIR_MUTATE: ranges.join(','),
      WEIR_MUTATION_TESTS: values.tests ?? testsFor(paths).join(','),
      WEIR_MUTATION_REPORT: file,
      WEIR_MUTATION_CONCURRENCY: values.concurrency,
      // Properties look at so many random cases.
      CASES: '4',
    },
  })
  if (status !== 0) fail('Stryker stopped; its reason is above.')
  return file
}

function nameOf(path) {
  return path.replace(/^packages\//, '').replace(/\W+/g, '-')
}

/** Tries the survivors of a report once more, and writes what it finds into that report. */
async function again(path) {
  const first = read(path)
  const alive = Object.entries(first.files).flatMap(([file, { mutants }]) =>
    mutants.filter((mutant) => isAlive(mutant)).map((mutant) => [file, mutant]),
  )
  if (alive.length === 0) fail(`${path}: nothing survived.`)
  const ranges = alive.map(
    ([
      file,
      {
        location: { start, end },
      },
    ]) => {
      // Stryker counts columns of ranges from 0, and those of its report from 1.
      return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`
    },
  )
  const paths = [...new Set(alive.map(([file]) => file))]
  const { files } = read(await run(paths, [...new Set(ranges)], 'again'))
  for (const [file, mutant] of alive) {
    const same = files[file]?.mutants.find((other) => key(other) === key(mutant))
    if (same === undefined) console.error(`mutation: ${file}:${key(mutant)} was not tried again.`)
    else mutant.status = same.status
  }
  const whole = path.replace(/\.jsonl?$/, '.again.json')
  writeFileSync(join(root, whole), JSON.stringify(first))
  print(first)
}

function key({ mutatorName, replacement, location: { start, end } }) {
  return [start.line, start.column, end.line, end.column, mutatorName, replacement].join(' ')
}

/** A report of Stryker's, or the lines of a run that was cut, with the sources as they are now. */
function read(path) {
  const text = readFileSync(join(root, path), 'utf8')
  if (!path.endsWith('.jsonl')) return JSON.parse(text)
  const files = {}
  for (const line of text.split('\n')) {
    if (line === '') continue
    const { fileName, ...mutant } = JSON.parse(line)
    const source = relative(root, fileName)
    files[source] ??= { source: readFileSync(join(root, source), 'utf8'), mutants: [] }
    files[source].mutants.push(mutant)
  }
  return { files }
}

/** Sources below a path: no tests, nothing that only tests use, no contracts without code. */
function sourcesIn(path) {
  const full = join(root, path)
  if (!existsSync(full)) fail(`${path}: there is no such file or folder.`)
  if (statSync(full).isDirectory()) {
    return readdirSync(full).flatMap((name) => sourcesIn(relative(root, join(full, name))))
  }
  const isSource = path.endsWith('.ts') && !/\.test\.ts$|\/testing(\/|\.ts)|\/index\.ts$/.test(path)
  return isSource ? [path] : []
}

/** The whole file, or a range for every n-th line. */
function sampled(path, every) {
  if (every === 1) return [path]
  const count = readFileSync(join(root, path), 'utf8').split('\n').length
  const lines = Array.from({ length: count }, (_, i) => i + 1).filter((line) => line % every === 0)
  return lines.map((line) => `${path}:${line}-${line}`)
}

/** A package's own tests; for the fabric also those of the simulator that say what it should do. */
function testsFor(paths) {
  const folders = [...new Set(paths.map((path) => /^packages\/[\w-]+/.exec(path)?.[0]))]
  const own = folders.map((folder) => `${folder}/src/**/*.test.ts`)
  if (!folders.includes('packages/fabric')) return own
  const names = ['acks', 'admission', 'agents', 'any-order', 'cells', 'chance', 'contention']
  names.push('credits', 'cut-through', 'deadlock', 'drain', 'ended', 'endless', 'half-open')
  names.push('headroom', 'ingress', 'injection', 'lanes', 'links', 'many-ports', 'marking')
  names.push('output-queue', 'owners', 'packet-ways', 'per-flow-queues', 'pfc', 'pfc-knobs')
  names.push('port-view', 'properties', 'reactions', 'recovery', 'shared-state', 'sharing')
  names.push('spray', 'stuck', 'telemetry', 'threads/threads', 'thresholds', 'ties')
  names.push('unloaded', 'window')
  return own.concat(names.map((name) => `packages/sim/src/${name}.test.ts`))
}

function print({ files }) {
  const rows = Object.entries(files).map(([path, file]) => [path, count(file.mutants)])
  const total = count(Object.values(files).flatMap((file) => file.mutants))
  for (const [path, { killed, timedOut, alive }] of [...rows, ['all', total]]) {
    const score = killed + alive === 0 ? '-' : ((100 * killed) / (killed + alive)).toFixed(0)
    const late = timedOut === 0 ? '' : ` (${timedOut} timed out)`
    console.log(
      `${score.padStart(4)}%  ${String(killed).padStart(5)} of ${killed + alive}  ${path}${late}`,
    )
  }
  for (const [path, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n')
    for (const mutant of mutants) {
      const { status, mutatorName, replacement, location } = mutant
      if (!isAlive(mutant) && !(values.timeouts && status === 'Timeout')) continue
      const { start, end } = location
      const isOneLine = start.line === end.line
      const before = lines[start.line - 1].slice(start.column - 1, isOneLine ? end.column - 1 : 99)
      const change = `${before.trim()}  ->  ${replacement?.split('\n')[0] ?? ''}`
      console.log(`${path}:${start.line} ${status} ${mutatorName}: ${change}`)
    }
  }
}

function isAlive({ status }) {
  return status === 'Survived' || status === 'NoCoverage'
}

function count(mutants) {
  const of = (...states) => mutants.filter(({ status }) => states.includes(status)).length
  const alive = mutants.filter((mutant) => isAlive(mutant)).length
  return { killed: of('Killed', 'Timeout'), timedOut: of('Timeout'), alive }
}

function fail(sentence) {
  console.error(`mutation: ${sentence}`)
  process.exit(1)
}
