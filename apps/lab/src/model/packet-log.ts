/** Packets that are no flow's, as they crossed links (`worker/packet-recorder.ts`), by link. */
import { PACKET_FIELDS } from '../worker/protocol.ts'
import type { PacketNotes } from '../worker/protocol.ts'

export type PacketNote = Readonly<Record<(typeof PACKET_FIELDS)[number], number>>

const NONE: readonly PacketNote[] = []

export class PacketLog {
  /** Those from here on were too many; Infinity: all are here. */
  agentsCutPs: number = Infinity
  creditsCutPs: number = Infinity
  readonly #byPort: Map<number, PacketNote[]> = new Map()

  add({ notes: rows, agentsCutPs, creditsCutPs }: PacketNotes): void {
    this.agentsCutPs = agentsCutPs
    this.creditsCutPs = creditsCutPs
    for (let at = 0; at < rows.length; at += PACKET_FIELDS.length) {
      const note = Object.fromEntries(
        PACKET_FIELDS.map((field, i) => [field, rows[at + i]!]),
      ) as PacketNote
      const list = this.#byPort.get(note.port)
      if (list === undefined) this.#byPort.set(note.port, [note])
      else insert(list, note)
    }
  }

  get ports(): Iterable<number> {
    return this.#byPort.keys()
  }

  /** Calls with each note of a link that began within a time, the earliest first. */
  each(port: number, fromPs: number, toPs: number, visit: (note: PacketNote) => void): void {
    const notes = this.#byPort.get(port) ?? NONE
    for (let i = firstAfter(notes, fromPs); i < notes.length; i++) {
      const note = notes[i]!
      if (note.atPs > toPs) return
      visit(note)
    }
  }
}

/** Notes come nearly in order: bunches of credits and packets of agents are closed apart. */
function insert(list: PacketNote[], note: PacketNote): void {
  let i = list.length
  while (i > 0 && list[i - 1]!.atPs > note.atPs) i--
  if (i === list.length) list.push(note)
  else list.splice(i, 0, note)
}

/** The first note at or after a time. */
function firstAfter(notes: readonly PacketNote[], timePs: number): number {
  let [low, high] = [0, notes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (notes[middle]!.atPs < timePs) low = middle + 1
    else high = middle
  }
  return low
}
