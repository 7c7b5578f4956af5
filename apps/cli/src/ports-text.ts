/**
 * Ports in tables: one run's ports that waited, filled or lost most, and of a comparison one line a
 * scheme. What waits in hosts is never shown as a queue of the fabric.
 */
import { shortSize, shortTime } from '@weir/engine'
import type { Result } from '@weir/sim'
import type { Entry } from './comparison.ts'
import { count, percent } from './format.ts'
import { renderTable, type Cell, type Column } from './table.ts'

/** Ports listed of one run. */
const LISTED_MAX = 10

/** Columns of a port's row, with what each is and its unit. */
export const PORT_COLUMNS: readonly {
  readonly title: string
  readonly about: string
  readonly text: (ports: Result['ports'], row: number) => string
}[] = [
  {
    title: 'busy',
    about: 'share of the measured time in which it carried bits',
    text: (ports, row) => percent(ports.utilisation[row]!),
  },
  {
    title: 'queue max',
    about: 'most bytes held; of a host, what its NIC had not sent',
    text: (ports, row) => shortSize(ports.queueBytesMax[row]!),
  },
  {
    title: 'mean',
    about: 'mean of samples of the bytes held',
    text: (ports, row) => shortSize(ports.queueBytesMean[row]!),
  },
  {
    title: 'marks',
    about: 'packets marked here',
    text: (ports, row) => count(ports.packetsMarked[row]!),
  },
  {
    title: 'drops',
    about: 'packets lost here',
    text: (ports, row) => count(ports.packetsDropped[row]!),
  },
  {
    title: 'paused',
    about: 'time that the far end kept it from sending, summed over classes',
    text: (ports, row) => (ports.pausedPs[row]! > 0 ? shortTime(ports.pausedPs[row]!) : '-'),
  },
  {
    title: 'paused for',
    about: "the far end's output that was deepest as it asked for the pause, by share of time",
    text: (ports, row) => causesText(ports, row),
  },
]

/** `leaf0->h3 (98 %), leaf0->h1`. */
function causesText({ pausedBy }: Result['ports'], row: number): string {
  const causes = pausedBy[row]!
  if (causes.length === 0) return ''
  if (causes.length === 1) return causes[0]!.port
  const shown = causes.slice(0, 2).map(({ port, share }) => `${port} (${wholePercent(share)})`)
  const more = causes.length - shown.length
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function wholePercent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** Rows of ports that were paused, lost packets or filled most, the worst first. */
export function worstPorts({ ports }: Result, most: number): number[] {
  const rows = ports.name.map((_, row) => row)
  const isTold = (row: number): boolean =>
    ports.pausedPs[row]! > 0 ||
    ports.packetsDropped[row]! > 0 ||
    (ports.of[row] === 'switch' && ports.queueBytesMax[row]! > 0)
  const order = (row: number): readonly number[] => [
    ports.packetsDropped[row]!,
    ports.pausedPs[row]!,
    ports.of[row] === 'switch' ? ports.queueBytesMax[row]! : 0,
  ]
  return rows
    .filter(isTold)
    .sort((a, b) => {
      const [first, second] = [order(a), order(b)]
      const at = first.findIndex((value, i) => value !== second[i])
      return at < 0 ? a - b : second[at]! - first[at]!
    })
    .slice(0, most)
}

/** What a narrow terminal leaves out of the ports' rows, first the highest. */
const DROP: Readonly<Record<string, number>> = { mean: 3, busy: 2, marks: 1 }

export function portsText(result: Result, widthMax: number = Infinity): string {
  const { ports } = result
  const rows = worstPorts(result, LISTED_MAX)
  if (rows.length === 0) return ''
  const columns: Column[] = [
    { title: 'port', align: 'left' },
    ...PORT_COLUMNS.map(({ title }, i): Column => {
      const isLast = i === PORT_COLUMNS.length - 1
      return { title, align: isLast ? 'left' : 'right', wraps: isLast, dropOrder: DROP[title] ?? 0 }
    }),
  ]
  const cells = rows.map((row): Cell[] => [
    { text: ports.name[row]! },
    ...PORT_COLUMNS.map(({ text }): Cell => ({ text: text(ports, row) })),
  ])
  const left = ports.name.length - rows.length
  const note = left > 0 ? `(${count(left)} more ports; --out has all)\n` : ''
  return '\n' + renderTable(columns, cells, widthMax) + note
}

/** A few lines a scheme: its deepest queue, and the ports that were paused longest, by whom. */
export function portLines(entries: readonly Entry[], widthMax: number = Infinity): string {
  const results = entries.map(({ results: [first] }) => first!)
  if (results.every(({ ports }) => ports.name.length === 0)) return ''
  const isPaused = results.some(({ ports }) => ports.pausedPs.some((ps) => ps > 0))
  const columns: Column[] = [
    { title: 'scheme', align: 'left' },
    { title: 'deepest queue', align: 'left', wraps: true, dropOrder: 1 },
    ...(isPaused ? PAUSE_COLUMNS : []),
  ]
  const rows = entries.flatMap(({ label }, i): Cell[][] => {
    const pauses = isPaused ? pauseTexts(results[i]!) : [[]]
    return pauses.map((texts, line) => {
      const head = line === 0 ? [label, deepestText(results[i]!)] : ['', '']
      return [...head, ...texts].map((text): Cell => ({ text }))
    })
  })
  return renderTable(columns, rows, widthMax)
}

/** Paused ports shown of each scheme. */
const PAUSED_MAX = 3

const PAUSE_COLUMNS: readonly Column[] = [
  { title: 'ports paused', align: 'right', dropOrder: 2 },
  { title: 'longest', align: 'left' },
  { title: 'for', align: 'right' },
  { title: 'by', align: 'left', dropOrder: 3 },
  { title: 'for its queue', align: 'left', wraps: true },
]

function deepestText({ ports }: Result): string {
  const row = greatest(ports.queueBytesMax, (one) => ports.of[one] === 'switch')
  return row < 0 ? '-' : `${ports.name[row]} (${shortSize(ports.queueBytesMax[row]!)})`
}

function pauseTexts({ ports }: Result): string[][] {
  const paused = ports.pausedPs.flatMap((ps, row) => (ps > 0 ? row : []))
  if (paused.length === 0) return [['none', '', '', '', '']]
  paused.sort((a, b) => ports.pausedPs[b]! - ports.pausedPs[a]! || a - b)
  return paused
    .slice(0, PAUSED_MAX)
    .map((row, line) => [
      line === 0 ? `${count(paused.length)} of ${count(ports.name.length)}` : '',
      ports.name[row]!,
      shortTime(ports.pausedPs[row]!),
      ports.name[row]!.split('->')[1] ?? '',
      causesText(ports, row),
    ])
}

/** The row with the largest value above 0; -1: there is none. */
function greatest(values: readonly number[], isAllowed: (row: number) => boolean): number {
  let best = -1
  values.forEach((value, row) => {
    if (value > (best < 0 ? 0 : values[best]!) && isAllowed(row)) best = row
  })
  return best
}
