/**
 * What a run leaves: plain columns and JSON, so that it can be written, posted between workers and
 * compared byte for byte. Units are in the names. Nothing here depends on wall-clock time: how long
 * a run took is reported beside a result, never in it.
 */
import type { FlowStats } from '@weir/metrics'
import type { MessagesReport } from '@weir/workloads'
import type { ValidSpec } from './spec/valid-spec.ts'

export interface Result {
  readonly format: 'weir-result/1'
  readonly version: string
  readonly spec: ValidSpec
  readonly seed: number
  /** Hash of the whole packet trajectory, 16 hex digits. */
  readonly fingerprint: string
  /** When the run ended. */
  readonly simulatedPs: number
  /** What is measured over time (goodput, utilisation, samples) is up to here, before a drain. */
  readonly measuredPs: number
  /** What was left at `run.until` and had time to end; none: nothing was left, or no drain. */
  readonly drained?: Drained
  readonly ended: Ended
  readonly flows: FlowTable
  /** What message programs measured, by order of the workload; none: there are no programs. */
  readonly messages?: readonly MessagesReport[]
  readonly series: readonly Series[]
  readonly ports: PortTable
  readonly counters: Counters
  readonly summary: Summary
  readonly warnings: readonly string[]
}

export interface Drained {
  /** Flows with an end that were under way when arrivals stopped, and how many never ended. */
  readonly flows: number
  readonly unfinished: number
  /** From then to the end of the run. */
  readonly ps: number
}

/** Why the run stopped. */
export type Ended =
  | { readonly why: 'completed' }
  | { readonly why: 'time'; readonly saturated: boolean; readonly sentence: string }
  | { readonly why: 'events'; readonly sentence: string }
  /** The ports of a cycle in which each waits for the next: 'leaf0->spine1 ...'. */
  | { readonly why: 'deadlock'; readonly cycle: readonly string[]; readonly sentence: string }

/**
 * One row a flow, by order of start. NaN where there is no value (a flow that did not end); JSON
 * has neither NaN nor Infinity and says null, a CSV leaves the field empty.
 */
export interface FlowTable {
  readonly name: readonly string[]
  /** Which item of the workload it is of: a generator's or program's name, or 'flows'. */
  readonly item: readonly string[]
  readonly source: readonly string[]
  readonly target: readonly string[]
  readonly class: readonly number[]
  /** Payload of the whole flow; Infinity if it has no size, and runs until it is stopped. */
  readonly sizeBytes: readonly number[]
  readonly startPs: readonly number[]
  /** The sender has the acknowledgement of the last byte (or, without ACKs, it has arrived). */
  readonly endPs: readonly number[]
  readonly fctPs: readonly number[]
  /**
   * FCT on the empty fabric, by the same path, exact; of a sprayed flow, over all its ways
   * together, a time that it cannot beat.
   */
  readonly idealFctPs: readonly number[]
  readonly slowdown: readonly number[]
  readonly deliveredBytes: readonly number[]
  readonly retransmittedPackets: readonly number[]
  /** CNPs, or other messages of its scheme, that its sender heard; marks in ACKs are none. */
  readonly notifications: readonly number[]
  /** Most packets that ever waited at its receiver for one that they had overtaken, or lost. */
  readonly reorderPackets: readonly number[]
  readonly throughputBps: readonly number[]
  /** '' if it ended; otherwise why not, in words. */
  readonly unfinished: readonly string[]
}

export interface Series {
  /**
   * `rate.<flow>`, `queue.<node>-><node>.c<class>`, `utilisation.<a>-><b>`,
   * `paused.<a>-><b>.c<class>`, `<scheme>.<variable>.<place>`.
   */
  readonly name: string
  readonly unit: 'bit/s' | 'bytes' | 'fraction' | 'ps' | 'count' | ''
  readonly startPs: number
  readonly intervalPs: number
  readonly values: readonly number[]
}

export interface Counters {
  readonly events: number
  /** Every packet, ACKs and control too, over every link. */
  readonly packetHops: number
  readonly packetsSent: number
  readonly packetsDropped: number
  readonly packetsTrimmed: number
  readonly packetsLost: number
  readonly packetsMarked: number
  readonly notifications: number
  /** Packets from one node's agent to another's, and their bytes, over every link. */
  readonly agentPackets: number
  readonly agentBytes: number
  /** Of those, on links between switches. */
  readonly agentBytesInner: number
  readonly pauseFrames: number
  readonly pausedPs: number
  readonly retransmittedPackets: number
  readonly dataBytes: number
  /** All that is not payload, on all links: headers, ACKs, notifications, heartbeats, pauses. */
  readonly controlBytes: number
  readonly allBytes: number
  readonly queueBytesMax: number
  readonly bufferBytesMax: number
}

/**
 * Completion times and slowdowns are of all flows with a size. One that did not end counts with the
 * least that it can take: the time it had, and no less than on the empty fabric. What that makes a
 * lower bound is named in `atLeast`.
 */
export interface Summary extends FlowStats {
  /** With a size, with a stop, and without any end. */
  readonly flows: number
  /** With a size, and cut off by the end of the run. */
  readonly flowsUnfinished: number
  readonly buckets: readonly Bucket[]
  /** By item of the workload, and by traffic class; only those that have flows. */
  readonly items: readonly Group[]
  readonly classes: readonly Group[]
  /** Delivered payload of all flows over the time any was active, up to `run.until`. */
  readonly goodputBps: number
  /**
   * Jain's index: of flows without end, of their mean rates over their max-min rates (plain where
   * those are not known); else of the mean throughputs of all. NaN of fewer than two.
   */
  readonly jain: number
  readonly queueBytesMax: number
  readonly queueBytesP99: number
  readonly pauseFrames: number
  readonly pausedPs: number
  readonly packetsDropped: number
  readonly packetsTrimmed: number
  readonly packetsLost: number
  readonly packetsMarked: number
  readonly notifications: number
  readonly retransmittedPackets: number
  /** controlBytes / allBytes. */
  readonly controlFraction: number
  /**
   * Of long flows, to within metrics.convergenceFraction of the max-min rate; NaN: never, or none.
   */
  readonly convergencePs: number
  /** How far long flows' mean rates are from exact max-min rates, as a fraction; NaN: none. */
  readonly maxMinError: number
}

/** Flows of `fromBytes` up to, and without, `toBytes` (Infinity for the last). */
export interface Bucket extends FlowStats {
  readonly fromBytes: number
  readonly toBytes: number
}

/** Flows of one item of the workload, or of one traffic class. */
export interface Group extends FlowStats {
  /** The item's name; `class 3`. */
  readonly name: string
  /** Flows without a size, of which the values above are not. */
  readonly flowsUnsized: number
  /** Payload delivered to all flows of the group, over the time in which any flow was active. */
  readonly goodputBps: number
}

/** One row a port: one direction of a link, seen from the end that sends. */
export interface PortTable {
  /** `leaf0->spine1`. */
  readonly name: readonly string[]
  /** Who sends by it. What waits in hosts is not what waits in switches. */
  readonly of: readonly ('host' | 'switch')[]
  readonly rateBps: readonly number[]
  /** Share of the measured time in which it carried bits. */
  readonly utilisation: readonly number[]
  /** Most bytes ever held, and the mean of samples (NaN: none were taken). */
  readonly queueBytesMax: readonly number[]
  readonly queueBytesMean: readonly number[]
  readonly packetsMarked: readonly number[]
  readonly packetsDropped: readonly number[]
  readonly packetsTrimmed: readonly number[]
  readonly packetsLost: readonly number[]
  /** Time that its far end kept it from sending, summed over classes. */
  readonly pausedPs: readonly number[]
  /** For which queues of the far end, the longest first; empty: it was never paused. */
  readonly pausedBy: readonly (readonly PausedBy[])[]
}

export interface PausedBy {
  /** The far end's output whose queue was deepest as it sent XOFF; the host, if it is one. */
  readonly port: string
  /** Of the time for which this port was told to wait. */
  readonly share: number
}
