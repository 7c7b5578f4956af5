/**
 * A comparison taken apart: the same measures of each item of the workload, of each traffic class
 * and of each range of flow sizes. One mean over an incast and its background says nothing.
 */
import { shortRate, shortSize } from '@weir/engine'
import type { Bucket, FlowStats, Group, Summary } from '@weir/sim'
import type { Entry } from './comparison.ts'
import { costs } from './costs.ts'
import { ratio } from './format.ts'
import { bestOf, cellText, type Draws, type Measure } from './measures.ts'

export interface Breakdown {
  readonly title: string
  readonly note: string
  readonly columns: readonly { readonly title: string; readonly about: string }[]
  /** By entry, and by column. */
  readonly cells: readonly (readonly { readonly text: string; readonly isBest: boolean }[])[]
}

type Part = FlowStats & Partial<Pick<Group, 'flowsUnsized' | 'goodputBps'>>
type PartMeasure = Measure<Part>

const P50: PartMeasure = {
  key: 'slowdownP50',
  title: 'p50',
  about: 'median slowdown',
  best: 'low',
  value: (part) => part.slowdownP50,
  show: ratio,
  dropOrder: 0,
}
const P99: PartMeasure = {
  ...P50,
  key: 'slowdownP99',
  title: 'p99',
  about: '99th percentile of slowdown',
  value: (part) => part.slowdownP99,
}
const GOODPUT: PartMeasure = {
  ...P50,
  key: 'goodputBps',
  title: 'goodput',
  about: 'payload delivered while any flow was active',
  best: 'high',
  value: (part) => part.goodputBps ?? NaN,
  show: shortRate,
}

/** Of an entry that has no such flows. */
const NONE: Part = {
  flows: 0,
  flowsEnded: 0,
  fctPsMean: NaN,
  fctPsP50: NaN,
  fctPsP99: NaN,
  slowdownMean: NaN,
  slowdownP50: NaN,
  slowdownP99: NaN,
  slowdownP999: NaN,
  atLeast: [],
}

/** Those that tell something: one with a single part is the table of the whole again. */
export function breakdowns(entries: readonly Entry[]): Breakdown[] {
  const items = partsOf(entries, (summary) => summary.items)
  const classes = partsOf(entries, (summary) => summary.classes)
  const sizes = partsOf(entries, sizeParts)
  return [
    ...made('By workload item', 'Slowdown, or goodput of flows without a size.', items, measuresOf),
    ...made(
      'By traffic class',
      'Slowdown, or goodput of flows without a size.',
      classes,
      measuresOf,
    ),
    ...made(
      'By flow size',
      '99th percentile of slowdown, all items together; a column is a range up to its size.',
      sizes,
      () => [P99],
    ),
    ...costs(entries),
  ]
}

/** For the verdict: p99 slowdown of each item that has sized flows, if there are several. */
export function itemTails(entries: readonly Entry[]): {
  readonly name: string
  readonly measure: PartMeasure
  readonly draws: readonly Draws<Part>[]
}[] {
  const parts = partsOf(entries, (summary) => summary.items).filter(hasSized)
  if (parts.length < 2) return []
  return parts.map(({ name, draws }) => ({ name, measure: P99, draws }))
}

interface NamedPart {
  readonly name: string
  /** By entry. */
  readonly draws: readonly Draws<Part>[]
}

function partsOf(
  entries: readonly Entry[],
  parts: (summary: Summary) => readonly (Part & { readonly name: string })[],
): NamedPart[] {
  const all = entries.map(({ results }) => results.map(({ summary }) => parts(summary)))
  const names = new Set(all.flat(2).map(({ name }) => name))
  return [...names].map((name) => ({
    name,
    draws: all.map((draws) => draws.map((own) => own.find((part) => part.name === name) ?? NONE)),
  }))
}

function sizeParts({ buckets }: Summary): (Bucket & { readonly name: string })[] {
  return buckets
    .map((bucket) => ({ ...bucket, name: bucketName(bucket) }))
    .filter(({ flows }) => flows > 0)
}

/** `10 KB` for flows below it and from the edge before; `> 30 MB` for the last. */
export function bucketName({ fromBytes, toBytes }: Bucket): string {
  const isLast = !Number.isFinite(toBytes) || toBytes >= Number.MAX_SAFE_INTEGER
  return isLast ? `> ${shortSize(fromBytes)}` : shortSize(toBytes)
}

function hasSized({ draws }: NamedPart): boolean {
  return draws.flat().some(({ flows }) => flows > 0)
}

function measuresOf(part: NamedPart): readonly PartMeasure[] {
  return hasSized(part) ? [P50, P99] : [GOODPUT]
}

function made(
  title: string,
  note: string,
  parts: readonly NamedPart[],
  measures: (part: NamedPart) => readonly PartMeasure[],
): Breakdown[] {
  if (parts.length < 2) return []
  const columns = parts.flatMap((part) =>
    measures(part).map((measure) => ({ part, measure, best: bestOf(measure, part.draws) })),
  )
  const entries = parts[0]!.draws.map((_, row) => row)
  return [
    {
      title,
      note,
      columns: columns.map(({ part, measure }) => ({
        title: title === 'By flow size' ? part.name : `${part.name} ${measure.title}`,
        about: `${measure.about}: ${part.name}`,
      })),
      cells: entries.map((row) =>
        columns.map(({ part, measure, best }) => ({
          text: cellText(measure, part.draws[row]!),
          isBest: best.has(row),
        })),
      ),
    },
  ]
}
