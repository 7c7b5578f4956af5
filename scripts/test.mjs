/**
 * `npm test`: installs if need be, then format, lint, types and every test, and closes with the
 * line `N passed, N failed`. Each of the three checks counts as one; all are run even when one
 * fails, so that a single look shows all that is wrong. Arguments go to vitest, and then only the
 * tests are run: `npm test -- fabric`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = (name) => join(root, 'node_modules', '.bin', name)

installIfNeeded()
let passed = 0
let failed = 0
if (process.argv.length === 2) await staticChecks()
await tests(process.argv.slice(2))
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function installIfNeeded() {
  const prepare = [join(root, 'scripts', 'prepare.mjs'), '--install']
  if (spawnSync(process.execPath, prepare, { stdio: 'inherit' }).status !== 0) process.exit(1)
}

async function staticChecks() {
  say('checking format, lint and types ...')
  const checks = [
    ['format', bin('prettier'), ['--check', '--log-level', 'warn', '.']],
    ['lint', bin('eslint'), ['--max-warnings', '0', '.']],
    ['types', process.execPath, [join(root, 'scripts', 'types.mjs')]],
  ]
  const outcomes = await Promise.all(checks.map(([, command, args]) => run(command, args)))
  for (const [index, { status, output }] of outcomes.entries()) {
    const name = checks[index][0]
    if (status === 0) passed++
    else failed++
    say(`${name}: ${status === 0 ? 'ok' : 'FAILED'}`)
    if (status !== 0) console.log(output.trimEnd())
  }
}

async function tests(args) {
  say('running the tests ...')
  const folder = mkdtempSync(join(tmpdir(), 'weir-test-'))
  const report = join(folder, 'report.json')
  try {
    const { status } = await run(
      bin('vitest'),
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
      'inherit',
    )
    const counts = existsSync(report) ? count(JSON.parse(readFileSync(report, 'utf8'))) : undefined
    passed += counts?.passed ?? 0
    // vitest can fail without a failed test: an unhandled rejection, or a crash before its report.
    failed += Math.max(counts?.failed ?? 0, status === 0 ? 0 : 1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file that could not even be loaded has no failed test: it counts as one. */
function count(report) {
  const unloadable = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
  }
}

function run(command, args, stdio = 'pipe') {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', stdio, stdio] })
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ status: 1, output: String(error) }))
    child.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}

function say(sentence) {
  console.log(`test: ${sentence}`)
}
