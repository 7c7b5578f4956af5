/** What a person should know beside the numbers of a run. */
import { formatTime } from '@weir/engine'
import { routings } from '@weir/routing'
import { flowsText, OVERLOAD } from './ending.ts'
import { idleKnobs } from './idle-knobs.ts'
import type { LongFlows } from './long-flows.ts'
import { COALESCED_ACK_PS } from './network.ts'
import type { Counters, Ended, PortTable } from './result.ts'
import type { Run } from './run.ts'

export function warningsOf(
  run: Run,
  ended: Ended,
  { counters, ports }: { readonly counters: Counters; readonly ports: PortTable },
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
      `when arrivals stopped, ${flowsText(run.drain.flows)} had not ended and the backlog was ` +
        `growing: ${OVERLOAD}, and slowdowns depend on how long that went on`,
    )
  }
  const isPausing = flowControl.kind === 'pfc' || flowControl.kind === 'pause'
  const hasLossy = isPausing && flowControl.losslessClasses.length < spec.fabric.classes
  const isLossless = flowControl.kind !== 'none' && !hasLossy
  if (isLossless && counters.packetsDropped > 0) {
    const mayRefuse = run.network.fabric.contention.some((point) => point?.admits === true)
    const refused = mayRefuse ? `${spec.scheme.name} refused them, or ` : ''
    warnings.push(
      `${counters.packetsDropped} packets were dropped although the fabric has flow control: ` +
        `${refused}the buffer or the headroom is too small for it`,
    )
  }
  const signals = counters.packetsMarked + counters.notifications
  if (run.network.control.ecnCapable && signals === 0) {
    warnings.push('the scheme never saw a congestion signal: no packet was marked')
  }
  if (
    isPausing &&
    run.network.control.ecnCapable &&
    counters.pauseFrames > counters.packetsMarked
  ) {
    warnings.push('PFC fired more often than ECN: its thresholds may lie below the marking ones')
  }
  const { control } = run.network
  warnings.push(...waitForAcks(run), ...mixedTelemetry(run), ...fullOfAcks(run, ports))
  warnings.push(...run.sampler.unmet(), ...idleKnobs(spec, control.ecnCapable))
  warnings.push(...changesTooLate(run))
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

function changesTooLate({ nowPs, spec }: Run): string[] {
  const late = (spec.links?.changes ?? []).filter(({ atPs }) => atPs >= nowPs).length
  if (late === 0) return []
  const which = late === 1 ? 'a change of a link' : `${late} changes of links`
  return [`${which} had no effect: the run had ended before (at ${formatTime(nowPs)})`]
}

/** Where packets come so few at a time that a timer, and not their number, brings most ACKs. */
function waitForAcks({ network, spec }: Run): string[] {
  const { every } = spec.hosts.ack
  const { dataPackets, timedAcks } = network.hosts
  if (spec.hosts.reliability === 'tcp' || timedAcks * every <= dataPackets / 2) return []
  return [
    `${timedAcks} ACKs came by the NIC's timer, ${formatTime(COALESCED_ACK_PS)} after a packet: ` +
      `hosts.ack.every is ${every}, more packets than flows have on their way, and those with a ` +
      `window wait`,
  ]
}

/** Data and the ACKs of the data that comes the other way may be more than a full link carries. */
function fullOfAcks({ network, spec }: Run, { name, utilisation }: PortTable): string[] {
  const { ackHeaderBytes, dataHeaderBytes, headroom } = network.control
  const { ack, headerBytes, mtuBytes } = spec.hosts
  if (headroom === undefined || ack.every === 0) return []
  const packetBytes = mtuBytes + headerBytes + dataHeaderBytes
  const share = (ack.bytes + ackHeaderBytes) / packetBytes / ack.every
  if ((1 - headroom) * share <= headroom) return []
  const full = utilisation.findIndex((busy, port) => busy > FULL && utilisation[port ^ 1]! > FULL)
  if (full < 0) return []
  return [
    `${name[full]} and the way back are full: ACKs, ${percent(share)} of the data that draws ` +
      `them, do not fit into the ${percent(headroom)} that ${spec.scheme.name} leaves free, and ` +
      `queues grow; hosts.ack.every is ${ack.every}`,
  ]
}

/** Of a link: with a headroom that holds, it is never this busy for long. */
const FULL = 0.99

const percent = (fraction: number): string => `${(100 * fraction).toFixed(1)}%`

/** Records of links are compared with those of the packet before, which came another way. */
function mixedTelemetry({ network, rows, spec }: Run): string[] {
  const { reorders = false } = routings[spec.routing.kind]
  const wereOvertaken = rows.reorderPackets.some((packets) => packets > 0)
  if (!network.control.telemetry || !reorders || !wereOvertaken) return []
  return [
    `packets of a flow went several ways, and telemetry does not say which: ${spec.scheme.name} ` +
      `takes one link for another, and its rates mean little`,
  ]
}
