/** From a run to its result: counters, summary and the warnings that a person needs. */
import { buckets, convergencePs, flowStats, jain, mean } from '@weir/metrics'
import type { FlowColumns } from '@weir/metrics'
import type { Drain } from './drain.ts'
import type { Counters, Drained, Ended, FlowTable, Result, Summary } from './result.ts'
import { byClass, byItem } from './groups.ts'
import { idleKnobs } from './idle-knobs.ts'
import { longFlowsOf, settledMeans } from './long-flows.ts'
import type { LongFlows } from './long-flows.ts'
import { portTable } from './port-table.ts'
import type { Run } from './run.ts'
import { InputBuffered } from '@weir/fabric'
import { VERSION } from './version.ts'

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
    notifications: hosts.controlPackets,
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
    jain: jain(means ?? comparedThroughputs(flows, simulatedPs)),
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
        : convergencePs(long.series, long.targetsBps, run.spec.metrics.convergenceFraction, long),
    maxMinError: errors === undefined ? NaN : mean(errors),
  }
}

function warningsOf(
  run: Run,
  ended: Ended,
  counters: Counters,
  long: LongFlows | undefined,
): string[] {
  const { spec } = run
  const { flowControl } = spec.fabric
  const warnings: string[] = []
  if (ended.why !== 'completed') {
    const left = [...run.rows.unfinished.values()].filter((why) => why !== 'has no end').length
    if (left > 0 || ended.why !== 'time') warnings.push(ended.sentence)
  }
  if (ended.why === 'completed' && run.drain?.isSaturated === true) {
    warnings.push(
      `when arrivals stopped, ${run.drain.flows} flows were left and the backlog was growing: ` +
        `more is offered than is carried, and slowdowns depend on how long that went on`,
    )
  }
  const isPausing = flowControl.kind === 'pfc' || flowControl.kind === 'pause'
  const hasLossy = isPausing && flowControl.losslessClasses.length < spec.fabric.classes
  const isLossless = flowControl.kind !== 'none' && !hasLossy
  if (isLossless && counters.packetsDropped > 0) {
    warnings.push(
      `${counters.packetsDropped} packets were lost although the fabric has flow control: the ` +
        `buffer or the headroom is too small for it`,
    )
  }
  const signals = counters.packetsMarked + counters.notifications
  if (run.network.control.ecnCapable && signals === 0) {
    warnings.push('the scheme never saw a congestion signal: no packet was marked')
  }
  if (run.network.control.ecnCapable && counters.pauseFrames > counters.packetsMarked) {
    warnings.push('PFC fired more often than ECN: its thresholds may lie below the marking ones')
  }
  const { control } = run.network
  warnings.push(...run.sampler.unmet(), ...idleKnobs(spec, control.ecnCapable))
  warnings.push(...(control.warnings ?? []))
  if (long !== undefined && long.unknown !== '') {
    warnings.push(`no max-min rates to compare flows with: ${long.unknown}`)
  }
  if (run.sampler.left > 0) {
    const { left, seriesMax } = run.sampler
    warnings.push(`${left} time series were left out: at most ${seriesMax} are kept`)
  }
  return warnings
}
