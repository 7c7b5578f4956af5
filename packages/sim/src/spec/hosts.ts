/** `hosts:` of a scenario. What the fabric decides is left open, for `completeHosts`. */
import { parseSize } from '@weir/engine'
import {
  as,
  count,
  forms,
  is,
  kinds,
  optional,
  orAuto,
  otherwise,
  rate,
  ratio,
  section,
  size,
  time,
  word,
  WRONG,
  wrong,
  yesOrNo,
} from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import { CLASSES } from '@weir/fabric'

export interface HostsSpec {
  /** Payload bytes of a full packet. */
  readonly mtuBytes: number
  /** Bytes of headers on the wire with each packet, besides what the scheme adds. */
  readonly headerBytes: number
  readonly ack: AckSpec
  readonly reliability: 'go-back-n' | 'selective-repeat' | 'unordered' | 'tcp' | 'none'
  /** Of reliability `tcp`. */
  readonly tcp: TcpSpec
  /** A bound on the payload that any flow has in flight, whatever its scheme. */
  readonly window: WindowSpec
  /** Sender's timeout when nothing is acknowledged; 0: never. TCP keeps its own. */
  readonly rtoPs: number
  /** One queue per flow at the NIC, or a shared FIFO ahead of the link (head-of-line blocking). */
  readonly injection: InjectionSpec
  /** Caps on what a host sends and on what it takes (Gran et al. 2010: PCIe). */
  readonly rateCap: RateCapSpec
  /** Packets at its own rate that a flow may catch up when it was served late; 0: none. */
  readonly burst: number
  /** Which of the flows that are due goes first: that due longest, the next, or the shortest. */
  readonly service: 'next-service-time' | 'round-robin' | 'shortest-first'
  /** Class of data packets unless a flow says otherwise. */
  readonly dataClass: number
}

export interface AckSpec {
  /** An ACK each n packets (and at the last); 0: none. */
  readonly every: number
  readonly bytes: number
  /** Class ACKs travel in: that of the data, or the highest. */
  readonly class: 'data' | 'control'
  /** The data's path turned round, or one that routing finds for the ACKs themselves. */
  readonly path: 'reverse' | 'own'
  /** May switches mark ACKs, and does a mark on one tell the sender of congestion? */
  readonly ecn: 'none' | 'ignored' | 'heard'
}

export type InjectionSpec =
  | { readonly kind: 'per-flow' }
  /** `packets` is what the FIFO holds of data; do ACKs go past it, or wait behind? */
  | { readonly kind: 'shared-fifo'; readonly packets: number; readonly acks: 'past' | 'behind' }

export interface RateCapSpec {
  /** 0: none. */
  readonly sendBps: number
  readonly takeBps: number
  /** What the caps count: bytes on the wire, or payload alone, which leaves ACKs free. */
  readonly counts: 'wire' | 'payload'
}

export type WindowSpec =
  | { readonly kind: 'none' }
  /** `followsRate`: W R / C, with C the rate of the host's link. */
  | { readonly kind: 'fixed'; readonly bytes: number; readonly followsRate: boolean }
  /** Bandwidth-delay products of a flow's own path, or the largest between any two hosts. */
  | {
      readonly kind: 'bdp'
      readonly bdps: number
      readonly of: 'path' | 'fabric'
      readonly followsRate: boolean
    }

export interface TcpSpec {
  /** Least and most that the retransmission timer is set to, and the tick it is rounded up to. */
  readonly rtoMinPs: number
  readonly rtoMaxPs: number
  /** 0: exact. */
  readonly granularityPs: number
  /** Bytes that a receiver takes beyond what it has acknowledged; 0: no bound. */
  readonly receiveWindowBytes: number
  /** With `ack.every` above 1, the longest that an ACK waits for more packets. */
  readonly delayedAckPs: number
  /** Receivers say what has come out of order (RFC 2018); without, recovery is NewReno's. */
  readonly sack: boolean
  /**
   * `persistent`: a flow goes on with the window and timer of one that has ended between its two
   * hosts, in its class.
   */
  readonly connection: 'per-flow' | 'persistent'
  /** Such a connection, idle for more than its RTO, starts from the initial window at most. */
  readonly idleRestart: boolean
}

/** Hosts with what the fabric decides (a timeout only where packets are lost) still open. */
export type HostsDraft = Omit<HostsSpec, 'rtoPs' | 'dataClass' | 'reliability' | 'service'> & {
  readonly rtoPs: number | 'auto'
  readonly reliability: HostsSpec['reliability'] | undefined
  readonly service: HostsSpec['service'] | undefined
  readonly dataClass: number | undefined
}

const ackMapping = section<AckSpec>('the ACKs', {
  /** Every packet is acknowledged, or schemes that live on ACKs starve ... */
  every: otherwise(count(0, 1024, 1), 1),
  /** ... by 60 B, the shortest frame before its checksum ... */
  bytes: as('size', otherwise(size(), '60B')),
  /** ... in the class of the data, as RoCE NICs do ... */
  class: otherwise(word('a class for ACKs', ['data', 'control']), 'data'),
  /** ... by the way the data came, as where ECMP's hash is symmetric ... */
  path: otherwise(word('a path for ACKs', ['reverse', 'own']), 'reverse'),
  /** ... and not ECN-capable: RFC 3168, section 6.1.4. */
  ecn: otherwise(word('a way to mark ACKs', ['none', 'ignored', 'heard']), 'none'),
})

const notAck = (input: unknown): string =>
  wrong(input, 'a way to acknowledge', 'write none, or a mapping such as {every: 1, size: 60B}')

const ack = forms<AckSpec>({
  text: {
    ...ackMapping,
    read: (input, at) =>
      input === 'none' ? ackMapping.read({ every: 0 }, at) : at.refuse(notAck(input)),
    json: { const: 'none' },
  },
  mapping: ackMapping,
  error: notAck,
  write: (value) => ackMapping.write(value),
})

const tcp = section<TcpSpec>('TCP', {
  /** Linux's TCP_RTO_MIN, and the lecture's 200 ms; RFC 6298 says 1 s. */
  rtoMinPs: otherwise(time({ example: '200ms' }), '200ms'),
  /** RFC 6298 section 2.5: at least 60 s. */
  rtoMaxPs: otherwise(time({ example: '60s' }), '60s'),
  /** A Linux jiffy at HZ = 1000. */
  granularityPs: otherwise(time({ none: true, example: '1ms' }), '1ms'),
  /** Receive buffers grow as needed (Linux, DRS); ACCurate has 21 KB. */
  receiveWindowBytes: otherwise(size({ none: true, example: '64KB' }), 'none'),
  /** Linux's TCP_DELACK_MIN; RFC 5681 section 4.2 says less than 500 ms. */
  delayedAckPs: otherwise(time({ example: '40ms' }), '40ms'),
  /** Stacks have it; the papers of incast, which the figures here stand on, have NewReno. */
  sack: otherwise(yesOrNo(), false),
  /** Each flow is a transfer of its own, as in the papers that the figures stand on. */
  connection: otherwise(word('a kind of connection', ['per-flow', 'persistent']), 'per-flow'),
  /** RFC 5681 section 4.1; Linux's tcp_slow_start_after_idle. */
  idleRestart: otherwise(yesOrNo(), true),
})

const injection = kinds<InjectionSpec>({
  what: 'a kind of injection',
  members: [
    section('per-flow injection', { kind: is('per-flow') }),
    section('a shared FIFO', {
      kind: is('shared-fifo'),
      /** A few packets in front of the link, no more. */
      packets: otherwise(count(1, 65_536, 16), 16),
      /** A NIC answers by itself; a host whose ACKs are made in software, as ns-3's, has behind. */
      acks: otherwise(word('a place for ACKs', ['past', 'behind']), 'past'),
    }),
  ],
})

const cap = rate({ none: true, example: '13Gbps' })

const rateCapMapping = section<RateCapSpec>('a rate cap', {
  sendBps: otherwise(cap, 'none'),
  takeBps: otherwise(cap, 'none'),
  counts: otherwise(word('what a rate cap counts', ['wire', 'payload']), 'wire'),
})

/** One cap is both. */
const rateCap = forms<RateCapSpec>({
  text: {
    ...rateCapMapping,
    read: (input, at) => {
      const bps = cap.read(input, at)
      return bps === WRONG ? WRONG : { sendBps: bps, takeBps: bps, counts: 'wire' }
    },
    json: cap.json,
  },
  mapping: rateCapMapping,
  error: (input) =>
    wrong(
      input,
      'a rate cap',
      'write a rate such as 13Gbps, none, or a mapping with the keys send, take and counts',
    ),
  write: (value) => {
    const { sendBps, takeBps, counts } = value
    const isOne = sendBps === takeBps && (counts === 'wire' || sendBps === 0)
    return isOne ? cap.write(sendBps) : rateCapMapping.write(value)
  },
})

const window = kinds<WindowSpec>({
  what: 'a window',
  words: ['none', 'bdp'],
  reads: 'a size such as 64KB',
  read: (text) => ({ kind: 'fixed', size: (parseSize(text), text) }),
  members: [
    section('no window', { kind: is('none') }),
    section('a fixed window', {
      kind: is('fixed'),
      bytes: as('size', size()),
      followsRate: otherwise(yesOrNo(), false),
    }),
    section('a window of bandwidth-delay products', {
      kind: is('bdp'),
      bdps: otherwise(ratio(0.001, 1_000_000, '1'), 1),
      of: otherwise(word('what to take the product of', ['path', 'fabric']), 'path'),
      followsRate: otherwise(yesOrNo(), false),
    }),
  ],
})

export const hostsCodec: Codec<HostsDraft> = section<HostsDraft>('the hosts', {
  /** 1,000 bytes of payload, as all of HPCC's descendants send. */
  mtuBytes: otherwise(size({ example: '1000B' }), '1000B'),
  /** Ethernet 18, IPv4 20, UDP 8, less the ICRC: the 48 B that HPCC's simulator adds. */
  headerBytes: otherwise(size({ zero: true }), '48B'),
  ack: otherwise(ack, {}),
  reliability: optional(
    word('a kind of reliability', ['go-back-n', 'selective-repeat', 'unordered', 'tcp', 'none']),
  ),
  tcp: otherwise(tcp, {}),
  /** In flight is what the scheme allows; RoCE NICs have no other bound. */
  window: otherwise(window, 'none'),
  rtoPs: otherwise(orAuto(time({ none: true, example: '1ms' })), 'auto'),
  /** A NIC with one queue pair a flow does not block at the head of a line. */
  injection: otherwise(injection, 'per-flow'),
  rateCap: otherwise(rateCap, 'none'),
  /** ACCurate, section IV-B: 'small bursts (1-2 packets)': the one that is due, and one more. */
  burst: otherwise(count(0, 1024, 1), 1),
  service: optional(word('a NIC service', ['next-service-time', 'round-robin', 'shortest-first'])),
  dataClass: optional(count(0, CLASSES - 1, 3)),
})
