/**
 * Random networks for the comparison, drawn before either simulator had seen one: stars, dumbbells
 * and leaf-spines of a few hosts, mixed rates and delays, shallow to deep queues, a dozen flows.
 *
 * `one-way`: a host sends or receives, and no queue of a switch holds data and ACKs. `mixed`: any
 * host sends to any other, so that ACKs wait behind data, in hosts and in switches.
 */
import { exp, ln, Random } from '@weir/engine'
import { headerBytes } from './input.ts'
import type { PeerFlow, PeerInput, PeerLink, Transport } from './input.ts'

export type Traffic = 'one-way' | 'mixed'

/**
 * In about these rates, and no two alike: behind a link that is exactly twice as fast, packets come
 * in the very picosecond in which others leave, and which of the two is first is each simulator's.
 */
const RATES_GBPS = [1, 2, 2.5, 5, 10, 20, 25, 40] as const
const KINDS = ['star', 'dumbbell', 'leaf-spine'] as const
const PS_PER_S = 1e12

interface Fabric {
  readonly links: PeerLink[]
  readonly senders: readonly string[]
  readonly receivers: readonly string[]
  pathOf(from: string, to: string): string[]
}

export function randomInput(seed: number, transport: Transport, traffic: Traffic): PeerInput {
  const random = new Random(seed, `peers.${transport}.${traffic}`)
  const fabric = fabricOf(random, traffic)
  const mss = pick(random, [536, 1000, 1460])
  const packetBytes = mss + headerBytes(transport)
  const queuePackets = Math.round(between(random, 12, 200))
  const markPackets = Math.round(between(random, 5, Math.max(6, queuePackets / 3)))
  const count = 3 + random.below(10)
  return {
    transport,
    mss,
    window: pick(random, [2, 4, 10]),
    sack: false,
    rtoMinPs: Math.round(between(random, 1e-3, 20e-3) * PS_PER_S),
    // DCTCP is for queues that do not overflow; half a packet more than whole ones is no tie.
    queueBytes: (transport === 'dctcp' ? 4 * queuePackets : queuePackets) * packetBytes,
    markBytes: markPackets * packetBytes + (packetBytes >> 1),
    mended: 'none',
    untilPs: 20 * PS_PER_S,
    links: fabric.links,
    flows: Array.from({ length: count }, () => flowOf(random, fabric)).map((flow) =>
      // ns-3's RED counts packets, Weir's threshold bytes: they are the same if no packet is short.
      transport === 'dctcp' ? { ...flow, bytes: Math.ceil(flow.bytes / mss) * mss } : flow,
    ),
  }
}

function flowOf(random: Random, fabric: Fabric): PeerFlow {
  const from = pick(random, fabric.senders)
  const others = fabric.receivers.filter((host) => host !== from)
  return {
    startPs: Math.floor(random.uniform() * 3e9),
    bytes: Math.round(between(random, 2e3, 3e6)),
    path: fabric.pathOf(from, pick(random, others)),
  }
}

function fabricOf(random: Random, traffic: Traffic): Fabric {
  const kind = pick(random, KINDS)
  const links: PeerLink[] = []
  const link = (a: string, b: string): void => {
    const rateBps = Math.round(pick(random, RATES_GBPS) * 1e9 * (0.97 + 0.06 * random.uniform()))
    links.push({ a, b, rateBps, delayPs: Math.round(between(random, 0.2e-6, 40e-6) * PS_PER_S) })
  }
  const switches = kind === 'star' ? 1 : kind === 'dumbbell' ? 2 : 2 + random.below(2)
  const hostsPer = kind === 'star' ? 3 + random.below(6) : 2 + random.below(4)
  const spines = kind === 'leaf-spine' ? 1 + random.below(3) : 0
  const switchOf = new Map<string, string>()
  for (let i = 0; i < switches * hostsPer; i++) {
    const leaf = `s${Math.floor(i / hostsPer)}`
    switchOf.set(`h${i}`, leaf)
    link(`h${i}`, leaf)
  }
  if (kind === 'dumbbell') link('s0', 's1')
  for (let leaf = 0; leaf < switches; leaf++) {
    for (let spine = 0; spine < spines; spine++) link(`s${leaf}`, `s${switches + spine}`)
  }
  const hosts = [...switchOf.keys()]
  const isSender = (host: string): boolean =>
    kind === 'star' ? host < `h${hostsPer >> 1}` : switchOf.get(host) === 's0'
  const isOneWay = traffic === 'one-way'
  return {
    links,
    senders: isOneWay ? hosts.filter(isSender) : hosts,
    receivers: isOneWay ? hosts.filter((host) => !isSender(host)) : hosts,
    pathOf(from, to) {
      const [first = '', last = ''] = [switchOf.get(from), switchOf.get(to)]
      const via = spines > 0 ? [`s${switches + random.below(spines)}`] : []
      return [from, ...(first === last ? [first] : [first, ...via, last]), to]
    },
  }
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)] as T
}

/** Its logarithm is uniform. */
function between(random: Random, least: number, most: number): number {
  return least * exp(random.uniform() * ln(most / least))
}
