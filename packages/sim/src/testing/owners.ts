/**
 * A debug form of a run in which every node minds its own: each access to a column, a packet or a
 * half of a flow is checked against the node that acts, and one that touches another's throws.
 *
 * A port's state belongs to the node that sends by it, an ingress's to the node that receives, a
 * packet to whoever holds it (on the wire still to its sender), the halves of a flow to its hosts.
 * What no node does (arrivals, samples, stops, ends, programs' messages being handed out) acts
 * outside all of them, and may look at everything. Constants are everybody's: what a port is joined
 * to, and what a flow is.
 *
 * Not checked: columns that are private to a class; and the channel by which credits come back,
 * which has two ends.
 */
import {
  CREDIT,
  DELAYED_ACK,
  FLOW_PAUSE,
  FLOW_TIMER,
  LINK,
  NIC,
  PORT,
  PORT_TIMER,
  PORT_TIMERS,
  TAKE_IN,
  TIMEOUT,
  isReceivers,
} from '@weir/fabric'
import { CLASSES } from '@weir/fabric'
import type { Flow, ReceiverFlow } from '@weir/fabric'
import type { Network } from '../network.ts'
import type { Run } from '../run.ts'

const OUTSIDE = -1
/** Words of a packet's record, as offsets count them. */
const PACKET_WORDS = 16
/** Wait queues of a port: one more than classes, for frames. */
const QUEUES = CLASSES + 1

type Column = Int32Array | Float64Array | Uint8Array | Uint16Array
/** Keys of a flow's halves that never change, or that only those outside use. */
const CONSTANT = new Set(['flow', 'key', 'source', 'target', 'class', 'sizeBytes', 'receiver'])

/** Makes a run that has not begun check who touches what. Returns the run. */
export function mindingItsOwn(run: Run): Run {
  const owners = new Owners(run)
  owners.guardPorts()
  owners.guardSwitches()
  owners.guardPackets()
  owners.guardFlows()
  owners.follow()
  return run
}

class Owners {
  /** The node that acts. */
  #actor: number = OUTSIDE
  readonly #network: Network
  readonly #from: Int32Array
  readonly #to: Int32Array
  /** Who holds a packet, by number of its record. */
  readonly #holder: Map<number, number> = new Map()

  constructor({ network }: Run) {
    this.#network = network
    this.#from = network.fabric.ports.from
    this.#to = network.fabric.ports.to
  }

  #check(owner: number, what: string): void {
    if (this.#actor === OUTSIDE || owner === this.#actor) return
    const { nodes } = this.#network.graph
    const name = (node: number): string => nodes[node]?.name ?? 'nobody'
    throw new Error(`${name(this.#actor)} touches ${name(owner)}'s ${what}`)
  }

  /** Replaces a column of `holder` by one that asks `owner` who may touch an index. */
  #guard(
    holder: object,
    key: string,
    owner: (index: number) => number,
    reader: (index: number) => number = owner,
  ): void {
    const check = (index: string | symbol, who: (index: number) => number): void => {
      if (typeof index === 'string' && isIndex(index)) this.#check(who(Number(index)), key)
    }
    const checked = new Proxy((holder as Record<string, Column>)[key]!, {
      get(target, index) {
        check(index, reader)
        const value: unknown = Reflect.get(target, index, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
      set(target, index, value) {
        check(index, owner)
        return Reflect.set(target, index, value, target)
      },
    })
    Object.defineProperty(holder, key, { value: checked, configurable: true, writable: true })
  }

  guardPorts(): void {
    const { credits, ports, wires } = this.#network.fabric
    const from = this.#from
    const by = (stride: number) => (i: number) => from[Math.floor(i / stride)]!
    this.#guard(ports, 'int', by(32))
    // Lanes 6 and 7, delay and time per byte, are constants.
    this.#guard(ports, 'float', (i) => ((i & 14) === 6 ? this.#actor : from[i >> 4]!))
    for (const key of ['armed', 'waiting', 'paused', 'turn', 'marks', 'drops']) {
      this.#guard(ports, key, by(1))
    }
    for (const key of ['waitHead', 'waitTail']) this.#guard(ports, key, by(QUEUES))
    this.#guard(ports, 'queued', by(CLASSES))
    const countPauses = ports.countPauses.bind(ports)
    ports.countPauses = () => {
      const { pausedPs } = ports
      countPauses()
      if (ports.pausedPs !== pausedPs) this.#guard(ports, 'pausedPs', by(CLASSES))
    }
    this.#guard(ports, 'pauseFrames', (link) => this.#to[link]!)
    // Of a wire both ends may know where it is, how far it goes and how far it is taken.
    this.#guard(
      wires,
      'ends',
      (i) => (isReceivers(i & 3) ? this.#to[i >> 2]! : (i & 3) === 3 ? this.#actor : from[i >> 2]!),
      (i) => (this.#to[i >> 2] === this.#actor ? this.#actor : from[i >> 2]!),
    )
    if (credits !== undefined) this.#guard(credits, 'available', by(CLASSES))
  }

  /** What an ingress holds is by link, which is the far port's number. */
  guardSwitches(): void {
    const { switches } = this.#network
    const byLink = (i: number): number => this.#to[Math.floor(i / CLASSES)]!
    for (const key of ['sharedBytes', 'headroomBytes', 'inputBytes', 'inputBytesMax']) {
      if (key in switches) this.#guard(switches, key, byLink)
    }
    if ('pauses' in switches) this.#guard(switches.pauses, 'isOff', byLink)
    if ('stops' in switches) this.#guard(switches.stops, 'offCount', (node) => node)
    for (const key of ['usedBytes', 'usedBytesMax']) {
      if (key in switches) this.#guard(switches, key, (node) => node)
    }
  }

  guardPackets(): void {
    const { packets } = this.#network.fabric
    const holder = this.#holder
    this.#guardRecords()
    const allocate = packets.allocate.bind(packets)
    packets.allocate = () => {
      const { int } = packets
      // A pool that grows moves all that it holds, whoever asked.
      const actor = this.#actor
      this.#actor = OUTSIDE
      const p = allocate()
      this.#actor = actor
      if (packets.int !== int) this.#guardRecords()
      // What is sent as its flow is handed out has an owner from its first arrival on.
      if (this.#actor !== OUTSIDE) holder.set(p / PACKET_WORDS, this.#actor)
      return p
    }
    const free = packets.free.bind(packets)
    packets.free = (p) => {
      this.#check(holder.get(p / PACKET_WORDS) ?? this.#actor, 'packet')
      holder.delete(p / PACKET_WORDS)
      free(p)
    }
  }

  #guardRecords(): void {
    const { packets } = this.#network.fabric
    const by = (words: number) => (i: number) =>
      this.#holder.get(Math.floor(i / words)) ?? this.#actor
    this.#guard(packets, 'int', by(PACKET_WORDS))
    for (const key of ['float', 'cold']) this.#guard(packets, key, by(PACKET_WORDS / 2))
  }

  guardFlows(): void {
    const { fabric, hosts } = this.#network
    const startFlow = hosts.startFlow.bind(hosts)
    hosts.startFlow = (start, nowPs) => {
      const actor = this.#actor
      this.#actor = OUTSIDE
      const flow = startFlow(start, nowPs)
      this.#guardHalf(flow, fabric.hostNodes[flow.source]!, 'flow')
      this.#guardHalf(flow.receiver, fabric.hostNodes[flow.target]!, 'receiver')
      this.#actor = actor
      return flow
    }
  }

  #guardHalf(half: Flow | ReceiverFlow, owner: number, what: string): void {
    for (const key of Object.keys(half)) {
      if (CONSTANT.has(key)) continue
      let value = (half as unknown as Record<string, unknown>)[key]
      Object.defineProperty(half, key, {
        enumerable: true,
        get: () => {
          this.#check(owner, `${what}.${key}`)
          return value
        },
        set: (next: unknown) => {
          this.#check(owner, `${what}.${key}`)
          value = next
        },
      })
    }
  }

  /** Notes from event to event who acts, and who holds what has arrived. */
  follow(): void {
    const { fabric, windows } = this.#network
    const next = windows.next.bind(windows)
    windows.next = () => {
      this.#actor = OUTSIDE
      const hasOne = next()
      if (hasOne) this.#actor = this.#ownerOf(windows.kind, windows.target)
      return hasOne
    }
    const arrive = fabric.arrive.bind(fabric)
    fabric.arrive = (port, p, nowPs) => {
      this.#holder.set(p / PACKET_WORDS, this.#actor)
      arrive(port, p, nowPs)
    }
  }

  #ownerOf(kind: number, target: number): number {
    const { fabric, hosts } = this.#network
    const nodeOf = (host: number | undefined): number => fabric.hostNodes[host ?? -1] ?? OUTSIDE
    switch (kind) {
      case PORT:
      case CREDIT:
      case FLOW_PAUSE:
        return this.#from[target]!
      case LINK:
        return this.#to[target]!
      case PORT_TIMER:
        return this.#from[Math.floor(target / PORT_TIMERS)]!
      case NIC:
      case TAKE_IN:
        return nodeOf(target)
      case FLOW_TIMER:
        return nodeOf(hosts.flows[target >> 2]?.source)
      case TIMEOUT:
        return nodeOf(hosts.flows[target]?.source)
      case DELAYED_ACK:
        return nodeOf(hosts.receivers[target]?.target)
      default:
        return OUTSIDE
    }
  }
}

function isIndex(key: string): boolean {
  return key.charCodeAt(0) <= 57 && key.charCodeAt(0) >= 48
}
