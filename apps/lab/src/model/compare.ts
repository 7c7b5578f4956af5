/**
 * Differences called out: for each measure that a person would look at first, how the lanes stand
 * to each other, in a sentence. Only what differs is said, the largest differences first.
 */
import { shortSize, shortTime } from '@weir/engine'
import { measureInfo } from '@weir/sim'
import type { MeasureInfo, SummaryKey } from '@weir/sim'
import { rateText } from './rate-text.ts'
import type { LaneResult } from './session.ts'

export interface Measure {
  readonly name: string
  /** Its name in a summary, where flows that did not end can make it a lower bound. */
  readonly key?: SummaryKey
  /** Which end is better; 'neither': it is shown, and ranks nobody. */
  readonly best: MeasureInfo['best']
  /** A difference of so much is worth saying; none: one of so many times. */
  readonly worthSaying?: number
  show(value: number): string
  of(result: LaneResult): number
}

/** A measure of the catalogue (`columns.ts` of the simulator), or one with other words for it. */
function measure(key: SummaryKey, other: Partial<Measure> = {}): Measure {
  const { name, best, unit } = measureInfo(key)
  const of = ({ summary }: LaneResult): number => summary[key] as number
  return { name, key, best, show: SHOWN[unit] ?? whole, of, ...other }
}

/** How values are shown, by their unit; others are counts. */
const SHOWN: Readonly<Record<string, (value: number) => string>> = {
  ps: shortTime,
  bytes: shortSize,
  'bit/s': rateText,
  ratio: plain,
  '0 to 1': plain,
}

export const measures: readonly Measure[] = [
  measure('fctPsP50'),
  measure('fctPsP99'),
  measure('slowdownP50'),
  measure('slowdownP99'),
  measure('goodputBps'),
  measure('queueBytesMax'),
  {
    name: 'fairness (Jain, of shares of max-min rates)',
    worthSaying: 0.03,
    best: 'high',
    show: plain,
    of: ({ maxMinJain }) => maxMinJain ?? NaN,
  },
  // A victim held down to the others' rate makes plain rates equal; a headroom is a distance.
  measure('jain', { name: "Jain's index", best: 'neither' }),
  measure('maxMinError', {
    best: 'neither',
    show: (value) => `${(value * 100).toFixed(1)} %`,
  }),
  // It counts from the last change of a lane's own, which may come at another time in each.
  measure('convergencePs', { best: 'neither' }),
  measure('pauseFrames'),
  measure('packetsDropped'),
  // That a scheme marks at all is worth saying.
  measure('packetsMarked', { best: 'low' }),
]

export interface Finding {
  readonly sentence: string
  /** How large the difference is, for the order. */
  readonly ratio: number
}

const WORTH_SAYING = 1.15

export function findings(lanes: readonly { title: string; result: LaneResult }[]): Finding[] {
  if (lanes.length < 2) return []
  const found: Finding[] = []
  for (const measure of measures) {
    const finding = findingOf(measure, lanes)
    if (finding !== undefined) found.push(finding)
  }
  return found.sort((a, b) => b.ratio - a.ratio).slice(0, 5)
}

/** A page does not wait for the last flow: what is only known to be at least so much says so. */
export function valueText(measure: Measure, result: LaneResult): string {
  const value = measure.of(result)
  if (!Number.isFinite(value)) return '-'
  return `${isBound(measure, result) ? '>= ' : ''}${measure.show(value)}`
}

function isBound({ key }: Measure, { summary }: LaneResult): boolean {
  return key !== undefined && (summary.atLeast as readonly string[]).includes(key)
}

function findingOf(
  measure: Measure,
  lanes: readonly { title: string; result: LaneResult }[],
): Finding | undefined {
  const { name, best, show, of } = measure
  if (best === 'neither') return undefined
  // A lower bound may come to be anything above: who is best is not known, nor by how much.
  if (lanes.some(({ result }) => isBound(measure, result))) return undefined
  const values = lanes
    .map(({ title, result }) => ({ title, value: of(result) }))
    .filter(({ value }) => Number.isFinite(value))
    .sort((a, b) => (best === 'low' ? a.value - b.value : b.value - a.value))
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined || values.length < 2) return undefined
  const [low, high] = [Math.min(first.value, last.value), Math.max(first.value, last.value)]
  const ratio = low > 0 ? high / low : high > 0 ? 1000 : 1
  const { worthSaying } = measure
  const isWorth = worthSaying === undefined ? ratio >= WORTH_SAYING : high - low >= worthSaying
  if (!isWorth) return undefined
  const times =
    worthSaying === undefined && low > 0 && ratio < 1000
      ? `, ${ratio.toPrecision(2)} times apart`
      : ''
  const sentence =
    `${capital(name)}: ${first.title} ${show(first.value)}, ` +
    `${last.title} ${show(last.value)}${times}.`
  return { sentence, ratio }
}

export function plain(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))) : '-'
}

/** Short enough for an axis: 2.5 G, 40 M, 0.125. */
export function compact(value: number): string {
  const size = Math.abs(value)
  for (const [scale, letter] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const) {
    if (size >= scale) return `${plain(value / (letter === 'k' ? 1e3 : scale))} ${letter}`
  }
  return plain(value)
}

export function whole(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '-'
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
