/**
 * Arrivals: what is under way from one cell to another, by the cell that it reaches. When a cell's
 * window begins all that arrives in it is on its wires, and is taken off them at once: many short
 * reads that wait for each other's memory together, and not one by one. Other wires have an event
 * for the packet that is next (LINK), as timers do: those within a cell, and those on which a full
 * packet takes longer than a window, where there is hardly ever more than one to take.
 *
 * `due` says when the first packet on each wire is there, in blocks of a cache line, each block
 * the least of it, so that a switch with thousands of idle ports is passed quickly.
 */
import type { Inbox, Inputs, Windows } from '@weir/engine'
import { LINK } from './kinds.ts'
import type { Packets } from './packets.ts'
import type { Ports } from './ports.ts'
import { ARRIVES, AWAITED, PACKET, RING, TAIL, TAKEN, entryOf } from './wires.ts'
import type { Wires } from './wires.ts'

/** Wires of a block: 2 to this power. */
const BLOCK_BITS = 3
const BLOCK = 1 << BLOCK_BITS

export class Arrivals implements Inputs {
  readonly kind: number = LINK
  readonly #windows: Windows
  readonly #wires: Wires
  readonly #packets: Packets
  readonly #toCell: Int32Array
  /** By port; -1: it has events. */
  readonly #slotOf: Int32Array
  readonly #portOf: Int32Array
  /** By cell, and one more: its first block. */
  readonly #blocks: Int32Array
  /** By slot and by block; Infinity: nothing is under way. */
  readonly #duePs: Float64Array
  readonly #blockPs: Float64Array
  /** What packets said; nobody reads it, but a compiler would leave out what nobody keeps. */
  readonly #seen: Int32Array = new Int32Array(1)

  constructor(
    windows: Windows,
    wires: Wires,
    packets: Packets,
    toCell: Int32Array,
    isTaken: (port: number) => boolean,
  ) {
    this.#windows = windows
    this.#wires = wires
    this.#packets = packets
    this.#toCell = toCell
    const inputs = new Int32Array(windows.cells)
    toCell.forEach((cell, port) => isTaken(port) && inputs[cell]++)
    this.#blocks = new Int32Array(windows.cells + 1)
    inputs.forEach((count, cell) => {
      this.#blocks[cell + 1] = this.#blocks[cell] + Math.ceil(count / BLOCK)
    })
    const blocks = this.#blocks[windows.cells]
    const used = this.#blocks.map((block) => block * BLOCK)
    this.#portOf = new Int32Array(blocks * BLOCK)
    this.#slotOf = toCell.map((cell, port) => {
      if (!isTaken(port)) return -1
      const slot = used[cell]++
      this.#portOf[slot] = port
      return slot
    })
    this.#duePs = new Float64Array(blocks * BLOCK).fill(Infinity)
    this.#blockPs = new Float64Array(blocks).fill(Infinity)
    windows.takeFrom(this)
  }

  /** Are packets taken off this port's wire window by window? */
  takes(port: number): boolean {
    return this.#slotOf[port] >= 0
  }

  /** A wire that is taken from was empty: when its first packet is there. */
  expect(port: number, arrivePs: number): void {
    const slot = this.#slotOf[port]
    this.#duePs[slot] = arrivePs
    const block = slot >> BLOCK_BITS
    if (arrivePs < this.#blockPs[block]) this.#blockPs[block] = arrivePs
    this.#windows.expect(this.#toCell[port], arrivePs)
  }

  /** What was expected has been taken back. */
  expectNone(port: number): void {
    this.#duePs[this.#slotOf[port]] = Infinity
    this.#windows.expectNone()
  }

  take(cell: number, endPs: number, inbox: Inbox): number {
    const last = this.#blocks[cell + 1]
    let laterPs = Infinity
    for (let block = this.#blocks[cell]; block < last; block++) {
      const firstPs = this.#blockPs[block]
      const nextPs = firstPs < endPs ? this.#takeBlock(block, endPs, inbox) : firstPs
      if (nextPs < laterPs) laterPs = nextPs
    }
    this.#askForPackets(inbox)
    return laterPs
  }

  /** Asks for the records of all that was taken: memory brings many of them at a time. */
  #askForPackets(inbox: Inbox): void {
    const { int } = this.#packets
    let seen = 0
    for (let i = 0; i < inbox.count; i++) seen ^= int[inbox.item(i)]
    this.#seen[0] = seen
  }

  #takeBlock(block: number, endPs: number, inbox: Inbox): number {
    const duePs = this.#duePs
    const end = (block + 1) << BLOCK_BITS
    let laterPs = Infinity
    for (let slot = block << BLOCK_BITS; slot < end; slot++) {
      let nextPs = duePs[slot]
      if (nextPs < endPs) {
        nextPs = this.#takeWire(this.#portOf[slot], nextPs, endPs, inbox)
        duePs[slot] = nextPs
      }
      if (nextPs < laterPs) laterPs = nextPs
    }
    this.#blockPs[block] = laterPs
    return laterPs
  }

  /** Takes packets off a wire; returns when the first that stays is there. */
  #takeWire(port: number, firstPs: number, endPs: number, inbox: Inbox): number {
    const { ends, float, int } = this.#wires
    const e = port << 2
    const ring = ends[e + RING]
    const tail = ends[e + TAIL]
    let n = ends[e + TAKEN]
    let arrivePs = firstPs
    do {
      inbox.add(arrivePs, port, int[(entryOf(ring, n) << 3) + PACKET])
      n = (n + 1) | 0
      if (n === tail) {
        ends[e + AWAITED] = 0
        this.#windows.expectNone()
        arrivePs = Infinity
      } else arrivePs = float[(entryOf(ring, n) << 2) + ARRIVES]
    } while (arrivePs < endPs)
    ends[e + TAKEN] = n
    return arrivePs
  }
}

/** Which wires are taken from: those between cells on which a window has time for full packets. */
export function severalPerWindow(
  { delayPs, psPerByte }: Ports,
  fromCell: Int32Array,
  toCell: Int32Array,
  packetBytes: number,
): (port: number) => boolean {
  let windowPs = Infinity
  toCell.forEach((cell, port) => {
    if (cell !== fromCell[port]) windowPs = Math.min(windowPs, delayPs[port])
  })
  return (port) => toCell[port] !== fromCell[port] && packetBytes * psPerByte[port] < windowPs
}
