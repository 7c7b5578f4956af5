/**
 * The fabric: links and ports, and what every kind of node does with them.
 *
 * A packet costs one event a hop as long as its port's departures are known when it joins: the port
 * is FAST, the packet is committed with its time of departure, and queue lengths are settled when
 * somebody looks. A pause, a second class or a contention point that watches departures makes the
 * port SLOW: packets wait in class queues and each departure is an event. Both forms give the same
 * trajectory. No allocation and no closure per packet.
 *
 * Bytes are held until the last bit has left: queues count the packet in service.
 */
import type { Calendar, Fingerprint } from '@weir/engine'
import type { ContentionPoint } from './contract/contention-point.ts'
import type { HostsSide, Switches } from './contract/nodes.ts'
import { CutThrough } from './cut-through.ts'
import { Gate } from './flow-control/gate.ts'
import { WaitQueues } from './queues/wait-queues.ts'
import type { ClassScheduler } from './queues/class-scheduler.ts'
import type { Credits } from './flow-control/credits.ts'
import type { Graph } from './topologies/graph.ts'
import { LINK, PORT } from './kinds.ts'
import type { Marker } from './marking/marker.ts'
import {
  A,
  ARRIVE,
  BYTES,
  CLASS,
  CODE,
  DATA,
  DEPART,
  FLAGS,
  FLOW,
  INGRESS,
  KIND,
  NEXT,
  PAUSE,
  PAYLOAD,
  SENT,
  SEQ,
  TELEMETRY,
} from './packets.ts'
import type { Packets } from './packets.ts'
import type { Paths } from './paths.ts'
import { ARBITRATED, CLASSES, FAST, FRAMES, NO_CLASS, Ports, QUEUES, SLOW } from './ports.ts'
import type { Telemetry } from './telemetry.ts'

export interface FabricParts {
  readonly graph: Graph
  readonly calendar: Calendar
  readonly fingerprint: Fingerprint
  readonly packets: Packets
  readonly paths: Paths
  readonly telemetry: Telemetry
  readonly scheduler: ClassScheduler
  readonly switchDelayPs: number
  /** Header bytes after which a cut-through switch can forward; 0: store and forward. */
  readonly cutThroughBytes: number
  readonly credits: Credits | undefined
}

export class Fabric {
  readonly graph: Graph
  readonly calendar: Calendar
  readonly fingerprint: Fingerprint
  readonly packets: Packets
  readonly paths: Paths
  readonly telemetry: Telemetry
  readonly ports: Ports
  readonly scheduler: ClassScheduler
  readonly credits: Credits | undefined
  readonly cutThroughBytes: number
  readonly cut: CutThrough
  /** Whether a port may send, as far as its far end goes. */
  readonly gate: Gate
  private readonly waits: WaitQueues
  /** Ports of each node, as a list. */
  readonly portsOf: readonly Int32Array[]
  /** Number of a node among the hosts, -1 for a switch; and back. */
  readonly hostOf: Int32Array
  readonly hostNodes: readonly number[]
  /** By port; undefined: the port only forwards. */
  readonly contention: (ContentionPoint | undefined)[]
  /** Marking at departures, by port; marking at arrivals is the switches' own. */
  readonly markAtDeparture: (Marker | undefined)[]
  switches!: Switches
  hosts!: HostsSide
  packetHops: number = 0
  /** Data packets collect telemetry at every switch output. */
  stamping: boolean = false

  constructor(parts: FabricParts) {
    this.graph = parts.graph
    this.calendar = parts.calendar
    this.fingerprint = parts.fingerprint
    this.packets = parts.packets
    this.paths = parts.paths
    this.telemetry = parts.telemetry
    this.scheduler = parts.scheduler
    this.credits = parts.credits
    this.cutThroughBytes = parts.cutThroughBytes
    this.ports = new Ports(parts.graph, parts.switchDelayPs)
    const count = this.ports.count
    this.contention = new Array<ContentionPoint | undefined>(count).fill(undefined)
    this.markAtDeparture = new Array<Marker | undefined>(count).fill(undefined)
    this.cut = new CutThrough(
      parts.graph,
      this.ports,
      parts.packets,
      parts.paths,
      this.cutThroughBytes,
    )
    this.gate = new Gate(this.ports, parts.packets, parts.calendar, parts.credits)
    this.waits = new WaitQueues(this.ports, parts.packets)
    const lists: number[][] = parts.graph.nodes.map(() => [])
    for (let port = 0; port < count; port++) lists[this.ports.from[port]]?.push(port)
    this.portsOf = lists.map((list) => Int32Array.from(list))
    const hostNodes: number[] = []
    this.hostOf = new Int32Array(parts.graph.nodes.length).fill(-1)
    parts.graph.nodes.forEach((node, i) => {
      if (node.kind === 'host') this.hostOf[i] = hostNodes.push(i) - 1
    })
    this.hostNodes = hostNodes
  }

  /** LINK: the first packet in flight from `port` reaches the other end. */
  onLink(port: number, nowPs: number): void {
    const ports = this.ports
    const packets = this.packets
    const p = ports.linkHead[port]
    if (ports.queueHead[port] === p) {
      if (this.cutThroughBytes > 0 && packets.float[(p >> 1) + DEPART] > nowPs) {
        this.beginLeaving(port, p, nowPs)
      } else this.settleHead(port)
    }
    const next = packets.int[p + NEXT]
    ports.linkHead[port] = next
    if (next >= 0) {
      const arrivePs = packets.float[(next >> 1) + ARRIVE]
      const handle = this.calendar.schedule(arrivePs, LINK, port)
      if (this.cutThroughBytes > 0) this.cut.linkHandle[port] = handle
    }

    this.packetHops++
    const node = ports.to[port]
    this.fingerprint.add(
      nowPs,
      port,
      packets.int[p + FLOW] ^ (packets.int[p + SEQ] << 8) ^ packets.int[p + KIND],
    )
    if (packets.int[p + KIND] === PAUSE) {
      const trafficClass = packets.cold[(p >> 1) + CODE]
      const isOff = packets.cold[(p >> 1) + A] === 1
      packets.free(p)
      this.setPaused(port ^ 1, trafficClass, isOff, nowPs)
    } else if (ports.toHost[port] === 1) this.hosts.receive(this.hostOf[node], port, p, nowPs)
    else this.switches.receive(node, port, p, nowPs)
  }

  /** PORT: the packet in service has left; the next one goes. */
  onPort(port: number, nowPs: number): void {
    this.ports.armed[port] = 0
    this.settle(port, nowPs)
    this.switches.afterSettle(nowPs)
    if (this.ports.mode[port] !== FAST && this.ports.freePs[port] <= nowPs)
      this.sendNext(port, nowPs)
    this.arm(port)
  }

  /** Accounts for every departure up to now. */
  settle(port: number, nowPs: number): void {
    if (this.cutThroughBytes > 0 && this.cut.tailPs[port] <= nowPs) this.settleLeaving(port)
    const { float } = this.packets
    const { queueHead } = this.ports
    while (queueHead[port] >= 0 && float[(queueHead[port] >> 1) + DEPART] <= nowPs) {
      this.settleHead(port)
    }
  }

  /** Wire bytes that have left the port by now, whatever is committed beyond. */
  departedBytes(port: number, nowPs: number): number {
    this.settle(port, nowPs)
    const { packets, ports } = this
    if (ports.mode[port] === FAST) return ports.sentBytes[port] - ports.heldBytes[port]
    if (this.cut.tailPs[port] < Infinity) return ports.sentBytes[port] - this.cut.bytes[port]
    const serving = ports.queueHead[port]
    return ports.sentBytes[port] - (serving < 0 ? 0 : packets.int[serving + BYTES])
  }

  /** Of those, what is no payload of a flow. */
  departedControlBytes(port: number, nowPs: number): number {
    this.settle(port, nowPs)
    const { packets, ports } = this
    let bytes = ports.controlBytes[port]
    for (let p = ports.queueHead[port]; p >= 0; p = packets.int[p + NEXT]) {
      bytes -= packets.int[p + BYTES] - packets.int[p + PAYLOAD]
    }
    return bytes
  }

  /** Time that a class of this port has been paused, up to now. */
  pausedForPs(port: number, trafficClass: number, nowPs: number): number {
    const i = port * CLASSES + trafficClass
    const isPaused = (this.ports.paused[port] >> trafficClass) & 1
    return this.ports.pausedPs[i] + (isPaused ? nowPs - this.ports.pausedSincePs[i] : 0)
  }

  private beginLeaving(port: number, p: number, nowPs: number): void {
    this.settle(port, nowPs)
    this.ports.queueHead[port] = this.packets.int[p + NEXT]
    this.cut.begin(port, p)
  }

  private settleLeaving(port: number): void {
    const { cut, ports } = this
    const bytes = cut.bytes[port]
    const trafficClass = cut.class[port]
    const link = cut.link[port]
    cut.tailPs[port] = Infinity
    ports.queueBytes[port * CLASSES + trafficClass] -= bytes
    ports.heldBytes[port] -= bytes
    if (link >= 0) this.switches.release(link, trafficClass, bytes)
  }

  private settleHead(port: number): void {
    const { packets, ports } = this
    const p = ports.queueHead[port]
    const bytes = packets.int[p + BYTES]
    const trafficClass = packets.int[p + CLASS]
    ports.queueHead[port] = packets.int[p + NEXT]
    if (packets.int[p + KIND] === PAUSE) return
    ports.queueBytes[port * CLASSES + trafficClass] -= bytes
    ports.heldBytes[port] -= bytes
    const link = packets.int[p + INGRESS]
    if (link >= 0) this.switches.release(link, trafficClass, bytes)
  }

  /**
   * A packet joins an output of a node that has let it in; its bytes count from here. Counts may be
   * late by departures that nobody has asked for: a maximum is looked at again before it is kept.
   */
  join(port: number, p: number, nowPs: number): void {
    const { packets, ports } = this
    const trafficClass = packets.int[p + CLASS]
    const bytes = packets.int[p + BYTES]
    if (ports.mode[port] !== FAST) {
      this.settle(port, nowPs)
      if (ports.mode[port] === SLOW && ports.freePs[port] <= nowPs) this.speedUp(port)
    }
    ports.queueBytes[port * CLASSES + trafficClass] += bytes
    ports.heldBytes[port] += bytes
    ports.roomToMax[port] -= bytes
    if (ports.roomToMax[port] < 0) this.lookAtMax(port, nowPs)

    if (ports.mode[port] === FAST) {
      if (ports.fastClass[port] === trafficClass || ports.freePs[port] <= nowPs) {
        ports.fastClass[port] = trafficClass
        this.commit(port, p, nowPs)
        if (this.switches.isEager(ports.from[port])) this.arm(port)
        return
      }
      this.slowDown(port, nowPs)
    }
    this.waits.add(port, trafficClass, p)
    if (ports.freePs[port] <= nowPs) this.sendNext(port, nowPs)
    this.arm(port)
  }

  /** A new maximum needs at least as many arrivals as it was away from the last one. */
  private lookAtMax(port: number, nowPs: number): void {
    const ports = this.ports
    this.settle(port, nowPs)
    const held = ports.heldBytes[port]
    if (held > ports.heldBytesMax[port]) ports.heldBytesMax[port] = held
    ports.roomToMax[port] = ports.heldBytesMax[port] - held
  }

  /** Sends a PAUSE frame back over `link` (the port at its far end): ahead of everything. */
  sendPause(
    link: number,
    trafficClass: number,
    isOff: boolean,
    frameBytes: number,
    nowPs: number,
  ): void {
    const back = link ^ 1
    const packets = this.packets
    if (this.waits.renewFrame(back, trafficClass, isOff)) return
    const p = packets.allocate()
    packets.int[p + KIND] = PAUSE
    packets.int[p + CLASS] = CLASSES - 1
    packets.cold[(p >> 1) + CODE] = trafficClass
    packets.cold[(p >> 1) + A] = isOff ? 1 : 0
    packets.int[p + BYTES] = frameBytes
    packets.int[p + PAYLOAD] = 0
    packets.int[p + FLAGS] = 0
    packets.int[p + FLOW] = -1
    packets.int[p + SEQ] = (link << 1) | (isOff ? 1 : 0)
    packets.int[p + INGRESS] = -1
    packets.cold[(p >> 1) + TELEMETRY] = -1
    if (isOff) this.ports.pauseFrames[link]++
    if (this.ports.mode[back] === FAST) this.slowDown(back, nowPs)
    else this.settle(back, nowPs)
    this.waits.add(back, FRAMES, p)
    if (this.ports.freePs[back] <= nowPs) this.sendNext(back, nowPs)
    this.arm(back)
  }

  /** The far end pauses a class of this port, or lets it go on. */
  setPaused(port: number, trafficClass: number, isOff: boolean, nowPs: number): void {
    const ports = this.ports
    const bit = 1 << trafficClass
    const i = port * CLASSES + trafficClass
    if (isOff) {
      if (ports.paused[port] & bit) return
      ports.paused[port] |= bit
      ports.pausedSincePs[i] = nowPs
      if (ports.mode[port] === FAST) this.slowDown(port, nowPs)
      return
    }
    if (!(ports.paused[port] & bit)) return
    ports.paused[port] &= ~bit
    ports.pausedPs[i] += nowPs - ports.pausedSincePs[i]
    this.unblock(port, nowPs)
  }

  /** Something that kept the port from sending is gone. */
  unblock(port: number, nowPs: number): void {
    this.settle(port, nowPs)
    this.switches.afterSettle(nowPs)
    if (this.ports.mode[port] !== FAST && this.ports.freePs[port] <= nowPs) {
      this.sendNext(port, nowPs)
    }
    this.arm(port)
    if (this.ports.fromHost[port] === 1) {
      this.hosts.onUnblocked(this.hostOf[this.ports.from[port]], nowPs)
    }
  }

  /** CREDIT: a port that waited for credits tries again. */
  onCredits(port: number, nowPs: number): void {
    this.gate.onCredits(port, nowPs)
    this.unblock(port, nowPs)
  }

  /**
   * From FAST to SLOW: what has not begun goes back to its class queue. What is in service stays.
   */
  slowDown(port: number, nowPs: number): void {
    const { packets, ports } = this
    this.settle(port, nowPs)
    ports.mode[port] = SLOW
    const trafficClass = ports.fastClass[port]
    if (trafficClass !== NO_CLASS) {
      // The scheduler has not been asked while there was nothing to choose from.
      this.scheduler.choose(ports, port, 1 << trafficClass)
      this.scheduler.charge(ports, port, trafficClass, 0)
    }
    const head = ports.queueHead[port]
    if (head < 0) return
    let first = head
    if (this.cut.tailPs[port] < Infinity) {
      // Nothing on the chain has begun: the port is busy with a packet whose head is ahead of it.
      ports.freePs[port] = this.cut.tailPs[port]
      this.calendar.cancel(this.cut.linkHandle[port])
      ports.linkHead[port] = -1
      ports.queueHead[port] = -1
    } else {
      first = packets.int[head + NEXT]
      ports.freePs[port] = packets.float[(head >> 1) + DEPART]
      if (first < 0) return
      packets.int[head + NEXT] = -1
    }
    const queue = port * QUEUES + trafficClass
    ports.waitHead[queue] = first
    ports.waitTail[queue] = ports.tail[port]
    ports.waiting[port] |= 1 << trafficClass
    ports.tail[port] = head
    for (let p = first; p >= 0; p = packets.int[p + NEXT]) this.uncount(port, p)
    this.arm(port)
  }

  /** Takes back what `commit` counted as sent. */
  private uncount(port: number, p: number): void {
    const { packets, ports } = this
    const bytes = packets.int[p + BYTES]
    ports.sentBytes[port] -= bytes
    ports.controlBytes[port] -= bytes - packets.int[p + PAYLOAD]
  }

  /** The port is free: picks what goes next, if anything may. */
  sendNext(port: number, nowPs: number): void {
    const ports = this.ports
    if (ports.waiting[port] & (1 << FRAMES)) {
      this.commit(port, this.waits.take(port, FRAMES), nowPs)
      return
    }
    // What a switch sends of its own (a notification) waits at the output, ahead of its inputs.
    if (ports.mode[port] === ARBITRATED && this.gate.eligible(port, nowPs) === 0) {
      const p = this.switches.arbitrate(port, nowPs)
      if (p < 0) return
      this.depart(port, p, nowPs)
      this.switches.afterArbitration(p, this.packets.float[(p >> 1) + DEPART], nowPs)
      return
    }
    const eligible = this.gate.eligible(port, nowPs)
    if (eligible === 0) {
      this.speedUp(port)
      return
    }
    const trafficClass = this.scheduler.choose(ports, port, eligible)
    const p = this.waits.take(port, trafficClass)
    this.scheduler.charge(ports, port, trafficClass, this.packets.int[p + BYTES])
    this.depart(port, p, nowPs)
  }

  /** From SLOW to FAST, if nothing waits, nothing is paused and nobody watches. */
  private speedUp(port: number): void {
    const ports = this.ports
    if (ports.waiting[port] !== 0 || ports.paused[port] !== 0 || ports.watched[port] === 1) return
    ports.mode[port] = FAST
    ports.fastClass[port] = NO_CLASS
  }

  /** A packet starts to leave a port that watches departures, or that was SLOW for a while. */
  private depart(port: number, p: number, nowPs: number): void {
    const { packets, ports } = this
    if (this.credits !== undefined) {
      this.credits.available[port * CLASSES + packets.int[p + CLASS]] -= packets.int[p + BYTES]
    }
    if (ports.watched[port] === 1 && packets.int[p + KIND] === DATA) {
      const trafficClass = packets.int[p + CLASS]
      const remaining = ports.queueBytes[port * CLASSES + trafficClass] - packets.int[p + BYTES]
      this.markAtDeparture[port]?.consider(port, p, remaining)
      this.contention[port]?.onDeparture(p, remaining, nowPs)
      if (this.stamping && packets.cold[(p >> 1) + TELEMETRY] >= 0) {
        const { sentBytes, rateBps } = ports
        const row = packets.cold[(p >> 1) + TELEMETRY]
        this.telemetry.stamp(row, remaining, sentBytes[port], rateBps[port], nowPs)
      }
    }
    this.commit(port, p, nowPs)
  }

  /** Fixes a packet's departure, and puts it on the wire. */
  private commit(port: number, p: number, nowPs: number): void {
    const { packets, ports } = this
    const bytes = packets.int[p + BYTES]
    const servicePs = Math.round(bytes * ports.psPerByte[port])
    let startPs = ports.freePs[port]
    if (startPs < nowPs) startPs = nowPs
    let headPs = servicePs
    if (this.cutThroughBytes > 0 && ports.toHost[port] === 0) {
      headPs = this.cut.headPs(port, p, servicePs)
    }
    const departPs = startPs + servicePs
    ports.freePs[port] = departPs
    packets.float[(p >> 1) + DEPART] = departPs
    if (packets.int[p + KIND] === DATA && packets.int[p + INGRESS] < 0)
      packets.cold[(p >> 1) + SENT] = departPs
    const arrivePs = startPs + headPs + ports.delayPs[port]
    packets.float[(p >> 1) + ARRIVE] = arrivePs
    ports.sentBytes[port] += bytes
    ports.controlBytes[port] += bytes - packets.int[p + PAYLOAD]

    packets.int[p + NEXT] = -1
    if (ports.linkHead[port] < 0) {
      ports.linkHead[port] = p
      const handle = this.calendar.schedule(arrivePs, LINK, port)
      if (this.cutThroughBytes > 0) this.cut.linkHandle[port] = handle
    } else packets.int[ports.tail[port] + NEXT] = p
    ports.tail[port] = p
    if (ports.queueHead[port] < 0) ports.queueHead[port] = p
  }

  /** Makes sure that the next departure is an event, if it must be one. */
  arm(port: number): void {
    const ports = this.ports
    if (ports.armed[port] === 1) return
    if (ports.queueHead[port] < 0 && this.cut.tailPs[port] === Infinity) return
    if (ports.mode[port] !== ARBITRATED && !this.switches.isEager(ports.from[port])) {
      if (ports.mode[port] === FAST || ports.waiting[port] === 0) return
    }
    this.settle(port, this.calendar.nowPs)
    const serving = ports.queueHead[port]
    let duePs = this.cut.tailPs[port]
    if (duePs === Infinity && serving >= 0) duePs = this.packets.float[(serving >> 1) + DEPART]
    if (duePs === Infinity) return
    ports.armed[port] = 1
    this.calendar.schedule(duePs, PORT, port)
  }
}
