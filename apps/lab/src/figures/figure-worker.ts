/** Reproduces a document's figure in a worker: the same program as `weir reproduce`. */
import { createRun } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { figures } from '../../../../experiments/index.ts'
import { joinRun, shareRun, threadsFor } from './shared-run.ts'
import type { ShareOrder } from './shared-run.ts'

interface FigureOrder {
  readonly id: string
  readonly size: 'quick' | 'full'
}

const SLICE_EVENTS = 50_000

onmessage = ({ data }: MessageEvent<FigureOrder | ShareOrder>): void => {
  if ('share' in data) joinRun(data, (message) => postMessage(message))
  else void reproduce(data)
}

async function reproduce({ id, size }: FigureOrder): Promise<void> {
  const figure = figures.find((one) => one.id === id)
  try {
    if (figure === undefined) throw new Error(`there is no figure '${id}'`)
    const result = await figure.reproduce({
      size,
      simulate,
      progress: (fraction, doing) => postMessage({ type: 'progress', fraction, doing }),
    })
    postMessage({ type: 'done', result })
  } catch (error) {
    postMessage({
      type: 'failed',
      sentence: error instanceof Error ? error.message : String(error),
    })
  }
}

/** Runs that are asked for at once take turns: those that threads share have all cores. */
let before: Promise<unknown> = Promise.resolve()

function simulate(spec: ValidSpec): Promise<Result> {
  const result = before.then(() => simulateNow(spec))
  before = result.catch(() => undefined)
  return result
}

async function simulateNow(spec: ValidSpec): Promise<Result> {
  const threads = threadsFor(spec)
  if (threads > 1) return shareRun(spec, threads, location.href)
  const run = createRun(spec)
  while (run.advance(SLICE_EVENTS)) continue
  return Promise.resolve(run.result())
}
