/**
 * Many runs on this machine's cores: a few threads, each given the next spec when it has done its
 * last. A run that fails does not stop the others, and neither does stopping lose what is done.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Result, ValidSpec } from '@weir/sim'

export type FromWorker =
  | { readonly kind: 'progress'; readonly fraction: number }
  | { readonly kind: 'result'; readonly result: Result }
  | {
      readonly kind: 'failed'
      readonly name: string
      readonly message: string
      readonly stack: string
    }

/** `stopped` was not finished when the person interrupted. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'stopped' }

export interface PoolOptions {
  readonly stop: AbortSignal
  readonly onProgress: (fractions: readonly number[]) => void
  readonly threads?: number
  /** Where the threads' program is; by default beside this one in the bundle. */
  readonly program?: URL
}

/** Outcomes in the order of the specs, whatever the order in which they ended. */
export async function runAll(
  specs: readonly ValidSpec[],
  options: PoolOptions,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = specs.map(() => ({ kind: 'stopped' }))
  const fractions = specs.map(() => 0)
  const threads = Math.min(specs.length, options.threads ?? availableParallelism())
  let next = 0

  const takeTurns = async (): Promise<void> => {
    const thread = new Thread(options.program ?? new URL('./worker.mjs', import.meta.url))
    const end = (): void => thread.end()
    options.stop.addEventListener('abort', end)
    try {
      while (next < specs.length && !options.stop.aborted) {
        const index = next++
        outcomes[index] = await thread.run(specs[index]!, (fraction) => {
          fractions[index] = fraction
          options.onProgress(fractions)
        })
        fractions[index] = 1
        options.onProgress(fractions)
      }
    } finally {
      options.stop.removeEventListener('abort', end)
      thread.end()
    }
  }
  await Promise.all(Array.from({ length: threads }, takeTurns))
  return outcomes
}

/** A worker that is started on first use, and anew after one that died; one run at a time. */
class Thread {
  readonly #program: URL
  #worker: Worker | undefined
  #isEnded = false
  #onProgress: (fraction: number) => void = () => {}
  #settle: (outcome: Outcome) => void = () => {}

  constructor(program: URL) {
    this.#program = program
  }

  run(spec: ValidSpec, onProgress: (fraction: number) => void): Promise<Outcome> {
    if (this.#isEnded) return Promise.resolve({ kind: 'stopped' })
    return new Promise((resolve) => {
      this.#onProgress = onProgress
      this.#settle = resolve
      this.#worker ??= this.#start()
      this.#worker.postMessage(spec)
    })
  }

  end(): void {
    this.#isEnded = true
    void this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#program)
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'progress') this.#onProgress(message.fraction)
      else if (message.kind === 'result') this.#settle(message)
      else this.#settle({ kind: 'failed', error: asError(message) })
    })
    worker.on('error', (error: Error) => {
      this.#worker = undefined
      this.#settle({ kind: 'failed', error })
    })
    // A promise settles once: after a result, the exit that `end` causes says nothing more.
    worker.on('exit', () => {
      this.#worker = undefined
      this.#settle({ kind: 'stopped' })
    })
    return worker
  }
}

function asError(failure: { name: string; message: string; stack: string }): Error {
  const error = new Error(failure.message)
  error.name = failure.name
  error.stack = failure.stack
  return error
}
