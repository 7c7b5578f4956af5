/**
 * Differences called out: for each measure that a person would look at first, how the lanes stand
 * to each other, in a sentence. Only what differs is said, the largest differences first.
 */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import type { StatKey } from '@weir/sim'
import type { LaneResult } from './session.ts'

export interface Measure {
  readonly name: string
  /** Its name in a summary, where flows that did not end can make it a lower bound. */
  readonly key?: StatKey
  /** Which end is better; '': it is shown, and ranks nobody. */
  readonly best: 'low' | 'high' | ''
  /** A difference of so much is worth saying; none: one of so many times. */
  readonly worthSaying?: number
  show(value: number): string
  of(result: LaneResult): number
}

export const measures: readonly Measure[] = [
  {
    name: 'median completion time',
    key: 'fctPsP50',
    best: 'low',
    show: shortTime,
    of: ({ summary }) => summary.fctPsP50,
  },
  {
    name: '99th percentile completion time',
    key: 'fctPsP99',
    best: 'low',
    show: shortTime,
    of: ({ summary }) => summary.fctPsP99,
  },
  {
    name: 'median slowdown',
    key: 'slowdownP50',
    best: 'low',
    show: plain,
    of: ({ summary }) => summary.slowdownP50,
  },
  {
    name: '99th percentile slowdown',
    key: 'slowdownP99',
    best: 'low',
    show: plain,
    of: ({ summary }) => summary.slowdownP99,
  },
  { name: 'goodput', best: 'high', show: shortRate, of: ({ summary }) => summary.goodputBps },
  {
    name: 'longest queue',
    best: 'low',
    show: shortSize,
    of: ({ summary }) => summary.queueBytesMax,
  },
  {
    name: 'fairness (Jain, of shares of max-min rates)',
    worthSaying: 0.03,
    best: 'high',
    show: plain,
    of: ({ maxMinJain }) => maxMinJain ?? NaN,
  },
  // A victim held down to the others' rate makes plain rates equal; a headroom is a distance.
  { name: 'Jain of plain rates', best: '', show: plain, of: ({ summary }) => summary.jain },
  {
    name: 'distance from max-min rates',
    best: '',
    show: (value) => `${(value * 100).toFixed(1)} %`,
    of: ({ summary }) => summary.maxMinError,
  },
  {
    name: 'time to converge',
    best: 'low',
    show: shortTime,
    of: ({ summary }) => summary.convergencePs,
  },
  { name: 'pause frames', best: 'low', show: whole, of: ({ summary }) => summary.pauseFrames },
  { name: 'packets lost', best: 'low', show: whole, of: ({ summary }) => summary.packetsDropped },
  { name: 'packets marked', best: 'low', show: whole, of: ({ summary }) => summary.packetsMarked },
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
  return key !== undefined && summary.atLeast.includes(key)
}

function findingOf(
  measure: Measure,
  lanes: readonly { title: string; result: LaneResult }[],
): Finding | undefined {
  const { name, best, show, of } = measure
  if (best === '') return undefined
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
