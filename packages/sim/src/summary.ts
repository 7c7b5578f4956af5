/** From a run to its result: counters and summary. */
import { buckets, convergencePs, flowStats, jain, mean } from '@weir/metrics'
import type { FlowColumns } from '@weir/metrics'
import type { Drain } from './drain.ts'
import type { Counters, Drained, Ended, Result, Summary } from './result.ts'
import { flowTable, listsOf } from './flow-table.ts'
import type { FlowLists, KeptFlows } from './flow-table.ts'
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
  const flows = run.rows.kept(simulatedPs, run.isOver)
  const counters = countersOf(run)
  const long = longFlowsOf(run)
  const summary = summaryOf(run, flows, simulatedPs, counters, long)
  const ports = portTable(run, measuredPs)
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
    flows: flowTable(flows),
    ...(run.jobs.count > 0 ? { messages: run.jobs.reports() } : {}),
    series: run.sampler.series(),
    ports,
    counters,
    summary,
    warnings: warningsOf(run, ended, { counters, ports }, long),
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

/** One that has not ended has taken the time so far, and cannot beat its ideal. */
function columnsOf(flows: KeptFlows): FlowColumns {
  const { endPs, idealFctPs, simulatedPs, sizeBytes, startPs } = flows
  const rows = endPs.length
  const isEnded = new Uint8Array(rows)
  const fctPs = new Float64Array(rows)
  const slowdown = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    isEnded[row] = Number.isNaN(endPs[row]) ? 0 : 1
    fctPs[row] =
      isEnded[row] === 1
        ? endPs[row] - startPs[row]
        : Math.max(simulatedPs - startPs[row], idealFctPs[row])
    slowdown[row] = fctPs[row] / idealFctPs[row]
  }
  return { sizeBytes, isEnded, fctPs, slowdown }
}

/** Rows of flows with a size. */
function sizedOf(sizeBytes: Float64Array): Uint32Array {
  const rows = new Uint32Array(sizeBytes.length)
  let sized = 0
  for (let row = 0; row < rows.length; row++) if (sizeBytes[row] < Infinity) rows[sized++] = row
  return rows.subarray(0, sized)
}

function drainedOf(run: Run, drain: Drain, simulatedPs: number): Drained {
  const ps = simulatedPs - run.spec.run.untilPs
  return { flows: drain.flows, unfinished: run.active.ending, ps }
}

/** One that got nothing counts as long as it had the time: who has just begun is not starved. */
function comparedThroughputs(flows: KeptFlows, { throughputBps }: FlowLists): Float64Array {
  const { idealFctPs, simulatedPs, startPs } = flows
  const compared = new Float64Array(startPs.length)
  let count = 0
  for (let row = 0; row < compared.length; row++) {
    const rate = throughputBps.at(row) ?? NaN
    if (rate > 0 || simulatedPs - startPs[row] >= idealFctPs[row]) compared[count++] = rate
  }
  return compared.subarray(0, count)
}

/**
 * Of flows without end, shares of their max-min rates if those are known: a victim that is held
 * down to its neighbours' rate is not treated fairly. One alone shares with nobody: NaN.
 */
function sharesJain(shares: ArrayLike<number>): number {
  return shares.length < 2 ? NaN : jain(shares)
}

function summaryOf(
  run: Run,
  flows: KeptFlows,
  simulatedPs: number,
  counters: Counters,
  long: LongFlows | undefined,
): Summary {
  const columns = columnsOf(flows)
  const lists = listsOf(flows)
  const sized = sizedOf(flows.sizeBytes)
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
    flows: flows.count,
    flowsEnded: flows.endPs.reduce((ended, endPs) => (Number.isNaN(endPs) ? ended : ended + 1), 0),
    flowsUnfinished: flowsSized - sizedEnded,
    ...stats,
    buckets: buckets(columns, run.spec.metrics.bucketsBytes),
    items: byItem(lists, columns, delivered, run.itemNames),
    classes: byClass(lists, columns, delivered),
    goodputBps: activePs > 0 ? (deliveredBytes * 8e12) / activePs : NaN,
    jain: sharesJain(shares ?? comparedThroughputs(flows, lists)),
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
