/**
 * In-band telemetry: each switch output that a packet leaves by adds a record of its queue, its
 * bytes sent so far, its rate and the time (Y. Li et al., "HPCC", SIGCOMM 2019, section 3.2, not
 * verified). Rows are handed from a data packet to its ACK and freed when the sender has read them.
 */
export const HOPS_MAX = 12
const LANES = 4

export class Telemetry {
  #records: Float64Array<ArrayBuffer> = new Float64Array(256 * HOPS_MAX * LANES)
  #hops: Uint8Array<ArrayBuffer> = new Uint8Array(256)
  #free: number[] = []
  #used: number = 0

  allocate(): number {
    const row = this.#free.pop() ?? this.#used++
    if (row === this.#hops.length) {
      const records = new Float64Array(this.#records.length * 2)
      records.set(this.#records)
      this.#records = records
      const hops = new Uint8Array(row * 2)
      hops.set(this.#hops)
      this.#hops = hops
    }
    this.#hops[row] = 0
    return row
  }

  release(row: number): void {
    this.#free.push(row)
  }

  /** Adds a hop; further ones than HOPS_MAX are left out. */
  stamp(row: number, queueBytes: number, sentBytes: number, rateBps: number, nowPs: number): void {
    const hop = this.#hops[row]
    if (hop === HOPS_MAX) return
    const i = (row * HOPS_MAX + hop) * LANES
    this.#records[i] = queueBytes
    this.#records[i + 1] = sentBytes
    this.#records[i + 2] = rateBps
    this.#records[i + 3] = nowPs
    this.#hops[row] = hop + 1
  }

  hops(row: number): number {
    return this.#hops[row]
  }

  queueBytes(row: number, hop: number): number {
    return this.#records[(row * HOPS_MAX + hop) * LANES]
  }

  sentBytes(row: number, hop: number): number {
    return this.#records[(row * HOPS_MAX + hop) * LANES + 1]
  }

  rateBps(row: number, hop: number): number {
    return this.#records[(row * HOPS_MAX + hop) * LANES + 2]
  }

  timePs(row: number, hop: number): number {
    return this.#records[(row * HOPS_MAX + hop) * LANES + 3]
  }
}
