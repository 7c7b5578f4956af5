/** `hosts:` and `routing:` as users write them. */
import { z } from 'zod'
import { defaults } from './defaults.ts'
import { parseSize } from '@weir/engine'
import { count, orAuto, rate, ratio, size, time, word, wrong } from './quantities.ts'
import { kinds, section } from './sections.ts'
import type { HostsSpec, RateCapSpec, RoutingSpec, TcpSpec, WindowSpec } from './valid-spec.ts'

/** Hosts with what the fabric decides (a timeout only where packets are lost) still open. */
export type HostsDraft = Omit<HostsSpec, 'rtoPs' | 'dataClass' | 'reliability' | 'service'> & {
  readonly service: HostsSpec['service'] | undefined
  readonly rtoPs: number | 'auto'
  readonly reliability: HostsSpec['reliability'] | undefined
  readonly dataClass: number | undefined
}

const ackMapping = section('the ACKs', {
  every: count(0, 1024, 1).prefault(defaults.ackEvery),
  size: size().prefault(defaults.ackSize),
  class: word('a class for ACKs', ['data', 'control']).prefault(defaults.ackClass),
  path: word('a path for ACKs', ['reverse', 'own']).prefault(defaults.ackPath),
  ecn: word('a way to mark ACKs', ['none', 'ignored', 'heard']).prefault(defaults.ackEcn),
})

const ACK = 'write none, or a mapping such as {every: 1, size: 60B}'
const ack = z.union(
  [
    z
      .literal('none')
      .transform(() => ({ every: 0 }))
      .pipe(ackMapping as never),
    ackMapping,
  ],
  { error: (issue) => wrong(issue.input, 'a way to acknowledge', ACK) },
) as unknown as z.ZodType<Omit<HostsSpec['ack'], 'bytes'> & { size: number }>

const ackOf = ({ size: bytes, ...rest }: z.infer<typeof ack>): HostsSpec['ack'] => ({
  ...rest,
  bytes,
})

const yesOrNo = (): z.ZodType<boolean> =>
  z.boolean({ error: (issue) => wrong(issue.input, 'yes or no', 'write true or false') })

const tcp = section('TCP', {
  rtoMin: time({ example: '200ms' }).prefault(defaults.tcp.rtoMin),
  rtoMax: time({ example: '60s' }).prefault(defaults.tcp.rtoMax),
  granularity: time({ none: true, example: '1ms' }).prefault(defaults.tcp.granularity),
  receiveWindow: size({ none: true, example: '64KB' }).prefault(defaults.tcp.receiveWindow),
  delayedAck: time({ example: '40ms' }).prefault(defaults.tcp.delayedAck),
  sack: yesOrNo().prefault(defaults.tcp.sack),
  connection: word('a kind of connection', ['per-flow', 'persistent']).prefault(
    defaults.tcp.connection,
  ),
  idleRestart: yesOrNo().prefault(defaults.tcp.idleRestart),
}).transform((t): TcpSpec => ({
  rtoMinPs: t.rtoMin,
  rtoMaxPs: t.rtoMax,
  granularityPs: t.granularity,
  receiveWindowBytes: t.receiveWindow,
  delayedAckPs: t.delayedAck,
  sack: t.sack,
  connection: t.connection,
  idleRestart: t.idleRestart,
}))

const injection = kinds<{ kind: HostsSpec['injection']; packets?: number }>({
  what: 'a kind of injection',
  names: ['per-flow', 'shared-fifo'],
  members: [
    section('per-flow injection', { kind: z.literal('per-flow') }),
    section('a shared FIFO', {
      kind: z.literal('shared-fifo'),
      packets: count(1, 65_536, 16).prefault(defaults.injectionFifoPackets),
    }),
  ],
})

const cap = (): z.ZodType<number> => rate({ none: true, example: '13Gbps' })

const CAP = 'write a rate such as 13Gbps, none, or a mapping with the keys send, take and counts'
const rateCap = z.union(
  [
    cap().transform((bps): RateCapSpec => ({ sendBps: bps, takeBps: bps, counts: 'wire' })),
    section('a rate cap', {
      send: cap().prefault('none'),
      take: cap().prefault('none'),
      counts: word('what a rate cap counts', ['wire', 'payload']).prefault('wire'),
    }).transform((t): RateCapSpec => ({
      sendBps: t.send,
      takeBps: t.take,
      counts: t.counts,
    })),
  ],
  { error: (issue) => wrong(issue.input, 'a rate cap', CAP) },
) as z.ZodType<RateCapSpec>

const yes = z.boolean({
  error: (issue) => wrong(issue.input, 'true or false', 'write one of them'),
})

const window = kinds<WindowSpec>({
  what: 'a window',
  names: ['none', 'fixed', 'bdp'],
  words: ['none', 'bdp'],
  reads: 'a size such as 64KB',
  read: (text) => ({ kind: 'fixed', size: (parseSize(text), text) }),
  members: [
    section('no window', { kind: z.literal('none') }),
    section('a fixed window', {
      kind: z.literal('fixed'),
      size: size(),
      followsRate: yes.prefault(false),
    }).transform((t) => ({ kind: 'fixed', bytes: t.size, followsRate: t.followsRate })),
    section('a window of bandwidth-delay products', {
      kind: z.literal('bdp'),
      bdps: ratio(0.001, 1_000_000, '1').prefault(1),
      of: word('what to take the product of', ['path', 'fabric']).prefault('path'),
      followsRate: yes.prefault(false),
    }),
  ],
})

export const hostsSchema: z.ZodType<HostsDraft> = section('the hosts', {
  mtu: size({ example: '1000B' }).prefault(defaults.mtu),
  header: size({ zero: true }).prefault(defaults.header),
  ack: ack.prefault({}),
  reliability: word('a kind of reliability', [
    'go-back-n',
    'selective-repeat',
    'unordered',
    'tcp',
    'none',
  ]).optional(),
  tcp: tcp.prefault({}),
  window: window.prefault(defaults.window),
  rto: orAuto(time({ none: true, example: '1ms' })).prefault('auto'),
  injection: injection.prefault(defaults.injection),
  rateCap: rateCap.prefault('none'),
  burst: count(0, 1024, 1).prefault(defaults.burst),
  service: word('a NIC service', ['next-service-time', 'round-robin', 'shortest-first']).optional(),
  dataClass: count(0, 7, 3).optional(),
}).transform((t) => ({
  mtuBytes: t.mtu,
  headerBytes: t.header,
  ack: ackOf(t.ack),
  reliability: t.reliability,
  tcp: t.tcp,
  window: t.window,
  rtoPs: t.rto,
  injection: t.injection.kind,
  injectionFifoPackets: t.injection.packets ?? defaults.injectionFifoPackets,
  rateCap: t.rateCap,
  burst: t.burst,
  service: t.service,
  dataClass: t.dataClass,
}))

export const routingSchema: z.ZodType<RoutingSpec> = kinds<RoutingSpec>({
  what: 'a kind of routing',
  names: ['shortest-path', 'ecmp', 'packet-spray'],
  members: [
    section('shortest-path routing', { kind: z.literal('shortest-path') }),
    section('ECMP routing', {
      kind: z.literal('ecmp'),
      hashSeed: count(0, 2 ** 31 - 1, 1).prefault(defaults.hashSeed),
    }),
    section('packet-spray routing', { kind: z.literal('packet-spray') }),
  ],
})
