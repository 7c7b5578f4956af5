/** `run:` and `metrics:` of a scenario. */
import {
  as,
  bound,
  count,
  list,
  mapped,
  name,
  optional,
  orAuto,
  otherwise,
  ratio,
  section,
  size,
  time,
} from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'

export interface RunSpec {
  /**
   * Nothing arrives from here on, and what is sampled over time ends here. The run does too, unless
   * flows with a size are left and there is a drain; sooner, when they have all ended before.
   */
  readonly untilPs: number
  /** How long after `untilPs`, at the most, flows that have begun may take to end; 0: no drain. */
  readonly drainPs: number
  /** Stop after this many events; 0: no bound. */
  readonly eventsMax: number
}

export interface MetricsSpec {
  /** Time series are sampled this often; 0: no series. */
  readonly intervalPs: number
  /** Which series; globs over their names are allowed (`queue.leaf0*`). */
  readonly series: readonly string[]
  /** Flow-size bucket edges for summaries, bytes. */
  readonly bucketsBytes: readonly number[]
  /** Convergence: within this fraction of the max-min rate. */
  readonly convergenceFraction: number
}

export type RunDraft = Omit<RunSpec, 'drainPs'> & {
  readonly drainPs: number | 'auto'
  readonly seed: number | undefined
}

export type MetricsDraft = Omit<MetricsSpec, 'intervalPs' | 'series'> & {
  readonly intervalPs: number | 'auto'
  readonly series: readonly string[] | undefined
}

export const seedCodec: Codec<number> = count(0, 2 ** 31 - 1, 1)

export const runCodec: Codec<RunDraft> = section<RunDraft>('the run', {
  /** Longer than flows of some megabytes need; a run ends sooner when all is done. */
  untilPs: otherwise(time({ example: '5ms' }), '10ms'),
  drainPs: otherwise(orAuto(time({ none: true, example: '50ms' })), 'auto'),
  eventsMax: otherwise(bound(Number.MAX_SAFE_INTEGER, 1_000_000), 'none'),
  seed: optional(seedCodec),
})

/** The sizes between which HPCC and PACC (Figs. 9, 10) report completion times. */
const BUCKETS = '10KB 20KB 30KB 50KB 80KB 200KB 1MB 2MB 5MB 10MB 30MB'.split(' ')

const edges = mapped(
  list(size(), 'sizes such as [10KB, 1MB]'),
  (bytes, at) => {
    const falls = bytes.findIndex((edge, i) => i > 0 && edge <= bytes[i - 1]!)
    if (falls === -1) return bytes
    return at
      .at(falls)
      .refuse('an edge is not above the one before it; sort the edges and write each once')
  },
  (bytes) => bytes,
)

export const metricsCodec: Codec<MetricsDraft> = section<MetricsDraft>('the metrics', {
  intervalPs: otherwise(orAuto(time({ none: true })), 'auto'),
  series: optional(
    list(name('a series', 'queue.*'), 'names or patterns, such as [rate.*, queue.leaf0*]'),
  ),
  bucketsBytes: otherwise(edges, BUCKETS),
  /** A flow has converged once it is within 10% of its max-min rate. */
  convergenceFraction: as('convergenceWithin', otherwise(ratio(0, 1, '10%'), '10%')),
})
