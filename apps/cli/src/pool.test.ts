import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ValidSpec } from '@weir/sim'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pool, runAll, type Outcome } from './pool.ts'

/** A thread's program that waits as long as its "spec" says, and tells how many ran beside it. */
const PROGRAM = `
import { parentPort, threadId } from 'node:worker_threads'
parentPort.on('message', ({ ms, fails, dies, leaves }) => {
  if (leaves) process.exit(0)
  if (dies) throw new Error('the thread died')
  setTimeout(() => {
    if (fails) parentPort.postMessage({ kind: 'failed', name: 'E', message: 'no', stack: '' })
    else {
      const result = { ms, threadId, spec: { workload: [] }, flows: {} }
      parentPort.postMessage({ kind: 'result', result })
    }
  }, ms)
})
`
interface Job {
  readonly ms: number
  readonly fails?: boolean
  readonly dies?: boolean
  readonly leaves?: boolean
}

let folder = ''
let program: URL

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-pool-'))
  writeFileSync(join(folder, 'worker.mjs'), PROGRAM)
  program = pathToFileURL(join(folder, 'worker.mjs'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const jobs = (...list: readonly Job[]): ValidSpec[] => list as unknown as ValidSpec[]
const valueOf = (outcome: Outcome): { ms: number; threadId: number } =>
  (outcome as unknown as { result: { ms: number; threadId: number } }).result

describe('runAll', () => {
  it('gives outcomes in the order of the specs, from no more threads than it may use', async () => {
    const stop = new AbortController().signal
    const specs = jobs(...Array.from({ length: 40 }, (_, i) => ({ ms: (i * 7) % 5 })))
    const outcomes = await runAll(specs, {
      ...{ stop, onProgress: () => {}, program },
      // The last one may find two threads idle, and these jobs have no fabric to be shared.
      ...{ threads: 3, threadsEach: 1 },
    })
    expect(outcomes.map((outcome) => valueOf(outcome).ms)).toEqual(
      specs.map((spec) => (spec as unknown as Job).ms),
    )
    const used = new Set(outcomes.map((outcome) => valueOf(outcome).threadId))
    expect(used.size).toBeLessThanOrEqual(3)
  })

  it('goes on after a run that fails and after a thread that dies', async () => {
    const stop = new AbortController().signal
    const specs = jobs({ ms: 0, fails: true }, { ms: 0, dies: true }, { ms: 0 }, { ms: 1 })
    const outcomes = await runAll(specs, { stop, onProgress: () => {}, threads: 1, program })
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'result', 'result'])
  })

  it('says of a run whose thread was ended by what runs in it that it failed', async () => {
    const stop = new AbortController().signal
    const specs = jobs({ ms: 0, leaves: true }, { ms: 0 })
    const [left, next] = await runAll(specs, { stop, onProgress: () => {}, threads: 1, program })
    expect([left!.kind, next!.kind]).toEqual(['failed', 'result'])
    expect((left as { error: Error }).error.message).toMatch(/^the thread of this run died/)
  })

  it('keeps what is finished when it is stopped', async () => {
    const controller = new AbortController()
    const specs = jobs({ ms: 0 }, { ms: 60_000 }, { ms: 0 })
    const onProgress = (fractions: readonly number[]): void => {
      if (fractions[0] === 1) setTimeout(() => controller.abort(), 20)
    }
    const stop = controller.signal
    const outcomes = await runAll(specs, { stop, onProgress, threads: 1, program })
    expect(outcomes.map(({ kind }) => kind)).toEqual(['result', 'stopped', 'stopped'])
  })
})

describe('Pool', () => {
  it('takes runs as they come, and stops what it is given after the end', async () => {
    const controller = new AbortController()
    const pool = new Pool({ stop: controller.signal, threads: 2, threadsEach: 1, program })
    const [first] = jobs({ ms: 1 })
    expect((await pool.run(first!)).kind).toBe('result')
    expect((await pool.run(first!)).kind).toBe('result')
    controller.abort()
    expect((await pool.run(first!)).kind).toBe('stopped')
  })
})
