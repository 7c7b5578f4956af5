/**
 * Handles of events that may be cancelled: when each is due, and whether it still is. A handle is
 * given back when its event comes to the front, cancelled or not, and is handed out again. No
 * allocation but growth.
 */
const FIRST_CAPACITY = 1024

export class Handles {
  #duePs: Float64Array<ArrayBuffer> = new Float64Array(FIRST_CAPACITY)
  #isDead: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_CAPACITY)
  /** Free handles are chained. */
  #nextFree: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY)
  #free: number = -1
  #used: number = 0

  take(duePs: number): number {
    let handle = this.#free
    if (handle >= 0) this.#free = this.#nextFree[handle]
    else {
      handle = this.#used++
      if (handle === this.#duePs.length) this.#grow()
    }
    this.#duePs[handle] = duePs
    this.#isDead[handle] = 0
    return handle
  }

  duePs(handle: number): number {
    return this.#duePs[handle]
  }

  cancel(handle: number): void {
    this.#isDead[handle] = 1
  }

  /** Its event has come to the front: false if it was cancelled. */
  giveBack(handle: number): boolean {
    this.#nextFree[handle] = this.#free
    this.#free = handle
    return this.#isDead[handle] === 0
  }

  #grow(): void {
    const size = this.#duePs.length * 2
    const duePs = new Float64Array(size)
    duePs.set(this.#duePs)
    this.#duePs = duePs
    const isDead = new Uint8Array(size)
    isDead.set(this.#isDead)
    this.#isDead = isDead
    const nextFree = new Int32Array(size)
    nextFree.set(this.#nextFree)
    this.#nextFree = nextFree
  }
}
