/** A thread that runs one spec after another, and says how far it is a few times a second. */
import { parentPort } from 'node:worker_threads'
import { createRun, type ValidSpec } from '@weir/sim'
import type { FromWorker } from './pool.ts'

const EVENTS_AT_A_TIME = 20_000
const REPORT_MS = 100

parentPort?.on('message', (spec: ValidSpec) => {
  post(outcomeOf(spec))
})

function outcomeOf(spec: ValidSpec): FromWorker {
  try {
    const run = createRun(spec)
    let reportedMs = Date.now()
    while (run.advance(EVENTS_AT_A_TIME)) {
      const now = Date.now()
      if (now - reportedMs < REPORT_MS) continue
      reportedMs = now
      post({ kind: 'progress', fraction: run.progress })
    }
    return { kind: 'result', result: run.result() }
  } catch (error) {
    const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    return { kind: 'failed', name, message, stack }
  }
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message)
}
