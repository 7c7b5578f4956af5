/**
 * The tarball in a fresh project, as somebody else meets it: installed, run, imported, type-checked
 * and bundled for a page. `npm run packed -- 20 22 24` does it in these versions of Node as well,
 * which it takes from npm (`node@22`); scripts/packed.test.ts does it in this one.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']

/** Packs what dist/npm holds, builds it first if `isBuilt` does not say that it is there. */
export function pack(folder, { isBuilt = false, isLab = true } = {}) {
  const env = cleanEnv()
  if (!isBuilt) {
    const args = [join(root, 'scripts/package.mjs'), ...(isLab ? [] : ['--no-lab'])]
    execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', env, stdio: 'pipe' })
  const [{ filename, files }] = JSON.parse(text.slice(text.indexOf('[')))
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) }
}

/** A folder with nothing but a manifest and, in node_modules, the tarball and what it asks for. */
export function freshProject(folder, tarball, more = []) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  execFileSync('npm', ['install', ...QUIET, tarball, ...more], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: cleanEnv(),
  })
  return new Project(folder)
}

/** Only what a person's own shell has: a test run by npm would bring npm's settings. */
function cleanEnv() {
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key)))
}

export const PROGRAM = `
import { simulate } from 'weir'
const { fingerprint, summary } = simulate('incast', { scheme: 'dcqcn' })
globalThis.answer = JSON.stringify({ fingerprint, p99: summary.slowdownP99 })
`

const TYPED = `
import { ReactionPoint, simulate, type Ack, type Result, type Scheme } from 'weir'
import { conforms, FakeFlow } from 'weir/testing'
import { maxMin } from 'weir/theory'

class Mine extends ReactionPoint {
  override onAck(ack: Readonly<Ack>): void {
    if (ack.marked) this.rateBps /= 2
  }
}
const result: Result = simulate('incast', { scheme: 'dcqcn', settings: ['run.until=1ms'] })
const p99: number = result.summary.slowdownP99
// @ts-expect-error: there is no such column.
export const wrong: number = result.summary.slowdownP98
export const all = [p99, new Mine(), maxMin, conforms, FakeFlow, {} as Scheme]
`

export class Project {
  constructor(folder) {
    this.folder = folder
  }

  path(name) {
    return join(this.folder, name)
  }

  write(name, text) {
    writeFileSync(this.path(name), text)
  }

  /** `weir` as npm linked it, under a Node of one's choice. */
  weir(args, node = process.execPath) {
    const program = this.path('node_modules/weir/dist/npm/main.mjs')
    return this.run(node, [program, ...args])
  }

  run(command, args) {
    return execFileSync(command, args, { cwd: this.folder, encoding: 'utf8', env: cleanEnv() })
  }

  /** What PROGRAM answers in Node. */
  imported(node = process.execPath) {
    this.write('program.mjs', `${PROGRAM}\nconsole.log(answer)\n`)
    return JSON.parse(this.run(node, ['program.mjs']))
  }

  /** What it answers in a script that was bundled for a page, with nothing of Node around it. */
  async bundled() {
    this.write('page.mjs', PROGRAM)
    await build({
      entryPoints: [this.path('page.mjs')],
      outfile: this.path('page.js'),
      bundle: true,
      platform: 'browser',
      format: 'iife',
      logLevel: 'silent',
    })
    const page = createContext({})
    runInContext(readFileSync(this.path('page.js'), 'utf8'), page)
    return JSON.parse(page.answer)
  }

  /** Throws what TypeScript says of a program in the ways in which projects find packages. */
  typeCheck() {
    this.write('typed.ts', TYPED)
    const tsc = this.path('node_modules/typescript/bin/tsc')
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const args = ['--strict', '--noEmit', '--target', 'es2022', '--module', module]
      this.run(process.execPath, [tsc, ...args, '--moduleResolution', resolution, 'typed.ts'])
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await checkVersions(process.argv.slice(2))

async function checkVersions(versions) {
  const folder = mkdtempSync(join(tmpdir(), 'weir-packed-'))
  try {
    const { tarball, files } = pack(folder)
    console.log(`packed: ${files.length} files`)
    const project = freshProject(join(folder, 'project'), tarball, ['vitest@4.1.12'])
    project.typeCheck()
    testOwnScheme(project)
    const expected = JSON.stringify(await project.bundled())
    console.log(`page: ${expected}`)
    for (const version of [process.version.slice(1), ...versions]) {
      const node = version === process.version.slice(1) ? process.execPath : nodeOf(folder, version)
      const answer = JSON.stringify(project.imported(node))
      const { runs } = JSON.parse(
        project.weir(['compare', 'incast', '--schemes', 'dcqcn', '--json'], node),
      )
      const isSame = answer === expected && answer.includes(runs[0].fingerprint)
      const name = project.run(node, ['--version']).trim()
      console.log(`Node ${name}: ${isSame ? 'the same' : answer}`)
      const said = saidByThreads(project, node, runs[0].fingerprint)
      if (said !== '') console.log(`Node ${name}, two threads: ${said}`)
      if (!isSame || said !== '') process.exitCode = 1
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is wrong with the same run by two threads: another fingerprint, or words on stderr. */
function saidByThreads(project, node, fingerprint) {
  const program = project.path('node_modules/weir/dist/npm/main.mjs')
  const args = [program, 'run', 'incast', '--scheme', 'dcqcn', '--threads', '2', '--json']
  const options = { cwd: project.folder, encoding: 'utf8', env: cleanEnv() }
  const { stdout, stderr } = spawnSync(node, args, options)
  if (stderr !== '') return stderr
  return stdout.includes(fingerprint) ? '' : 'another fingerprint'
}

/** The starting file of a scheme passes its own test, as a person would run it. */
function testOwnScheme(project) {
  project.weir(['new', 'scheme', 'my-scheme'])
  const said = project.run('npx', ['--no-install', 'vitest', 'run', 'my-scheme'])
  console.log(`weir new scheme: ${/Tests .*$/m.exec(said)?.[0]}`)
}

/** npm's package `node` brings the program itself, by a script at its installation. */
function nodeOf(folder, version) {
  const home = join(folder, `node-${version}`)
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
  const args = ['install', ...QUIET, '--foreground-scripts', `node@${version}`]
  execFileSync('npm', args, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'], env: cleanEnv() })
  return join(home, 'node_modules/node/bin/node')
}
