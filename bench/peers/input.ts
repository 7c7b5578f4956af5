/**
 * A small network that any packet simulator can be asked about: the neutral input, and what comes
 * back. The text has one fact per line, in whole numbers (picoseconds, bits per second, bytes):
 *
 *     transport reno                   udp, reno or dctcp
 *     mss 1000                         payload of a full packet
 *     window 10                        initial window, in packets (TCP)
 *     sack 0                           selective acknowledgements (TCP)
 *     rtoMin 10000000000               least retransmission timeout (TCP)
 *     queue 41680                      bytes that a switch's output may hold, that in service too
 *     mark 20840                       what finds more than this there is marked (DCTCP)
 *     mended none                      choices that the peer is to do without: mended/mends.h
 *     until 2000000000000              end of the simulation
 *     link h0 s0 10000000000 1000000   nodes, rate, delay; names of hosts begin with h
 *     flow 0 250000 h0 s0 h1           start, payload, path; what answers goes back by it
 */

export type Transport = 'udp' | 'reno' | 'dctcp'

export interface PeerLink {
  readonly a: string
  readonly b: string
  readonly rateBps: number
  readonly delayPs: number
}

export interface PeerFlow {
  readonly startPs: number
  readonly bytes: number
  readonly path: readonly string[]
}

export interface PeerInput {
  readonly transport: Transport
  readonly mss: number
  readonly window: number
  readonly sack: boolean
  readonly rtoMinPs: number
  readonly queueBytes: number
  readonly markBytes: number
  /** `none`, `all`, or names with commas between them. */
  readonly mended: string
  readonly untilPs: number
  readonly links: readonly PeerLink[]
  readonly flows: readonly PeerFlow[]
}

export interface PeerOutcome {
  /** By flow; NaN: it did not end. With UDP until the last packet came, else until its ACK did. */
  readonly fctPs: readonly number[]
  /** By flow: payload that came, and packets that were sent again. */
  readonly delivered: readonly number[]
  readonly again: readonly number[]
  readonly drops: number
  readonly marks: number
  /** Packets over links, and seconds of CPU that the simulation took. */
  readonly hops: number
  readonly seconds: number
}

/** Bytes on the wire besides the payload: PPP in ns-3's form, IP, and UDP or TCP. */
export function headerBytes(transport: Transport): number {
  return 2 + 20 + (transport === 'udp' ? 8 : 20)
}

export function printInput(input: PeerInput): string {
  return [
    `transport ${input.transport}`,
    `mss ${input.mss}`,
    `window ${input.window}`,
    `sack ${input.sack ? 1 : 0}`,
    `rtoMin ${input.rtoMinPs}`,
    `queue ${input.queueBytes}`,
    `mark ${input.markBytes}`,
    `mended ${input.mended}`,
    `until ${input.untilPs}`,
    ...input.links.map(({ a, b, rateBps, delayPs }) => `link ${a} ${b} ${rateBps} ${delayPs}`),
    ...input.flows.map(({ startPs, bytes, path }) => `flow ${startPs} ${bytes} ${path.join(' ')}`),
    '',
  ].join('\n')
}

export function parseInput(text: string): PeerInput {
  const rows = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  const wordOf = (key: string): string => rows.find(([first]) => first === key)?.[1] ?? ''
  const numberOf = (key: string): number => Number(wordOf(key))
  return {
    transport: wordOf('transport') as Transport,
    mss: numberOf('mss'),
    window: numberOf('window'),
    sack: wordOf('sack') === '1',
    rtoMinPs: numberOf('rtoMin'),
    queueBytes: numberOf('queue'),
    markBytes: numberOf('mark'),
    mended: wordOf('mended'),
    untilPs: numberOf('until'),
    links: rows.flatMap(([key, a = '', b = '', rate, delay]) =>
      key === 'link' ? [{ a, b, rateBps: Number(rate), delayPs: Number(delay) }] : [],
    ),
    flows: rows.flatMap(([key, start, bytes, ...path]) =>
      key === 'flow' ? [{ startPs: Number(start), bytes: Number(bytes), path }] : [],
    ),
  }
}

/** Does the peer do without this choice of its own? */
export function isMended({ mended }: PeerInput, name: string): boolean {
  return mended === 'all' || mended.split(',').includes(name)
}

/** What a peer's program prints: a line per flow, then the totals. */
export function parseOutcome(text: string): PeerOutcome {
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/))
  const flows = rows.filter(([key]) => key === 'flow')
  const totalOf = (key: string): number => Number(rows.find(([first]) => first === key)?.[1] ?? NaN)
  return {
    fctPs: flows.map((row) => (Number(row[3]) < 0 ? NaN : Number(row[3]))),
    delivered: flows.map((row) => Number(row[5])),
    again: flows.map((row) => Number(row[7])),
    drops: totalOf('drops'),
    marks: totalOf('marks'),
    hops: totalOf('hops'),
    seconds: totalOf('seconds'),
  }
}

export function printOutcome(outcome: PeerOutcome): string {
  return [
    ...outcome.fctPs.map(
      (fctPs, i) =>
        `flow ${i} fctPs ${Number.isNaN(fctPs) ? -1 : fctPs} ` +
        `delivered ${outcome.delivered[i]} again ${outcome.again[i]}`,
    ),
    `drops ${outcome.drops}`,
    `marks ${outcome.marks}`,
    `hops ${outcome.hops}`,
    '',
  ].join('\n')
}

/** The same with 1 ns more on every link: what a simulator's answer moves by is its noise. */
export function perturbedInput(input: PeerInput): PeerInput {
  return { ...input, links: input.links.map((one) => ({ ...one, delayPs: one.delayPs + 1000 })) }
}
