/**
 * One run on several cores: threads that share it, and meet between windows. This thread only
 * watches them, so that a person can interrupt, and so that a thread that fails, dies or hangs ends
 * the run with its reason.
 */
import { Worker } from 'node:worker_threads'
import { dismiss, meetings, SharedTeam } from '@weir/engine'
import { resultFromThread } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import type { Measured } from './bench/measure.ts'
import { deathOf, FailedError } from './errors.ts'
import { compileForSharedRun } from './inlining.ts'
import type { OwnModule } from './own/own-schemes.ts'
import { asError, type FromWorker } from './pool.ts'

/** What a thread is given. */
export interface SharedRunOrder {
  readonly spec: ValidSpec
  readonly me: number
  readonly size: number
  readonly memory: SharedArrayBuffer
  /** Modules with a person's own scheme or routing. */
  readonly modules?: readonly OwnModule[]
  /** To be measured up to a time, of which the first part is a warm-up; undefined: to be run. */
  readonly measure?: { readonly name: string; readonly warmUpPs: number; readonly untilPs: number }
}

export type FromSharedRun =
  | FromWorker
  /** It has done its share. */
  | { readonly kind: 'over' }
  | { readonly kind: 'measured'; readonly measured: Measured }

export interface SharedRunOptions {
  readonly stop?: AbortSignal
  readonly onProgress?: (fraction: number) => void
  readonly measure?: SharedRunOrder['measure']
  readonly modules?: readonly OwnModule[]
  /** Where the threads' program is; by default beside this one in the bundle. */
  readonly program?: URL
  /** Looks, one a second, without a meeting after which a thread is held to be stuck. */
  readonly patience?: number
  /** Megabytes that a thread's old objects may take; by default as V8 has it. */
  readonly oldMb?: number
}

const PATIENCE = 120
/** Times as much until threads meet first: each builds the whole network before. */
const FIRST_PATIENCE = 10
const LOOK_MS = 1000
/** Of each thread's heap: a thread that collects keeps all others waiting. */
const YOUNG_MB = 64

/** Undefined: it was interrupted. */
export async function shareRun(
  spec: ValidSpec,
  threads: number,
  options: SharedRunOptions = {},
): Promise<Result | Measured | undefined> {
  compileForSharedRun(threads)
  const memory = SharedTeam.memoryFor(threads)
  const program = options.program ?? new URL('./shared-run-thread.mjs', import.meta.url)
  const { measure, modules } = options
  const workers = Array.from({ length: threads }, (_, me) => {
    const workerData: SharedRunOrder = {
      ...{ spec, me, size: threads, memory },
      ...(modules && { modules }),
      ...(measure && { measure }),
    }
    return new Worker(program, {
      workerData,
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_MB,
        ...(options.oldMb && { maxOldGenerationSizeMb: options.oldMb }),
      },
    })
  })
  const watch = new Watch(memory, options.patience ?? PATIENCE)
  try {
    return await outcomeOf(workers, watch, options)
  } finally {
    watch.end()
    dismiss(memory, threads, '')
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

function outcomeOf(
  workers: readonly Worker[],
  watch: Watch,
  { stop, onProgress }: SharedRunOptions,
): Promise<Result | Measured | undefined> {
  return new Promise((resolve, reject) => {
    stop?.addEventListener('abort', () => resolve(undefined), { once: true })
    watch.onStuck = () =>
      reject(
        new FailedError(
          'a thread of this run is stuck: its others wait for it; run it with --threads 1.',
        ),
      )
    workers.forEach((worker, me) => {
      let isOver = false
      worker.on('message', (message: FromSharedRun) => {
        if (message.kind !== 'progress') isOver = true
        if (message.kind === 'progress') {
          onProgress?.(message.fraction)
          // All have met for the last time: what is left is one thread's, the result.
          if (message.fraction === 1) watch.end()
        } else if (message.kind === 'result') resolve(resultFromThread(message.result))
        else if (message.kind === 'measured') resolve(message.measured)
        else if (message.kind === 'failed') reject(asError(message))
      })
      worker.on('error', (error: Error) => reject(deathOf(error, `thread ${me} of this run`)))
      worker.on('exit', () => {
        if (isOver) return
        reject(new FailedError(`thread ${me} of this run died; run it with --threads 1.`))
      })
    })
  })
}

/** Looks whether threads still meet. A process that is stopped meanwhile does not look. */
class Watch {
  onStuck: () => void = () => {}
  readonly #timer: NodeJS.Timeout
  #met = 0
  #patience: number

  constructor(memory: SharedArrayBuffer, patience: number) {
    this.#patience = FIRST_PATIENCE * patience
    this.#timer = setInterval(() => {
      const met = meetings(memory)
      this.#patience = met === this.#met ? this.#patience - 1 : patience
      this.#met = met
      if (this.#patience <= 0) this.onStuck()
    }, LOOK_MS)
  }

  end(): void {
    clearInterval(this.#timer)
  }
}
