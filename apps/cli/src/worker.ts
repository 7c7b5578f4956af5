/** A thread that runs one spec after another, and says how far it is a few times a second. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Scheme } from '@weir/schemes'
import { createRun, resultForThread, type Result, type ValidSpec } from '@weir/sim'
import { asOwn, ownScheme } from './own/in-thread.ts'
import type { OwnModule } from './own/own-schemes.ts'
import type { FromWorker } from './pool.ts'

const EVENTS_AT_A_TIME = 20_000
const REPORT_MS = 100

const modules = (workerData as { modules?: readonly OwnModule[] } | null)?.modules ?? []

parentPort?.on('message', (spec: ValidSpec) => {
  void ownScheme(spec, modules).then(async (scheme) => send(await outcomeOf(spec, scheme)))
})

type Outcome = Exclude<FromWorker, { kind: 'result' }> | { kind: 'result'; result: Result }

function send(outcome: Outcome): void {
  if (outcome.kind !== 'result') return post(outcome)
  const [result, handedOver] = resultForThread(outcome.result)
  post({ kind: 'result', result }, handedOver)
}

async function outcomeOf(spec: ValidSpec, scheme: Scheme | undefined): Promise<Outcome> {
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
    const error = scheme === undefined ? thrown : await asOwn(thrown, modules)
    const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    return { kind: 'failed', name, message, stack }
  }
}

function post(message: FromWorker, handedOver: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, handedOver)
}
