/** Real threads: the bundle's, and ones that die or hang in the middle of a run. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { simulate } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'
import { specOf } from '@weir/sim/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { treeRoot } from './root.ts'
import { shareRun } from './shared-run.ts'

let folder = ''
let program: URL

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-shared-'))
  const outfile = join(folder, 'thread.mjs')
  buildSync({
    entryPoints: [join(import.meta.dirname, 'shared-run-thread.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: {
      js:
        "import { createRequire as __createRequire } from 'node:module'; " +
        'const require = __createRequire(import.meta.url);',
    },
    loader: { '.yaml': 'text', '.md': 'text' },
  })
  program = pathToFileURL(outfile)
}, 120_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function spec(until: string): ValidSpec {
  return specOf({
    topology: { kind: 'leaf-spine', leaves: 4, spines: 2, hostsPerLeaf: 4 },
    workload: [{ generate: { arrivals: 'once', sizes: '400KB', pattern: 'permutation' } }],
    run: { until },
    scheme: 'hpcc',
  })
}

/** The same program, but the second thread does something else after a while. */
function withAccident(name: string, accident: string): URL {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(
    path,
    `import { workerData } from 'node:worker_threads'
    if (workerData.me === 1) {
      let meetings = 0
      const store = Atomics.store
      Atomics.store = (...args) => {
        if (++meetings === 20) { ${accident} }
        return store(...args)
      }
    }
    await import(${JSON.stringify(program.href)})`,
  )
  return pathToFileURL(path)
}

describe('a run that threads share', () => {
  it('has the result of one thread, to the byte', { timeout: 120_000 }, async () => {
    const alone = JSON.stringify(simulate(spec('1ms')))
    for (const threads of [2, 3]) {
      const result = await shareRun(spec('1ms'), threads, { program })
      expect(JSON.stringify(result)).toBe(alone)
    }
  })

  it('ends with a sentence if a thread fails, dies or hangs', { timeout: 120_000 }, async () => {
    const fails = withAccident('fails', "throw new Error('the thread fell over')")
    await expect(shareRun(spec('1ms'), 2, { program: fails })).rejects.toThrow('fell over')
    const dies = withAccident('dies', 'process.exit(3)')
    await expect(shareRun(spec('1ms'), 2, { program: dies })).rejects.toThrow(/thread 1 .* died/)
    const leaves = withAccident('leaves', 'process.exit(0)')
    await expect(shareRun(spec('1ms'), 2, { program: leaves })).rejects.toThrow(/thread 1 .* died/)
    const hoards = withAccident(
      'hoards',
      'for (const all = []; ; ) all.push(new Array(1e5).fill(0.5))',
    )
    await expect(shareRun(spec('1ms'), 2, { program: hoards, oldMb: 100 })).rejects.toThrow(
      /thread 1 .* memory/,
    )
    const hangs = withAccident('hangs', 'for (;;) continue')
    await expect(shareRun(spec('1ms'), 2, { program: hangs, patience: 2 })).rejects.toThrow(
      /stuck.*--threads 1/,
    )
  })

  it('stops when it is interrupted', { timeout: 120_000 }, async () => {
    const stop = new AbortController()
    const onProgress = (): void => stop.abort()
    const stopped = await shareRun(spec('1s'), 2, { program, stop: stop.signal, onProgress })
    expect(stopped).toBeUndefined()
  })
})

describe('a thread that dies in the middle of a run of the program', { timeout: 120_000 }, () => {
  const SMALL = `
topology: { kind: leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 2 }
workload: [flows: [{ from: h0, to: h3, size: 300KB }, { from: h1, to: h3, size: 300KB }]]
run: { until: 1ms }
`

  /** The program, in which the second thread of each run under DCQCN dies after a while. */
  function weir(...args: readonly string[]): { status: number | null; out: string; err: string } {
    writeFileSync(join(folder, 'small.yaml'), SMALL)
    writeFileSync(
      join(folder, 'accident.mjs'),
      `import { isMainThread, workerData } from 'node:worker_threads'
      if (!isMainThread && workerData?.me === 1 && workerData.spec.scheme.name === 'dcqcn') {
        let meetings = 0
        const store = Atomics.store
        Atomics.store = (...args) => {
          if (++meetings === 20) process.exit(3)
          return store(...args)
        }
      }`,
    )
    const env = { ...process.env, NODE_OPTIONS: `--import ${join(folder, 'accident.mjs')}` }
    const { status, stdout, stderr } = spawnSync(join(treeRoot(), 'weir'), args, {
      ...{ cwd: folder, encoding: 'utf8', env },
    })
    const err = stderr.replace(/^weir: (installing|building).*\n/gm, '')
    return { status, out: stdout, err }
  }

  it('leaves one sentence and no file', () => {
    const run = ['run', 'small.yaml', '--scheme', 'dcqcn', '--threads', '2']
    for (const more of [['--json'], ['--out', 'results']]) {
      const { status, out, err } = weir(...run, ...more)
      expect([status, out]).toEqual([1, ''])
      expect(err).toBe('weir: thread 1 of this run died; run it with --threads 1.\n')
    }
    expect(existsSync(join(folder, 'results'))).toBe(false)
  })

  it('leaves the other runs of a comparison as they are', () => {
    const compare = ['compare', 'small.yaml', '--schemes', 'none,dcqcn', '--threads', '2']
    const { status, out, err } = weir(...compare, '--json')
    expect([status, err]).toEqual([
      1,
      'weir: thread 1 of this run died; run it with --threads 1.\n',
    ])
    const { runs, skipped } = JSON.parse(out) as { runs: unknown[]; skipped: unknown[] }
    expect(runs).toMatchObject([{ scheme: 'none', ended: { why: 'completed' } }])
    expect(skipped).toMatchObject([{ scheme: 'dcqcn', why: 'failed' }])
    const alone = [...compare.slice(0, 3), 'dcqcn', ...compare.slice(4), '--out', 'report.html']
    expect(weir(...alone).status).toBe(1)
    expect(existsSync(join(folder, 'report.html'))).toBe(false)
  })
})
