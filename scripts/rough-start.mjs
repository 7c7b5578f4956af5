/**
 * `npm run rough-start`: `./weir` in fresh clones of this checkout's last commit, with an empty
 * cache of npm and the real registry. Two first runs at once; an install cut in half, by SIGKILL to
 * the whole group; a registry that does not answer. scripts/prepare.test.ts has the same with
 * stand-ins. Takes some minutes.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'weir-rough-'))
/** An address that nobody answers at (RFC 5737). */
const NOWHERE = 'http://192.0.2.1/'
const ARGS = ['run', 'incast', '--json']

try {
  const clone = cloned('two-at-once')
  const both = [start(clone), start(clone)]
  report('two first runs at once', await Promise.all(both.map(({ ended }) => ended)))

  const cut = cloned('cut-in-half')
  // Early, midway and late, by the files of a whole install: machines differ in how long it takes.
  const whole = filesIn(clone)
  for (const part of [0.01, 0.4, 0.8]) {
    const before = filesIn(cut)
    const first = start(cut)
    // What the cut before left behind is removed first.
    while (before > 0 && filesIn(cut) >= before && !first.isOver()) await wait(50)
    while (filesIn(cut) < part * whole && !first.isOver()) await wait(50)
    const isCut = !first.isOver()
    if (isCut) first.kill()
    else process.exitCode = 1
    await first.ended
    const what = isCut ? 'killed' : 'NOT CUT: it had ended'
    console.log(`  ${what} at ${filesIn(cut)} of ${whole} files in node_modules`)
  }
  report('after installs cut in half', [await start(cut).ended])

  const alone = cloned('no-network')
  const offline = { npm_config_registry: NOWHERE }
  report('a registry that does not answer', [await start(alone, offline).ended], 1)
  report('and then one that does', [await start(alone).ended])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function cloned(name) {
  const path = join(folder, name)
  execFileSync('git', ['clone', '-q', '--no-hardlinks', root, path])
  mkdirSync(`${path}-cache`)
  return path
}

/** A folder that is being removed may be gone before it is read. */
function filesIn(clone) {
  try {
    return readdirSync(join(clone, 'node_modules'), { recursive: true }).length
  } catch {
    return 0
  }
}

function start(clone, more = {}) {
  const env = { ...process.env, npm_config_cache: `${clone}-cache`, ...more }
  const beganMs = Date.now()
  const child = spawn(join(clone, 'weir'), ARGS, { cwd: clone, env, detached: true })
  let [out, err, isOver] = ['', '', false]
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const ended = new Promise((resolve) => {
    child.on('close', (status) => {
      isOver = true
      resolve({ status, out, err, seconds: (Date.now() - beganMs) / 1000 })
    })
  })
  return { ended, isOver: () => isOver, kill: () => process.kill(-child.pid, 'SIGKILL') }
}

function report(what, outcomes, expected = 0) {
  console.log(what)
  for (const { status, out, err, seconds } of outcomes) {
    const fingerprint = /"fingerprint":"(\w+)"/.exec(out)?.[1] ?? 'no result'
    console.log(`  exit ${status} after ${seconds.toFixed(0)} s, ${fingerprint}`)
    for (const line of err.trim().split('\n')) console.log(`    ${line}`)
    if (status !== expected) process.exitCode = 1
  }
}
