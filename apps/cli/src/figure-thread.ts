/** A figure made in a thread of its own (figure-worker.ts), as seen from the main thread. */
import { Worker } from 'node:worker_threads'
import type { Result, ValidSpec } from '@weir/sim'
import type { Figure, FigureContext, FigureResult } from '../../../experiments/figure.ts'
import { deathOf, died, Interrupted } from './errors.ts'
import { asError, type Failure } from './pool.ts'

export type FromFigure =
  | { readonly kind: 'simulate'; readonly run: number; readonly spec: ValidSpec }
  | { readonly kind: 'progress'; readonly fraction: number; readonly doing: string }
  | { readonly kind: 'done'; readonly result: FigureResult }
  | ({ readonly kind: 'failed' } & Failure)

export type ToFigure =
  | { readonly kind: 'result'; readonly run: number; readonly result: Result }
  | {
      readonly kind: 'failed'
      readonly run: number
      readonly name: string
      readonly message: string
    }

/** Rejects with the figure's own error, or as interrupted once `stop` is given. */
export function reproduceApart(
  figure: Figure,
  context: FigureContext,
  stop: AbortSignal,
  program: URL = new URL('./figure-worker.mjs', import.meta.url),
): Promise<FigureResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { workerData: { id: figure.id, size: context.size } })
    const end = (): void => void worker.terminate()
    stop.addEventListener('abort', end)
    const answer = (message: ToFigure): void => worker.postMessage(message)
    worker.on('message', (message: FromFigure) => {
      switch (message.kind) {
        case 'simulate': {
          const { run } = message
          context.simulate(message.spec).then(
            (result) => answer({ kind: 'result', run, result }),
            ({ name, message: text }: Error) =>
              answer({ kind: 'failed', run, name, message: text }),
          )
          return
        }
        case 'progress':
          return context.progress(message.fraction, message.doing)
        case 'done':
          return resolve(message.result)
        case 'failed':
          return reject(asError(message))
      }
    })
    worker.on('error', (error: Error) => reject(deathOf(error, 'the thread of this figure')))
    worker.on('exit', () => {
      stop.removeEventListener('abort', end)
      reject(stop.aborted ? new Interrupted('interrupted.') : died('the thread of this figure'))
    })
  })
}
