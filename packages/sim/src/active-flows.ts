/**
 * The flows that are under way, as a run sees them from outside. Flows begin and end at their
 * hosts, which note it, and the run takes that over between windows, in order of time: `fold`.
 */
import type { Flow, Hosts } from '@weir/fabric'
import type { FlowRow, FlowRows } from './flow-rows.ts'
import type { Sampler } from './sampler.ts'

interface Beginning {
  readonly flow: Flow
  readonly row: FlowRow
  readonly path: readonly number[]
  /** It is told to stop, at some time. */
  readonly stops: boolean
  readonly beginPs: number
}

export class ActiveFlows {
  /** With a size or a stop; and without any end. */
  ending: number = 0
  endless: number = 0
  /** Payload bytes of all flows so far that have a size. */
  arrivedBytes: number = 0
  /** Times at which the set of flows without a size changed. */
  readonly endlessChangesPs: number[] = []
  /** Names and paths of flows without a size, for max-min: active ones only. */
  readonly endlessPaths: Map<Flow, { readonly name: string; readonly path: readonly number[] }> =
    new Map()
  readonly #hosts: Hosts
  readonly #rows: FlowRows
  readonly #sampler: Sampler
  /** Beginnings and ends that have been noted and not taken over. */
  readonly #begins: Beginning[] = []
  readonly #ends: { readonly flow: number; readonly endPs: number }[] = []
  /** Time in which at least one flow was active, up to `#activeSincePs`. */
  #activePs: number = 0
  #activeSincePs: number = 0

  constructor(hosts: Hosts, rows: FlowRows, sampler: Sampler) {
    this.#hosts = hosts
    this.#rows = rows
    this.#sampler = sampler
  }

  get count(): number {
    return this.ending + this.endless
  }

  /** A flow has begun at its host. */
  noteBegin(beginning: Beginning): void {
    this.#begins.push(beginning)
  }

  #begin({ flow, row, path, stops, beginPs: nowPs }: Beginning): void {
    const { name } = row
    flow.row = this.#rows.add(row)
    this.#sampler.onFlowStart(flow, name)
    if (this.count === 0) this.#activeSincePs = nowPs
    const hasSize = flow.sizeBytes < Infinity
    if (hasSize || stops) this.ending++
    else this.endless++
    if (hasSize) {
      this.arrivedBytes += flow.sizeBytes
      return
    }
    this.endlessChangesPs.push(nowPs)
    this.endlessPaths.set(flow, { name, path })
  }

  /** A flow has ended at its host. */
  noteEnd(flow: number, endPs: number): void {
    this.#ends.push({ flow, endPs })
  }

  /**
   * Takes over what has begun and ended, in order of time: at one time what begins first, and then
   * by number. What has begun gets its row.
   */
  fold(): void {
    const begins = this.#begins
    const ends = this.#ends
    if (begins.length === 0 && ends.length === 0) return
    begins.sort((a, b) => a.beginPs - b.beginPs || a.flow.flow - b.flow.flow)
    ends.sort((a, b) => a.endPs - b.endPs || a.flow - b.flow)
    let begun = 0
    for (const { flow: number, endPs } of ends) {
      while (begun < begins.length && (begins[begun] as Beginning).beginPs <= endPs) {
        this.#begin(begins[begun++] as Beginning)
      }
      const flow = this.#hosts.flows[number] as Flow
      this.#rows.endPs[flow.row] = endPs
      this.#rows.update(flow)
      this.#sampler.onFlowEnd(flow, endPs)
      if (this.endlessPaths.delete(flow)) this.endlessChangesPs.push(endPs)
      this.ending--
      if (this.count === 0) this.#activePs += endPs - this.#activeSincePs
    }
    while (begun < begins.length) this.#begin(begins[begun++] as Beginning)
    begins.length = 0
    ends.length = 0
  }

  /** Time in which at least one flow was active, up to now. */
  activePs(nowPs: number): number {
    return this.#activePs + (this.count > 0 ? nowPs - this.#activeSincePs : 0)
  }
}
