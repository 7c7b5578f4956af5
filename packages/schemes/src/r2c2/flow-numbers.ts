/** The flows of a node by the number that it gave them. */
export class FlowNumbers<Flow> {
  readonly #flows = new Map<number, Flow>()
  #next = 0

  get size(): number {
    return this.#flows.size
  }

  get(number: number): Flow | undefined {
    return this.#flows.get(number)
  }

  values(): IterableIterator<Flow> {
    return this.#flows.values()
  }

  delete(number: number): boolean {
    return this.#flows.delete(number)
  }

  /** Numbers are not used again until all others have been. */
  add(flow: Flow, node: string): number {
    for (let i = 0; i < 65536; i++) {
      const number = (this.#next + i) & 0xffff
      if (this.#flows.has(number)) continue
      this.#next = (number + 1) & 0xffff
      this.#flows.set(number, flow)
      return number
    }
    throw new Error(`${node} has 65,536 flows, and R2C2 has no number for another`)
  }
}
