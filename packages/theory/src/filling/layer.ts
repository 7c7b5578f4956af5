/** What the layers of all kinds are: the flows of one priority on links, and what these leave. */
import { ChangedLinks } from './changed-links.ts'
import { FlowColumns } from './flow-columns.ts'
import type { FillingFlow } from './filling-flow.ts'
import { Incidence } from './incidence.ts'
import { CAPACITY, LOAD, RECORD } from './link-record.ts'

export abstract class Layer {
  readonly changed: ChangedLinks
  /** Flows that the last `settle` or `refill` gave a level, each as often as it did. */
  filled = 0
  /** Links of these flows, and flows of links, that it looked at, where that is counted. */
  touched = 0
  count = 0
  protected readonly links: number
  protected readonly records: Float64Array
  protected readonly columns: FlowColumns = new FlowColumns()
  protected readonly incidence: Incidence
  /** Links of all flows, counted as often as they have flows. */
  protected entries = 0

  constructor(capacities: ArrayLike<number>) {
    this.links = capacities.length
    this.records = new Float64Array(RECORD * this.links)
    for (let link = 0; link < this.links; link++) {
      this.records[RECORD * link + CAPACITY] = capacities[link]!
    }
    this.incidence = new Incidence(this.links)
    this.changed = new ChangedLinks(this.links)
  }

  /** Brings all to rest after the events since the last time. */
  abstract settle(): void

  /** Fills all flows from nothing. */
  abstract refill(): void

  /** What this layer leaves of a link; what rounding leaves of a full one is nothing. */
  leftover(link: number): number {
    const capacity = this.records[RECORD * link + CAPACITY]!
    const left = capacity - this.records[RECORD * link + LOAD]!
    return left > capacity * 1e-12 ? left : 0
  }

  rate(slot: number): number {
    return this.columns.rates[slot]!
  }

  bottleneck(slot: number): number {
    return this.columns.bottlenecks[slot]!
  }

  /** Takes a flow in, without a rate until the next `settle`. */
  add(flow: FillingFlow): number {
    const slot = this.columns.add(flow)
    const { links, fractions, weight = 1 } = flow
    this.columns.runs[slot] = this.incidence.add(slot, links, fractions, weight)
    this.entries += links.length
    this.count++
    this.onCome(slot)
    return slot
  }

  remove(slot: number): void {
    const { links } = this.columns.flows[slot]!
    this.onGo(slot)
    this.entries -= links.length
    this.count--
    this.columns.remove(slot)
  }

  setCapacity(link: number, capacity: number): void {
    if (this.records[RECORD * link + CAPACITY] === capacity) return
    this.records[RECORD * link + CAPACITY] = capacity
    this.onCapacity(link)
  }

  /** A flow is on its links, and has no rate yet. */
  protected abstract onCome(slot: number): void

  /** A flow goes: its links and their entries are to be without it. */
  protected abstract onGo(slot: number): void

  /** The capacity of a link is another one. */
  protected abstract onCapacity(link: number): void
}
