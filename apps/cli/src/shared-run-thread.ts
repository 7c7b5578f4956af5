/** One of the threads that share a run; the first has the result, and says how far it is. */
import { parentPort, workerData } from 'node:worker_threads'
import { dismiss, SharedTeam, TeamOver } from '@weir/engine'
import { createShare, resultForThread } from '@weir/sim'
import type { Run } from '@weir/sim'
import { measure } from './bench/measure.ts'
import { asOwn, ownScheme } from './own/in-thread.ts'
import type { FromSharedRun, SharedRunOrder } from './shared-run.ts'

const EVENTS_AT_A_TIME = 50_000
const REPORT_MS = 100

const order = workerData as SharedRunOrder
const { spec, me, size, memory } = order

const modules = order.modules ?? []

try {
  const scheme = await ownScheme(spec, modules)
  const run = createShare(spec, new SharedTeam(memory, me, size), scheme)
  if (me === 0) lead(run)
  else {
    while (run.advance(Infinity)) continue
    post({ kind: 'over' })
  }
} catch (error) {
  // Of a team that is over the one who ended it has said why.
  if (!(error instanceof TeamOver)) {
    const failure = modules.length === 0 ? error : await asOwn(error, modules)
    const { name, message, stack = '' } = asError(failure)
    post({ kind: 'failed', name, message, stack })
    dismiss(memory, size, message)
  }
}

function lead(run: Run): void {
  if (order.measure !== undefined) {
    const { name, warmUpPs, untilPs } = order.measure
    post({ kind: 'measured', measured: measure(name, run, warmUpPs, untilPs) })
    return
  }
  let reportedMs = Date.now()
  while (run.advance(EVENTS_AT_A_TIME)) {
    if (Date.now() - reportedMs < REPORT_MS) continue
    reportedMs = Date.now()
    post({ kind: 'progress', fraction: run.progress })
  }
  post({ kind: 'progress', fraction: 1 })
  const [result, handedOver] = resultForThread(run.result())
  post({ kind: 'result', result }, handedOver)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function post(message: FromSharedRun, handedOver: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, handedOver)
}
