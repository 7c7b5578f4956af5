/**
 * The longest queues of Fig. 14 against the length of the run, which the paper does not say: a
 * longest queue is that of the worst moment, and the longer a run the worse it is. All of it is
 * ours; the published percentiles are drawn at each length.
 */
import { meanInterval } from '@weir/metrics'
import { ours } from '../figure.ts'
import type { Check, FigureContext, Plot } from '../figure.ts'
import { meanOf, percentile, R2C2, rackRuns } from './rack-runs.ts'
import type { RackRun } from './rack-runs.ts'

const FULL = [1000, 3000, 10_000]
const QUICK = [250, 500]
const TAU_US = 1

export interface LongRuns {
  readonly flows: number
  /** By seed. */
  readonly runs: readonly RackRun[]
}

export async function lengthRuns(
  context: FigureContext,
  isFull: boolean,
  seeds: readonly number[],
): Promise<readonly LongRuns[]> {
  return Promise.all(
    (isFull ? FULL : QUICK).map(async (flows) => {
      const [runs = []] = await rackRuns(context, { tauUs: TAU_US, flows }, [R2C2], seeds)
      return { flows, runs }
    }),
  )
}

function queueOf(fraction: number): (run: RackRun) => number {
  return ({ queueKB }) => percentile(queueKB, fraction)
}

export function lengthCheck({ flows, runs }: LongRuns): Check {
  const mean = (of: (run: RackRun) => number): string => meanOf(runs.map(of)).toFixed(1)
  return ours(
    `R2C2, the first ${flows} flows alone: longest queues at 1 us, 99th percentile`,
    runs.map(queueOf(0.99)),
    'KB',
    `Median ${mean(queueOf(0.5))} KB. Reorder buffer: ` +
      `${mean(({ reorder }) => percentile(reorder, 0.95))} packets at the 95th percentile, ` +
      `${mean(({ reorder }) => percentile(reorder, 1))} at most.`,
  )
}

/** At each length the published percentile is the same: nobody knows of which it is. */
export function lengthPlots(lengths: readonly LongRuns[], isFull: boolean): Plot[] {
  const x = lengths.map(({ flows }) => flows)
  const text = isFull ? 'R2C2 (text: below)' : 'R2C2 (text, 512 nodes: below)'
  const plot = (of: string, fraction: number, publishedKB: number): Plot => {
    const bySeed = lengths.map(({ runs }) => runs.map(queueOf(fraction)))
    const half = bySeed.map((values) => meanInterval(values).half || 0)
    return {
      title: `Fig. 14 by the length of the run: longest queue of each link at 1 us, ${of}`,
      kind: 'lines',
      isAside: true,
      x: { label: 'flows of a run', unit: 'flows', scale: 'log' },
      y: { label: 'longest queue', unit: 'KB', scale: 'log' },
      curves: [
        { name: R2C2.name, x, y: bySeed.map(meanOf), half },
        { name: text, x, y: x.map(() => publishedKB), isPublished: true },
      ],
    }
  }
  // 'Less than one packet', of 1,500 B here.
  return [plot('99th percentile', 0.99, 27), plot('median', 0.5, 1.5)]
}
