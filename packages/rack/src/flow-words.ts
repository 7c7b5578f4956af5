/**
 * A flow in words: its key, what is said of it in one number, and hashes of both. A traffic matrix
 * and a log of announcements hold flows so.
 */
import type { Announcement } from './wire/announcement.ts'

/** Of demands: as much as it gets. */
export const NO_LIMIT = 0xffffffff

export function keyOf(source: number, flow: number): number {
  return source * 65536 + flow
}

/** Target, weight, priority and protocol of a flow in one number. */
export function wordOf(a: Announcement): number {
  return a.target * 65536 + a.weightCode * 256 + a.priority * 16 + a.protocol
}

/** What a word of `FlowColumns` says. */
export function wordFields(
  word: number,
): Pick<Announcement, 'target' | 'weightCode' | 'priority' | 'protocol'> {
  return {
    target: Math.floor(word / 65536),
    weightCode: (word >>> 8) & 255,
    priority: (word >>> 4) & 15,
    protocol: word & 15,
  }
}

/** Where a key would be in a table of 2 to any power of places. */
export function placeOf(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 15), 0x9e3779b1)
  return mixed ^ (mixed >>> 16)
}

export function hashOf(key: number, word: number, demand: number): number {
  return mix(mix(mix(0x9e3779b9, key), word), demand) >>> 0
}

function mix(hash: number, word: number): number {
  let h = Math.imul(hash ^ word, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
