/**
 * The hosts and switches of the DCTCP paper's testbed (SIGCOMM 2010, section 4), on which the TCP
 * figures of the lecture stand: one switch, hosts around it, packets of 1,500 bytes and the
 * Ethernet frame around them, a round trip of some 100 us, and drop-tail queues.
 */
import { validateSpec } from '@weir/sim'
import type { Series, ValidSpec } from '@weir/sim'

/** Bytes of a full packet on the wire: 1,460 of payload, TCP and IP 40, Ethernet 18, gap 20. */
export const PACKET_BYTES = 1538
export const PAYLOAD_BYTES = 1460

export interface TcpStar {
  readonly name: string
  readonly seed?: number
  readonly senders: number
  readonly rate: string
  /** Of one link; a round trip crosses four. */
  readonly delay: string
  readonly bufferBytes: number
  readonly ecn?: object | string
  readonly tcp?: object
  readonly scheme: object
  readonly flows: readonly object[]
  readonly until: string
  readonly metrics: object
}

/** Senders h1, h2, ... and the receiver h0 around one switch. */
export function tcpStar(star: TcpStar): ValidSpec {
  return validateSpec({
    name: star.name,
    ...(star.seed !== undefined && { seed: star.seed }),
    topology: { kind: 'star', hosts: star.senders + 1, rate: star.rate, delay: star.delay },
    fabric: {
      flowControl: 'none',
      buffer: { size: '10MB', threshold: `${star.bufferBytes}B` },
      ecn: star.ecn ?? 'auto',
    },
    hosts: { mtu: `${PAYLOAD_BYTES}B`, header: '78B', tcp: star.tcp ?? {} },
    workload: [{ flows: star.flows }],
    scheme: star.scheme,
    run: { until: star.until },
    metrics: star.metrics,
  })
}

/** A series' value at a time, NaN before its first and after its last sample. */
export function valueAt(series: Series, timePs: number): number {
  const i = Math.round((timePs - series.startPs) / series.intervalPs)
  return series.values[i] ?? NaN
}

/** Samples of a series from a time on. */
export function valuesFrom(series: Series, timePs: number): readonly number[] {
  const first = Math.max(0, Math.ceil((timePs - series.startPs) / series.intervalPs))
  return series.values.slice(first)
}
