/** The fabric and the hosts, completed and held against each other. Throws a `Refusal`. */
import { formatSize, formatTime, parseSize, parseTime } from '@weir/engine'
import { readWhole } from '@weir/engine/codec'
import { defaultDataClass, defaults, needsTimeout } from './defaults.ts'
import type { FabricDraft } from './fabric.ts'
import { flowControlCodec } from './flow-control.ts'
import type { FlowControlDraft } from './flow-control.ts'
import type { HostsDraft } from './hosts.ts'
import { Refusal } from './spec-error.ts'
import type { Card } from './card.ts'
import type { FabricSpec, HostsSpec } from './valid-spec.ts'

const MTU_MAX = 65_536
/** Bytes that are counted of a switch (fit.ts). */
const COUNTED_MAX = 2_000_000_000

export function completeFabric(draft: FabricDraft, packetBytes: number): FabricSpec {
  const inputBuffered = draft.switch === 'input-buffered'
  const { threshold, inputQueue, outputQueueBytes, dropAt } = draft.buffer
  if (!inputBuffered && inputQueue !== undefined) {
    throw new Refusal(
      ['fabric', 'buffer', 'inputQueue'],
      `${aSwitch(draft.switch)} has no queues at its inputs; leave inputQueue out, ` +
        'or write switch: input-buffered',
    )
  }
  if (draft.switch === 'per-flow-queues' && draft.buffer.bytes !== undefined) {
    throw new Refusal(
      ['fabric', 'buffer'],
      'per-flow queues take the memory that they need, and the result says how much; ' +
        'leave its size out, or write another switch',
    )
  }
  const bytes = draft.buffer.bytes ?? usualBytes(draft.switch)
  if (bytes < packetBytes) {
    throw new Refusal(
      ['fabric', 'buffer'],
      `a buffer of ${formatSize(bytes)} cannot hold one packet of ${formatSize(packetBytes)} ` +
        '(hosts.mtu and hosts.header); make the buffer larger or the packets smaller',
    )
  }
  if (threshold.kind === 'static' && threshold.bytes > bytes) {
    throw new Refusal(
      ['fabric', 'buffer', 'threshold'],
      `a threshold of ${formatSize(threshold.bytes)} is above the buffer of ` +
        `${formatSize(bytes)}; write at most the buffer`,
    )
  }
  if (outputQueueBytes > 0) checkOutputQueue(draft, outputQueueBytes, packetBytes)
  const given = draft.flowControl ?? readWhole(flowControlCodec, usualFlowControl[draft.switch])
  const classes = completeClasses(draft.classes, given.kind)
  const flowControl = completeLossless(given, draft.switch, classes)
  checkFlowControl(flowControl, draft.switch, bytes, packetBytes)
  return {
    ...draft,
    classes,
    scheduler: completeScheduler(draft, classes),
    buffer: {
      bytes,
      threshold,
      inputQueue: inputQueue ?? defaults.inputQueue,
      outputQueueBytes,
      dropAt: dropAt ?? (inputBuffered ? 'inputs' : 'outputs'),
    },
    flowControl,
  }
}

/** What such a switch usually has. */
const usualFlowControl: Record<FabricSpec['switch'], string> = {
  'shared-memory': 'pfc',
  'input-buffered': 'credits',
  'per-flow-queues': 'per-flow',
}

function usualBytes(kind: FabricSpec['switch']): number {
  if (kind === 'per-flow-queues') return COUNTED_MAX
  return parseSize(kind === 'input-buffered' ? defaults.inputBuffer : defaults.sharedBuffer)
}

function aSwitch(kind: FabricSpec['switch']): string {
  return kind === 'per-flow-queues' ? 'a switch with per-flow queues' : `a ${kind} switch`
}

function checkOutputQueue(draft: FabricDraft, bytes: number, packetBytes: number): void {
  const path = ['fabric', 'buffer', 'outputQueue']
  if (draft.switch !== 'input-buffered') {
    throw new Refusal(
      path,
      `${aSwitch(draft.switch)} has no crossbar with FIFOs behind it; leave outputQueue out, ` +
        'or write switch: input-buffered',
    )
  }
  if (draft.forwarding === 'cut-through') {
    throw new Refusal(
      path,
      'a packet crosses to an output FIFO once all of it is in, which is not cut-through; ' +
        'leave outputQueue out, or write forwarding: store-and-forward',
    )
  }
  if (bytes < packetBytes) {
    throw new Refusal(
      path,
      `an output queue of ${formatSize(bytes)} cannot hold one packet of ` +
        `${formatSize(packetBytes)} (hosts.mtu and hosts.header); make it larger, or write none`,
    )
  }
}

export function completeHosts(
  draft: HostsDraft,
  fabric: FabricSpec,
  card: Card | undefined,
  reorders: boolean,
  breaks: boolean,
): HostsSpec {
  if (draft.mtuBytes > MTU_MAX) {
    throw new Refusal(
      ['hosts', 'mtu'],
      `${formatSize(draft.mtuBytes)} is more than a packet can hold; write at most 64KiB`,
    )
  }
  for (const [key, bytes] of [
    ['header', draft.headerBytes],
    ['ack', draft.ack.bytes],
  ] as const) {
    if (bytes <= MTU_MAX) continue
    throw new Refusal(
      key === 'ack' ? ['hosts', 'ack', 'size'] : ['hosts', key],
      `${formatSize(bytes)} is more than a packet can hold; write at most 64KiB`,
    )
  }
  const acknowledges = draft.ack.every > 0
  const reliability =
    draft.reliability ?? card?.transport ?? (acknowledges ? defaults.reliability : 'none')
  if (card?.transport !== undefined && reliability !== card.transport) {
    throw new Refusal(
      ['hosts', 'reliability'],
      `${card.name} lives on the loss recovery of ${card.transport}, and this is ${reliability}; ` +
        `write reliability: ${card.transport}, or leave it out`,
    )
  }
  if (draft.tcp.rtoMaxPs < draft.tcp.rtoMinPs) {
    throw new Refusal(
      ['hosts', 'tcp', 'rtoMax'],
      `${formatTime(draft.tcp.rtoMaxPs)} is below rtoMin, ${formatTime(draft.tcp.rtoMinPs)}; ` +
        'write at least that',
    )
  }
  if (reliability !== 'none' && !acknowledges) {
    throw new Refusal(
      ['hosts', 'reliability'],
      `${reliability} lives on ACKs, and hosts.ack says none; write ack: {every: 1}, ` +
        'or reliability: none',
    )
  }
  if (draft.window.kind !== 'none' && !acknowledges) {
    throw new Refusal(
      ['hosts', 'window'],
      'a window opens as ACKs come, and hosts.ack says none; write ack: {every: 1}, ' +
        'or window: none',
    )
  }
  const dataClass = draft.dataClass ?? defaultDataClass(fabric.classes)
  checkClass(dataClass, fabric.classes, ['hosts', 'dataClass'])
  // Go-back-N throws away what comes out of order: to it a fabric that reorders is a lossy one.
  const loses = breaks || canLose(fabric) || (reorders && reliability === 'go-back-n')
  const lossyRto = needsTimeout(reliability, loses) ? parseTime(defaults.rtoLossy) : 0
  return {
    ...draft,
    reliability,
    service: draft.service ?? card?.service ?? usualService(fabric.switch),
    rtoPs: draft.rtoPs === 'auto' ? lossyRto : draft.rtoPs,
    dataClass,
  }
}

/** Per-flow queues are for fair shares, and the host's link is the first output of each flow. */
function usualService(kind: FabricSpec['switch']): HostsSpec['service'] {
  return kind === 'per-flow-queues' ? 'round-robin' : defaults.service
}

export function checkClass(value: number, classes: number, path: (string | number)[]): void {
  if (value < classes) return
  throw new Refusal(
    path,
    `class ${value} does not exist where fabric.classes is ${classes}; ` +
      `write 0 to ${classes - 1}, or raise fabric.classes`,
  )
}

/** Headroom set by hand may be too small, so only the automatic one is trusted. */
function canLose(fabric: FabricSpec): boolean {
  const { flowControl } = fabric
  switch (flowControl.kind) {
    case 'none':
      return true
    case 'credits':
    case 'per-flow':
      return false
    case 'pause':
    case 'pfc':
      return (
        flowControl.headroomBytes !== 'auto' ||
        flowControl.headroomDelays > 0 ||
        flowControl.losslessClasses.length < fabric.classes
      )
  }
}

/** Only shared memory divides itself among its ports; a class that does not exist is refused. */
function completeLossless(
  given: FlowControlDraft,
  kind: FabricSpec['switch'],
  classes: number,
): FabricSpec['flowControl'] {
  if (!('losslessClasses' in given)) return given
  const path = ['fabric', 'flowControl']
  const all = Array.from({ length: classes }, (_, one) => one)
  const chosen = given.losslessClasses === 'all' ? all : given.losslessClasses
  const losslessClasses = [...new Set(chosen)].sort((a, b) => a - b)
  losslessClasses.forEach((one, i) => checkClass(one, classes, [...path, 'lossless', i]))
  const shares = {
    reserve: given.reserveBytes > 0,
    referenceRate: given.referenceRateBps > 0,
    headroomDelays: given.headroomDelays > 0,
    lossless: losslessClasses.length < classes,
  }
  const [key] = Object.entries(shares).find(([, isGiven]) => isGiven) ?? []
  if (kind === 'input-buffered' && key !== undefined) {
    throw new Refusal(
      [...path, key],
      `${key} divides a shared memory, and these switches have a buffer at each input; ` +
        'leave it out, or write switch: shared-memory',
    )
  }
  if (given.headroomDelays > 0 && given.headroomBytes !== 'auto') {
    throw new Refusal(
      [...path, 'headroomDelays'],
      'headroom is given in bytes too; keep one of them',
    )
  }
  return { ...given, losslessClasses }
}

/** Single flows are stopped where each has a queue, and there nothing else is. */
function checkPerFlow({ kind }: FabricSpec['flowControl'], ofSwitch: FabricSpec['switch']): void {
  if ((kind === 'per-flow') === (ofSwitch === 'per-flow-queues')) return
  throw new Refusal(
    ['fabric', 'flowControl'],
    ofSwitch === 'per-flow-queues'
      ? `per-flow queues stop single flows, and flowControl is ${kind}; ` +
          'write flowControl: per-flow, or another switch'
      : `${aSwitch(ofSwitch)} has no queue for each flow, so it cannot stop one; ` +
          'write switch: per-flow-queues, or another flowControl',
  )
}

function checkFlowControl(
  flowControl: FabricSpec['flowControl'],
  kind: FabricSpec['switch'],
  bufferBytes: number,
  packetBytes: number,
): void {
  const path = ['fabric', 'flowControl']
  checkPerFlow(flowControl, kind)
  if (flowControl.kind === 'none' || flowControl.kind === 'per-flow') return
  if (flowControl.kind === 'credits') {
    if (kind !== 'input-buffered') {
      throw new Refusal(
        path,
        'credits count free space at an input, which a shared-memory switch does not have; ' +
          'write switch: input-buffered, or flowControl: pfc',
      )
    }
    if (flowControl.creditBytes > bufferBytes) {
      throw new Refusal(
        [...path, 'credit'],
        `a credit of ${formatSize(flowControl.creditBytes)} is above the buffer of ` +
          `${formatSize(bufferBytes)}, so none would ever be returned; write a smaller one`,
      )
    }
    // Room that is free but not yet worth a credit must not be what a packet waits for.
    if (bufferBytes - (flowControl.creditBytes - 1) < packetBytes) {
      throw new Refusal(
        [...path, 'credit'],
        `a credit of ${formatSize(flowControl.creditBytes)} can leave less than one packet of ` +
          `${formatSize(packetBytes)} in a buffer of ${formatSize(bufferBytes)}, for ever; ` +
          'write a smaller one, or a larger buffer',
      )
    }
    return
  }
  const { xoff, xonGapBytes, headroomBytes, frameBytes } = flowControl
  if (frameBytes > MTU_MAX) {
    throw new Refusal(
      [...path, 'frame'],
      `${formatSize(frameBytes)} is more than a frame can hold; write at most 64KiB`,
    )
  }
  const headroom = headroomBytes === 'auto' ? 0 : headroomBytes
  if (xoff.kind === 'static') {
    if (xoff.bytes > bufferBytes) {
      throw new Refusal(
        [...path, 'xoff'],
        `XOFF at ${formatSize(xoff.bytes)} is above the buffer of ${formatSize(bufferBytes)}, ` +
          'so packets would be lost before it; write less than the buffer',
      )
    }
    if (xonGapBytes > xoff.bytes) {
      throw new Refusal(
        [...path, 'xonGap'],
        `a gap of ${formatSize(xonGapBytes)} below XOFF at ${formatSize(xoff.bytes)} is below ` +
          'zero, so a paused link would never go on; write a smaller xonGap or a larger xoff',
      )
    }
  }
  const needed = headroom + (xoff.kind === 'static' ? xoff.bytes : 0)
  if (needed > bufferBytes) {
    throw new Refusal(
      [...path, 'headroom'],
      `XOFF and headroom together take ${formatSize(needed)} of a buffer of ` +
        `${formatSize(bufferBytes)}; write a smaller headroom or a larger buffer`,
    )
  }
}

/** 802.3x stops a whole link: with it there is one class, and control shares it with data. */
function completeClasses(
  given: number | undefined,
  flowControl: FabricSpec['flowControl']['kind'],
): number {
  if (flowControl !== 'pause') return given ?? defaults.classes
  if (given === undefined || given === 1) return 1
  throw new Refusal(
    ['fabric', 'classes'],
    `PAUSE (802.3x) stops a whole link and knows no classes, and there are ${given}; ` +
      'write classes: 1, or flowControl: pfc',
  )
}

function completeScheduler(draft: FabricDraft, classes: number): FabricSpec['scheduler'] {
  const { kind, weights } = draft.scheduler
  if (kind !== 'weighted-round-robin') {
    return { kind, weights: Array.from({ length: classes }, () => 1) }
  }
  if (weights?.length !== classes) {
    throw new Refusal(
      ['fabric', 'scheduler', 'weights'],
      `there are ${weights?.length ?? 0} weights for ${classes} classes; ` +
        'write one for each class, from class 0 up',
    )
  }
  return { kind, weights }
}
