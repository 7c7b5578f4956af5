/**
 * Every number that a run leaves, defined once: the tables of the command line, its reports and
 * docs/columns.md read this, and a test holds it to what is written. A column is named as in CSV
 * and JSON, where the name ends in the unit.
 */

import type { FlowStats } from '@weir/metrics'
import type { Summary } from './result.ts'

export interface ColumnInfo {
  readonly unit: string
  /** What it is, as the end of a sentence that begins with its name. */
  readonly about: string
}

type Columns = Readonly<Record<string, ColumnInfo>>

/** What a summary has of the whole run. */
export type SummaryKey = Exclude<keyof Summary, 'buckets' | 'items' | 'classes'>

/** A number by which runs are compared. */
export interface MeasureInfo extends ColumnInfo {
  /** Its name in a sentence. */
  readonly name: string
  /** Which end is good; 'neither' ranks nobody. */
  readonly best: 'low' | 'high' | 'neither'
}

const of = (unit: string, about: string): ColumnInfo => ({ unit, about })

const measured = (
  unit: string,
  about: string,
  best: MeasureInfo['best'],
  name: string,
): MeasureInfo => ({ unit, about, best, name })

const AT_LEAST = of('', 'names of the values of this row that are only lower bounds')

/** Of a group of flows with a size: the whole run, an item, a class, a range of sizes. */
const flowStats: Readonly<Record<Exclude<keyof FlowStats, 'atLeast'>, ColumnInfo>> = {
  flows: of('flows', 'flows that began; of a part, only those with a size'),
  flowsEnded: measured('flows', 'flows that ended', 'high', 'flows that ended'),
  fctPsMean: measured(
    'ps',
    'mean flow completion time: from the start to the ACK of the last byte',
    'low',
    'mean completion time',
  ),
  fctPsP50: measured(
    'ps',
    'median flow completion time, by nearest rank',
    'low',
    'median completion time',
  ),
  fctPsP99: measured(
    'ps',
    '99th percentile of flow completion time, by nearest rank',
    'low',
    '99th percentile completion time',
  ),
  slowdownMean: measured(
    'ratio',
    'mean of completion time over that on an empty fabric; 1 is ideal',
    'low',
    'mean slowdown',
  ),
  slowdownP50: measured('ratio', 'median slowdown, by nearest rank', 'low', 'median slowdown'),
  slowdownP99: measured(
    'ratio',
    '99th percentile of slowdown, by nearest rank',
    'low',
    '99th percentile slowdown',
  ),
  slowdownP999: measured(
    'ratio',
    '99.9th percentile of slowdown, by nearest rank',
    'low',
    '99.9th percentile slowdown',
  ),
}

/** Which run a row is of. */
const row: Columns = {
  scheme: of('', 'the scheme, or its preset or values as they were asked for'),
  seed: of('', 'seed of the workload'),
}

/** `summary` of a result; `runs.csv` has a row of it per run. */
export const summaryColumns: Readonly<Record<SummaryKey, ColumnInfo>> = {
  ...flowStats,
  flowsUnfinished: of('flows', 'flows with a size that the end of the run cut off'),
  goodputBps: measured(
    'bit/s',
    'payload delivered to all flows up to run.until, over the time in which any was active',
    'high',
    'goodput',
  ),
  jain: measured(
    '0 to 1',
    "Jain's index: of flows without end, shares of max-min rates, later half since a change; " +
      'else of rates of all',
    'high',
    'fairness (Jain)',
  ),
  queueBytesMax: measured(
    'bytes',
    'deepest queue of any switch port; what waits in hosts is no part',
    'low',
    'longest queue',
  ),
  queueBytesP99: of('bytes', '99th percentile of bytes held, over all samples of all switch ports'),
  pauseFrames: measured(
    'frames',
    'PAUSE or PFC frames sent to stop a link or class (XOFF)',
    'low',
    'pause frames',
  ),
  pausedPs: of('ps', 'time for which ports were kept from sending, summed over ports and classes'),
  packetsDropped: measured(
    'packets',
    'packets dropped for want of buffer, or by the scheme',
    'low',
    'packets lost',
  ),
  packetsTrimmed: of('packets', 'packets whose payload a switch cut off'),
  packetsLost: of('packets', 'packets lost on links that were down or had errors'),
  packetsMarked: measured('packets', 'packets marked (ECN, FECN)', 'neither', 'packets marked'),
  notifications: of('packets', 'CNPs, or other messages of the scheme, that senders heard'),
  retransmittedPackets: of('packets', 'packets sent again'),
  controlFraction: of('0 to 1', 'bytes on all links that are not payload, over all bytes'),
  convergencePs: measured(
    'ps',
    'time after which flows without end stay within metrics.convergenceWithin of max-min rates',
    'low',
    'time to converge',
  ),
  maxMinError: measured(
    'ratio',
    'mean relative distance from max-min of the rates of flows without end, taken as for jain',
    'low',
    'distance from max-min rates',
  ),
  atLeast: AT_LEAST,
}

/** What a measure is called, and which end of it is good. */
export function measureInfo(key: SummaryKey): MeasureInfo {
  const info = summaryColumns[key]
  if (!isMeasure(info))
    throw new Error(`${key} is no measure: columns.ts does not say which end is good`)
  return info
}

function isMeasure(info: ColumnInfo | MeasureInfo): info is MeasureInfo {
  return 'best' in info
}

export const runColumns: Columns = {
  ...row,
  chanceSeed: of('', 'seed of all other chance: marks, sprayed packets, timers'),
  fingerprint: of('', "hash of every packet's every arrival: the same run has the same one"),
  ...summaryColumns,
}

export const partColumns: Columns = {
  ...row,
  by: of('', 'what the run is taken apart by: item, class or size'),
  name: of('', 'the item, the class, or the range of sizes'),
  ...flowStats,
  flowsUnsized: of('flows', 'flows without a size, which are in no value but goodput'),
  goodputBps: of(
    'bit/s',
    'payload delivered to the part, over the time in which any flow was active',
  ),
  atLeast: AT_LEAST,
}

export const portColumns: Columns = {
  ...row,
  name: of('', 'from and to: leaf0->spine1 is what leaf0 sends to spine1'),
  of: of('', 'who sends by it: host or switch'),
  rateBps: of('bit/s', 'rate of the link'),
  utilisation: of('0 to 1', 'share of the time up to run.until in which it carried bits'),
  queueBytesMax: of('bytes', 'most bytes ever held for it, the packet in service included'),
  queueBytesMean: of('bytes', 'mean of samples of that, one per metrics.interval; empty: none'),
  packetsMarked: of('packets', 'packets marked here'),
  packetsDropped: of('packets', 'packets lost here'),
  packetsTrimmed: of('packets', 'packets whose payload was cut off here'),
  packetsLost: of('packets', 'packets that left here and were lost on the link'),
  pausedPs: of('ps', 'time for which its far end kept it from sending, summed over classes'),
  pausedBy: of('0 to 1', "queues of the far end for which it was paused, with each one's share"),
}

export const flowColumns: Columns = {
  name: of('', 'the flow'),
  item: of('', "the item of the workload that it is of: a generator's or program's name, or flows"),
  source: of('', 'the host that sends'),
  target: of('', 'the host that receives'),
  class: of('', 'its traffic class'),
  sizeBytes: of('bytes', 'payload of the whole flow; empty: it has no size'),
  startPs: of('ps', 'when it began'),
  endPs: of('ps', 'when its sender had the ACK of the last byte; empty: it did not end'),
  fctPs: of('ps', 'completion time: endPs - startPs'),
  idealFctPs: of('ps', 'completion time on the empty fabric, by the same path'),
  slowdown: of('ratio', 'fctPs / idealFctPs'),
  deliveredBytes: of('bytes', 'payload that arrived in order'),
  retransmittedPackets: of('packets', 'packets that it sent again'),
  notifications: of('packets', 'CNPs, or other messages of its scheme, that its sender heard'),
  reorderPackets: of(
    'packets',
    'most that waited for one that was overtaken or lost; measured where routing reorders',
  ),
  throughputBps: of('bit/s', 'payload delivered over the time that it was active'),
  unfinished: of('', 'why it did not end, in words; empty: it ended'),
}

export const seriesColumns: Columns = {
  series: of(
    '',
    'the name: rate.<flow>, queue.<a>-><b>.c<class>, <scheme>.<variable>.<place>, ...',
  ),
  unit: of('', 'of the values: bit/s, bytes, fraction, ps or count; empty: a number'),
  timePs: of('ps', 'when the sample was taken; rates and shares are of the interval before it'),
  value: of('as unit', 'the sample'),
}

export const counterColumns: Columns = {
  events: of('events', 'events of the simulator'),
  packetHops: of('packets', 'every packet, ACKs and control too, over every link'),
  packetsSent: of('packets', 'data packets sent by hosts'),
  packetsDropped: summaryColumns.packetsDropped,
  packetsTrimmed: summaryColumns.packetsTrimmed,
  packetsLost: summaryColumns.packetsLost,
  packetsMarked: summaryColumns.packetsMarked,
  notifications: summaryColumns.notifications,
  agentPackets: of('packets', "packets from one node's agent to another's, over all links"),
  agentBytes: of('bytes', 'bytes of those, over all links'),
  agentBytesInner: of('bytes', 'of those, over links between switches'),
  pauseFrames: summaryColumns.pauseFrames,
  pausedPs: summaryColumns.pausedPs,
  retransmittedPackets: summaryColumns.retransmittedPackets,
  dataBytes: of('bytes', 'payload, over all links'),
  controlBytes: of('bytes', 'all that is not payload, over all links: headers, ACKs, pauses'),
  allBytes: of('bytes', 'everything, over all links'),
  queueBytesMax: summaryColumns.queueBytesMax,
  bufferBytesMax: of('bytes', 'most bytes that a switch, or an input buffer, ever held'),
}
