/** One run in words and numbers, for the terminal. */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import type { Result } from '@weir/sim'
import { count, percent, ratio, share } from './format.ts'
import { renderTable } from './table.ts'

/** Flows listed by name when there are no more than this. */
const FLOWS_LISTED_MAX = 12

export function summaryText(result: Result): string {
  const { spec, summary, counters } = result
  const rows: (readonly [string, string])[] = [
    ['scenario', spec.title === '' ? spec.name : `${spec.name}: ${spec.title}`],
    ['scheme', schemeText(result)],
    ['ended', endedText(result)],
    ['flows', `${count(summary.flowsEnded)} of ${count(summary.flows)} ended`],
    ['slowdown', slowdownText(result)],
    [
      'FCT',
      `mean ${shortTime(summary.fctPsMean)}, p50 ${shortTime(summary.fctPsP50)}, ` +
        `p99 ${shortTime(summary.fctPsP99)}`,
    ],
    ['goodput', shortRate(summary.goodputBps)],
    ['fairness', `Jain ${share(summary.jain)}${maxMinText(result)}`],
    ['queue', `max ${shortSize(summary.queueBytesMax)}, p99 ${shortSize(summary.queueBytesP99)}`],
    ['pauses', `${count(summary.pauseFrames)} frames, ${shortTime(summary.pausedPs)} paused`],
    ['drops', `${count(summary.packetsDropped)}, resent ${count(summary.retransmittedPackets)}`],
    [
      'signals',
      `${count(summary.packetsMarked)} marks, ${count(summary.notifications)} notifications`,
    ],
    ['control', `${percent(summary.controlFraction)} of all bytes`],
    ['work', `${count(counters.events)} events, ${count(counters.packetHops)} packet-hops`],
    ['seed', `${result.seed}`],
    ['fingerprint', result.fingerprint],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`)
  return lines.join('\n') + '\n' + flowsText(result) + warningsText(result.warnings)
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
  const { slowdownMean, slowdownP50, slowdownP99, slowdownP999 } = summary
  return (
    `mean ${ratio(slowdownMean)}, p50 ${ratio(slowdownP50)}, ` +
    `p99 ${ratio(slowdownP99)}, p99.9 ${ratio(slowdownP999)}`
  )
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

function flowsText({ flows }: Result): string {
  if (flows.name.length === 0 || flows.name.length > FLOWS_LISTED_MAX) return ''
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
    ...[left('flow'), left('path'), right('size'), right('start')],
    ...[right('FCT'), right('slowdown'), right('throughput'), left('')],
  ]
  return '\n' + renderTable(columns, rows)
}
