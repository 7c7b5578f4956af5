/**
 * Completion times and slowdowns of a group of flows. A flow that did not end counts with the least
 * that it can have taken, so that a run that was cut does not show its quick flows alone; values
 * that this makes a lower bound are named in `atLeast`. Percentiles by nearest rank.
 */
import { mean, nearestRank } from './percentile.ts'

/** One row a flow with a size. */
export interface FlowColumns {
  readonly sizeBytes: ArrayLike<number>
  readonly isEnded: ArrayLike<boolean | number>
  /** Of a flow that did not end, the least that it can become; so is its slowdown. */
  readonly fctPs: ArrayLike<number>
  readonly slowdown: ArrayLike<number>
}

export interface FlowStats {
  /** Those that began. */
  readonly flows: number
  readonly flowsEnded: number
  readonly fctPsMean: number
  readonly fctPsP50: number
  readonly fctPsP99: number
  readonly slowdownMean: number
  readonly slowdownP50: number
  readonly slowdownP99: number
  readonly slowdownP999: number
  /** Names of values here that are at least this, and would be more if all flows had ended. */
  readonly atLeast: readonly StatKey[]
}

export type StatKey = Exclude<keyof FlowStats, 'flows' | 'flowsEnded' | 'atLeast'>

/** Of the flows in these rows; NaN where there is none. */
export function flowStats(columns: FlowColumns, rows: ArrayLike<number>): FlowStats {
  const fct = sorted(columns.fctPs, columns.isEnded, rows)
  const slowdown = sorted(columns.slowdown, columns.isEnded, rows)
  const values: Record<StatKey, Value> = {
    fctPsMean: meanOf(fct),
    fctPsP50: rank(fct, 0.5),
    fctPsP99: rank(fct, 0.99),
    slowdownMean: meanOf(slowdown),
    slowdownP50: rank(slowdown, 0.5),
    slowdownP99: rank(slowdown, 0.99),
    slowdownP999: rank(slowdown, 0.999),
  }
  const keys = Object.keys(values) as StatKey[]
  return {
    flows: rows.length,
    flowsEnded: endedOf(columns.isEnded, rows),
    ...(Object.fromEntries(keys.map((key) => [key, values[key].least])) as Record<StatKey, number>),
    atLeast: keys.filter((key) => !values[key].isExact),
  }
}

interface Value {
  readonly least: number
  readonly isExact: boolean
}

/** The same flows twice: those that did not end as early as can be, and never. */
interface Both {
  readonly least: Float64Array
  readonly most: Float64Array
}

function sorted(
  column: ArrayLike<number>,
  isEnded: ArrayLike<boolean | number>,
  rows: ArrayLike<number>,
): Both {
  const least = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) least[i] = column[rows[i]!]!
  const most = endedOf(isEnded, rows) === rows.length ? least : least.slice()
  if (most !== least) {
    for (let i = 0; i < rows.length; i++) if (!isEnded[rows[i]!]) most[i] = Infinity
  }
  least.sort()
  if (most !== least) most.sort()
  return { least, most }
}

function endedOf(isEnded: ArrayLike<boolean | number>, rows: ArrayLike<number>): number {
  let ended = 0
  for (let i = 0; i < rows.length; i++) if (isEnded[rows[i]!]) ended++
  return ended
}

/** Exact if it does not matter when the others end. */
function rank({ least, most }: Both, q: number): Value {
  const value = nearestRank(least, q)
  return { least: value, isExact: least.length === 0 || nearestRank(most, q) === value }
}

function meanOf({ least, most }: Both): Value {
  return { least: mean(least), isExact: most.at(-1) !== Infinity }
}
