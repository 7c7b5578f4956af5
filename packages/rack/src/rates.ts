/**
 * The rate computation of one node: what its flows may send, from its own view of all flows of the
 * rack. Every node would work out the same rates from the same view, and asks for those of its own
 * flows, below which water need not rise further.
 */
import { IncrementalFilling } from '@weir/theory/filling'
import type { RackConfig } from './config.ts'
import type { TopologyView } from './topology-view.ts'
import { keyOf } from './flow-words.ts'
import type { KnownFlow, TrafficMatrix } from './traffic-matrix.ts'
import { weightOf } from './wire/announcement.ts'

export class Rates {
  readonly #config: RackConfig
  readonly #matrix: TrafficMatrix
  readonly #view: TopologyView
  #filling: IncrementalFilling
  #version = 0
  readonly #handles = new Map<number, number>()
  /** Flows that are not rho old. */
  readonly #young = new Map<number, KnownFlow>()

  constructor(config: RackConfig, matrix: TrafficMatrix, view: TopologyView) {
    this.#config = config
    this.#matrix = matrix
    this.#view = view
    this.#filling = this.#empty()
  }

  /** Brings all rates up to date. */
  compute(nowPs: number): void {
    if (this.#version !== this.#view.version) this.#beginAnew()
    for (const key of this.#matrix.changed ?? []) this.#take(key)
    this.#matrix.changed?.clear()
    for (const [key, flow] of this.#young) {
      // Others heard of a flow a little later than its own node; all should count it from one time.
      if (nowPs - flow.sincePs < this.#config.rhoPs - this.#config.gapPs) continue
      this.#young.delete(key)
      this.#add(key, flow)
    }
    this.#filling.settle()
  }

  /** Undefined for a flow that is too young to be limited, or that cannot be routed. */
  rateBps(source: number, flow: number): number | undefined {
    const handle = this.#handles.get(keyOf(source, flow))
    return handle === undefined ? undefined : this.#filling.rateBps(handle)
  }

  #take(key: number): void {
    const handle = this.#handles.get(key)
    if (handle !== undefined) this.#filling.remove(handle)
    this.#handles.delete(key)
    this.#young.delete(key)
    const flow = this.#matrix.get(Math.floor(key / 65536), key % 65536)
    if (flow !== undefined) this.#young.set(key, flow)
  }

  #add(key: number, flow: KnownFlow): void {
    const fractions = this.#view.fractions(flow.protocol, flow.source, flow.target)
    if (fractions === undefined) return
    const handle = this.#filling.add({
      ...fractions,
      weight: weightOf(flow.weightCode),
      priority: flow.priority,
      demandBps: flow.demandKbps * 1e3,
    })
    this.#handles.set(key, handle)
  }

  /** After a change of the topology every flow's fractions are other ones. */
  #beginAnew(): void {
    this.#version = this.#view.version
    this.#filling = this.#empty()
    this.#handles.clear()
    this.#young.clear()
    for (const flow of this.#matrix.all()) this.#young.set(keyOf(flow.source, flow.flow), flow)
  }

  #empty(): IncrementalFilling {
    const { wiring, linkRateBps, headroom } = this.#config
    const capacitiesBps = new Float64Array(wiring.count).fill(linkRateBps)
    return new IncrementalFilling(capacitiesBps, headroom, 0, 'asked')
  }
}
