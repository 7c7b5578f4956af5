/**
 * The fabric: links and ports, and what every kind of node does with them.
 *
 * A packet costs one event per hop as long as its port's departures are known when it joins: its
 * port is FAST, the packet is committed with its time of departure, and queues are settled when
 * somebody looks. A pause, a second class or a contention point that watches departures makes the
 * port SLOW: packets wait in class queues and each departure is an event. Both forms give the same
 * trajectory, ties included: in one picosecond a port first finishes a packet and begins the next,
 * and then hears of what arrives. No allocation and no closure per packet.
 *
 * Bytes are held until the last bit has left: queues count the packet in service.
 */
import type { Fingerprint, Windows } from '@weir/engine'
import type { Agents } from './agents.ts'
import { Arrivals, severalPerWindow } from './arrivals.ts'
import { takeAside } from './aside.ts'
import type { ContentionPoint } from './contract/contention-point.ts'
import type { HostsSide, Switches } from './contract/nodes.ts'
import { CutThrough } from './cut-through.ts'
import type { FabricParts } from './fabric-parts.ts'
import { Gate } from './flow-control/gate.ts'
import { pauseFrame } from './flow-control/pause-frame.ts'
import { Inventory } from './inventory.ts'
import { WaitQueues } from './queues/wait-queues.ts'
import type { ClassScheduler } from './queues/class-scheduler.ts'
import { settleDue } from './departures.ts'
import type { Credits } from './flow-control/credits.ts'
import type { Graph } from './topologies/graph.ts'
import { PORT } from './kinds.ts'
import type { Lanes } from './lanes.ts'
import type { Links } from './links.ts'
import { numberHosts, portsByNode } from './node-lists.ts'
import { departedBytes, lookAtMax } from './port-counts.ts'
import type { Marker } from './marking/marker.ts'
import {
  BYTES,
  CLASS,
  DATA,
  FLOW,
  INGRESS,
  KIND,
  PAUSE,
  PAYLOAD,
  SENT,
  SEQ,
  TELEMETRY,
} from './packets.ts'
import type { Packets } from './packets.ts'
import type { Paths } from './paths.ts'
import {
  DELAY,
  FAST_CLASS,
  FREE_PS,
  FROM,
  HELD,
  HELD_MAX,
  LEAVES,
  LIMIT,
  MODE,
  PS_PER_BYTE,
  ARBITRATED,
  CLASSES,
  FAST,
  FRAMES,
  Ports,
  SLOW,
} from './ports.ts'
import { slowDown, speedUp } from './slow-ports.ts'
import type { Telemetry } from './telemetry.ts'
import { awaitArrival, takeOffWire } from './wire-ends.ts'
import { layWires, makeRoom } from './wire-room.ts'
import { ARRIVES, AWAITED, DEPARTS, PACKET, RING, TAIL } from './wires.ts'
import { WIRE_BYTES, WIRE_CLASS, WIRE_INGRESS, entryOf } from './wires.ts'
import type { Wires } from './wires.ts'

export class Fabric {
  readonly graph: Graph
  readonly windows: Windows
  /** By node: the cell of `windows` that it belongs to. */
  readonly cellOf: Int32Array
  readonly fingerprint: Fingerprint
  readonly packets: Packets
  readonly paths: Paths
  readonly telemetry: Telemetry
  readonly ports: Ports
  readonly wires: Wires
  readonly arrivals: Arrivals
  readonly scheduler: ClassScheduler
  readonly credits: Credits | undefined
  readonly cutThroughBytes: number
  readonly cut: CutThrough
  readonly inventory: Inventory
  /** Whether a port may send, as far as its far end goes. */
  readonly gate: Gate
  readonly waits: WaitQueues
  /** Cells of a port's node and of its far end. */
  readonly fromCell: Int32Array
  readonly toCell: Int32Array
  /** Ports of each node, as a list. */
  readonly portsOf: readonly Int32Array[]
  /** Number of a node among the hosts, -1 for a switch; and back. */
  readonly hostOf: Int32Array
  readonly hostNodes: readonly number[]
  /** By port; undefined: the port only forwards. */
  readonly contention: (ContentionPoint | undefined)[]
  /** Some port has one. */
  isContended: boolean = false
  /** Marking at departures, by port; marking at arrivals is the switches' own. */
  readonly markAtDeparture: (Marker | undefined)[]
  switches!: Switches
  hosts!: HostsSide
  agents!: Agents
  /** Of a fabric whose links change. */
  links: Links | undefined = undefined
  /** Of a fabric in which packets change their class; undefined: they keep it. */
  lanes: Lanes | undefined = undefined
  packetHops: number = 0
  /** Data packets collect telemetry at every switch output. */
  stamping: boolean = false

  constructor(parts: FabricParts) {
    this.graph = parts.graph
    this.windows = parts.windows
    this.cellOf = parts.cellOf
    this.fingerprint = parts.fingerprint
    this.packets = parts.packets
    this.paths = parts.paths
    this.telemetry = parts.telemetry
    this.scheduler = parts.scheduler
    this.credits = parts.credits
    this.cutThroughBytes = parts.cutThroughBytes
    this.ports = new Ports(parts.graph, parts.switchDelayPs)
    const count = this.ports.count
    this.wires = layWires(this.ports)
    this.fromCell = this.ports.from.map((node) => parts.cellOf[node])
    this.toCell = this.ports.to.map((node) => parts.cellOf[node])
    const { fromCell, toCell, wires, windows } = this
    const isTaken = severalPerWindow(this.ports, fromCell, toCell, parts.packetBytes)
    this.arrivals = new Arrivals(windows, wires, parts.packets, toCell, isTaken)
    this.contention = new Array<ContentionPoint | undefined>(count).fill(undefined)
    this.markAtDeparture = new Array<Marker | undefined>(count).fill(undefined)
    const { graph, packets, paths, cutThroughBytes } = parts
    this.cut = new CutThrough(graph, this.ports, packets, paths, cutThroughBytes)
    this.inventory = new Inventory(this)
    this.gate = new Gate(this.ports, parts.packets, parts.windows, this.fromCell, parts.credits)
    this.waits = new WaitQueues(this.ports, parts.packets)
    this.portsOf = portsByNode(parts.graph, this.ports)
    ;({ hostNodes: this.hostNodes, hostOf: this.hostOf } = numberHosts(parts.graph))
  }

  /** LINK: what is first on the wire of `port` is there; taken off it before, or now. */
  onLink(port: number, nowPs: number): void {
    const { item } = this.windows
    this.arrive(port, item >= 0 ? item : takeOffWire(this, port), nowPs)
  }

  cellOfHost(host: number): number {
    return this.cellOf[this.hostNodes[host]]
  }

  arrive(port: number, p: number, nowPs: number): void {
    const { packets, ports } = this
    const node = ports.to[port]
    const host = this.hostOf[node]
    this.packetHops++
    const what = packets.int[p + FLOW] ^ (packets.int[p + SEQ] << 8) ^ packets.int[p + KIND]
    this.fingerprint.add(node, nowPs, port, what)
    if (this.links?.loses(port, p, nowPs) === true) return
    if (packets.int[p + KIND] >= PAUSE && takeAside(this, node, port, p, nowPs)) return
    if (host >= 0) this.hosts.receive(host, port, p, nowPs)
    else this.switches.receive(node, port, p, nowPs)
  }

  /** PORT: the packet in service has left; the next one goes. */
  onPort(port: number, nowPs: number): void {
    const { float, int } = this.ports
    this.ports.armed[port] = 0
    this.settle(port, nowPs)
    this.switches.afterSettle(nowPs)
    if (int[(port << 5) + MODE] !== FAST && float[(port << 4) + FREE_PS] <= nowPs) {
      this.sendNext(port, nowPs)
    }
    this.arm(port)
  }

  /** Accounts for every departure up to now. */
  settle(port: number, nowPs: number): void {
    if (this.ports.float[(port << 4) + LEAVES] <= nowPs) settleDue(this, port, nowPs)
  }

  /**
   * A packet joins an output of a node that has let it in; its bytes count from here. Counts of a
   * FAST port may be late by departures that nobody has asked for.
   */
  join(port: number, p: number, nowPs: number): void {
    const { packets, ports } = this
    const i = port << 5
    const f = port << 4
    const trafficClass = packets.int[p + CLASS]
    const bytes = packets.int[p + BYTES]
    this.beforeArrival(port, nowPs)
    if (bytes > ports.longestBytes) ports.longestBytes = bytes
    if (ports.int[i + MODE] === FAST) {
      const isIdle = ports.float[f + FREE_PS] <= nowPs
      if (isIdle || ports.int[i + FAST_CLASS] === trafficClass) {
        ports.int[i + FAST_CLASS] = trafficClass
        ports.int[i + HELD] += bytes
        this.commit(port, p, nowPs)
        if (ports.int[i + HELD] > ports.int[i + HELD_MAX]) lookAtMax(this, port, nowPs)
        if (this.switches.isEager(ports.int[i + FROM])) this.arm(port)
        return
      }
      slowDown(this, port, nowPs)
    }
    ports.int[i + HELD] += bytes
    ports.queued[port * CLASSES + trafficClass] += bytes
    if (ports.int[i + HELD] > ports.int[i + HELD_MAX]) ports.int[i + HELD_MAX] = ports.int[i + HELD]
    this.waits.add(port, trafficClass, p)
    if (ports.float[f + FREE_PS] <= nowPs) this.sendNext(port, nowPs)
    this.arm(port)
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
    this.gate.causes.note(this, link, trafficClass, isOff, nowPs)
    if (this.waits.renewFrame(back, trafficClass, isOff)) return
    if (isOff) this.ports.pauseFrames[link]++
    if (this.ports.int[(back << 5) + MODE] === FAST) slowDown(this, back, nowPs)
    else this.settle(back, nowPs)
    this.waits.add(back, FRAMES, pauseFrame(this.packets, link, trafficClass, isOff, frameBytes))
    if (this.ports.float[(back << 4) + FREE_PS] <= nowPs) this.sendNext(back, nowPs)
    this.arm(back)
  }

  /** The far end pauses a class of this port, or lets it go on. */
  setPaused(port: number, trafficClass: number, isOff: boolean, nowPs: number): void {
    const { ports } = this
    if (ports.isPaused(port, trafficClass) === isOff) return
    if (isOff) this.beforeArrival(port, nowPs)
    ports.setPaused(port, trafficClass, isOff, nowPs)
    if (!isOff) this.unblock(port, nowPs)
    else if (ports.int[(port << 5) + MODE] === FAST) slowDown(this, port, nowPs)
  }

  /** Something that kept the port from sending is gone. */
  unblock(port: number, nowPs: number): void {
    const i = port << 5
    this.settle(port, nowPs)
    this.switches.afterSettle(nowPs)
    if (this.ports.int[i + MODE] !== FAST && this.ports.float[(port << 4) + FREE_PS] <= nowPs) {
      this.sendNext(port, nowPs)
    }
    this.arm(port)
    if (this.ports.fromHost[port] === 1) {
      this.hosts.onUnblocked(this.hostOf[this.ports.int[i + FROM]], nowPs)
    }
  }

  /** The port is free: picks what goes next, if anything may. */
  sendNext(port: number, nowPs: number): void {
    const ports = this.ports
    if (ports.waiting[port] & (1 << FRAMES)) {
      this.commit(port, this.waits.take(port, FRAMES), nowPs)
      return
    }
    // What a switch sends of its own (a notification) waits at the output, ahead of its inputs.
    if (ports.int[(port << 5) + MODE] === ARBITRATED && this.gate.eligible(port, nowPs) === 0) {
      const p = this.switches.arbitrate(port, nowPs)
      if (p < 0) return
      this.depart(port, p, nowPs)
      this.switches.afterArbitration(p, this.ports.float[(port << 4) + FREE_PS], nowPs)
      return
    }
    const eligible = this.gate.eligible(port, nowPs)
    if (eligible === 0) {
      speedUp(this.ports, port)
      return
    }
    // Of the classes of a host its NIC has chosen, which gives its port a packet at a time.
    const isChosen = ports.fromHost[port] === 1 && (eligible & (eligible - 1)) === 0
    const only = 31 - Math.clz32(eligible)
    const trafficClass = isChosen ? only : this.scheduler.choose(ports, port, eligible)
    const p = this.waits.take(port, trafficClass)
    if (!isChosen) this.scheduler.charge(ports, port, trafficClass, this.packets.int[p + BYTES])
    this.depart(port, p, nowPs)
    if (ports.int[(port << 5) + MODE] === ARBITRATED) this.switches.afterQueue(port, p, nowPs)
  }

  /** Before a port hears of what arrives now: what leaves now has left, and the next one goes. */
  private beforeArrival(port: number, nowPs: number): void {
    const { float, int } = this.ports
    if (int[(port << 5) + MODE] === FAST) return
    this.settle(port, nowPs)
    if (int[(port << 5) + MODE] !== SLOW || float[(port << 4) + FREE_PS] > nowPs) return
    this.sendNext(port, nowPs)
  }

  /** A packet starts to leave a port that watches departures, or that was SLOW for a while. */
  private depart(port: number, p: number, nowPs: number): void {
    const { packets, ports } = this
    const lane = port * CLASSES + packets.int[p + CLASS]
    const bytes = packets.int[p + BYTES]
    if (this.credits !== undefined) this.credits.available[lane] -= bytes
    if (ports.watched[port] === 1) {
      const remaining = ports.queued[lane] - bytes
      this.markAtDeparture[port]?.consider(port, p, remaining)
      const isData = packets.int[p + KIND] === DATA
      if (isData) this.contention[port]?.onDeparture(p, remaining, nowPs)
      const row = isData && this.stamping ? packets.cold[(p >> 1) + TELEMETRY] : -1
      if (row >= 0) {
        const sentBytes = departedBytes(this, port, nowPs)
        this.telemetry.stamp(row, remaining, sentBytes, ports.rateBps[port], nowPs)
      }
    }
    this.commit(port, p, nowPs)
  }

  /** Fixes a packet's departure, and puts it on the wire. */
  private commit(port: number, p: number, nowPs: number): void {
    const { packets, ports, wires } = this
    const { ends } = wires
    const f = port << 4
    const e = port << 2
    const tail = ends[e + TAIL]
    if (tail === ports.int[(port << 5) + LIMIT]) makeRoom(this, port, nowPs)
    const bytes = packets.int[p + BYTES]
    const kind = packets.int[p + KIND]
    const ingress = packets.int[p + INGRESS]
    const overheadBytes = bytes - packets.int[p + PAYLOAD]
    const servicePs = Math.round(bytes * ports.float[f + PS_PER_BYTE])
    let startPs = ports.float[f + FREE_PS]
    if (startPs < nowPs) startPs = nowPs
    let headPs = servicePs
    if (this.cutThroughBytes > 0 && ports.toHost[port] === 0) {
      headPs = this.cut.headPs(port, p, servicePs)
    }
    const departPs = startPs + servicePs
    ports.float[f + FREE_PS] = departPs
    if (kind === DATA && ingress < 0) packets.cold[(p >> 1) + SENT] = departPs
    if (ports.float[f + LEAVES] === Infinity) ports.float[f + LEAVES] = departPs

    const entry = entryOf(ends[e + RING], tail)
    const arrivePs = startPs + headPs + ports.float[f + DELAY]
    wires.float[(entry << 2) + ARRIVES] = arrivePs
    wires.float[(entry << 2) + DEPARTS] = departPs
    wires.int[(entry << 3) + PACKET] = p
    wires.int[(entry << 3) + WIRE_BYTES] = bytes
    wires.int[(entry << 3) + WIRE_INGRESS] = ingress
    wires.int[(entry << 3) + WIRE_CLASS] =
      (kind === PAUSE ? FRAMES : packets.int[p + CLASS]) | (overheadBytes << 5)
    ends[e + TAIL] = tail + 1
    if (ends[e + AWAITED] === 0) awaitArrival(this, port, arrivePs)
  }

  /** Makes sure that the next departure is an event, if it must be one. */
  arm(port: number): void {
    const ports = this.ports
    const i = port << 5
    if (ports.armed[port] === 1) return
    if (ports.float[(port << 4) + LEAVES] === Infinity) return
    if (ports.int[i + MODE] !== ARBITRATED && !this.switches.isEager(ports.int[i + FROM])) {
      if (ports.int[i + MODE] === FAST || ports.waiting[port] === 0) return
    }
    this.settle(port, this.windows.nowPs)
    const duePs = ports.float[(port << 4) + LEAVES]
    if (duePs === Infinity) return
    ports.armed[port] = 1
    this.windows.post(duePs, PORT, port, this.fromCell[port])
  }
}
