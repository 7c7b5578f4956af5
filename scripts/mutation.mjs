/**
 * `npm run mutation -- packages/theory [--every 3] [--tests a.test.ts,b.test.ts]`: changes the code
 * of a file or folder in one place after another, and says which changes no test noticed. Writes
 * results/mutation/<path>.json (Stryker's report) and prints the score of each file, then the
 * survivors. `--every n` takes only every n-th line of each file, and of that only what stands on
 * one line: a sample that is the same each time. `--report file` prints a report that is there.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    tests: { type: 'string' },
    report: { type: 'string' },
    concurrency: { type: 'string', default: '2' },
  },
})

const report = values.report ?? run(positionals)
print(JSON.parse(readFileSync(join(root, report), 'utf8')))

function run(paths) {
  if (paths.length === 0) fail('give a file or folder of packages/schemes, fabric or theory.')
  const sources = paths.flatMap((path) => sourcesIn(path))
  if (sources.length === 0) fail(`${paths.join(', ')}: there is no source to change.`)
  const file = `results/mutation/${paths[0].replace(/^packages\//, '').replace(/\W+/g, '-')}.json`
  const { status } = spawnSync(join(root, 'node_modules/.bin/stryker'), ['run'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      WEIR_MUTATE: sources.flatMap((path) => sampled(path, Number(values.every))).join(','),
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
  const names = ['acks', 'contention', 'credits', 'cut-through', 'deadlock', 'ended', 'endless']
  names.push('headroom', 'ingress', 'injection', 'marking', 'output-queue', 'pfc', 'pfc-knobs')
  names.push('port-view', 'properties', 'reactions', 'recovery', 'sharing', 'spray', 'stuck')
  names.push('telemetry', 'ties', 'unloaded', 'window')
  return own.concat(names.map((name) => `packages/sim/src/${name}.test.ts`))
}

function print({ files }) {
  const rows = Object.entries(files).map(([path, file]) => [path, count(file.mutants)])
  const total = count(Object.values(files).flatMap((file) => file.mutants))
  for (const [path, { killed, alive }] of [...rows, ['all', total]]) {
    const score = killed + alive === 0 ? '-' : ((100 * killed) / (killed + alive)).toFixed(0)
    console.log(
      `${score.padStart(4)}%  ${String(killed).padStart(5)} of ${killed + alive}  ${path}`,
    )
  }
  for (const [path, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n')
    for (const { status, mutatorName, replacement, location } of mutants) {
      if (status !== 'Survived' && status !== 'NoCoverage') continue
      const { start, end } = location
      const isOneLine = start.line === end.line
      const before = lines[start.line - 1].slice(start.column - 1, isOneLine ? end.column - 1 : 99)
      const change = `${before.trim()}  ->  ${replacement?.split('\n')[0] ?? ''}`
      console.log(`${path}:${start.line} ${status} ${mutatorName}: ${change}`)
    }
  }
}

function count(mutants) {
  const of = (...states) => mutants.filter(({ status }) => states.includes(status)).length
  return { killed: of('Killed', 'Timeout'), alive: of('Survived', 'NoCoverage') }
}

function fail(sentence) {
  console.error(`mutation: ${sentence}`)
  process.exit(1)
}
