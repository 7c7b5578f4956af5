/** A thread that runs one spec after another, and says how far it is a few times a second. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Scheme } from '@weir/schemes'
import { createRun, type ValidSpec } from '@weir/sim'
import type { Own, OwnModule } from './own/own-schemes.ts'
import type { FromWorker } from './pool.ts'

const EVENTS_AT_A_TIME = 20_000
const REPORT_MS = 100

const modules = (workerData as { modules?: readonly OwnModule[] } | null)?.modules ?? []
const own = loadOwn()

parentPort?.on('message', (spec: ValidSpec) => {
  void own.then(async ({ schemes, routing }) => {
    const named = ({ name }: Scheme): boolean => name === spec.scheme.name
    const scheme = schemes.find(named)
    if (routing === undefined) return post(await outcomeOf(spec, scheme))
    const { schemes: known } = await import('@weir/schemes')
    const routed = { ...((scheme ?? known.find(named)) as Scheme), routing }
    post(await outcomeOf(spec, routed))
  })
})

async function loadOwn(): Promise<Own> {
  if (modules.length === 0) return { schemes: [], routing: undefined }
  const { importOwn } = await import('./own/own-schemes.ts')
  return importOwn(modules)
}

async function outcomeOf(spec: ValidSpec, scheme: Scheme | undefined): Promise<FromWorker> {
  try {
    const run = createRun(spec, scheme)
    let reportedMs = Date.now()
    while (run.advance(EVENTS_AT_A_TIME)) {
      const now = Date.now()
      if (now - reportedMs < REPORT_MS) continue
      reportedMs = now
      post({ kind: 'progress', fraction: run.progress })
    }
    return { kind: 'result', result: run.result() }
  } catch (thrown) {
    const error = scheme === undefined ? thrown : await asOwn(thrown)
    const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    return { kind: 'failed', name, message, stack }
  }
}

async function asOwn(error: unknown): Promise<Error> {
  const { ownFailure } = await import('./own/own-schemes.ts')
  return ownFailure(error, modules)
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message)
}
