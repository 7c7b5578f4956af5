/**
 * Who paused whom, and for which queue: when an ingress sends XOFF, the output of its switch whose
 * queue of that class is deepest is held to be the cause, until XON. Followed from port to port it
 * leads to where congestion began. Costs a look at the switch's ports for each XOFF, and nothing
 * for packets.
 */
import type { Fabric } from '../fabric.ts'
import { CLASSES, QUEUED } from '../ports.ts'

export interface PauseCause {
  /** The output for which the sender had to wait; -1: the far end is a host, which took no more. */
  readonly port: number
  readonly ps: number
}

export class PauseCauses {
  readonly #ports: number
  /** By link and class: since when it is off (Infinity: it is not), and because of which output. */
  readonly #sincePs: Float64Array
  readonly #cause: Int32Array
  /** Time by link and cause, all classes together. */
  readonly #ps: Map<number, number> = new Map()

  constructor(ports: number) {
    this.#ports = ports
    this.#sincePs = new Float64Array(ports * CLASSES).fill(Infinity)
    this.#cause = new Int32Array(ports * CLASSES)
  }

  /** XOFF or XON is decided for what comes by `link`. */
  note(fabric: Fabric, link: number, trafficClass: number, isOff: boolean, nowPs: number): void {
    const i = link * CLASSES + trafficClass
    if (!isOff) {
      const key = this.#keyOf(link, this.#cause[i])
      this.#ps.set(key, (this.#ps.get(key) ?? 0) + Math.max(0, nowPs - this.#sincePs[i]))
      this.#sincePs[i] = Infinity
      return
    }
    this.#sincePs[i] = nowPs
    this.#cause[i] = deepestOutput(fabric, link, trafficClass)
  }

  /** By port: why it was told to wait, up to now, the longest first. */
  byPort(nowPs: number): PauseCause[][] {
    const totals = Array.from({ length: this.#ports }, () => new Map<number, number>())
    const add = (link: number, cause: number, ps: number): void => {
      if (ps > 0) totals[link].set(cause, (totals[link].get(cause) ?? 0) + ps)
    }
    const width = this.#ports + 1
    for (const [key, ps] of this.#ps) add(Math.floor(key / width), (key % width) - 1, ps)
    this.#sincePs.forEach((sincePs, i) => add(i >> 3, this.#cause[i], nowPs - sincePs))
    return totals.map((own) =>
      [...own].map(([port, ps]) => ({ port, ps })).sort((a, b) => b.ps - a.ps || a.port - b.port),
    )
  }

  #keyOf(link: number, cause: number): number {
    return link * (this.#ports + 1) + cause + 1
  }
}

function deepestOutput({ ports, portsOf }: Fabric, link: number, trafficClass: number): number {
  if (ports.toHost[link] === 1) return -1
  const list = portsOf[ports.to[link]]
  let deepest = list[0]
  for (let k = 1; k < list.length; k++) {
    const bytes = ports.int[(list[k] << 5) + QUEUED + trafficClass]
    if (bytes > ports.int[(deepest << 5) + QUEUED + trafficClass]) deepest = list[k]
  }
  return deepest
}
