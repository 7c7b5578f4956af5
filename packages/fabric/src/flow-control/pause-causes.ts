/**
 * Who paused whom, and for which queue: when an ingress sends XOFF, the output of its switch whose
 * queue of that class is deepest is held to be the cause, until XON. Followed from port to port it
 * leads to where congestion began. Costs a look at the switch's ports for each XOFF, and nothing
 * for packets.
 */
import type { Account } from '@weir/engine'
import type { Fabric } from '../fabric.ts'
import { CLASSES } from '../ports.ts'

export interface PauseCause {
  /** The output for which the sender had to wait; -1: the far end is a host, which took no more. */
  readonly port: number
  readonly ps: number
}

export class PauseCauses {
  readonly #ports: number
  /** By link and class: where the time of its pause is kept, while it is off; else -1. */
  #cell: Int32Array = new Int32Array(0)
  /**
   * Time by link and output of its switch, all classes together; from `#base` of the link on. For
   * each pause that has not ended it is less by the time at which that began.
   */
  #ps: Float64Array = new Float64Array(0)
  #base: Int32Array = new Int32Array(0)
  #outputs: readonly Int32Array[] = []

  constructor(ports: number) {
    this.#ports = ports
  }

  /** XOFF or XON is decided for what comes by `link`. */
  note(fabric: Fabric, link: number, trafficClass: number, isOff: boolean, nowPs: number): void {
    if (this.#ps.length === 0) this.#begin(fabric)
    const i = link * CLASSES + trafficClass
    const cell = this.#cell[i]
    if (cell >= 0) this.#ps[cell] += nowPs
    this.#cell[i] = -1
    if (!isOff) return
    this.#cell[i] = this.#base[link] + deepestOutput(fabric, link, trafficClass)
    this.#ps[this.#cell[i]] -= nowPs
  }

  /** At the first pause: a fabric that never pauses keeps nothing. */
  #begin({ ports, portsOf }: Fabric): void {
    let cells = 0
    this.#base = new Int32Array(this.#ports)
    for (let link = 0; link < this.#ports; link++) {
      this.#base[link] = cells
      cells += ports.toHost[link] === 1 ? 1 : portsOf[ports.to[link]].length
    }
    this.#ps = new Float64Array(cells)
    this.#cell = new Int32Array(this.#ports * CLASSES).fill(-1)
    this.#outputs = Array.from({ length: this.#ports }, (_, link) =>
      ports.toHost[link] === 1 ? A_HOST : portsOf[ports.to[link]],
    )
  }

  /** Times up to now, for the thread that puts them together. */
  account(fabric: Fabric, nowPs: number): Account {
    return {
      read: () => this.#upTo(nowPs),
      add: (words) => {
        if (words.length === 0) return
        if (this.#ps.length === 0) this.#begin(fabric)
        words.forEach((ps, i) => (this.#ps[i] += ps))
      },
    }
  }

  #upTo(nowPs: number): Float64Array {
    const ps = this.#ps.slice()
    for (const cell of this.#cell) if (cell >= 0) ps[cell] += nowPs
    return ps
  }

  /** By port: why it was told to wait, up to now, the longest first. */
  byPort(nowPs: number): PauseCause[][] {
    const ps = this.#upTo(nowPs)
    return Array.from({ length: this.#ports }, (_, link) => {
      const outputs = this.#outputs[link] ?? []
      return Array.from(outputs, (port, k) => ({ port, ps: ps[this.#base[link] + k] }))
        .filter((cause) => cause.ps > 0)
        .sort((a, b) => b.ps - a.ps || a.port - b.port)
    })
  }
}

const A_HOST = Int32Array.of(-1)

/** Its number among the ports of the switch; of a host, 0. */
function deepestOutput({ ports, portsOf }: Fabric, link: number, trafficClass: number): number {
  if (ports.toHost[link] === 1) return 0
  const list = portsOf[ports.to[link]]
  let deepest = 0
  let most = -1
  for (let k = 0; k < list.length; k++) {
    const bytes = ports.queuedBytes(list[k], trafficClass)
    if (bytes <= most) continue
    most = bytes
    deepest = k
  }
  return deepest
}
