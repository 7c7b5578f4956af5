/**
 * Weir's side: the spec with every knob as the peer has it.
 *
 *   - Headers, ACKs of every packet, no handshake, initial window, RTO: as the input says.
 *   - A host's packets wait in one FIFO, in the order in which TCP gave them out, as in a device's
 *     queue (`injection: shared-fifo`), and not flow by flow; ACKs wait behind data there.
 *   - As a recovery ends the window is ssthresh, unless ns-3 is mended there; that ACK grows it,
 *     too, if ns-3's growth is mended and its full ACK is not. A DCTCP cut stops growth for a round
 *     trip, unless ns-3's DCTCP is mended. With 'mended all' the scheme has its defaults.
 *   - Each output of a switch has a queue of its own (a static threshold in a large memory).
 *   - Switches mark ACKs too, since ns-3's DCTCP sends them ECN-capable, and senders do not look.
 */
import process from 'node:process'
import { createRun, validateSpec } from '@weir/sim'
import type { Result, Run, ValidSpec } from '@weir/sim'
import { headerBytes, isMended } from './input.ts'
import type { PeerInput, PeerOutcome, Transport } from './input.ts'

type Tree = Readonly<Record<string, unknown>>

const SCHEMES: Readonly<Record<Transport, string>> = {
  udp: 'none',
  reno: 'tcp-reno',
  dctcp: 'dctcp',
}

/** The longest FIFO that a spec allows: what a flow may have in flight waits in it. */
const FIFO_PACKETS = 65_536

export function weirSpec(input: PeerInput): ValidSpec {
  const { transport, links } = input
  const names = [...new Set(links.flatMap(({ a, b }) => [a, b]))]
  const isHost = (name: string): boolean => name.startsWith('h')
  return validateSpec({
    topology: {
      kind: 'graph',
      hosts: names.filter(isHost),
      switches: names.filter((name) => !isHost(name)),
      links: links.map(({ a, b, rateBps, delayPs }) => ({
        ...{ a, b, rate: `${rateBps}bps`, delay: `${delayPs}ps` },
      })),
    },
    fabric: {
      buffer: { size: '1GB', threshold: `${input.queueBytes}B` },
      flowControl: 'none',
      ecn: transport === 'dctcp' ? markingOf(input) : 'none',
    },
    hosts: hostsOf(input),
    workload: [
      {
        flows: input.flows.map(({ startPs, bytes, path }, i) => ({
          name: nameOf(i),
          ...{ from: path[0], to: path.at(-1), path: path.slice(1, -1) },
          ...{ size: `${bytes}B`, start: `${startPs}ps` },
        })),
      },
    ],
    scheme: {
      name: SCHEMES[transport],
      params: {
        ...(transport === 'udp' ? {} : { initialWindow: input.window }),
        ...(transport === 'udp'
          ? {}
          : {
              afterRecovery: isMended(input, 'full-ack') ? 'flight' : 'threshold',
              growsAtFullAck: isMended(input, 'growth') && !isMended(input, 'full-ack'),
            }),
        // ns-3 grows nothing in the round trip of a cut, as Linux.
        ...(transport === 'dctcp' ? { growsInCut: isMended(input, 'dctcp') } : {}),
      },
    },
    run: { until: `${input.untilPs}ps` },
    metrics: { interval: 'none' },
  })
}

function nameOf(flow: number): string {
  return `flow${flow}`
}

function markingOf(input: PeerInput): Tree {
  return { kind: 'threshold', k: `${input.markBytes}B`, at: 'enqueue' }
}

function hostsOf(input: PeerInput): Tree {
  const header = headerBytes(input.transport)
  const shared = {
    mtu: `${input.mss}B`,
    header: `${header}B`,
    injection: { kind: 'shared-fifo', packets: FIFO_PACKETS, acks: 'behind' },
  }
  if (input.transport === 'udp') return { ...shared, ack: 'none', reliability: 'none' }
  return {
    ...shared,
    ack: { every: 1, size: `${header}B`, ecn: input.transport === 'dctcp' ? 'ignored' : 'none' },
    tcp: { rtoMin: `${input.rtoMinPs}ps`, granularity: 'none', sack: input.sack },
  }
}

export function runWeir(input: PeerInput): PeerOutcome {
  return outcomeOf(createRun(weirSpec(input)))
}

export function outcomeOf(run: Run): PeerOutcome {
  const began = process.cpuUsage()
  while (run.advance(1e6)) continue
  const { user, system } = process.cpuUsage(began)
  const { flows, counters }: Result = run.result()
  const rows = flows.name.map((_, i) => flows.name.indexOf(nameOf(i)))
  return {
    fctPs: rows.map((row) => flows.fctPs[row] ?? NaN),
    delivered: rows.map((row) => flows.deliveredBytes[row] ?? NaN),
    again: rows.map((row) => flows.retransmittedPackets[row] ?? NaN),
    drops: counters.packetsDropped,
    marks: counters.packetsMarked,
    hops: counters.packetHops,
    seconds: (user + system) / 1e6,
  }
}
