/**
 * A node of the rack: bytes and the time in, bytes out. It does no I/O and knows no clock: a
 * simulator or an emulator hands it what arrives (`receive`), calls it when it asks to be called
 * (`nextPs`, `tick`), and carries what it sends. P. Costa et al., "R2C2", SIGCOMM 2015, section
 * 3.
 *
 * A flow's sender draws a way for each packet and limits its rate; nodes on the way do no more than
 * take the next hop off the packet's header; the receiver puts packets in order again.
 */
import { Random } from '@weir/engine'
import { newCounters } from './config.ts'
import type { Counters, RackConfig, Send } from './config.ts'
import { ControlBytes } from './control-bytes.ts'
import { nextDuePs } from './control-plane.ts'
import type { ControlPlane } from './control-plane.ts'
import { announcedDemand } from './demand-estimator.ts'
import { OwnFlow } from './own-flow.ts'
import type { FlowOptions } from './own-flow.ts'
import { Rates } from './rates.ts'
import { ReorderBuffer } from './reorder-buffer.ts'
import { selectorAt, selectRoutes } from './route-selector.ts'
import { TokenBucket } from './token-bucket.ts'
import { PROTOCOL_NAMES, RPS } from './protocols.ts'
import { TopologyView } from './topology-view.ts'
import { TrafficMatrix } from './traffic-matrix.ts'
import { keyOf } from './flow-words.ts'
import { PRIORITY_MAX, weightCodeOf } from './wire/announcement.ts'
import {
  decodeRouted,
  encodeRouted,
  HEADER_BYTES,
  hopBitsOf,
  hopsMax,
  nextHop,
} from './wire/data.ts'
import { TYPE_DATA, TYPE_DIGEST, TYPE_FINISH, TYPE_LINKS, typeOf } from './wire/packet.ts'
import { TYPE_ROUTES, TYPE_START } from './wire/packet.ts'

/** What a node tells the world around it. */
export interface NodeHost {
  readonly send: Send
  /** Payload of a flow, in order. */
  deliver(source: number, flow: number, payload: Uint8Array): void
}

export class RackNode {
  readonly id: number
  readonly counters: Counters = newCounters()
  readonly matrix: TrafficMatrix
  readonly view: TopologyView
  readonly #config: RackConfig
  readonly #host: NodeHost
  readonly #random: Random
  readonly #bytes: ControlBytes
  readonly #control: ControlPlane
  readonly #rates: Rates
  readonly #flows = new Map<number, OwnFlow>()
  readonly #reorder = new Map<number, ReorderBuffer>()
  readonly #hopBits: number
  #reorderMax = 0
  #nextFlow: number
  readonly #capacitiesBps: Float64Array
  #computePs: number
  #selectPs: number

  /** `seed`: another one each time that the node is switched on. */
  constructor(id: number, config: RackConfig, host: NodeHost, seed = 1) {
    this.id = id
    this.#config = config
    this.#host = host
    this.#random = new Random(seed, `rack.node${id}`)
    this.#hopBits = hopBitsOf(config.wiring.degree)
    // Receivers may still know packets of the flows of an earlier life.
    this.#nextFlow = new Random(seed, 'rack.flows').below(65536)
    this.matrix = new TrafficMatrix(config.wiring.nodes)
    this.view = new TopologyView(config.wiring, id)
    this.#rates = new Rates(config, this.matrix, this.view)
    const control = {
      send: host.send,
      message: (type: number, target: number, payload: Uint8Array) =>
        this.#sendRouted(type, target, 0, 0, payload, RPS),
      topologyChanged: (nowPs: number) => this.#withdrawUnreachable(nowPs),
    }
    const birth = new Random(seed, `rack.birth${id}`).below(2 ** 15)
    const { counters, matrix, view } = this
    this.#bytes = new ControlBytes(id, config, matrix, view, control, counters, birth)
    this.#control = this.#bytes.control
    this.#capacitiesBps = new Float64Array(config.wiring.count).fill(config.linkRateBps)
    this.#computePs = config.rhoPs
    this.#selectPs = config.selectPs
  }

  /** Returns the number of the flow at this node. It may send at once. */
  openFlow(target: number, nowPs: number, options: FlowOptions = {}): number {
    const { weight = 1, priority = 0, protocol = RPS } = options
    if (target === this.id || !(target >= 0 && target < this.#config.wiring.nodes)) {
      throw new RangeError(`A flow from node ${this.id} to ${target} is none; name another node.`)
    }
    if (!(protocol in PROTOCOL_NAMES && this.view.hasProtocol({ protocol }))) {
      throw new RangeError(`A flow cannot go by protocol ${protocol} in this rack.`)
    }
    if (!(priority >= 0 && priority <= PRIORITY_MAX)) {
      throw new RangeError(`A flow has priority ${priority}; give one of 0 to ${PRIORITY_MAX}.`)
    }
    const number = this.#freeNumber()
    const youngBps = this.#youngBps(protocol, target)
    const bucket = new TokenBucket(youngBps, this.#config.bucketBytes, nowPs)
    const allotment = { priority, weightCode: weightCodeOf(weight), protocol }
    const flow = new OwnFlow(number, target, allotment, bucket, this.#config.mtuBytes)
    this.#flows.set(number, flow)
    this.#control.announceStart(flow, nowPs)
    return number
  }

  write(flow: number, bytes: Uint8Array, nowPs: number): void {
    const own = this.#flows.get(flow)
    if (own === undefined) throw new RangeError(`Node ${this.id} has no flow ${flow}; open one.`)
    own.write(bytes)
    this.#transmit(own, nowPs)
  }

  /** What still waits is thrown away. */
  closeFlow(flow: number, nowPs: number): void {
    const own = this.#flows.get(flow)
    if (own === undefined) return
    this.#flows.delete(flow)
    if (own.withdrawnPs === Infinity) this.#control.announceFinish(own, nowPs)
  }

  /** What a flow may send; undefined if there is none, or no way leads to its target. */
  rateBps(flow: number): number | undefined {
    const own = this.#flows.get(flow)
    return own?.withdrawnPs === Infinity ? own.bucket.rateBps : undefined
  }

  queuedBytes(flow: number): number {
    return this.#flows.get(flow)?.queuedBytes ?? 0
  }

  /** Most packets that ever waited for one that was overtaken, over all flows to this node. */
  get reorderMax(): number {
    for (const { packetsMax } of this.#reorder.values()) {
      this.#reorderMax = Math.max(this.#reorderMax, packetsMax)
    }
    return this.#reorderMax
  }

  /** Flows whose packets this node still puts in order. */
  get reordering(): number {
    return this.#reorder.size
  }

  /** Bytes have come in by the link of this output; they are the node's from here on. */
  receive(port: number, bytes: Uint8Array, nowPs: number): void {
    switch (typeOf(bytes)) {
      case TYPE_START:
      case TYPE_FINISH:
      case TYPE_DIGEST:
      case TYPE_LINKS:
        return this.#bytes.onAnnouncement(bytes, port, nowPs)
      case TYPE_ROUTES:
        for (const { source, flow, protocol } of this.#bytes.onRouteChoices(bytes)) {
          const own = source === this.id ? this.#flows.get(flow) : undefined
          if (own !== undefined) own.protocol = protocol
        }
        return
      default:
        return this.#onRouted(bytes, nowPs)
    }
  }

  /** The driver had no room for these bytes, which this node sent. */
  dropped(bytes: Uint8Array, nowPs: number): void {
    this.#bytes.onDropped(bytes, nowPs)
  }

  linkChanged(port: number, isUp: boolean, nowPs: number): void {
    this.#control.linkChanged(port, isUp, nowPs)
  }

  /** When `tick` is due. */
  nextPs(nowPs: number): number {
    let next = Math.min(this.#computePs, this.#selectPs, this.#control.nextPs())
    for (const flow of this.#flows.values()) {
      next = Math.min(next, flow.withdrawnPs + this.#config.lostPs)
      if (flow.nextBytes === 0 || flow.withdrawnPs < Infinity) continue
      next = Math.min(next, flow.bucket.readyPs(flow.nextBytes + HEADER_BYTES, nowPs))
    }
    return next
  }

  tick(nowPs: number): void {
    this.#control.tick(nowPs)
    if (nowPs >= this.#computePs) {
      this.#computePs = nextDuePs(this.#computePs, this.#config.rhoPs, nowPs)
      this.#compute(nowPs)
    }
    if (nowPs >= this.#selectPs) {
      this.#selectPs = nextDuePs(this.#selectPs, this.#config.selectPs, nowPs)
      if (this.#isMyTurn(nowPs)) this.#select(nowPs)
    }
    for (const flow of this.#flows.values()) {
      if (nowPs - flow.withdrawnPs >= this.#config.lostPs) this.#flows.delete(flow.flow)
      else this.#transmit(flow, nowPs)
    }
  }

  #compute(nowPs: number): void {
    this.counters.computations++
    this.#rates.compute(nowPs)
    this.#forgetReceived(nowPs)
    for (const flow of this.#flows.values()) {
      const rateBps = this.#rates.rateBps(this.id, flow.flow)
      if (rateBps === undefined) continue
      this.#estimate(flow, nowPs)
      flow.bucket.setRate(rateBps, nowPs)
    }
  }

  /** Tells the rack if a flow cannot use what it is given, or can again. */
  #estimate(flow: OwnFlow, nowPs: number): void {
    const { rateBps } = flow.bucket
    const { rhoPs } = this.#config
    const estimateBps = flow.demand.observe(rateBps, flow.sentBytes, flow.queuedBytes, rhoPs)
    flow.sentBytes = 0
    const demandKbps = announcedDemand(flow.demandKbps, estimateBps, rateBps, this.#nodeBps)
    if (demandKbps === flow.demandKbps) return
    flow.demandKbps = demandKbps
    this.#control.announceStart(flow, nowPs)
  }

  #isMyTurn(nowPs: number): boolean {
    const nodes = Array.from({ length: this.#config.wiring.nodes }, (_, n) => n)
    const isReachable = (node: number): boolean => this.view.isReachable(node)
    return selectorAt(this.#config, nodes, isReachable, nowPs) === this.id
  }

  #select(nowPs: number): void {
    const { linkRateBps, wiring } = this.#config
    const rack = {
      capacitiesBps: new Float64Array(wiring.count).fill(linkRateBps),
      fractions: (protocol: number, source: number, target: number) =>
        this.view.fractions(protocol, source, target),
    }
    const choices = selectRoutes(this.#config, this.matrix, rack, this.#random, nowPs)
    this.#control.announceRoutes(choices)
    for (const { source, flow, protocol } of choices) {
      const own = source === this.id ? this.#flows.get(flow) : undefined
      if (own !== undefined) own.protocol = protocol
    }
  }

  #transmit(flow: OwnFlow, nowPs: number): void {
    if (flow.withdrawnPs < Infinity) return
    while (flow.nextBytes > 0 && flow.bucket.take(flow.nextBytes + HEADER_BYTES, nowPs)) {
      const payload = flow.take()
      const { protocol, sequence, target } = flow
      const bytes = this.#sendRouted(TYPE_DATA, target, flow.flow, sequence, payload, protocol)
      flow.sequence++
      flow.sentBytes += bytes
      // How long its route is shows when it is drawn.
      flow.bucket.charge(Math.max(0, bytes - payload.length - HEADER_BYTES))
    }
  }

  /** Returns how many bytes have left; 0 if no way leads there. */
  #sendRouted(
    type: number,
    target: number,
    flow: number,
    sequence: number,
    payload: Uint8Array,
    protocol: number,
  ): number {
    const drawn = this.view.route(protocol, this.id, target, this.#random)
    const isTooLong = drawn !== undefined && drawn.length > hopsMax(this.#hopBits)
    const route = isTooLong ? this.view.route(RPS, this.id, target, this.#random) : drawn
    if (route === undefined || route.length > hopsMax(this.#hopBits)) {
      this.counters.unroutable++
      return 0
    }
    const packet = { type, source: this.id, target, flow, sequence, route, payload }
    const bytes = encodeRouted(packet, this.#hopBits)
    this.#onRouted(bytes, 0)
    return bytes.length
  }

  #onRouted(bytes: Uint8Array, nowPs: number): void {
    const hop = nextHop(bytes, this.#hopBits)
    const { starts, nodes } = this.#config.wiring
    const isOutput = typeof hop === 'number' && hop < starts[this.id + 1]! - starts[this.id]!
    if (isOutput) return this.#host.send(hop, bytes)
    const packet = hop === 'arrived' ? decodeRouted(bytes, nodes) : 'field'
    const isMine = typeof packet !== 'string' && packet.target === this.id
    if (!isMine || packet.source === this.id) {
      this.counters.malformed++
      return
    }
    if (packet.type !== TYPE_DATA) {
      return this.#bytes.onMessage(packet.type, packet.source, packet.payload, nowPs)
    }
    const key = keyOf(packet.source, packet.flow)
    const buffer = this.#reorder.get(key) ?? new ReorderBuffer()
    this.#reorder.set(key, buffer)
    for (const payload of buffer.take(packet.sequence, packet.payload, nowPs)) {
      this.#host.deliver(packet.source, packet.flow, payload)
    }
  }

  /**
   * A flow that no way leads for is nobody's business, and waits: a link that is up again may not
   * have been heard of, so that the view is wrong for a while.
   */
  #withdrawUnreachable(nowPs: number): void {
    for (const flow of this.#flows.values()) {
      const isLed = this.view.isReachable(flow.target)
      if (isLed === (flow.withdrawnPs === Infinity)) continue
      flow.withdrawnPs = isLed ? Infinity : nowPs
      if (isLed) {
        flow.bucket.setRate(this.#youngBps(flow.protocol, flow.target), nowPs)
        this.#control.announceStart(flow, nowPs)
      } else this.#control.announceFinish(flow, nowPs)
    }
  }

  /**
   * Of a flow that is silent nothing more will come. One that has ended, too, may have its number
   * used again, from packet 0 on.
   */
  #forgetReceived(nowPs: number): void {
    const max = this.reorderMax
    for (const [key, buffer] of this.#reorder) {
      if (nowPs - buffer.heardPs <= this.#config.endPs) continue
      const [source, flow] = [Math.floor(key / 65536), key % 65536]
      for (const payload of buffer.giveUp()) this.#host.deliver(source, flow, payload)
      if (this.matrix.get(source, flow) === undefined) this.#reorder.delete(key)
    }
    this.#reorderMax = max
  }

  /** Numbers are not used again until all others have been. */
  #freeNumber(): number {
    for (let i = 0; i < 65536; i++) {
      const number = (this.#nextFlow + i) & 0xffff
      if (this.#flows.has(number)) continue
      this.#nextFlow = (number + 1) & 0xffff
      return number
    }
    throw new RangeError(`Node ${this.id} has 65,536 flows; close some.`)
  }

  /**
   * Of a flow that is not limited: what its ways would carry if nobody else were there. More would
   * only wait at this node's own outputs.
   */
  #youngBps(protocol: number, target: number): number {
    const { topology } = this.view
    return topology.aloneBps(protocol, this.id, target, this.#capacitiesBps) || this.#nodeBps
  }

  /** All links of this node together: what any of its flows could send. */
  get #nodeBps(): number {
    const { starts } = this.#config.wiring
    return (starts[this.id + 1]! - starts[this.id]!) * this.#config.linkRateBps
  }
}
