/**
 * What rack nodes say to each other, in the three numbers of an agent's packet. An announcement has
 * 14 bytes and a checksum (`rack/src/wire/announcement.ts`); here they are
 *
 *     code   type (4 bits), priority (4), tree (4), protocol (4), weight (8), sequence number (8)
 *     a      source (16), target (16), number of the flow (16)
 *     b      demand in Kb/s (32), all ones for 'as much as it gets'; or another word of 32 bits
 *
 * and the checksum is the link's own: a packet with a wrong bit does not arrive. A part of a
 * snapshot is one flow of it, with its number, which part it is and how many there are. Announced
 * routes (`rack/src/wire/route-choices.ts`) go two pairs to a packet:
 *
 *     code   type (4 bits), pairs (4), tree (4), source (16)
 *     a, b   source of the flow (16), its number (16), its protocol (4)
 */
import type { Announcement, RouteChoice } from '@weir/rack'
import { TYPE_ROUTES, TYPE_SNAPSHOT, TYPE_START } from '@weir/rack'

const NO_LIMIT = 0xffffffff
const BITS16 = 65536
const BITS32 = 4294967296

/** An announcement whose fields can be set, to be read at once and used again. */
export type Heard = { -readonly [Field in keyof Announcement]: Announcement[Field] }

export function newHeard(): Heard {
  return {
    ...{ type: TYPE_START, priority: 0, tree: 0, protocol: 0, source: 0, target: 0, flow: 0 },
    ...{ demandKbps: 0, weightCode: 0, sequence: 0 },
  }
}

export function codeOf(a: Announcement): number {
  const low = a.type + a.priority * 16 + a.tree * 256 + a.protocol * 4096
  return low + a.weightCode * BITS16 + a.sequence * 16777216
}

export function addressesOf(a: Announcement): number {
  return a.source * BITS32 + a.target * BITS16 + a.flow
}

export function wordOf(a: Announcement): number {
  return a.demandKbps === Infinity ? NO_LIMIT : Math.min(a.demandKbps, NO_LIMIT)
}

export function typeOfCode(code: number): number {
  return code & 15
}

export function treeOfCode(code: number): number {
  return (code >>> 8) & 15
}

/** The node that a broadcast comes from. */
export function sourceOf(code: number, addresses: number): number {
  return typeOfCode(code) === TYPE_ROUTES ? code >>> 12 : Math.floor(addresses / BITS32)
}

/** Route choices that one packet of an agent holds. */
export const PAIRS_PER_PACKET = 2

export function routeFields(
  source: number,
  tree: number,
  [one, two]: readonly RouteChoice[],
): [code: number, a: number, b: number] {
  const pair = (choice: RouteChoice): number =>
    (choice.source * BITS16 + choice.flow) * 16 + choice.protocol
  const code = TYPE_ROUTES + (two === undefined ? 1 : 2) * 16 + tree * 256 + source * 4096
  return [code, pair(one!), two === undefined ? 0 : pair(two)]
}

export function readRoutes(code: number, a: number, b: number): RouteChoice[] {
  return [a, b].slice(0, (code >>> 4) & 15).map((pair) => {
    const flow = Math.floor(pair / 16)
    return { source: Math.floor(flow / BITS16), flow: flow % BITS16, protocol: pair % 16 }
  })
}

export function readAnnouncement(code: number, addresses: number, word: number, out: Heard): void {
  // A remainder of doubles is slow, and this is read at every node for every announcement.
  const source = Math.floor(addresses / BITS32)
  const low = (addresses - source * BITS32) >>> 0
  out.type = (code & 15) as Announcement['type']
  out.priority = (code >>> 4) & 15
  out.tree = (code >>> 8) & 15
  out.protocol = (code >>> 12) & 15
  out.weightCode = (code >>> 16) & 255
  out.sequence = code >>> 24
  out.source = source
  out.target = low >>> 16
  out.flow = low & 0xffff
  out.demandKbps = out.type === TYPE_START && word === NO_LIMIT ? Infinity : word
}

/** One flow of a snapshot; `parts` is 0 if there is none. */
export interface SnapshotPart {
  readonly number: number
  readonly part: number
  readonly parts: number
  readonly flow: Announcement
}

export function snapshotFields({
  number,
  part,
  parts,
  flow,
}: SnapshotPart): [code: number, a: number, b: number] {
  const low = TYPE_SNAPSHOT + flow.priority * 16 + flow.protocol * 256 + flow.weightCode * 4096
  return [
    low + number * 1048576,
    flow.target * BITS32 + flow.flow * BITS16 + part,
    parts * BITS32 + wordOf(flow),
  ]
}

export function readSnapshot(source: number, code: number, a: number, b: number): SnapshotPart {
  const low = a % BITS32
  const word = b % BITS32
  return {
    number: Math.floor(code / 1048576),
    part: low % BITS16,
    parts: Math.floor(b / BITS32),
    flow: {
      type: TYPE_START,
      source,
      target: Math.floor(a / BITS32),
      flow: Math.floor(low / BITS16),
      priority: (code >>> 4) & 15,
      protocol: (code >>> 8) & 15,
      weightCode: (code >>> 12) & 255,
      demandKbps: word === NO_LIMIT ? Infinity : word,
      tree: 0,
      sequence: 0,
    },
  }
}
