/** One run in words and numbers, for the terminal. */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import { flowLists } from '@weir/sim'
import type { FlowStats, Group, Result, StatKey, Summary } from '@weir/sim'
import { breakdowns, bucketName } from './breakdown.ts'
import { drawnWarnings, type Entry } from './comparison.ts'
import { count, percent, ratio, share } from './format.ts'
import { cellText, measures } from './measures.ts'
import { renderTable, type Column } from './table.ts'

/** Flows listed by name when there are no more than this. */
const FLOWS_LISTED_MAX = 12

/** `ports` is the table of ports, which stands after that of flows. */
export function summaryText(
  result: Result,
  ports: string = '',
  widthMax: number = Infinity,
): string {
  const { spec, summary, counters } = result
  const rows: (readonly [string, string])[] = [
    ['scenario', spec.title === '' ? spec.name : `${spec.name}: ${spec.title}`],
    ['scheme', schemeText(result)],
    ['ended', endedText(result)],
    ['flows', `${count(summary.flowsEnded)} of ${count(summary.flows)} ended`],
    ['slowdown', slowdownText(result)],
    ['FCT', fctText(result) + tooFewText(result)],
    ['goodput', shortRate(summary.goodputBps)],
    ['fairness', `Jain ${share(summary.jain)}${maxMinText(result)}`],
    ['queue', `max ${shortSize(summary.queueBytesMax)}, p99 ${shortSize(summary.queueBytesP99)}`],
    ['pauses', `${count(summary.pauseFrames)} frames, ${shortTime(summary.pausedPs)} paused`],
    ['drops', dropsText(summary)],
    [
      'signals',
      `${count(summary.packetsMarked)} marks, ${count(summary.notifications)} notifications`,
    ],
    ['control', controlText(result)],
    ['work', `${count(counters.events)} events, ${count(counters.packetHops)} packet-hops`],
    ['seed', `${result.seed}`],
    ['fingerprint', result.fingerprint],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`)
  const tables = partsText(result) + flowsText(result, widthMax) + ports
  return lines.join('\n') + '\n' + tables + warningsText(result.warnings)
}

/** Headers, ACKs and messages; of them what nodes' agents say to each other, if they do. */
function controlText({ counters, summary }: Result): string {
  const all = `${percent(summary.controlFraction)} of all bytes`
  if (counters.agentPackets === 0) return all
  return `${all}, ${percent(counters.agentBytes / counters.allBytes)} from node to node`
}

/** A run drawn several times: each measure's mean, its 95% interval and its ends. */
export function severalText(
  { label, results }: Entry,
  heading: string,
  widthMax: number = Infinity,
): string {
  const { spec } = results[0]!
  const summaries = results.map(({ summary }) => summary)
  const rows = measures.map((measure) => {
    const values = summaries.map(measure.value).filter(Number.isFinite)
    const ends = values.length === 0 ? [NaN, NaN] : [Math.min(...values), Math.max(...values)]
    const texts = [cellText(measure, summaries), ...ends.map(measure.show)]
    return [{ text: measure.about }, ...texts.map((text) => ({ text }))]
  })
  const right = (title: string): Column => ({ title, align: 'right' })
  const columns: Column[] = [
    { title: 'measure', align: 'left', wraps: true },
    ...['mean', 'least', 'greatest'].map(right),
  ]
  const parts = breakdowns([{ label, results }]).map(({ title, note, columns: heads, cells }) => {
    const part = heads.map((head, i) => [{ text: head.title }, { text: cells[0]![i]!.text }])
    const table = renderTable([{ title: 'part', align: 'left' }, right('mean')], part)
    return `\n${title}. ${note}\n\n${table}`
  })
  const warnings = drawnWarnings(results)
  return (
    `${spec.name} under ${label} (${heading})\n\n` +
    renderTable(columns, rows, widthMax) +
    parts.join('') +
    warningsText(warnings)
  )
}

export function warningsText(warnings: readonly string[]): string {
  return warnings.length === 0 ? '' : '\n' + warnings.map((text) => `warning: ${text}\n`).join('')
}

export function endedText(result: Result): string {
  const { ended, simulatedPs } = result
  const at = `at ${shortTime(simulatedPs)}${drainText(result)}`
  switch (ended.why) {
    case 'completed':
      return `completed ${at}`
    case 'time':
    case 'events':
    case 'deadlock':
      return `${at}: ${ended.sentence}`
  }
}

/** Said wherever the run went on beyond the time that was asked for. */
function drainText({ drained, spec }: Result): string {
  if (drained === undefined) return ''
  const left = `${count(drained.flows)} flow${drained.flows === 1 ? '' : 's'} then under way`
  return ` (arrivals stopped at ${shortTime(spec.run.untilPs)}; drained for the ${left})`
}

function schemeText({ spec }: Result): string {
  const { name, preset } = spec.scheme
  return preset === '' || preset === 'default' ? name : `${name} (preset ${preset})`
}

function slowdownText({ summary }: Result): string {
  const text = bounded(summary, ratio)
  return (
    `mean ${text('slowdownMean')}, p50 ${text('slowdownP50')}, ` +
    `p99 ${text('slowdownP99')}, p99.9 ${text('slowdownP999')}`
  )
}

/** By nearest rank a percentile of few flows is the slowest: said, or it looks like a tail. */
function tooFewText(result: Result): string {
  const flows = fewestSized([result])
  if (flows < 100) return ' (fewer than 100 flows: p99 is the slowest)'
  return flows < 1000 ? ' (fewer than 1,000 flows: p99.9 is the slowest)' : ''
}

/** Flows that have a size, in the run that has the fewest; Infinity: none has any. */
export function fewestSized(results: readonly Result[]): number {
  const counts = results.map(({ flows }) => {
    let sized = 0
    for (const sizeBytes of flowLists(flows).sizeBytes) if (Number.isFinite(sizeBytes)) sized++
    return sized
  })
  return Math.min(...counts.filter((count) => count > 0))
}

function fctText({ summary }: Result): string {
  const text = bounded(summary, shortTime)
  return `mean ${text('fctPsMean')}, p50 ${text('fctPsP50')}, p99 ${text('fctPsP99')}`
}

/** What flows that did not end make a lower bound is shown as one. */
function bounded(stats: FlowStats | Summary, show: (value: number) => string) {
  return (key: StatKey): string => `${stats.atLeast.includes(key) ? '>= ' : ''}${show(stats[key])}`
}

/** Items of the workload, classes and sizes, where there are several. */
function partsText({ summary }: Result): string {
  const { items, classes, buckets } = summary
  const sizes = buckets
    .filter(({ flows }) => flows > 0)
    .map((bucket) => ({ ...bucket, name: bucketName(bucket) }))
  const lists = [
    ['item', items],
    ['class', classes],
    ['size up to', sizes],
  ] as const
  return lists
    .filter(([, parts]) => parts.length > 1)
    .map(([what, parts]) => '\n' + partTable(what, parts))
    .join('')
}

function partTable(
  what: string,
  parts: readonly (FlowStats & Partial<Group> & { readonly name: string })[],
): string {
  const hasGoodput = parts.some(({ goodputBps }) => goodputBps !== undefined)
  const rows = parts.map((part) => {
    const text = bounded(part, ratio)
    const unsized = part.flowsUnsized ?? 0
    const ended = `${count(part.flowsEnded)}/${count(part.flows)}`
    return [
      { text: part.name },
      { text: part.flows === 0 ? `${count(unsized)} without size` : ended },
      ...(['slowdownMean', 'slowdownP50', 'slowdownP99'] as const).map((key) => ({
        text: text(key),
      })),
      { text: bounded(part, shortTime)('fctPsP99') },
      ...(hasGoodput ? [{ text: shortRate(part.goodputBps ?? NaN) }] : []),
    ]
  })
  const right = (title: string): Column => ({ title, align: 'right' })
  const titles = ['ended', 'slowdown', 'p50', 'p99', 'FCT p99', ...(hasGoodput ? ['goodput'] : [])]
  return renderTable([{ title: what, align: 'left' }, ...titles.map(right)], rows)
}

function maxMinText({ summary }: Result): string {
  const parts: string[] = []
  if (Number.isFinite(summary.maxMinError)) {
    parts.push(`${percent(summary.maxMinError)} from max-min`)
  }
  if (Number.isFinite(summary.convergencePs)) {
    parts.push(`converged in ${shortTime(summary.convergencePs)}`)
  }
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`
}

function flowsText({ flows }: Result, widthMax: number): string {
  const { length } = flowLists(flows).name
  if (length === 0 || length > FLOWS_LISTED_MAX) return ''
  const rows = flows.name.map((name, row) => [
    { text: name },
    { text: `${flows.source[row]} -> ${flows.target[row]}` },
    { text: flows.sizeBytes[row] === Infinity ? 'no end' : shortSize(flows.sizeBytes[row]!) },
    { text: shortTime(flows.startPs[row]!) },
    { text: shortTime(flows.fctPs[row]!) },
    { text: ratio(flows.slowdown[row]!) },
    { text: shortRate(flows.throughputBps[row]!) },
    { text: flows.unfinished[row]! },
  ])
  const right = (title: string) => ({ title, align: 'right' as const })
  const left = (title: string) => ({ title, align: 'left' as const })
  const columns = [
    ...[left('flow'), { ...left('path'), wraps: true }],
    ...[right('size'), { ...right('start'), dropOrder: 2 }],
    ...[right('FCT'), right('slowdown'), { ...right('throughput'), dropOrder: 1 }],
    { ...left(''), wraps: true },
  ]
  return '\n' + renderTable(columns, rows, widthMax)
}

/** What was cut off or lost on links is said where there was any. */
function dropsText(summary: Summary): string {
  const { packetsDropped, packetsLost, packetsTrimmed, retransmittedPackets } = summary
  return [
    count(packetsDropped),
    ...(packetsTrimmed > 0 ? [`trimmed ${count(packetsTrimmed)}`] : []),
    ...(packetsLost > 0 ? [`lost on links ${count(packetsLost)}`] : []),
    `resent ${count(retransmittedPackets)}`,
  ].join(', ')
}
