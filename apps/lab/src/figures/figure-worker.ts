/** Reproduces a document's figure in a worker: the same program as `weir reproduce`. */
import { createRun } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { figures } from '../../../../experiments/index.ts'

const SLICE_EVENTS = 50_000

onmessage = (event: MessageEvent<{ id: string; size: 'quick' | 'full' }>): void => {
  void reproduce(event.data)
}

async function reproduce({ id, size }: { id: string; size: 'quick' | 'full' }): Promise<void> {
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

async function simulate(spec: ValidSpec): Promise<Result> {
  const run = createRun(spec)
  while (run.advance(SLICE_EVENTS)) continue
  return Promise.resolve(run.result())
}
