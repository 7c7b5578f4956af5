/** A flow that starts, and who wants to know what becomes of it. */
import { PACKETS_MAX } from './flow.ts'
import type { Flow } from './flow.ts'

export interface FlowStart {
  /** The flow's number. */
  readonly flow: number
  readonly key: string
  /** Host numbers. */
  readonly source: number
  readonly target: number
  /** Infinity: without end. */
  readonly sizeBytes: number
  readonly class: number
  readonly weight: number
  /** Ports from source to target; undefined: routed packet by packet. */
  readonly path: readonly number[] | undefined
  /** The scenario names the path: it is never another. */
  readonly isPathGiven: boolean
  /** Ports that ACKs take; undefined: the same way back. */
  readonly pathBack: readonly number[] | undefined
  /** For timing: the path a packet would take. */
  readonly timingPath: readonly number[]
}

/** What a flow is, wherever it goes. */
export function setStart(flow: Flow, start: FlowStart, mtuBytes: number): void {
  flow.flow = start.flow
  flow.key = start.key
  flow.source = start.source
  flow.target = start.target
  flow.isPathGiven = start.isPathGiven
  flow.class = start.class
  flow.weight = start.weight
  flow.sizeBytes = start.sizeBytes
  flow.mtuBytes = mtuBytes
  flow.packetCount = Math.min(PACKETS_MAX, Math.ceil(start.sizeBytes / mtuBytes))
  // The rest of an infinite size is NaN.
  flow.lastPayload = start.sizeBytes % mtuBytes || mtuBytes
}

/** Who wants to know that a flow has ended. */
export interface FlowSink {
  /** By the flow's number: at its source, or where ACKs are switched off at its target. */
  onFlowEnd(flow: number, nowPs: number): void
  /** All bytes of a flow that `tellsDelivery` have arrived. Must not touch the fabric. */
  onDelivered?(flow: number, nowPs: number): void
}
