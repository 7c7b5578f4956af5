/** From a run to its result: counters and summary. */
import { buckets, convergencePs, flowStats, jain, mean } from '@weir/metrics'
import type { FlowColumns } from '@weir/metrics'
import type { Drain } from './drain.ts'
import type { Counters, Drained, Ended, FlowTable, Result, Summary } from './result.ts'
import { byClass, byItem } from './groups.ts'
import { legible, longFlowsOf, settledMeans } from './long-flows.ts'
import type { LongFlows } from './long-flows.ts'
import { portTable } from './port-table.ts'
import type { Run } from './run.ts'
import { InputBuffered } from '@weir/fabric'
import { VERSION } from './version.ts'
import { warningsOf } from './warnings.ts'

export function makeResult(run: Run, ended: Ended): Result {
  explainUnfinished(run, ended)
  const { untilPs } = run.spec.run
  const simulatedPs = run.nowPs
  const measuredPs = Math.min(simulatedPs, untilPs)
  const flows = run.rows.table(simulatedPs, run.isOver)
  const counters = countersOf(run)
  const long = longFlowsOf(run)
  const summary = summaryOf(run, flows, simulatedPs, counters, long)
  return {
    format: 'weir-result/1',
    version: VERSION,
    spec: run.spec,
    seed: run.spec.seed,
    fingerprint: run.network.fingerprint.toString(),
    simulatedPs,
    measuredPs,
    ...(run.drain === undefined ? {} : { drained: drainedOf(run, run.drain, simulatedPs) }),
    ended,
    flows,
    ...(run.jobs.count > 0 ? { messages: run.jobs.reports() } : {}),
    series: run.sampler.series(),
    ports: portTable(run, measuredPs),
    counters,
    summary,
    warnings: warningsOf(run, ended, counters, long),
  }
}

function explainUnfinished(run: Run, ended: Ended): void {
  run.rows.unfinished.clear()
  for (const flow of run.network.hosts.flows) {
    if (flow === undefined || !run.rows.isUnderWay(flow.row)) continue
    run.rows.update(flow)
    const { sizeBytes } = flow
    const why =
      sizeBytes === Infinity
        ? 'has no end'
        : ended.why === 'completed'
          ? 'the run was stopped before it'
          : `${flow.receiver.deliveredBytes} of ${sizeBytes} bytes delivered; ${ended.sentence}`
    run.rows.unfinished.set(flow.row, why)
  }
}

function countersOf(run: Run): Counters {
  const { fabric, hosts, observer, switches } = run.network
  const { ports } = fabric
  const nowPs = run.nowPs
  let pausedPs = 0
  for (let port = 0; port < ports.count; port++) pausedPs += observer.pausedPsAll(port, nowPs)
  const sum = (column: ArrayLike<number>): number => {
    let total = 0
    for (let i = 0; i < column.length; i++) total += column[i]
    return total
  }
  const most = (column: ArrayLike<number>): number => {
    let largest = 0
    for (let i = 0; i < column.length; i++) if (column[i] > largest) largest = column[i]
    return largest
  }
  let queueBytesMax = 0
  for (let port = 0; port < ports.count; port++) {
    if (ports.fromHost[port] === 1) continue
    queueBytesMax = Math.max(queueBytesMax, observer.heldBytesMax(port))
  }
  let allBytes = 0
  let controlBytes = 0
  for (let port = 0; port < ports.count; port++) {
    allBytes += observer.departedBytes(port, nowPs)
    controlBytes += observer.departedControlBytes(port, nowPs)
  }
  return {
    events: run.events,
    packetHops: run.packetHops,
    packetsSent: hosts.dataPackets,
    packetsDropped: sum(ports.drops),
    packetsTrimmed: sum(ports.trims),
    packetsLost: sum(ports.lost),
    packetsMarked: sum(ports.marks),
    notifications: hosts.control.made,
    agentPackets: fabric.agents.packets,
    agentBytes: fabric.agents.bytes,
    agentBytesInner: fabric.agents.innerBytes,
    pauseFrames: sum(ports.pauseFrames),
    pausedPs,
    retransmittedPackets: hosts.retransmitted,
    dataBytes: allBytes - controlBytes,
    controlBytes,
    allBytes,
    queueBytesMax,
    bufferBytesMax:
      switches instanceof InputBuffered
        ? most(switches.inputBytesMax)
        : most(switches.usedBytesMax),
  }
}

/** With a size; one that has not ended has taken the time so far, and cannot beat its ideal. */
function columnsOf(flows: FlowTable, simulatedPs: number): FlowColumns {
  const { fctPs: taken, sizeBytes } = flows
  const isEnded = flows.endPs.map((endPs) => !Number.isNaN(endPs))
  if (isEnded.every(Boolean)) return { sizeBytes, isEnded, fctPs: taken, slowdown: flows.slowdown }
  const fctPs = flows.fctPs.map((fct, i) =>
    isEnded[i] ? fct : Math.max(simulatedPs - flows.startPs[i]!, flows.idealFctPs[i]!),
  )
  const slowdown = fctPs.map((fct, i) => fct / flows.idealFctPs[i]!)
  return { sizeBytes, isEnded, fctPs, slowdown }
}

function drainedOf(run: Run, drain: Drain, simulatedPs: number): Drained {
  const ps = simulatedPs - run.spec.run.untilPs
  return { flows: drain.flows, unfinished: run.active.ending, ps }
}

/** One that got nothing counts as long as it had the time: who has just begun is not starved. */
function comparedThroughputs(flows: FlowTable, simulatedPs: number): number[] {
  const { throughputBps, startPs, idealFctPs } = flows
  return throughputBps.filter(
    (rate, row) => rate > 0 || simulatedPs - startPs[row] >= idealFctPs[row],
  )
}

/**
 * Of flows without end, shares of their max-min rates if those are known: a victim that is held
 * down to its neighbours' rate is not treated fairly. One alone shares with nobody: NaN.
 */
function sharesJain(shares: readonly number[]): number {
  return shares.length < 2 ? NaN : jain(shares)
}

function summaryOf(
  run: Run,
  flows: FlowTable,
  simulatedPs: number,
  counters: Counters,
  long: LongFlows | undefined,
): Summary {
  const columns = columnsOf(flows, simulatedPs)
  const sized = flows.name.flatMap((_, row) => (flows.sizeBytes[row] < Infinity ? row : []))
  const { flows: flowsSized, flowsEnded: sizedEnded, ...stats } = flowStats(columns, sized)
  const means = long === undefined ? undefined : settledMeans(long)
  const errors = means?.map((rate, i) => {
    const target = long?.targetsBps[i] ?? NaN
    return Math.abs(rate - target) / target
  })
  const shares = means?.map((rate, i) => rate / (long?.unknown === '' ? long.targetsBps[i]! : 1))
  const within = run.spec.metrics.convergenceFraction
  const activePs = run.drain?.activePs ?? run.active.activePs(simulatedPs)
  const { deliveredBytes } = run.drain ?? run.network.hosts
  const delivered = { bytes: run.drain?.deliveredByRow ?? flows.deliveredBytes, activePs }
  return {
    flows: flows.name.length,
    flowsEnded: flows.endPs.filter((endPs) => !Number.isNaN(endPs)).length,
    flowsUnfinished: flowsSized - sizedEnded,
    ...stats,
    buckets: buckets(columns, run.spec.metrics.bucketsBytes),
    items: byItem(flows, columns, delivered, run.itemNames),
    classes: byClass(flows, columns, delivered),
    goodputBps: activePs > 0 ? (deliveredBytes * 8e12) / activePs : NaN,
    jain: sharesJain(shares ?? comparedThroughputs(flows, simulatedPs)),
    queueBytesMax: counters.queueBytesMax,
    queueBytesP99: run.sampler.queues.total > 0 ? run.sampler.queues.percentile(0.99) : NaN,
    pauseFrames: counters.pauseFrames,
    pausedPs: counters.pausedPs,
    packetsDropped: counters.packetsDropped,
    packetsTrimmed: counters.packetsTrimmed,
    packetsLost: counters.packetsLost,
    packetsMarked: counters.packetsMarked,
    notifications: counters.notifications,
    retransmittedPackets: counters.retransmittedPackets,
    controlFraction: counters.allBytes > 0 ? counters.controlBytes / counters.allBytes : 0,
    convergencePs:
      long === undefined
        ? NaN
        : convergencePs(legible(long, run.spec), long.targetsBps, within, long),
    maxMinError: errors === undefined ? NaN : mean(errors),
  }
}
