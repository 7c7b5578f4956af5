/**
 * Who is compared in ACCurate's figures, and on which fabric (section III): 10 Gb/s links,
 * packets of at most 256 B, 2.5 KB of buffer an input, lossless by credits, FRPs in a class above
 * the data.
 *
 * TCP is Reno with segments of 1,500 B, a receive buffer of 21 KB and no delayed ACKs. The paper
 * does not say how deep the buffers are that TCP meets; 2.5 KB would hold one segment. Here an
 * input holds as many packets as in the RDMA fabric, nine: 14 KB. Retransmission timers are not
 * given either: INET's TCP has 200 ms on a coarse clock, as RFC 1122-era stacks; we take 10 ms,
 * which favours TCP.
 */
import { schemes } from '@weir/schemes'
import { loadSpec } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'

export interface Variant {
  readonly name: string
  readonly scheme: string
  /** In the paper's own comparison. */
  readonly isPublished: boolean
  readonly settings: readonly string[]
}

/** Section IV-B: a channel a flow, whatever NIC a scenario has. */
const CHANNELS = ['hosts.injection=per-flow']
const RDMA = ['hosts.ack=none', ...CHANNELS]
/** Schemes that live on ACKs: one per packet, small, above the data. */
const ACKED = [...CHANNELS, 'hosts.ack.every=1', 'hosts.ack.size=20B', 'hosts.ack.class=control']
const TCP = [
  ...CHANNELS,
  'hosts.mtu=1500B',
  'hosts.header=40B',
  'hosts.ack.every=1',
  'hosts.ack.size=40B',
  'hosts.ack.class=data',
  'hosts.tcp.receiveWindow=21KB',
  'hosts.tcp.rtoMin=10ms',
  'fabric.buffer.size=14KB',
]
const TCP_WINDOW = ['scheme.params.initialWindow=3']

const all: readonly Variant[] = [
  { name: 'ACCurate', scheme: 'accurate', isPublished: true, settings: RDMA },
  { name: 'PAUSE-only', scheme: 'none', isPublished: true, settings: RDMA },
  {
    // Fig. 4(b) recovers after 150 us: what 480 packets in the NIC's queue take (fitted, see fig4).
    name: 'PAUSE-only, NIC queue',
    scheme: 'none',
    isPublished: true,
    settings: ['hosts.ack=none', 'hosts.injection={kind: shared-fifo, packets: 480}'],
  },
  {
    name: 'lossless TCP',
    scheme: 'tcp-reno',
    isPublished: true,
    settings: [...TCP, ...TCP_WINDOW],
  },
  {
    name: 'TCP, drops at inputs',
    scheme: 'tcp-reno',
    isPublished: true,
    settings: [...TCP, ...TCP_WINDOW, 'fabric.flowControl=none'],
  },
  {
    name: 'TCP, drops at outputs',
    scheme: 'tcp-reno',
    isPublished: true,
    settings: [
      ...TCP,
      ...TCP_WINDOW,
      'fabric.flowControl=none',
      'fabric.switch=shared-memory',
      // A queue of its own at each output, as deep as all inputs that can feed it: four of 14 KB.
      'fabric.buffer.size=1MB',
      'fabric.buffer.threshold.kind=static',
      'fabric.buffer.threshold.size=56KB',
      'fabric.buffer.dropAt=outputs',
    ],
  },
  { name: 'QCN', scheme: 'qcn', isPublished: false, settings: ACKED },
  { name: 'DCQCN', scheme: 'dcqcn', isPublished: false, settings: ACKED },
  { name: 'DCTCP', scheme: 'dctcp', isPublished: false, settings: TCP },
  { name: 'TIMELY', scheme: 'timely', isPublished: false, settings: ACKED },
  { name: 'HPCC', scheme: 'hpcc', isPublished: false, settings: ACKED },
]

/** Those whose scheme is in the registry. */
export const variants: readonly Variant[] = all.filter(({ scheme }) =>
  schemes.some(({ name }) => name === scheme),
)

export function variantNamed(name: string): Variant {
  const found = variants.find((variant) => variant.name === name)
  if (found === undefined) throw new Error(`there is no variant "${name}"`)
  return found
}

/** The spec of a text under a variant, with more settings. */
export function specOf(text: string, variant: Variant, more: readonly string[] = []): ValidSpec {
  const settings = [`scheme.name=${variant.scheme}`, ...variant.settings, ...more]
  return loadSpec({ text, sourceName: 'figure', files: () => undefined, settings })
}

/** Wire bits for each bit of payload: rates are compared as the link sees them. */
export function wireFactor({ hosts }: ValidSpec): number {
  return (hosts.mtuBytes + hosts.headerBytes) / hosts.mtuBytes
}
