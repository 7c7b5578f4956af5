/**
 * ECN marking at one output: none, a threshold, or RED on the instantaneous queue.
 *
 * S. Floyd and V. Jacobson, "Random Early Detection", 1993; RFC 3168. DCTCP's threshold K is the
 * case kmin = kmax (M. Alizadeh et al., SIGCOMM 2010, section 3.1); DCQCN's CP is the general one
 * (Y. Zhu et al., SIGCOMM 2015, Fig. 5; both numbers not verified). The queue is the instantaneous
 * one, in bytes, the packet in service included, the arriving packet not.
 */
import type { Random } from '@weir/engine'
import type { Marking } from '../contract/control.ts'
import { CAPABLE, FLAGS, MARKED } from '../packets.ts'
import type { Packets } from '../packets.ts'
import type { Ports } from '../ports.ts'

export class Marker {
  readonly #packets: Packets
  readonly #ports: Ports
  readonly #kmin: number
  readonly #kmax: number
  readonly #slope: number
  readonly #random: Random

  constructor(packets: Packets, ports: Ports, marking: Marking, random: Random) {
    this.#packets = packets
    this.#ports = ports
    this.#kmin = marking.kminBytes
    this.#kmax = marking.kmaxBytes
    this.#slope = marking.pmax / Math.max(1, marking.kmaxBytes - marking.kminBytes)
    this.#random = random
  }

  /** Marks `p`, or not, for a queue of this many bytes. */
  consider(port: number, p: number, queueBytes: number): void {
    if (queueBytes <= this.#kmin) return
    if (!(this.#packets.int[p + FLAGS] & CAPABLE)) return
    if (queueBytes <= this.#kmax) {
      if (this.#random.uniform() >= (queueBytes - this.#kmin) * this.#slope) return
    }
    this.#packets.int[p + FLAGS] |= MARKED
    this.#ports.marks[port]++
  }
}
