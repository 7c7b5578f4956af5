/**
 * Differences called out: for each measure that a person would look at first, how the lanes stand
 * to each other, in a sentence. Only what differs is said, the largest differences first.
 */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import type { LaneResult } from './session.ts'

export interface Measure {
  readonly name: string
  readonly best: 'low' | 'high'
  show(value: number): string
  of(result: LaneResult): number
}

export const measures: readonly Measure[] = [
  {
    name: 'median completion time',
    best: 'low',
    show: shortTime,
    of: ({ summary }) => summary.fctPsP50,
  },
  {
    name: '99th percentile completion time',
    best: 'low',
    show: shortTime,
    of: ({ summary }) => summary.fctPsP99,
  },
  {
    name: 'median slowdown',
    best: 'low',
    show: plain,
    of: ({ summary }) => summary.slowdownP50,
  },
  {
    name: '99th percentile slowdown',
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
  { name: 'fairness (Jain)', best: 'high', show: plain, of: ({ summary }) => summary.jain },
  {
    name: 'distance from max-min fair',
    best: 'low',
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

function findingOf(
  { name, best, show, of }: Measure,
  lanes: readonly { title: string; result: LaneResult }[],
): Finding | undefined {
  const values = lanes
    .map(({ title, result }) => ({ title, value: of(result) }))
    .filter(({ value }) => Number.isFinite(value))
    .sort((a, b) => (best === 'low' ? a.value - b.value : b.value - a.value))
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined || values.length < 2) return undefined
  const [low, high] = [Math.min(first.value, last.value), Math.max(first.value, last.value)]
  const ratio = low > 0 ? high / low : high > 0 ? 1000 : 1
  if (ratio < WORTH_SAYING) return undefined
  const times = low > 0 && ratio < 1000 ? `, ${ratio.toPrecision(2)} times apart` : ''
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
