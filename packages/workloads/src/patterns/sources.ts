/**
 * The hosts of a pattern, and the draw of a sender among them in proportion to the rate of its
 * link: so at a given load every host sends at that fraction of its own rate, whatever the others
 * have.
 */
import { WorkloadError } from '../contract.ts'
import type { Random } from '@weir/engine'

export class Sources {
  /** Host indices, in the order selected. */
  readonly hosts: readonly number[]
  /** Sum of the hosts' rates, bit/s. */
  readonly rateBps: number
  /** Rates summed up to and including each host. */
  readonly #cumulative: Float64Array

  constructor(hosts: readonly number[], ratesBps: readonly number[]) {
    if (hosts.length < 2) {
      throw new WorkloadError(
        `A pattern needs two hosts at least and has ${hosts.length}; select more.`,
      )
    }
    this.hosts = hosts
    this.#cumulative = new Float64Array(hosts.length)
    let sum = 0
    ratesBps.forEach((rate, i) => {
      sum += rate
      this.#cumulative[i] = sum
    })
    this.rateBps = sum
  }

  /** A position in `hosts`, drawn in proportion to rate. */
  draw(random: Random): number {
    const point = random.uniform() * this.rateBps
    let low = 0
    let high = this.hosts.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#cumulative[middle]! > point) high = middle
      else low = middle + 1
    }
    return low
  }

  /** A position other than this one, all alike. */
  drawOther(random: Random, position: number): number {
    const drawn = random.below(this.hosts.length - 1)
    return drawn < position ? drawn : drawn + 1
  }
}
