/**
 * The control plane of a node in bytes: what it says is encoded and sent along trees, what comes is
 * checked, passed on and told to it.
 */
import type { Counters, RackConfig, Send } from './config.ts'
import { ControlPlane } from './control-plane.ts'
import type { ControlHost } from './control-plane.ts'
import { Snapshots, snapshotPayloads } from './snapshots.ts'
import type { Snapshot } from './snapshots.ts'
import type { TopologyView } from './topology-view.ts'
import type { TrafficMatrix } from './traffic-matrix.ts'
import { ANNOUNCEMENT_BYTES, decodeAnnouncement, encodeAnnouncement } from './wire/announcement.ts'
import type { Announcement } from './wire/announcement.ts'
import {
  TYPE_DIGEST,
  TYPE_DROPPED,
  TYPE_LINKS,
  TYPE_REQUEST,
  TYPE_ROUTES,
  TYPE_SNAPSHOT,
  typeOf,
} from './wire/packet.ts'
import { decodeRouteChoices, encodeRouteChoices } from './wire/route-choices.ts'
import type { RouteChoice, RouteChoices } from './wire/route-choices.ts'

/** What it asks of its node. */
export interface BytesHost {
  readonly send: Send
  /** Sends a message of this type to another node, by some way. */
  message(type: number, target: number, payload: Uint8Array): void
  topologyChanged(nowPs: number): void
}

export class ControlBytes implements ControlHost {
  readonly control: ControlPlane
  readonly #self: number
  readonly #config: RackConfig
  readonly #view: TopologyView
  readonly #host: BytesHost
  readonly #counters: Counters
  readonly #snapshots: Snapshots

  constructor(
    self: number,
    config: RackConfig,
    matrix: TrafficMatrix,
    view: TopologyView,
    host: BytesHost,
    counters: Counters,
    birth: number,
  ) {
    this.#self = self
    this.#config = config
    this.#view = view
    this.#host = host
    this.#counters = counters
    this.#snapshots = new Snapshots(config.wiring.nodes)
    this.control = new ControlPlane(self, config, matrix, view, this, counters, birth)
  }

  broadcast(a: Announcement): void {
    this.#sendBy(a.tree, encodeAnnouncement(a))
  }

  broadcastRoutes(routes: RouteChoices): void {
    this.#sendBy(routes.tree, encodeRouteChoices(routes))
  }

  /** Also to where it came from: if it is false, its source may be there and has to hear of it. */
  flood(a: Announcement): void {
    const bytes = encodeAnnouncement(a)
    const { starts } = this.#config.wiring
    const outputs = starts[this.#self + 1]! - starts[this.#self]!
    for (let port = 0; port < outputs; port++) this.#host.send(port, bytes.slice())
  }

  request(source: number): void {
    this.#host.message(TYPE_REQUEST, source, new Uint8Array(0))
  }

  snapshot(target: number, { flows, number }: Snapshot): void {
    for (const part of snapshotPayloads(flows, number)) {
      this.#host.message(TYPE_SNAPSHOT, target, part)
    }
  }

  topologyChanged(nowPs: number): void {
    this.#host.topologyChanged(nowPs)
  }

  /** A broadcast of 16 bytes has come by a channel. */
  onAnnouncement(bytes: Uint8Array, fromPort: number, nowPs: number): void {
    const a = decodeAnnouncement(bytes, this.#config.wiring.nodes)
    if (typeof a === 'string' || bytes.length !== ANNOUNCEMENT_BYTES || !this.#canBe(a)) {
      this.#counters.malformed++
      return
    }
    if (a.type === TYPE_LINKS) {
      if (a.source === this.#self) this.control.hearOwnLinks(a)
      else this.control.hearLinks(a, fromPort, nowPs)
      return
    }
    if (a.source === this.#self) return
    this.#forward(bytes, a.source, a.tree)
    this.control.hear(a, nowPs)
  }

  /** Returns the choices, for the node to apply to its own flows. */
  onRouteChoices(bytes: Uint8Array): readonly RouteChoice[] {
    const packet = decodeRouteChoices(bytes, this.#config.wiring.nodes)
    if (typeof packet === 'string' || !packet.choices.every(this.#view.hasProtocol)) {
      this.#counters.malformed++
      return []
    }
    if (packet.source === this.#self) return []
    this.#forward(bytes, packet.source, packet.tree)
    return this.control.hearRoutes(packet.choices)
  }

  onMessage(type: number, from: number, payload: Uint8Array, nowPs: number): void {
    if (type === TYPE_REQUEST) this.control.onRequest(from)
    else if (type === TYPE_SNAPSHOT) {
      const snapshot = this.#snapshots.take(from, payload, this.#config.wiring.nodes)
      if (typeof snapshot === 'string') {
        if (snapshot === 'malformed') this.#counters.malformed++
      } else if (!snapshot.flows.every(this.#view.hasProtocol)) this.#counters.malformed++
      else this.control.onSnapshot(from, snapshot, nowPs)
    } else if (type === TYPE_DROPPED) {
      const what = this.#decodeDropped(payload)
      if (what === undefined || what.source !== this.#self) this.#counters.malformed++
      else this.control.wantAgain(what, nowPs)
    }
  }

  /** This node had to drop a broadcast, for want of room or of a link: its source should know. */
  onDropped(bytes: Uint8Array, nowPs: number): void {
    const what = this.#decodeDropped(bytes)
    if (what === undefined) return
    if (what.source === this.#self) this.control.wantAgain(what, nowPs)
    else this.#host.message(TYPE_DROPPED, what.source, bytes)
  }

  /** Undefined for what nobody sends again: digests and words on links come anew by themselves. */
  #decodeDropped(bytes: Uint8Array): Announcement | RouteChoices | undefined {
    const { nodes } = this.#config.wiring
    if (typeOf(bytes) === TYPE_ROUTES) {
      const routes = decodeRouteChoices(bytes, nodes)
      return typeof routes === 'string' ? undefined : routes
    }
    const a = decodeAnnouncement(bytes, nodes)
    const isAgain = typeof a !== 'string' && a.type !== TYPE_DIGEST && a.type !== TYPE_LINKS
    return isAgain ? a : undefined
  }

  /** This rack has such links, or such a protocol. */
  #canBe(a: Announcement): boolean {
    const { starts } = this.#config.wiring
    if (a.type === TYPE_DIGEST) return true
    if (a.type !== TYPE_LINKS) return this.#view.hasProtocol(a)
    return a.demandKbps < 2 ** (starts[a.source + 1]! - starts[a.source]!)
  }

  #sendBy(tree: number, bytes: Uint8Array): void {
    for (const port of this.#view.forwarding(this.#self, tree)) this.#host.send(port, bytes.slice())
  }

  #forward(bytes: Uint8Array, source: number, tree: number): void {
    if (!this.#view.isReachable(source)) return
    for (const port of this.#view.forwarding(source, tree % this.#config.trees)) {
      this.#host.send(port, bytes.slice())
      this.#counters.forwarded++
    }
  }
}
