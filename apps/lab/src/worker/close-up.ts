/**
 * What pictures of a small network hold besides: whose bytes wait in each queue, what of a link's
 * time went to control packets, packets marked and lost by port, and what senders were told. Only
 * reads, after the recorder has settled the ports.
 */
import type { Run } from '@weir/sim'
import { SharedMemory } from '@weir/fabric'
import type { CloseColumns } from './protocol.ts'

/** Above so many ports a picture shows load, not ribbons. */
export const CLOSE_PORTS = 240

export class CloseUp {
  readonly #run: Run
  readonly #ports: number
  readonly #departed: Float64Array
  #control: number[] = []
  #dropped: number[] = []
  #marked: number[] = []
  #heldFrom: number[] = [0]
  #heldPort: number[] = []
  #heldRow: number[] = []
  #heldBytes: number[] = []
  #heardFrom: number[] = [0]
  #heardRow: number[] = []
  #heardCount: number[] = []
  /** By row, up to the last picture. */
  readonly #heard: Map<number, number> = new Map()
  /** Bytes by port x 2^24 + row, of the picture that is being taken. */
  readonly #held: Map<number, number> = new Map()

  constructor(run: Run) {
    this.#run = run
    this.#ports = run.network.fabric.ports.count
    this.#departed = new Float64Array(this.#ports)
  }

  take(nowPs: number, spanPs: number): void {
    const { fabric, observer, switches } = this.#run.network
    const { ports } = fabric
    for (let port = 0; port < this.#ports; port++) {
      const departed = observer.departedControlBytes(port, nowPs)
      const share = ((departed - this.#departed[port]!) * 8e12) / (ports.rateBps[port]! * spanPs)
      this.#departed[port] = departed
      this.#control.push(Math.max(0, Math.min(255, Math.round(share * 255))))
      this.#dropped.push(ports.drops[port]!)
      this.#marked.push(ports.marks[port]!)
      observer.eachHeld(port, nowPs, (p) => this.#count(port, p))
    }
    if (!(switches instanceof SharedMemory)) {
      switches.eachQueued((p, out) => this.#count(out, p))
    }
    for (const [key, bytes] of this.#held) {
      this.#heldPort.push(Math.floor(key / ROWS))
      this.#heldRow.push(key % ROWS)
      this.#heldBytes.push(bytes)
    }
    this.#held.clear()
    this.#heldFrom.push(this.#heldPort.length)
    this.#takeHeard()
  }

  /** What senders heard since the last picture. */
  #takeHeard(): void {
    for (const flow of this.#run.network.hosts.flows) {
      if (flow === undefined || flow.row < 0) continue
      const before = this.#heard.get(flow.row) ?? 0
      if (flow.notifications <= before) continue
      this.#heard.set(flow.row, flow.notifications)
      this.#heardRow.push(flow.row)
      this.#heardCount.push(flow.notifications - before)
    }
    this.#heardFrom.push(this.#heardRow.length)
  }

  #count(port: number, p: number): void {
    const { hosts, observer } = this.#run.network
    const flow = observer.flowOf(p)
    const row = flow < 0 ? undefined : hosts.flows[flow]?.row
    if (row === undefined) return
    const key = port * ROWS + row
    this.#held.set(key, (this.#held.get(key) ?? 0) + observer.bytesOf(p))
  }

  hand(): CloseColumns {
    const columns: CloseColumns = {
      control: Uint8Array.from(this.#control),
      dropped: Uint32Array.from(this.#dropped),
      marked: Uint32Array.from(this.#marked),
      heldFrom: Uint32Array.from(this.#heldFrom),
      heldPort: Uint32Array.from(this.#heldPort),
      heldRow: Uint32Array.from(this.#heldRow),
      heldBytes: Float32Array.from(this.#heldBytes),
      heardFrom: Uint32Array.from(this.#heardFrom),
      heardRow: Uint32Array.from(this.#heardRow),
      heardCount: Uint32Array.from(this.#heardCount),
    }
    this.#control = []
    this.#dropped = []
    this.#marked = []
    this.#heldFrom = [0]
    this.#heldPort = []
    this.#heldRow = []
    this.#heldBytes = []
    this.#heardFrom = [0]
    this.#heardRow = []
    this.#heardCount = []
    return columns
  }
}

const ROWS = 2 ** 24
