/**
 * The path store: port lists of flows in one column, recycled by length. A path is an offset; its
 * first port is the source host's own.
 */
export class Paths {
  ports: Int32Array<ArrayBuffer> = new Int32Array(4096)
  #used: number = 0
  readonly #free: number[][] = []

  add(ports: readonly number[]): number {
    const length = ports.length
    let offset = this.#free[length]?.pop()
    if (offset === undefined) {
      offset = this.#used
      this.#used += length
      while (this.#used > this.ports.length) {
        const larger = new Int32Array(this.ports.length * 2)
        larger.set(this.ports)
        this.ports = larger
      }
    }
    this.ports.set(ports, offset)
    return offset
  }

  release(offset: number, length: number): void {
    const free = (this.#free[length] ??= [])
    free.push(offset)
  }
}
