/** Rows of Gran et al.'s Table III as checks: its three columns, and what control improves. */
import { meanInterval } from '@weir/metrics'
import { ours, within } from '../figure.ts'
import type { Check } from '../figure.ts'
import { fittedCheck } from './testbed.ts'

export const COLUMNS = ['no congestion', 'congestion, CC off', 'congestion, CC on'] as const
export type Column = 0 | 1 | 2

export interface Row {
  readonly name: string
  readonly program: (isFull: boolean) => string
  readonly measure: string
  readonly unit: 'us' | 'MB/s' | 'Gflop/s' | 'Mupdates/s'
  /** Table III, columns a, b, c. */
  readonly published: readonly [number, number, number]
  readonly note?: string
}

/** Rows whose column a) is what the hosts were fitted to. */
const MET_BY_CHOICE = [
  'ping-pong latency, minimum',
  'ping-pong latency, mean',
  'ping-pong latency, maximum',
  'ping-pong bandwidth, minimum',
  'PTRANS',
  'HPL',
  'MPIRandomAccess',
  'MPIFFT',
]
/** What other rows' values were fitted to: section VI, column b). */
const FITTED_CONGESTION: Readonly<Record<string, string>> = {
  'ping-pong latency, mean': 'the depth of the FIFOs at outputs is fitted to it',
  'ping-pong latency, maximum': 'the depth of the FIFOs at outputs is fitted to it',
  'ping-pong bandwidth, minimum': 'the number of contributors is fitted to it',
}

/**
 * A quarter of what is gained; of a latency, which cannot gain more than all, also a quarter of
 * what is left, so that a gain can be too large.
 */
function gainBound(unit: Row['unit'], theirs: number): number {
  return unit === 'us' ? Math.min(0.25, (0.25 * (1 - theirs)) / Math.abs(theirs)) : 0.25
}

/** Footnote 4: the decrease of a latency, the increase of a rate, from column b to c. */
export function improvement(unit: Row['unit'], [, b, c]: readonly number[]): number {
  return unit === 'us' ? 1 - c! / b! : c! / b! - 1
}

const WITHIN = 0.15

/** At most half of what a change makes of a value: a bound that it cannot pass by itself. */
function boundOf(before: number, after: number): number {
  return Math.min(WITHIN, Math.abs(after / before - 1) / 2)
}

/** What is judged is the mean over seeds; with it stands its interval, where there are several. */
export function rowChecks(
  { name, unit, published, note = '' }: Row,
  values: readonly number[],
  draws: readonly (readonly number[])[],
): Check[] {
  const halfOf = (of: readonly number[]): Pick<Check, 'half'> =>
    of.length > 1 ? { half: meanInterval(of).half } : {}
  const [a, b, c] = published
  const bounds = [WITHIN, boundOf(a, b), boundOf(b, c)]
  const checks = values.map((value, column): Check => {
    const about = `${name}, ${COLUMNS[column]!}`
    if (column === 0 && MET_BY_CHOICE.includes(name)) {
      return {
        ...{ ...ours(about, value, unit, 'fitted to it'), published: a },
        ...halfOf(draws[column]!),
      }
    }
    const bound = bounds[column]!
    const check = within(
      about,
      published[column]!,
      value,
      bound,
      unit,
      `agrees if within ${percent(bound)}`,
    )
    const drawn = { ...check, ...halfOf(draws[column]!) }
    const fitted = column === 1 ? FITTED_CONGESTION[name] : undefined
    if (fitted !== undefined) return fittedCheck(drawn, fitted)
    return check.verdict === 'differs' ? { ...drawn, note: `${check.note}. ${note}` } : drawn
  })
  const better = improvement(unit, values)
  const theirs = improvement(unit, published)
  const improved = within(
    `${name}, improvement`,
    100 * theirs,
    100 * better,
    gainBound(unit, theirs),
    '%',
    unit === 'us'
      ? 'agrees if within a quarter, of it and of what is left'
      : 'agrees if within a quarter',
  )
  const bySeed = draws[0]!.map((_, i) =>
    improvement(
      unit,
      draws.map((column) => column[i]!),
    ),
  )
  const judged = { ...improved, ...halfOf(bySeed.map((value) => 100 * value)) }
  // One side of the gain is then no prediction.
  const fittedTo = FITTED_CONGESTION[name]
  if (fittedTo !== undefined) return [...checks, fittedCheck(judged, `its start: ${fittedTo}`)]
  const isIn = improved.verdict === 'agrees'
  return [...checks, isIn ? judged : { ...judged, note: `${improved.note}. ${note}` }]
}

function percent(fraction: number): string {
  return `${Number((100 * fraction).toPrecision(2))}%`
}
