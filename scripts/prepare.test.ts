/**
 * A rough start of `./weir`, in a checkout of stand-ins: a `npm` and a build that take their time,
 * fail or are killed on demand. `npm run rough-start` does it with the real ones, in fresh clones.
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
let folder = ''

/** Says what it was asked, and installs by writing what npm writes last. */
const NPM = `#!/usr/bin/env bash
echo "$1" >> "$ROUGH/asked"
case "$1" in
  config) echo "{ \\"registry\\": \\"$REGISTRY\\" }"; exit ;;
esac
if [ -e "$ROUGH/offline" ] || [ -e "$ROUGH/full" ]; then
  [ -e "$ROUGH/full" ] && echo 'npm error nospc ENOSPC: no space left on device, write' >&2
  exit 1
fi
mkdir -p node_modules/half
sleep "\${NPM_TAKES:-0.3}"
mkdir -p node_modules/whole && echo '{}' > node_modules/.package-lock.json
`

const BUILD = `
import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync(new URL('../dist', import.meta.url), { recursive: true })
const text = "console.log('ran', process.argv[2])\\n"
writeFileSync(new URL('../dist/weir.mjs', import.meta.url), text)
`

/** A registry that takes connections, and one that nobody is at. */
const server = createServer((socket) => socket.destroy())
const NOBODY = 'http://127.0.0.1:9/'
let registry = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

afterAll(() => {
  server.close()
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-rough-'))
  for (const name of ['scripts', 'bin', 'packages']) mkdirSync(join(folder, name))
  for (const name of ['weir', 'scripts/prepare.mjs']) cpSync(join(root, name), join(folder, name))
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(join(folder, 'scripts/build.mjs'), BUILD)
  program('npm', NPM)
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function program(name: string, text: string): void {
  writeFileSync(join(folder, 'bin', name), text)
  chmodSync(join(folder, 'bin', name), 0o755)
}

interface Ended {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

interface Started {
  readonly ended: Promise<Ended>
  kill(): void
}

function start(env: Record<string, string> = {}): Started {
  const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`
  const child = spawn(join(folder, 'weir'), ['hello'], {
    env: { ...process.env, PATH, ROUGH: folder, REGISTRY: registry, ...env },
    detached: true,
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)))
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (status) => resolve({ status, out, err }))
  })
  // The whole group, as a closed terminal or a power cut would.
  return { ended, kill: () => process.kill(-child.pid!, 'SIGKILL') }
}

function asked(): string[] {
  const file = join(folder, 'asked')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

describe('./weir', { timeout: 60_000 }, () => {
  it('installs and builds once, and then runs at once', async () => {
    const first = await start().ended
    expect([first.status, first.out]).toEqual([0, 'ran hello\n'])
    expect(first.err).toBe('weir: installing packages (once) ...\nweir: building ...\n')
    expect(await start().ended).toEqual({ status: 0, out: 'ran hello\n', err: '' })
    expect(asked()).toEqual(['config', 'ci'])
    expect(existsSync(join(folder, '.weir-lock'))).toBe(false)
  })

  it('lets one of several first runs do the work, and the others wait', async () => {
    const runs = [start(), start(), start()]
    const ended = await Promise.all(runs.map((run) => run.ended))
    expect(ended.map(({ status, out }) => [status, out])).toEqual(
      runs.map(() => [0, 'ran hello\n']),
    )
    expect(asked()).toEqual(['config', 'ci'])
    expect(ended.filter(({ err }) => err.includes('building ...')).length).toBe(1)
  })

  it('takes over from one that was killed, and installs anew what it left half done', async () => {
    const cut = start({ NPM_TAKES: '20' })
    while (!existsSync(join(folder, 'node_modules/half'))) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    cut.kill()
    await cut.ended
    // As if it had come as far as to look whole.
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}')
    mkdirSync(join(folder, 'node_modules/torn'))
    const [first, second] = [start(), start()]
    const ended = await Promise.all([first.ended, second.ended])
    expect(ended.map(({ status }) => status)).toEqual([0, 0])
    expect(ended.map(({ err }) => err).join('')).toContain('anew: an install was not finished')
    expect(existsSync(join(folder, 'node_modules/torn'))).toBe(false)
    expect(existsSync(join(folder, 'node_modules/whole'))).toBe(true)
    expect(asked()).toEqual(['config', 'ci', 'config', 'ci'])
  })

  it('is not held up by the lock of a process that is no more', async () => {
    symlinkSync('999999999', join(folder, '.weir-lock'))
    expect((await start().ended).status).toBe(0)
  })

  it('says within seconds that there is no network', async () => {
    writeFileSync(join(folder, 'offline'), '')
    const { status, out, err } = await start({ REGISTRY: NOBODY }).ended
    expect([status, out]).toEqual([1, ''])
    expect(err.split('\n')[1]).toMatch(
      /^weir: no network: the registry http:\/\/127.0.0.1:9\/ does not answer, .*again\.$/,
    )
    rmSync(join(folder, 'offline'))
    expect((await start().ended).status).toBe(0)
  })

  it('says that the disk is full', async () => {
    writeFileSync(join(folder, 'full'), '')
    const { status, err } = await start().ended
    expect(status).toBe(1)
    expect(err.split('\n')[1]).toMatch(
      /^weir: the disk is full: the packages could not be installed/,
    )
  })

  it('names a Node that is too old, and that there is none', async () => {
    program('node', '#!/usr/bin/env bash\necho v18.20.4\n')
    const old = await start().ended
    expect([old.status, old.out]).toEqual([1, ''])
    expect(old.err).toMatch(/^weir: Node 20.19 or newer is needed; .*\/bin\/node is v18.20.4.\n$/)
    program('node', '#!/usr/bin/env bash\necho v20.18.9\n')
    expect((await start().ended).err).toContain('is v20.18.9.')
  })
})
