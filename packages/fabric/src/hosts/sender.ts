/**
 * The sending side of all hosts: NICs that serve flows in turn, directly or through a
 * shared injection FIFO, and the making of data packets. One event a data packet: NIC.
 */
import type { Windows } from '@weir/engine'
import type { Control } from '../contract/control.ts'
import type { Routing } from '../contract/routing.ts'
import type { Fabric } from '../fabric.ts'
import { NIC } from '../kinds.ts'
import {
  AGAIN,
  FIELD_B,
  BYTES,
  CAPABLE,
  CLASS,
  CODE,
  CWR,
  DATA,
  FLAGS,
  FLOW,
  HOP,
  INGRESS,
  KIND,
  LAST,
  NEXT,
  PATH,
  PAYLOAD,
  SEQ,
  SOURCE,
  TARGET,
  TELEMETRY,
} from '../packets.ts'
import type { Packets } from '../packets.ts'
import { FREE_PS, MODE, CLASSES, FAST } from '../ports.ts'
import type { FlowTimers } from './flow-timers.ts'
import type { Flow } from './flow.ts'
import { InjectionFifo } from './injection-fifo.ts'
import { nicOf } from './nic.ts'
import type { Nic, Service } from './nic.ts'
import { paceAgain, paceServed, paceWoken } from './pacing.ts'
import type { Reliability } from './reliability.ts'

export interface SenderParams {
  readonly routing: Routing
  readonly reliability: Reliability
  /** Packets of the shared injection FIFO; 0: one queue per flow. */
  readonly fifoPackets: number
  /** ACKs wait in that FIFO, too, and do not go past it. */
  readonly acksInFifo: boolean
  readonly sendCapBps: number
  readonly capsPayload: boolean
  /** Packets at its own rate that a flow may catch up; 0: none (see `pacing.ts`). */
  readonly burst: number
  readonly service: Service
}

export class Sender {
  retransmitted: number = 0
  dataPackets: number = 0
  readonly #fabric: Fabric
  readonly #packets: Packets
  readonly #windows: Windows
  readonly #control: Control
  readonly #timers: FlowTimers
  readonly #reliability: Reliability
  readonly #startsTimerOnce: boolean
  /** Flags of every data packet: a scheme, or a spread of packets over paths, hears marks. */
  readonly #dataFlags: number
  readonly #hostPort: Int32Array
  /** By host * CLASSES + class. */
  readonly #nics: (Nic | undefined)[]
  /** Bit c: class c of this host has a flow with something to send. */
  readonly #active: Uint16Array
  readonly #nicHandle: Int32Array
  readonly #nicPs: Float64Array
  /** A capped host's own next start. */
  readonly #capFreePs: Float64Array
  readonly #capPsPerByte: number
  /** The packets' lane that the cap counts. */
  readonly #capCounted: number
  /** Of a host's link, or of its cap if that is slower. */
  readonly #psPerByte: Float64Array
  /** Flows of a host that have something to send. */
  readonly #flowsIn: Int32Array
  readonly #burst: number
  readonly #service: Service
  readonly #fifo: InjectionFifo | undefined

  constructor(
    fabric: Fabric,
    hostPort: Int32Array,
    params: SenderParams,
    control: Control,
    timers: FlowTimers,
  ) {
    const count = hostPort.length
    this.#fabric = fabric
    this.#packets = fabric.packets
    this.#windows = fabric.windows
    this.#control = control
    this.#timers = timers
    const hearsMarks = control.ecnCapable || params.routing.spread !== undefined
    this.#dataFlags = hearsMarks ? CAPABLE : 0
    this.#reliability = params.reliability
    this.#startsTimerOnce = params.reliability.timerStarts === 'once'
    this.#hostPort = hostPort
    this.#nics = new Array<Nic | undefined>(count * CLASSES).fill(undefined)
    this.#active = new Uint16Array(count)
    this.#nicHandle = new Int32Array(count).fill(-1)
    this.#nicPs = new Float64Array(count).fill(Infinity)
    this.#capFreePs = new Float64Array(count)
    this.#capPsPerByte = params.sendCapBps > 0 ? 8e12 / params.sendCapBps : 0
    this.#capCounted = params.capsPayload ? PAYLOAD : BYTES
    this.#psPerByte = Float64Array.from(hostPort, (port) =>
      Math.max(8e12 / fabric.ports.rateBps[port], this.#capPsPerByte),
    )
    this.#flowsIn = new Int32Array(count)
    this.#burst = params.burst
    this.#service = params.service
    this.#fifo = params.fifoPackets > 0 ? new InjectionFifo(count, params.fifoPackets) : undefined
  }

  /** NIC: the host may send its next packet. */
  onNic(host: number, nowPs: number): void {
    this.#nicHandle[host] = -1
    this.#nicPs[host] = Infinity
    this.#serve(host, nowPs)
  }

  onUnblocked(host: number, nowPs: number): void {
    this.#serve(host, nowPs)
  }

  #serve(host: number, nowPs: number): void {
    if (this.#fifo !== undefined) {
      this.#serveByFifo(this.#fifo, host, nowPs)
      return
    }
    const port = this.#hostPort[host]
    const freePs = Math.max(this.#fabric.ports.float[(port << 4) + FREE_PS], this.#capFreePs[host])
    if (freePs > nowPs) {
      if (this.#active[host] !== 0) this.#armNic(host, freePs)
      return
    }
    const flow = this.#nextFlow(host, nowPs, true)
    if (flow === undefined) return
    const { gate, ports, scheduler } = this.#fabric
    // A port that has ACKs, too, chooses once more, and charges when the packet leaves.
    if (ports.int[(port << 5) + MODE] === FAST || gate.eligible(port, nowPs) === 0)
      scheduler.charge(ports, port, flow.class, flow.packetBytes)
    this.#send(flow, nowPs)
    this.#armAfterSend(host)
  }

  /** After a packet: the next may leave when the link is free and some flow's time has come. */
  #armAfterSend(host: number): void {
    let active = this.#active[host]
    if (active === 0) return
    let duePs = Infinity
    for (; active !== 0; active &= active - 1) {
      const c = 31 - Math.clz32(active & -active)
      duePs = Math.min(duePs, this.#nics[host * CLASSES + c]?.duePs ?? Infinity)
    }
    const freePs = this.#fabric.ports.float[(this.#hostPort[host] << 4) + FREE_PS]
    this.#armNic(host, Math.max(duePs, freePs, this.#capFreePs[host]))
  }

  /** The flow to serve now; none: if one's time lies ahead, the NIC is armed for it. */
  #nextFlow(host: number, nowPs: number, mustBeOpen: boolean): Flow | undefined {
    const port = this.#hostPort[host]
    let ready = 0
    let duePs = Infinity
    for (let active = this.#active[host]; active !== 0; active &= active - 1) {
      const c = 31 - Math.clz32(active & -active)
      const first = this.#nics[host * CLASSES + c]?.next(nowPs)
      if (first === undefined) continue
      if (mustBeOpen && this.#isBlocked(port, first, nowPs)) continue
      if (first.nstPs <= nowPs) ready |= 1 << c
      else if (first.nstPs < duePs) duePs = first.nstPs
    }
    if (ready === 0) {
      if (duePs < Infinity) this.#armNic(host, duePs)
      return undefined
    }
    const trafficClass = this.#fabric.scheduler.choose(this.#fabric.ports, port, ready)
    return this.#nics[host * CLASSES + trafficClass]?.next(nowPs)
  }

  #isBlocked(port: number, flow: Flow, nowPs: number): boolean {
    return this.#fabric.gate.isBlocked(port, classOf(flow), flow.packetBytes, nowPs)
  }

  /** A shared FIFO in front of the link: filled by next service time, emptied in order. */
  #serveByFifo(fifo: InjectionFifo, host: number, nowPs: number): void {
    const fabric = this.#fabric
    const port = this.#hostPort[host]
    for (;;) {
      while (!fifo.isFull(host)) {
        const flow = this.#nextFlow(host, nowPs, false)
        if (flow === undefined) break
        fabric.scheduler.charge(fabric.ports, port, flow.class, flow.packetBytes)
        fifo.push(host, this.#makeData(flow, nowPs), this.#packets)
      }
      const head = fifo.first(host)
      if (head < 0) return
      const freePs = Math.max(fabric.ports.float[(port << 4) + FREE_PS], this.#capFreePs[host])
      if (freePs > nowPs) {
        this.#armNic(host, freePs)
        return
      }
      const trafficClass = this.#packets.int[head + CLASS]
      if (fabric.gate.isBlocked(port, trafficClass, this.#packets.int[head + BYTES], nowPs)) return
      fifo.shift(host, this.#packets)
      this.#inject(host, head, nowPs)
    }
  }

  /** An ACK joins the host's one FIFO, behind the data that waits. */
  queue(host: number, p: number, nowPs: number): void {
    this.#fifo?.push(host, p, this.#packets)
    this.#serve(host, nowPs)
  }

  #send(flow: Flow, nowPs: number): void {
    this.#inject(flow.source, this.#makeData(flow, nowPs), nowPs)
  }

  #makeData(flow: Flow, nowPs: number): number {
    const packets = this.#packets
    const reliability = this.#reliability
    const seq = reliability.nextToSend(flow)
    const payload = flow.payloadOf(seq)
    const bytes = flow.packetBytes - flow.mtuBytes + payload
    const p = packets.allocate()
    packets.int[p + KIND] = DATA
    packets.int[p + CLASS] = classOf(flow)
    let flags = this.#dataFlags
    if (seq === flow.packetCount - 1) flags |= LAST
    const isAgain = seq < flow.fresh
    if (isAgain) {
      flags |= AGAIN
      flow.retransmitted++
      this.retransmitted++
    } else {
      flow.fresh = seq + 1
      if (flow.reaction.hasReduced) {
        flow.reaction.hasReduced = false
        flags |= CWR
      }
    }
    packets.int[p + FLAGS] = flags
    packets.int[p + BYTES] = bytes
    packets.int[p + PAYLOAD] = payload
    packets.int[p + FLOW] = flow.flow
    packets.int[p + SEQ] = seq
    packets.int[p + PATH] = flow.ways === undefined ? flow.path : flow.ways.give(p, nowPs)
    packets.int[p + HOP] = 0
    packets.cold[(p >> 1) + SOURCE] = flow.source
    packets.cold[(p >> 1) + TARGET] = this.#fabric.hostNodes[flow.target]
    packets.int[p + INGRESS] = -1
    packets.cold[(p >> 1) + FIELD_B] = 0
    packets.cold[(p >> 1) + CODE] = flow.reaction.header
    packets.cold[(p >> 1) + TELEMETRY] = this.#control.telemetry
      ? this.#fabric.telemetry.allocate()
      : -1
    this.dataPackets++
    reliability.onSent(flow, seq)
    const { reaction, source } = flow
    const turnPs = Math.ceil(this.#flowsIn[source] * bytes * this.#psPerByte[source])
    paceServed(flow, bytes, turnPs, this.#burst, nowPs)
    reaction.quota--
    reaction.onSent(bytes, nowPs)
    if (!isAgain && flow.fresh === flow.packetCount) reaction.onFinished(nowPs)
    const nic = this.#nics[flow.source * CLASSES + flow.class] as Nic
    nic.served(flow)
    if (this.#canSend(flow)) nic.moved(flow)
    else this.rest(flow)
    if (flow.rtoPs > 0 && !(this.#startsTimerOnce && flow.timeout.duePs < Infinity)) {
      this.#timers.armTimeout(flow, nowPs + flow.rtoPs)
    }
    return p
  }

  #inject(host: number, p: number, nowPs: number): void {
    const fabric = this.#fabric
    const port = this.#hostPort[host]
    if (this.#capPsPerByte > 0) {
      const counted = this.#packets.int[p + this.#capCounted]
      this.#capFreePs[host] = nowPs + Math.ceil(counted * this.#capPsPerByte)
    }
    const contention = fabric.contention[port]
    if (contention !== undefined && contention.sees !== 'departures') {
      fabric.settle(port, nowPs)
      const held = fabric.ports.queuedBytes(port, this.#packets.int[p + CLASS])
      contention.onArrival(p, held, nowPs)
    }
    fabric.join(port, p, nowPs)
  }

  #canSend(flow: Flow): boolean {
    if (flow.isDone || flow.heldClasses !== 0) return false
    if (flow.inflightBytes >= flow.windowBytes && !flow.isUrgent) return false
    if (flow.reaction.quota < 1) return false
    return this.#reliability.nextToSend(flow) >= 0
  }

  #offer(flow: Flow): void {
    if (flow.place >= 0) return
    const i = flow.source * CLASSES + flow.class
    const nic = (this.#nics[i] ??= nicOf(this.#service))
    nic.add(flow)
    this.#flowsIn[flow.source]++
    this.#active[flow.source] |= 1 << flow.class
  }

  rest(flow: Flow): void {
    if (flow.place < 0) return
    const nic = this.#nics[flow.source * CLASSES + flow.class] as Nic
    nic.remove(flow)
    this.#flowsIn[flow.source]--
    if (nic.count === 0) this.#active[flow.source] &= ~(1 << flow.class)
  }

  #armNic(host: number, atPs: number): void {
    if (this.#nicPs[host] <= atPs) return
    if (this.#nicHandle[host] >= 0) this.#windows.cancel(this.#nicHandle[host])
    this.#nicPs[host] = atPs
    this.#nicHandle[host] = this.#windows.schedule(atPs, NIC, host, this.#fabric.cellOfHost(host))
  }

  /** The reaction point has spoken: its rate may be another, its window open. */
  afterReaction(flow: Flow, nowPs: number): void {
    const rateBps = flow.reaction.rateBps
    let isDue = false
    if (rateBps !== flow.pacedBps) {
      paceAgain(flow, this.#burst, nowPs)
      this.#nics[flow.source * CLASSES + flow.class]?.moved(flow)
      isDue = flow.place >= 0
    }
    if (flow.place < 0) {
      if (!this.#canSend(flow)) return
      paceWoken(flow, this.#burst, nowPs)
      this.#offer(flow)
      isDue = true
    } else if (!this.#canSend(flow)) {
      this.rest(flow)
      return
    }
    if (isDue) this.#serve(flow.source, nowPs)
  }

  /** The host's switch takes no more of a flow's class, or takes it again: others are served. */
  hold(flow: Flow, trafficClass: number, isOff: boolean, nowPs: number): void {
    if (isOff) flow.heldClasses |= 1 << trafficClass
    else flow.heldClasses &= ~(1 << trafficClass)
    this.afterReaction(flow, nowPs)
  }

  /** Calls back for each packet in an injection FIFO, for audits. */
  eachHeld(visit: (packet: number, host: number) => void): void {
    const { int } = this.#packets
    for (let host = 0; host < this.#hostPort.length; host++) {
      for (let p = this.#fifo?.first(host) ?? -1; p >= 0; p = int[p + NEXT]) visit(p, host)
    }
  }
}

/** The class of its next packet. */
function classOf(flow: Flow): number {
  const { packetClass } = flow.reaction
  return packetClass < 0 ? flow.class : packetClass
}
