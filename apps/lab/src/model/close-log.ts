/** The close-up columns of a recording (`worker/close-up.ts`), kept by picture. */
import type { CloseColumns } from '../worker/protocol.ts'

export interface Held {
  readonly row: number
  readonly bytes: number
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
  readonly #held: { port: Uint32Array; row: Uint32Array; bytes: Float32Array }[] = []

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

  /** Pairs become one: the mean of shares, and the later of what is a state or a count. */
  halve(): void {
    const half = Math.floor(this.#control.length / 2)
    for (let i = 0; i < half; i++) {
      const [a, b] = [this.#control[2 * i]!, this.#control[2 * i + 1]!]
      this.#control[i] = a.map((share, port) => (share + b[port]! + 1) >> 1)
      this.#dropped[i] = this.#dropped[2 * i + 1]!
      this.#marked[i] = this.#marked[2 * i + 1]!
      this.#held[i] = this.#held[2 * i + 1]!
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
