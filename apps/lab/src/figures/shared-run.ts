/**
 * One run on several cores of a page that is cross-origin isolated: workers share it, and the
 * worker that asked for it only watches them, so that one that fails, dies or hangs ends the run
 * with a sentence. Elsewhere, and where it does not pay, a run has one thread.
 */
import { dismiss, meetings, SharedTeam, TeamOver } from '@weir/engine'
import { createShare, threadsThatPay } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'

/** What a worker that shares a run is given. */
export interface ShareOrder {
  readonly share: {
    readonly spec: ValidSpec
    readonly me: number
    readonly size: number
    readonly memory: SharedArrayBuffer
  }
}

type FromShare =
  | { readonly type: 'result'; readonly result: Result }
  | { readonly type: 'failed'; readonly sentence: string }

/** Looks, one a second, without a meeting after which a thread is held to be stuck. */
const PATIENCE = 60
/** Until they meet first: each builds the whole network before. */
const FIRST_PATIENCE = 600
const LOOK_MS = 1000

/** As many as pay on this machine; 1 where memory cannot be shared. */
export function threadsFor(spec: ValidSpec): number {
  const isIsolated = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true
  return isIsolated ? threadsThatPay(spec, navigator.hardwareConcurrency) : 1
}

/** `program`: where the script is that calls `joinRun` with what it is given. */
export async function shareRun(
  spec: ValidSpec,
  threads: number,
  program: string,
  patience: number = PATIENCE,
): Promise<Result> {
  const memory = SharedTeam.memoryFor(threads)
  const workers: Worker[] = []
  let timer: ReturnType<typeof setInterval> | undefined
  try {
    return await new Promise<Result>((resolve, reject) => {
      for (let me = 0; me < threads; me++) {
        const worker = new Worker(program)
        workers.push(worker)
        worker.onmessage = ({ data }: MessageEvent<FromShare>): void => {
          if (data.type === 'result') resolve(data.result)
          else reject(new Error(data.sentence))
        }
        worker.onerror = (event): void => {
          reject(new Error(`thread ${me} of this run died: ${event.message}`))
        }
        const order: ShareOrder = { share: { spec, me, size: threads, memory } }
        worker.postMessage(order)
      }
      let met = 0
      let left = Math.max(patience, patience === PATIENCE ? FIRST_PATIENCE : 0)
      timer = setInterval(() => {
        const now = meetings(memory)
        left = now === met ? left - 1 : patience
        met = now
        if (left <= 0) reject(new Error('a thread of this run is stuck: its others wait for it'))
      }, LOOK_MS)
    })
  } finally {
    clearInterval(timer)
    dismiss(memory, threads, '')
    for (const worker of workers) worker.terminate()
  }
}

/** In a worker: carries out its share; the first one has the result. */
export function joinRun(
  { share: { spec, me, size, memory } }: ShareOrder,
  post: (message: FromShare) => void,
): void {
  try {
    const run = createShare(spec, new SharedTeam(memory, me, size))
    while (run.advance(Infinity)) continue
    if (me === 0) post({ type: 'result', result: run.result() })
  } catch (error) {
    // Of a team that is over the one who ended it has said why.
    if (error instanceof TeamOver) return
    const sentence = error instanceof Error ? error.message : String(error)
    post({ type: 'failed', sentence })
    dismiss(memory, size, sentence)
  }
}
