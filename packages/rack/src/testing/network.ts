/**
 * A rack in memory, to drive nodes in tests: links with a rate, a delay and a bounded queue, chance
 * that loses and corrupts, links and nodes that die. Deterministic: one seed, one course.
 */
import { Random } from '@weir/engine'
import { RackNode } from '../node.ts'
import type { RackConfig } from '../config.ts'
import { TYPE_DATA, typeOf } from '../wire/packet.ts'

export interface Faults {
  /** Of control packets, on each link. */
  readonly loss: number
  readonly corruption: number
  /** Bytes that may wait for a link; what does not fit is dropped, and its node told. */
  readonly queueBytesMax: number
}

const DELAY_PS = 100e3
/** From the death of a link until its ends notice. */
const DETECTION_PS = 20e6

interface Event {
  readonly atPs: number
  readonly order: number
  readonly run: () => void
}

export class TestNetwork {
  readonly nodes: RackNode[]
  /** Payload bytes that have come, by source, flow and target. */
  readonly delivered: Map<string, number> = new Map()
  nowPs = 0
  faults: Faults
  readonly #config: RackConfig
  readonly #random: Random
  readonly #events: Event[] = []
  #order = 0
  #revived = 0
  readonly #freePs: Float64Array
  readonly #isDead: Uint8Array
  readonly #isLinkDown: Uint8Array
  readonly #wakePs: Float64Array

  constructor(config: RackConfig, faults: Partial<Faults> = {}, seed = 1) {
    const { wiring } = config
    this.#config = config
    this.faults = { loss: 0, corruption: 0, queueBytesMax: 1e6, ...faults }
    this.#random = new Random(seed, 'rack.test-network')
    this.#freePs = new Float64Array(wiring.count)
    this.#isDead = new Uint8Array(wiring.nodes)
    this.#isLinkDown = new Uint8Array(wiring.count)
    this.#wakePs = new Float64Array(wiring.nodes).fill(Infinity)
    this.nodes = Array.from({ length: wiring.nodes }, (_, id) => this.#made(id, seed))
    for (const node of this.nodes) this.#rearm(node)
  }

  #made(id: number, seed: number): RackNode {
    const start = this.#config.wiring.starts[id]!
    const host = {
      send: (port: number, bytes: Uint8Array) => this.#send(start + port, bytes),
      deliver: (source: number, flow: number, payload: Uint8Array) => {
        const key = `${source}/${flow}>${id}`
        this.delivered.set(key, (this.delivered.get(key) ?? 0) + payload.length)
      },
    }
    return new RackNode(id, this.#config, host, seed)
  }

  /** Lets a node do something now. */
  act<T>(id: number, action: (node: RackNode, nowPs: number) => T): T {
    const node = this.nodes[id]!
    const result = action(node, this.nowPs)
    this.#rearm(node)
    return result
  }

  runUntil(untilPs: number): void {
    while (this.#events.length > 0 && this.#events[0]!.atPs <= untilPs) {
      const event = this.#pop()
      this.nowPs = event.atPs
      event.run()
    }
    this.nowPs = untilPs
  }

  get live(): RackNode[] {
    return this.nodes.filter(({ id }) => this.#isDead[id] === 0)
  }

  /** Whether all live nodes have the same view of all flows. */
  get agrees(): boolean {
    return new Set(this.live.map(({ matrix }) => matrix.toString())).size <= 1
  }

  setLink(from: number, to: number, isUp: boolean): void {
    for (const [a, b] of [[from, to] as const, [to, from] as const]) {
      const channel = this.#config.wiring.between(a, b)
      this.#isLinkDown[channel] = isUp ? 0 : 1
      const port = channel - this.#config.wiring.starts[a]!
      this.#at(this.nowPs + DETECTION_PS, () => {
        if (this.#isDead[a] === 0) this.act(a, (node, now) => node.linkChanged(port, isUp, now))
      })
    }
  }

  kill(id: number): void {
    this.#isDead[id] = 1
    const { starts, to } = this.#config.wiring
    for (let c = starts[id]!; c < starts[id + 1]!; c++) this.setLink(id, to[c]!, false)
  }

  /** A dead node is switched on again: it knows nothing of what was, and finds its links. */
  revive(id: number): void {
    this.#isDead[id] = 0
    this.nodes[id] = this.#made(id, 1000 + ++this.#revived)
    const { starts, to } = this.#config.wiring
    for (let c = starts[id]!; c < starts[id + 1]!; c++) {
      this.setLink(id, to[c]!, this.#isDead[to[c]!] === 0)
    }
    this.#wakePs[id] = Infinity
    this.#rearm(this.nodes[id]!)
  }

  #send(channel: number, bytes: Uint8Array): void {
    const { wiring, linkRateBps } = this.#config
    const waitsPs = Math.max(0, this.#freePs[channel]! - this.nowPs)
    const queuedBytes = (waitsPs * linkRateBps) / 8e12
    if (queuedBytes + bytes.length > this.faults.queueBytesMax) {
      const from = wiring.from[channel]!
      this.#at(this.nowPs + 1, () => this.act(from, (node, now) => node.dropped(bytes, now)))
      return
    }
    this.#freePs[channel] = this.nowPs + waitsPs + (bytes.length * 8e12) / linkRateBps
    const isControl = typeOf(bytes) !== TYPE_DATA
    if (isControl && this.#random.uniform() < this.faults.loss) return
    if (isControl && this.#random.uniform() < this.faults.corruption) {
      const bit = this.#random.below(8 * bytes.length)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
    }
    this.#at(this.#freePs[channel]! + DELAY_PS, () => this.#arrive(channel, bytes))
  }

  #arrive(channel: number, bytes: Uint8Array): void {
    const { from, to, starts } = this.#config.wiring
    const [a, b] = [from[channel]!, to[channel]!]
    if (this.#isLinkDown[channel] === 1 || this.#isDead[b] === 1) return
    const back = this.#config.wiring.between(b, a) - starts[b]!
    this.act(b, (node, now) => node.receive(back, bytes, now))
  }

  #rearm(node: RackNode): void {
    const wakePs = Math.max(this.nowPs + 1, node.nextPs(this.nowPs))
    if (wakePs >= this.#wakePs[node.id]! || wakePs === Infinity) return
    this.#wakePs[node.id] = wakePs
    this.#at(wakePs, () => {
      if (this.#wakePs[node.id] !== wakePs) return
      this.#wakePs[node.id] = Infinity
      if (this.#isDead[node.id] === 0) this.act(node.id, (own, now) => own.tick(now))
    })
  }

  #at(atPs: number, run: () => void): void {
    const events = this.#events
    const event = { atPs, order: this.#order++, run }
    let i = events.push(event) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!isBefore(event, events[parent]!)) break
      events[i] = events[parent]!
      i = parent
    }
    events[i] = event
  }

  #pop(): Event {
    const events = this.#events
    const first = events[0]!
    const last = events.pop()!
    if (events.length === 0) return first
    let i = 0
    for (let child = 1; child < events.length; child = 2 * i + 1) {
      if (child + 1 < events.length && isBefore(events[child + 1]!, events[child]!)) child++
      if (!isBefore(events[child]!, last)) break
      events[i] = events[child]!
      i = child
    }
    events[i] = last
    return first
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.atPs < b.atPs || (a.atPs === b.atPs && a.order < b.order)
}
