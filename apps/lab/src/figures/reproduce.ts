/** Starts a figure's worker and reports what it says. */
import type { FigureResult } from '../../../../experiments/figure.ts'

export type FigureState =
  | { readonly type: 'progress'; readonly fraction: number; readonly doing: string }
  | { readonly type: 'done'; readonly result: FigureResult }
  | { readonly type: 'failed'; readonly sentence: string }

export function reproduceFigure(
  id: string,
  size: 'quick' | 'full',
  report: (state: FigureState) => void,
): () => void {
  const worker = new Worker(new URL('figure-worker.js', document.baseURI))
  worker.onmessage = (event: MessageEvent<FigureState>): void => report(event.data)
  worker.onerror = (event): void => report({ type: 'failed', sentence: event.message })
  worker.postMessage({ id, size })
  return () => worker.terminate()
}
