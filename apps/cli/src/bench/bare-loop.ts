/**
 * A yardstick: a bare forwarding loop over typed columns with a 4-ary heap and two events per hop,
 * one when a packet has left a port and one when it arrives. It has FIFO ports and nothing else: no
 * classes, buffers, marks, pauses, schemes, flows that end, or results. Measured in the same run it
 * tells how much of a case's speed is the machine's.
 */
import { buildGraph } from '@weir/fabric'
import type { Graph } from '@weir/fabric'
import { routings } from '@weir/routing'

const DATA_BYTES = 1048
const ACK_BYTES = 60
const ARRIVE = 0
const LEAVE = 1

export class BareLoop {
  events: number = 0
  packetHops: number = 0
  readonly #psPerByte: number
  readonly #delayPs: number
  /** Paths there and back, by host. */
  readonly #there: Int32Array[]
  readonly #back: Int32Array[]
  // Packets: which host's, which way, how far.
  readonly #host: Int32Array = new Int32Array(1 << 20)
  readonly #isAck: Uint8Array = new Uint8Array(1 << 20)
  readonly #hop: Uint8Array = new Uint8Array(1 << 20)
  readonly #next: Int32Array = new Int32Array(1 << 20)
  #free: number = -1
  #used: number = 0
  // Ports: a FIFO each, whose head is in service.
  readonly #head: Int32Array
  readonly #tail: Int32Array
  // The heap: (time, sequence), and what happens to which port or packet.
  readonly #time: Float64Array = new Float64Array(1 << 20)
  readonly #order: Float64Array = new Float64Array(1 << 20)
  readonly #what: Int32Array = new Int32Array(1 << 20)
  #count: number = 0
  #sequence: number = 0

  constructor(k: number, rateBps: number, delayPs: number) {
    const graph: Graph = buildGraph({ kind: 'fat-tree', k, rateBps, delayPs })
    const routing = routings.ecmp.create(graph, { hashSeed: 1 })
    const hosts = graph.nodes.filter((node) => node.kind === 'host').length
    this.#psPerByte = 8e12 / rateBps
    this.#delayPs = delayPs
    const paths = Array.from({ length: hosts }, (_, host) =>
      routing.path(host, (host + hosts / 2) % hosts, host),
    )
    this.#there = paths.map((path) => Int32Array.from(path))
    this.#back = paths.map((path) => Int32Array.from(path.map((port) => port ^ 1).reverse()))
    this.#head = new Int32Array(graph.links.length * 2).fill(-1)
    this.#tail = new Int32Array(graph.links.length * 2).fill(-1)
    for (let host = 0; host < hosts; host++) this.#send(host, 0)
  }

  step(untilPs: number): void {
    while (this.#count > 0 && this.#time[0]! <= untilPs) {
      const nowPs = this.#time[0]!
      const what = this.#what[0]!
      this.#pop()
      this.events++
      if ((what & 1) === LEAVE) this.#leave(what >> 1, nowPs)
      else this.#arrive(what >> 1, nowPs)
    }
  }

  #send(host: number, nowPs: number): void {
    let packet = this.#free
    if (packet >= 0) this.#free = this.#next[packet]!
    else packet = this.#used++
    this.#host[packet] = host
    this.#isAck[packet] = 0
    this.#hop[packet] = 0
    this.#join(this.#there[host]![0]!, packet, nowPs)
  }

  #join(port: number, packet: number, nowPs: number): void {
    this.#next[packet] = -1
    if (this.#head[port]! < 0) {
      this.#head[port] = packet
      this.#tail[port] = packet
      this.#serve(port, packet, nowPs)
      return
    }
    this.#next[this.#tail[port]!] = packet
    this.#tail[port] = packet
  }

  #serve(port: number, packet: number, nowPs: number): void {
    const bytes = this.#isAck[packet] === 1 ? ACK_BYTES : DATA_BYTES
    this.#push(nowPs + Math.round(bytes * this.#psPerByte), (port << 1) | LEAVE)
  }

  #leave(port: number, nowPs: number): void {
    const packet = this.#head[port]!
    const next = this.#next[packet]!
    this.#head[port] = next
    if (next >= 0) this.#serve(port, next, nowPs)
    this.#push(nowPs + this.#delayPs, (packet << 1) | ARRIVE)
    // A host sends its next packet when the last has left.
    if (this.#hop[packet] === 0 && this.#isAck[packet] === 0) this.#send(this.#host[packet]!, nowPs)
  }

  #arrive(packet: number, nowPs: number): void {
    this.packetHops++
    const host = this.#host[packet]!
    const isAck = this.#isAck[packet] === 1
    const path = isAck ? this.#back[host]! : this.#there[host]!
    const hop = (this.#hop[packet] = this.#hop[packet]! + 1)
    if (hop < path.length) {
      this.#join(path[hop]!, packet, nowPs)
      return
    }
    if (!isAck) {
      this.#isAck[packet] = 1
      this.#hop[packet] = 0
      this.#join(this.#back[host]![0]!, packet, nowPs)
      return
    }
    this.#next[packet] = this.#free
    this.#free = packet
  }

  #push(timePs: number, what: number): void {
    const time = this.#time
    const order = this.#order
    let i = this.#count++
    const sequence = this.#sequence++
    while (i > 0) {
      const above = (i - 1) >> 2
      if (time[above]! < timePs || (time[above] === timePs && order[above]! < sequence)) break
      time[i] = time[above]!
      order[i] = order[above]!
      this.#what[i] = this.#what[above]!
      i = above
    }
    time[i] = timePs
    order[i] = sequence
    this.#what[i] = what
  }

  #pop(): void {
    const time = this.#time
    const order = this.#order
    const count = --this.#count
    const timePs = time[count]!
    const sequence = order[count]!
    const what = this.#what[count]!
    let i = 0
    for (;;) {
      const first = 4 * i + 1
      if (first >= count) break
      let least = first
      const end = first + 4 < count ? first + 4 : count
      for (let c = first + 1; c < end; c++) {
        if (time[c]! < time[least]! || (time[c] === time[least] && order[c]! < order[least]!)) {
          least = c
        }
      }
      if (timePs < time[least]! || (timePs === time[least] && sequence < order[least]!)) break
      time[i] = time[least]!
      order[i] = order[least]!
      this.#what[i] = this.#what[least]!
      i = least
    }
    time[i] = timePs
    order[i] = sequence
    this.#what[i] = what
  }
}
