/**
 * Turns between the lanes of an input, where packets change their class on the way: several lanes
 * of one input may then want the same class of an output, which takes them in turn, as it does its
 * inputs. Where no class changes an input has one lane for each class of an output, and this is not
 * there.
 */
import type { Fabric } from '../fabric.ts'

export class LaneTurns {
  /** The lane taken last, from `#base` of the output on: one for each input of its node. */
  readonly #last: Uint8Array
  readonly #base: Int32Array

  constructor({ ports, portsOf }: Fabric) {
    this.#base = new Int32Array(ports.count + 1)
    for (let port = 0; port < ports.count; port++) {
      this.#base[port + 1] = this.#base[port] + portsOf[ports.from[port]].length
    }
    this.#last = new Uint8Array(this.#base[ports.count])
  }

  /** The lane of an input, by its number among the node's, that an output has taken last. */
  last(port: number, input: number): number {
    return this.#last[this.#base[port] + input]
  }

  took(port: number, input: number, lane: number): void {
    this.#last[this.#base[port] + input] = lane
  }

  /** Of all inputs. */
  ofPort(port: number): Uint8Array {
    return this.#last.slice(this.#base[port], this.#base[port + 1])
  }
}
