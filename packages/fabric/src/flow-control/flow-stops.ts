/**
 * Which flows a node takes no more of, and which of its neighbours it has told: a flow is off as
 * long as any of its queues here is full. A flow may come by several links (spraying), and each of
 * them is told when a packet of the flow has come by it; all that were told hear when it goes on.
 */
import { PairMap } from '../queues/pair-map.ts'
import type { FlowMessages } from './flow-messages.ts'

/** Lanes of a record: queues that are full, and the first of the links that were told. */
const FULL = 0
const TOLD = 1
const NODE = 2
const KEY = 3
const WORDS = 4
/** Lanes of a link that was told. */
const LINK = 0
const NEXT = 1

export class FlowStops {
  /** By node: flows that are off. */
  readonly offCount: Int32Array
  readonly #messages: Pick<FlowMessages, 'say'>
  readonly #map: PairMap = new PairMap()
  readonly #flows: Pool = new Pool()
  readonly #told: Pool = new Pool()

  constructor(nodes: number, messages: Pick<FlowMessages, 'say'>) {
    this.offCount = new Int32Array(nodes)
    this.#messages = messages
  }

  /** Flows that are off anywhere. */
  get count(): number {
    return this.#map.size
  }

  /** A queue of the flow at this node is full. */
  onFull(node: number, key: number): void {
    const found = this.#map.find(node, key)
    if (found >= 0) {
      this.#flows.int[found + FULL]++
      return
    }
    const flow = this.#flows.take()
    this.#flows.int[flow + FULL] = 1
    this.#flows.int[flow + TOLD] = -1
    this.#flows.int[flow + NODE] = node
    this.#flows.int[flow + KEY] = key
    this.#map.add(node, key, flow)
    this.offCount[node]++
  }

  /** A packet of the flow has come by `link`: its far end is told, if the flow is off. */
  onArrival(node: number, key: number, link: number, nowPs: number): void {
    if (this.offCount[node] === 0) return
    const flow = this.#map.find(node, key)
    if (flow < 0) return
    const first = this.#flows.int[flow + TOLD]
    for (let t = first; t >= 0; t = this.#told.int[t + NEXT]) {
      if (this.#told.int[t + LINK] === link) return
    }
    const t = this.#told.take()
    this.#told.int[t + LINK] = link
    this.#told.int[t + NEXT] = first
    this.#flows.int[flow + TOLD] = t
    this.#messages.say(link, key, true, nowPs)
  }

  /** A queue of the flow is no longer full: whoever was told hears of it, if it was the last. */
  onRoom(node: number, key: number, nowPs: number): void {
    const flow = this.#map.find(node, key)
    if (--this.#flows.int[flow + FULL] > 0) return
    for (let t = this.#flows.int[flow + TOLD]; t >= 0;) {
      const next = this.#told.int[t + NEXT]
      this.#messages.say(this.#told.int[t + LINK], key, false, nowPs)
      this.#told.give(t)
      t = next
    }
    this.#map.remove(node, key)
    this.#flows.give(flow)
    this.offCount[node]--
  }

  /** Calls back for each flow that is off, for those who look from outside. */
  each(visit: (node: number, key: number, fullQueues: number, told: number[]) => void): void {
    this.#map.each((flow) => {
      const { int } = this.#flows
      const told: number[] = []
      for (let t = int[flow + TOLD]; t >= 0; t = this.#told.int[t + NEXT]) {
        told.push(this.#told.int[t + LINK])
      }
      visit(int[flow + NODE], int[flow + KEY], int[flow + FULL], told)
    })
  }
}

/** Records of a few words, and those of them that are free. */
class Pool {
  int: Int32Array = new Int32Array(WORDS * 64)
  #used: number = 0
  #free: number = -1

  take(): number {
    let i = this.#free
    if (i >= 0) {
      this.#free = this.int[i]
      return i
    }
    i = this.#used
    this.#used += WORDS
    if (i === this.int.length) {
      const larger = new Int32Array(this.int.length * 2)
      larger.set(this.int)
      this.int = larger
    }
    return i
  }

  give(i: number): void {
    this.int[i] = this.#free
    this.#free = i
  }
}
