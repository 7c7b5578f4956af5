/**
 * `compare --with-theory`: theory beside each scheme's packets. The fluid of the bottleneck and the
 * exact max-min rates are of the first draw's scenario, and so are the packets they stand beside.
 */
import { shortSize } from '@weir/engine'
import { isTheory, theoryDistance, theoryOf } from '@weir/sim/theory'
import type { TheoryDistance, TheoryOverlay } from '@weir/sim/theory'
import type { Entry } from './comparison.ts'
import { percent } from './format.ts'
import { renderTable, type Cell, type Column } from './table.ts'

/** Of one entry. */
export interface TheoryRow {
  readonly overlay: TheoryOverlay
  readonly distance: TheoryDistance
}

export function theoryRows(entries: readonly Entry[]): TheoryRow[] {
  return entries.map(({ results }) => {
    const overlay = theoryOf(results[0]!.spec)
    return { overlay, distance: theoryDistance(results[0]!, overlay) }
  })
}

/** The columns of the table, in the terminal and in the report. */
export const THEORY_COLUMNS: readonly {
  readonly title: string
  readonly about: string
  readonly text: (row: TheoryRow) => string
}[] = [
  {
    title: 'queue',
    about: 'mean queue of the bottleneck in packets, later half',
    text: ({ distance }) => bytes(distance.queuePackets),
  },
  {
    title: 'fluid',
    about: 'the same of the fluid model',
    text: ({ distance }) => bytes(distance.queueFluid),
  },
  {
    title: 'apart',
    about: 'mean distance of the two over the whole course, over the mean queue of packets',
    text: ({ distance }) => percent(distance.queueApart),
  },
  {
    title: 'from max-min',
    about: 'rate of the flow that is furthest from its exact max-min rate, later half',
    text: ({ distance }) => signed(distance.rateApart),
  },
  { title: 'flow', about: 'which flow that is', text: ({ distance }) => distance.rateWorst || '-' },
]

export function theoryText(
  entries: readonly Entry[],
  rows: readonly TheoryRow[],
  widthMax: number = Infinity,
): string {
  const columns: Column[] = [
    { title: 'scheme', align: 'left' },
    ...THEORY_COLUMNS.map(({ title }): Column => ({ title, align: 'right' })),
  ]
  const cells = rows.map((row, i): Cell[] => [
    { text: entries[i]!.label },
    ...THEORY_COLUMNS.map(({ text }): Cell => ({ text: text(row) })),
  ])
  const notes = theoryNotes(entries, rows).map((note) => `${note}\n`)
  return `\n${THEORY_TITLE}\n\n${renderTable(columns, cells, widthMax)}${notes.join('')}`
}

const THEORY_TITLE =
  'Theory beside packets: the queue at the bottleneck, and rates against exact max-min.'

/** Where the bottleneck is, and what could not be said, each once. */
export function theoryNotes(entries: readonly Entry[], rows: readonly TheoryRow[]): string[] {
  const said = new Map<string, string[]>()
  const say = (text: string, label: string): void => {
    said.set(text, [...(said.get(text) ?? []), label])
  }
  rows.forEach(({ overlay: { fluid, maxMin } }, i) => {
    const { label } = entries[i]!
    if (!isTheory(maxMin)) say(`no max-min rates: ${maxMin.why}`, label)
    if (isTheory(fluid)) say(`fluid of ${fluid.flows.length} flows at ${fluid.port}`, label)
    else if (isTheory(maxMin)) say(`no fluid: ${fluid.why}`, label)
  })
  const isAll = (labels: readonly string[]): boolean => labels.length === entries.length
  return [...said].map(([text, labels]) => (isAll(labels) ? text : `${labels.join(', ')}: ${text}`))
}

/** For JSON: the distances, and the lines themselves in base units. */
export function theoryJson({ overlay: { fluid, maxMin }, distance }: TheoryRow): object {
  return {
    ...distance,
    maxMin: isTheory(maxMin) ? maxMin : maxMin.why,
    fluid: isTheory(fluid)
      ? {
          model: fluid.model.name,
          cite: fluid.model.cite,
          port: fluid.port,
          flows: fluid.flows,
          network: fluid.network,
          intervalPs: fluid.intervalPs,
          untilPs: fluid.untilPs,
          queueBytes: fluid.queueBytes,
          rateBps: fluid.rateBps,
        }
      : fluid.why,
  }
}

function bytes(value: number): string {
  return Number.isFinite(value) ? shortSize(value) : '-'
}

function signed(value: number): string {
  return value > 0 ? `+${percent(value)}` : percent(value)
}
