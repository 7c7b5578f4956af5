/** The close-up columns of a recording (`worker/close-up.ts`), kept by picture. */
import type { CloseColumns } from '../worker/protocol.ts'

export interface Held {
  readonly row: number
  readonly bytes: number
}

interface HeldColumns {
  readonly port: Uint32Array
  readonly row: Uint32Array
  readonly bytes: Float32Array
}

export interface Heard {
  readonly row: number
  readonly count: number
}

export class CloseLog {
  readonly #ports: number
  readonly #control: Uint8Array[] = []
  readonly #dropped: Uint32Array[] = []
  readonly #marked: Uint32Array[] = []
  readonly #heard: (readonly Heard[])[] = []
  readonly #held: HeldColumns[] = []

  constructor(ports: number) {
    this.#ports = ports
  }

  add(columns: CloseColumns, count: number): void {
    const { heldFrom, heldPort, heldRow, heldBytes } = columns
    for (let i = 0; i < count; i++) {
      const [from, to] = [i * this.#ports, (i + 1) * this.#ports]
      this.#control.push(columns.control.subarray(from, to))
      this.#dropped.push(columns.dropped.subarray(from, to))
      this.#marked.push(columns.marked.subarray(from, to))
      const [first, last] = [heldFrom[i]!, heldFrom[i + 1]!]
      this.#held.push({
        port: heldPort.subarray(first, last),
        row: heldRow.subarray(first, last),
        bytes: heldBytes.subarray(first, last),
      })
      const heard: Heard[] = []
      for (let k = columns.heardFrom[i]!; k < columns.heardFrom[i + 1]!; k++) {
        heard.push({ row: columns.heardRow[k]!, count: columns.heardCount[k]! })
      }
      this.#heard.push(heard)
    }
  }

  /**
   * Pairs become one: the mean of shares, the later of counts, and whose bytes wait where the queue
   * is longer, as the recording keeps the longer of two queues.
   */
  halve(): void {
    const half = Math.floor(this.#control.length / 2)
    for (let i = 0; i < half; i++) {
      const [a, b] = [this.#control[2 * i]!, this.#control[2 * i + 1]!]
      this.#control[i] = a.map((share, port) => (share + b[port]! + 1) >> 1)
      this.#dropped[i] = this.#dropped[2 * i + 1]!
      this.#marked[i] = this.#marked[2 * i + 1]!
      this.#held[i] = longerOf(this.#held[2 * i]!, this.#held[2 * i + 1]!, this.#ports)
      this.#heard[i] = [...this.#heard[2 * i]!, ...this.#heard[2 * i + 1]!]
    }
    const all = [this.#control, this.#dropped, this.#marked, this.#held, this.#heard]
    for (const list of all) list.length = half
  }

  /** Share of a link's time that went to what is no payload. */
  controlShare(frame: number, port: number): number {
    return (this.#control[frame]?.[port] ?? 0) / 255
  }

  /** Packets lost for this output up to the end of a picture. */
  droppedBy(frame: number, port: number): number {
    return this.#dropped[frame]?.[port] ?? 0
  }

  markedBy(frame: number, port: number): number {
    return this.#marked[frame]?.[port] ?? 0
  }

  /** Control packets that senders heard in a picture. */
  heardAt(frame: number): readonly Heard[] {
    return this.#heard[frame] ?? []
  }

  /** Whose bytes wait for each output, by port. */
  heldAt(frame: number): Map<number, Held[]> {
    const byPort = new Map<number, Held[]>()
    const held = this.#held[frame]
    held?.port.forEach((port, k) => {
      const one = { row: held.row[k]!, bytes: held.bytes[k]! }
      const list = byPort.get(port)
      if (list === undefined) byPort.set(port, [one])
      else list.push(one)
    })
    for (const list of byPort.values()) list.sort((a, b) => a.row - b.row)
    return byPort
  }
}

/** By port, that of the longer queue. */
function longerOf(a: HeldColumns, b: HeldColumns, ports: number): HeldColumns {
  const more = new Float64Array(ports)
  a.port.forEach((port, k) => (more[port]! += a.bytes[k]!))
  b.port.forEach((port, k) => (more[port]! -= b.bytes[k]!))
  const kept = [
    ...Array.from(a.port, (port, k) => ({ of: a, port, k })).filter(({ port }) => more[port]! > 0),
    ...Array.from(b.port, (port, k) => ({ of: b, port, k })).filter(({ port }) => more[port]! <= 0),
  ]
  return {
    port: Uint32Array.from(kept, ({ port }) => port),
    row: Uint32Array.from(kept, ({ of, k }) => of.row[k]!),
    bytes: Float32Array.from(kept, ({ of, k }) => of.bytes[k]!),
  }
}
