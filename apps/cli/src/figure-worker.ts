/**
 * A thread that makes one figure: its program may compute for long between its runs, and the main
 * thread has to hear Ctrl-C and draw progress meanwhile. Runs are asked of the main thread's pool.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { Result } from '@weir/sim'
import { figures } from '../../../experiments/index.ts'
import type { FromFigure, ToFigure } from './figure-thread.ts'

interface Pending {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

const { id, size } = workerData as { readonly id: string; readonly size: 'quick' | 'full' }
const pending = new Map<number, Pending>()
let runs = 0

parentPort?.on('message', (message: ToFigure) => {
  const { resolve, reject } = pending.get(message.run)!
  pending.delete(message.run)
  if (message.kind === 'result') resolve(message.result)
  else reject(Object.assign(new Error(message.message), { name: message.name }))
})

function post(message: FromFigure): void {
  parentPort?.postMessage(message)
}

try {
  const figure = figures.find((candidate) => candidate.id === id)!
  const result = await figure.reproduce({
    size,
    simulate: (spec) => {
      const run = runs++
      const answer = new Promise<Result>((resolve, reject) => pending.set(run, { resolve, reject }))
      // A figure that awaits its runs one by one leaves later failures unobserved for a while.
      answer.catch(() => {})
      post({ kind: 'simulate', run, spec })
      return answer
    },
    progress: (fraction, doing) => post({ kind: 'progress', fraction, doing }),
  })
  post({ kind: 'done', result })
} catch (error) {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  post({ kind: 'failed', name, message, stack })
}
parentPort?.close()
