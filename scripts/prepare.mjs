/**
 * Installs and builds what `./weir` needs, if it is missing or older than its sources. One process
 * at a time does so in a checkout: others wait for it, and find the work done. An install that was
 * cut short is begun anew. What happens is said on stderr, in one sentence each.
 *
 * `node scripts/prepare.mjs` does both; `--install` only the first (for `npm test`).
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const LOCK = join(root, '.weir-lock')
/** There from before an install to its end: if one is found, that install was cut short. */
const INSTALLING = join(root, '.weir-installing')
const MARK = join(root, 'node_modules', '.package-lock.json')
const PROGRAM = join(root, 'dist', 'weir.mjs')
const WAIT_MS = 100
const PROBE_MS = 5_000
/** Besides node_modules, what the program is made of. */
const SOURCES = ['packages', 'apps', 'experiments', 'docs/schemes'].concat(
  'scripts/build.mjs',
  'package-lock.json',
)

class Failure extends Error {}

try {
  await locked(async () => {
    if (!isInstalled()) await install()
    if (!process.argv.includes('--install') && !isBuilt()) build()
  })
} catch (error) {
  if (!(error instanceof Failure) && typeof error?.code !== 'string') throw error
  console.error(`weir: ${sentenceOf(error)}`)
  process.exitCode = 1
}

/** A symbolic link is made, with its text, in one step: it holds the number of the process. */
async function locked(work) {
  await takeLock()
  const free = () => rmSync(LOCK, { force: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      free()
      process.exit(130)
    })
  }
  try {
    await work()
  } finally {
    free()
  }
}

async function takeLock() {
  for (let isSaid = false; ;) {
    try {
      symlinkSync(String(process.pid), LOCK)
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = holderOf(LOCK)
    if (holder !== undefined && !isAlive(holder)) freeDead(holder)
    else if (!isSaid) {
      isSaid = true
      console.error(`weir: another weir (process ${holder}) is installing or building; waiting ...`)
    }
    await wait(WAIT_MS)
  }
}

/** Two that find the same dead holder must not both remove: the second might remove the first's. */
function freeDead(holder) {
  const takeover = `${LOCK}-of-${holder}`
  try {
    symlinkSync(String(process.pid), takeover)
  } catch {
    return
  }
  if (holderOf(LOCK) === holder) rmSync(LOCK, { force: true })
  rmSync(takeover, { force: true })
}

function holderOf(path) {
  try {
    return Number(readlinkSync(path))
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function isInstalled() {
  if (existsSync(INSTALLING) || !existsSync(MARK)) return false
  return statSync(MARK).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/**
 * `npm ci` refuses a lock without the packages of other platforms, and a registry may lack some, so
 * that no complete lock can be made with it; `npm install --no-save` then follows the same lock.
 */
async function install() {
  const wasUnfinished =
    existsSync(INSTALLING) || (existsSync(join(root, 'node_modules')) && !existsSync(MARK))
  const how = wasUnfinished ? 'anew: an install was not finished' : '(once)'
  console.error(`weir: installing packages ${how} ...`)
  writeFileSync(INSTALLING, `${process.pid}\n`)
  if (wasUnfinished) rmSync(join(root, 'node_modules'), { recursive: true, force: true })
  const settings = await npmSettings()
  const registry = settings.registry ?? 'https://registry.npmjs.org/'
  const isOnline = await isReached(settings['https-proxy'] || settings.proxy || registry)
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  if (!isOnline) quiet.push('--offline')
  const first = await npm(['ci', ...quiet])
  const second = first.status === 0 ? first : await npm(['install', '--no-save', ...quiet])
  if (second.status !== 0) throw new Failure(whyNot(second.output, isOnline, registry))
  // Newer than the lock, by which the launcher and the tests know that nothing is left to install.
  const now = new Date()
  utimesSync(MARK, now, now)
  rmSync(INSTALLING, { force: true })
}

/**
 * npm itself waits minutes for a network that is not there. Whether the registry, or the proxy
 * before it, takes a connection is known in seconds, on a busy machine too.
 */
async function isReached(address) {
  const { hostname, port, protocol } = new URL(address)
  const socket = connect(Number(port) || (protocol === 'http:' ? 80 : 443), hostname)
  const answer = new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  // A process that was held up finds its timer before its news: it then looks once more.
  const unheld = { ref: false }
  const tooLate = wait(PROBE_MS, false, unheld).then(() => wait(WAIT_MS, false, unheld))
  const isThere = await Promise.race([answer, tooLate])
  socket.destroy()
  return isThere
}

async function npmSettings() {
  const { output } = await npm(['config', 'ls', '--json', '--loglevel=silent'])
  try {
    return JSON.parse(output.slice(output.indexOf('{')))
  } catch {
    return {}
  }
}

function whyNot(output, isOnline, registry) {
  if (/ENOSPC|no space left/i.test(output)) {
    return `the disk is full: the packages could not be installed in ${root}; free some space.`
  }
  if (!isOnline) {
    return (
      `no network: the registry ${registry} does not answer, and the packages ` +
      `are not in npm's cache; connect, or set npm's proxy or registry, and run again.`
    )
  }
  const last = output.trim().split('\n').slice(-12).join('\n')
  process.stderr.write(`${last}\n`)
  return `the packages could not be installed in ${root}; npm's reason is above.`
}

function npm(args) {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ status: 1, output: String(error) }))
    child.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}

function isBuilt() {
  if (!existsSync(PROGRAM)) return false
  const builtMs = statSync(PROGRAM).mtimeMs
  return SOURCES.every((path) => newestMs(join(root, path)) <= builtMs)
}

function newestMs(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.mtimeMs
  return readdirSync(path)
    .filter((name) => name !== 'node_modules' && !name.endsWith('.test.ts'))
    .reduce((newest, name) => Math.max(newest, newestMs(join(path, name))), 0)
}

function build() {
  console.error('weir: building ...')
  // What a build that was killed left behind; nobody else builds now.
  for (const name of existsSync(join(root, 'dist')) ? readdirSync(join(root, 'dist')) : []) {
    if (name.startsWith('.building-')) rmSync(join(root, 'dist', name), { recursive: true })
  }
  const script = join(root, 'scripts', 'build.mjs')
  const { status, stderr, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (status === 0) return
  const output = `${stdout}${stderr}`
  if (/ENOSPC|no space left/i.test(output)) {
    throw new Failure(`the disk is full: nothing could be built in ${root}; free some space.`)
  }
  process.stderr.write(output)
  throw new Failure('the build failed; its reason is above.')
}

function sentenceOf(error) {
  if (error instanceof Failure) return error.message
  if (error.code === 'ENOSPC')
    return `the disk is full: ${root} cannot be written; free some space.`
  if (error.code === 'EACCES' || error.code === 'EROFS') {
    const reason = error.message.split(',')[0]
    return `${root} cannot be written (${reason}); weir installs and builds there once.`
  }
  return error.message
}
