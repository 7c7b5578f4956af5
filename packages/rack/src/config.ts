/**
 * What all nodes of a rack are told alike. Values that the paper gives are its own (P. Costa et
 * al., "R2C2", SIGCOMM 2015, sections 3.3.2, 5.1 and 5.2); the others are ours, with the reason.
 */
import type { Channels } from '@weir/theory'
import { RPS, VLB } from './protocols.ts'
import { TREES_MAX } from './wire/announcement.ts'
import { HEADER_BYTES, ROUTE_BITS_MAX } from './wire/data.ts'

export interface RackConfig {
  readonly wiring: Channels
  readonly linkRateBps: number
  /** Fraction of every link that computed rates leave free: 5%. */
  readonly headroom: number
  /** Between two computations of rates: 500 us. Younger flows are announced and not limited. */
  readonly rhoPs: number
  /** Broadcast trees per source, at most 16. Four: enough to lose one and still balance. */
  readonly trees: number
  /**
   * Between two digests of a node's flows. 1 ms: a rack of 512 then spends 0.1% of its capacity,
   * and a loss that nothing else reveals lasts about as long as two computations.
   */
  readonly digestPs: number
  /** After so long a missing announcement is lost, not late: longer than any tree is deep. */
  readonly gapPs: number
  /** From the news of a dropped broadcast until it is sent again: some of a queue has left. */
  readonly retryPs: number
  /** Between two requests to the same source: a round trip with room. */
  readonly requestPs: number
  /** How long an end is remembered, against starts that come after it. */
  readonly endPs: number
  /**
   * How long a flow waits for a way to its target before it is ended: until words on links that
   * were lost have come with digests, and views agree again (5 ms at the worst of 240 racks).
   */
  readonly lostPs: number
  /** Bytes of a packet's payload. */
  readonly mtuBytes: number
  /** Depth of a flow's token bucket: two full packets, so that a late call loses no rate. */
  readonly bucketBytes: number
  /** Between two turns of selecting routes; 'every few seconds or minutes'. Infinity: never. */
  readonly selectPs: number
  /** Assignments that a selection may work out. */
  readonly selectEvaluations: number
  /** What a selection chooses from; the paper evaluates spraying and VLB. */
  readonly protocols: readonly number[]
}

const US = 1e6

export function rackConfig(
  wiring: Channels,
  changes: Partial<Omit<RackConfig, 'wiring'>> = {},
): RackConfig {
  const { mtuBytes = 1460, trees = 4 } = changes
  const packetBytes = mtuBytes + HEADER_BYTES + ROUTE_BITS_MAX / 8
  const { bucketBytes = Math.max(3200, 2 * packetBytes) } = changes
  if (!(mtuBytes >= 1 && mtuBytes <= 65535)) {
    throw new RangeError(`Packets have ${mtuBytes} B of payload; give 1 to 65535.`)
  }
  if (!(bucketBytes >= packetBytes)) {
    throw new RangeError(
      `A bucket of ${bucketBytes} B holds no packet of ${packetBytes} B, so that none would ever ` +
        'leave; give more.',
    )
  }
  if (!(trees >= 1 && trees <= TREES_MAX)) {
    throw new RangeError(`A source has ${trees} broadcast trees; give 1 to ${TREES_MAX}.`)
  }
  if (wiring.nodes > 65536) {
    throw new RangeError(`A rack has ${wiring.nodes} nodes; addresses are of 65,536.`)
  }
  return {
    wiring,
    linkRateBps: 10e9,
    headroom: 0.05,
    rhoPs: 500 * US,
    trees,
    digestPs: 1000 * US,
    gapPs: 50 * US,
    retryPs: 10 * US,
    requestPs: 100 * US,
    endPs: 10_000 * US,
    lostPs: 10_000 * US,
    mtuBytes,
    bucketBytes,
    selectPs: Infinity,
    selectEvaluations: 2000,
    protocols: [RPS, VLB],
    ...changes,
  }
}

/** Counts of one node, for reports and tests. */
export interface Counters {
  malformed: number
  announced: number
  forwarded: number
  retransmitted: number
  requests: number
  snapshots: number
  computations: number
  unroutable: number
}

export function newCounters(): Counters {
  return {
    malformed: 0,
    announced: 0,
    forwarded: 0,
    retransmitted: 0,
    requests: 0,
    snapshots: 0,
    computations: 0,
    unroutable: 0,
  }
}

/** Takes bytes that leave by an output of this node. */
export type Send = (port: number, bytes: Uint8Array) => void
