/**
 * The path store: port lists in one column. A path is the offset of its first port, which is the
 * source host's own; behind it in the store are its length and the same way back. Paths are shared
 * by all flows that go that way, and stay: packets carry them, and nobody counts those.
 */

/** What precedes a path's ports. */
const HEADER = 2

export class Paths {
  ports: Int32Array<ArrayBuffer> = new Int32Array(4096)
  #used: number = 0
  readonly #known: Map<string, number> = new Map()

  /** The path of these ports; of equal lists, the same one. */
  add(ports: readonly number[]): number {
    const known = this.#known.get(ports.join())
    if (known !== undefined) return known
    const path = this.#store(ports)
    const back = reversed(ports)
    // A list may be its own way back: out and in again by the same ports.
    const reverse = this.#known.get(back.join()) ?? this.#store(back)
    this.ports[path - 1] = reverse
    this.ports[reverse - 1] = path
    return path
  }

  lengthOf(path: number): number {
    return this.ports[path - 2]
  }

  /** The way back; of -1, hop by hop, that again. */
  reverseOf(path: number): number {
    return path < 0 ? -1 : this.ports[path - 1]
  }

  #store(ports: readonly number[]): number {
    const path = this.#used + HEADER
    this.#used = path + ports.length
    while (this.#used > this.ports.length) {
      const larger = new Int32Array(this.ports.length * 2)
      larger.set(this.ports)
      this.ports = larger
    }
    this.ports[path - 2] = ports.length
    this.ports.set(ports, path)
    this.#known.set(ports.join(), path)
    return path
  }
}

/** The ports by which a packet that came by these goes back. */
export function reversed(ports: readonly number[]): number[] {
  return ports.map((port) => port ^ 1).reverse()
}
