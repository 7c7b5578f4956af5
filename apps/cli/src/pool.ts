/**
 * Many runs on this machine's cores: a few threads, each given the next spec when it has done its
 * last. If there are fewer runs than cores, several threads share a run where that pays. A run that
 * fails does not stop the others, and neither does stopping lose what is done.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { resultFromThread, threadsMax, threadsThatPay } from '@weir/sim'
import type { Result, SentResult, ValidSpec } from '@weir/sim'
import { deathOf, died } from './errors.ts'
import type { OwnModule } from './own/own-schemes.ts'

export type FromWorker =
  | { readonly kind: 'progress'; readonly fraction: number }
  | { readonly kind: 'result'; readonly result: SentResult }
  | ({ readonly kind: 'failed' } & Failure)

/** An error as it travels between threads. */
export interface Failure {
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
  /** Threads in all; by default as many as there are cores. */
  readonly threads?: number
  /** Threads that share each run; undefined: those that nobody else wants, where it pays. */
  readonly threadsEach?: number | undefined
  /** Where the threads' program is; by default beside this one in the bundle. */
  readonly program?: URL
  /** Modules with a person's own schemes, for the threads to load. */
  readonly modules?: readonly OwnModule[]
}

/** Outcomes in the order of the specs, whatever the order in which they ended. */
export async function runAll(
  specs: readonly ValidSpec[],
  options: PoolOptions,
): Promise<readonly Outcome[]> {
  const pool = new Pool(options)
  const fractions = specs.map(() => 0)
  try {
    return await Promise.all(
      specs.map((spec, index) =>
        pool.run(spec, (fraction) => {
          fractions[index] = fraction
          options.onProgress(fractions)
        }),
      ),
    )
  } finally {
    pool.end()
  }
}

interface Waiting {
  readonly spec: ValidSpec
  readonly onProgress: (fraction: number) => void
  readonly settle: (outcome: Outcome) => void
}

/** Threads that take turns at whatever is given to them, first come, first served. */
export class Pool {
  readonly #idle: Thread[]
  readonly #threads: readonly Thread[]
  readonly #waiting: Waiting[] = []
  readonly #stop: AbortSignal
  readonly #threadsEach: number | undefined
  readonly #modules: readonly OwnModule[]
  /** Ends runs that threads share. */
  readonly #sharing: AbortController = new AbortController()
  readonly #end = (): void => this.end()
  #isDue = false

  constructor(options: Omit<PoolOptions, 'onProgress'>) {
    const program = options.program ?? new URL('./worker.mjs', import.meta.url)
    this.#modules = options.modules ?? []
    const data = { modules: this.#modules }
    this.#threads = Array.from({ length: threadsOf(options) }, () => new Thread(program, data))
    this.#idle = [...this.#threads].reverse()
    this.#threadsEach = options.threadsEach
    this.#stop = options.stop
    this.#stop.addEventListener('abort', this.#end)
  }

  /** Never rejects; a pool that has ended stops at once what it is given. */
  run(spec: ValidSpec, onProgress: (fraction: number) => void = () => {}): Promise<Outcome> {
    if (this.#stop.aborted) return Promise.resolve({ kind: 'stopped' })
    return new Promise((settle) => {
      this.#waiting.push({ spec, onProgress, settle })
      this.#takeTurnsSoon()
    })
  }

  /** Ends every thread; what runs or waits is settled as stopped. */
  end(): void {
    this.#stop.removeEventListener('abort', this.#end)
    this.#sharing.abort()
    for (const { settle } of this.#waiting.splice(0)) settle({ kind: 'stopped' })
    for (const thread of this.#threads) thread.end()
  }

  /** Not at once: how many threads a run may have depends on how many runs are asked for. */
  #takeTurnsSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#takeTurns()
    })
  }

  #takeTurns(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const next = this.#waiting[0]!
      const sharers = this.#sharersOf(next.spec)
      // As many as were asked for, or, of fewer, all there are.
      if (sharers > this.#idle.length) return
      this.#waiting.shift()
      const threads = this.#idle.splice(-sharers)
      void this.#carryOut(next, threads).then((outcome) => {
        if (outcome.kind === 'result') next.onProgress(1)
        next.settle(outcome)
        this.#idle.push(...threads)
        this.#takeTurnsSoon()
      })
    }
  }

  /** Threads for the next run. */
  #sharersOf(spec: ValidSpec): number {
    if (this.#threadsEach !== undefined) {
      if (this.#threadsEach === 1) return 1
      return Math.min(this.#threadsEach, this.#threads.length, threadsMax(spec))
    }
    const free = Math.floor(this.#idle.length / this.#waiting.length)
    // A scheme of one's own is shared if the person says so (docs/command-line.md).
    return free < 2 || this.#modules.length > 0 ? 1 : threadsThatPay(spec, free)
  }

  async #carryOut(next: Waiting, threads: readonly Thread[]): Promise<Outcome> {
    const { spec, onProgress } = next
    if (threads.length === 1) return threads[0]!.run(spec, onProgress)
    const { shareRun } = await import('./shared-run.ts')
    const stop = this.#sharing.signal
    if (stop.aborted) return { kind: 'stopped' }
    try {
      const options = { stop, onProgress, modules: this.#modules }
      const result = await shareRun(spec, threads.length, options)
      return result === undefined
        ? { kind: 'stopped' }
        : { kind: 'result', result: result as Result }
    } catch (error) {
      return { kind: 'failed', error: error as Error }
    }
  }
}

function threadsOf({ threads }: Pick<PoolOptions, 'threads'>): number {
  return Math.max(1, threads ?? availableParallelism())
}

/** A worker that is started on first use, and anew after one that died; one run at a time. */
class Thread {
  readonly #program: URL
  readonly #data: object
  #worker: Worker | undefined
  #isEnded = false
  #onProgress: (fraction: number) => void = () => {}
  #settle: (outcome: Outcome) => void = () => {}

  constructor(program: URL, data: object) {
    this.#program = program
    this.#data = data
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
    const worker = new Worker(this.#program, { workerData: this.#data })
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'progress') this.#onProgress(message.fraction)
      else if (message.kind === 'result') {
        this.#settle({ kind: 'result', result: resultFromThread(message.result) })
      } else this.#settle({ kind: 'failed', error: asError(message) })
    })
    // A worker that has died may already have a successor, whose run its exit must not settle.
    const isOver = (outcome: Outcome): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#settle(outcome)
    }
    const failed = (error: Error): void => isOver({ kind: 'failed', error })
    worker.on('error', (error: Error) => failed(deathOf(error, 'the thread of this run')))
    worker.on('exit', () =>
      this.#isEnded ? isOver({ kind: 'stopped' }) : failed(died('the thread of this run')),
    )
    return worker
  }
}

export function asError(failure: Failure): Error {
  const error = new Error(failure.message)
  error.name = failure.name
  error.stack = failure.stack
  return error
}
