/**
 * All flows of a node, as the answer to a request: announcements one after the other, in as many
 * parts as packets are needed.
 *
 *     byte  0     number of the part        1  how many parts there are: 8 lower bits each
 *           2-4   number of the source's last announcement
 *           5     4 upper bits of the part's number, and of how many there are
 *           6-    announcements of 16 bytes
 */
import { ANNOUNCEMENT_BYTES, decodeAnnouncement, encodeAnnouncement } from './wire/announcement.ts'
import type { Announcement } from './wire/announcement.ts'
import { TYPE_START } from './wire/packet.ts'

const HEAD_BYTES = 6
const FLOWS_PER_PART = 90
/** Of all flows that a node can have. */
const PARTS_MAX = Math.ceil(65536 / FLOWS_PER_PART)

export interface Snapshot {
  readonly number: number
  readonly flows: readonly Announcement[]
}

export function snapshotPayloads(flows: readonly Announcement[], number: number): Uint8Array[] {
  const parts = Math.max(1, Math.ceil(flows.length / FLOWS_PER_PART))
  return Array.from({ length: parts }, (_, part) => {
    const own = flows.slice(part * FLOWS_PER_PART, (part + 1) * FLOWS_PER_PART)
    const payload = new Uint8Array(HEAD_BYTES + ANNOUNCEMENT_BYTES * own.length)
    const upper = ((part >>> 8) << 4) | (parts >>> 8)
    payload.set([part, parts, number >>> 16, number >>> 8, number, upper])
    own.forEach((flow, i) =>
      payload.set(encodeAnnouncement(flow), HEAD_BYTES + ANNOUNCEMENT_BYTES * i),
    )
    return payload
  })
}

/** Puts the parts of snapshots together, one snapshot per source at a time. */
export class Snapshots {
  readonly #parts: (Map<number, readonly Announcement[]> | undefined)[]
  readonly #numbers: Int32Array

  constructor(nodes: number) {
    this.#parts = new Array<Map<number, readonly Announcement[]> | undefined>(nodes).fill(undefined)
    this.#numbers = new Int32Array(nodes).fill(-1)
  }

  /** The whole snapshot, if this part makes it so. */
  take(source: number, payload: Uint8Array, nodes: number): Snapshot | 'waiting' | 'malformed' {
    const [partLow = 0, partsLow = 0, high = 0, middle = 0, low = 0, upper = 0] = payload
    const number = high * 65536 + middle * 256 + low
    const part = (upper >>> 4) * 256 + partLow
    const parts = (upper & 15) * 256 + partsLow
    const length = payload.length - HEAD_BYTES
    if (length < 0 || length % ANNOUNCEMENT_BYTES !== 0) return 'malformed'
    if (part >= parts || parts > PARTS_MAX) return 'malformed'
    const flows: Announcement[] = []
    for (let at = HEAD_BYTES; at < payload.length; at += ANNOUNCEMENT_BYTES) {
      const flow = decodeAnnouncement(payload, nodes, at)
      if (typeof flow === 'string' || flow.source !== source || flow.type !== TYPE_START) {
        return 'malformed'
      }
      flows.push(flow)
    }
    return this.collect(source, number, part, parts, flows) ?? 'waiting'
  }

  /** A part has come; the whole, if it makes it so. */
  collect(
    source: number,
    number: number,
    part: number,
    parts: number,
    flows: readonly Announcement[],
  ): Snapshot | undefined {
    if (this.#numbers[source] !== number) this.#parts[source] = undefined
    this.#numbers[source] = number
    const held = (this.#parts[source] ??= new Map<number, readonly Announcement[]>())
    held.set(part, flows)
    if (held.size < parts) return undefined
    this.#parts[source] = undefined
    return { number, flows: [...held.values()].flat() }
  }
}
