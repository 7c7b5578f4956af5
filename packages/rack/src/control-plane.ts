/**
 * The control plane of a node: broadcasts what its flows do, keeps its view of everybody's, and
 * finds out what it has missed. P. Costa et al., "R2C2", SIGCOMM 2015, section 3.2.
 *
 * The paper: broadcasts have checksums; a node that must drop one tells its source, which sends it
 * again; after a failure of a link or a node all announce their flows anew. Ours, because a
 * broadcast that was corrupted or fell off a dying link has no one to tell of it: announcements
 * are numbered, a number that stays missing is asked for, and every node broadcasts a digest of
 * its flows from time to time, so that any difference is found. The answer to a request is a
 * snapshot of all flows.
 */
import type { Counters, RackConfig, Send } from './config.ts'
import { AnnouncementsHeard } from './announcements-heard.ts'
import type { TopologyView } from './topology-view.ts'
import type { KnownFlow, TrafficMatrix } from './traffic-matrix.ts'
import {
  ANNOUNCEMENT_BYTES,
  decodeAnnouncement,
  encodeAnnouncement,
  PRIORITY_MAX,
} from './wire/announcement.ts'
import type { Announcement } from './wire/announcement.ts'
import {
  TYPE_DIGEST,
  TYPE_DROPPED,
  TYPE_FINISH,
  TYPE_LINKS,
  TYPE_REQUEST,
  TYPE_SNAPSHOT,
  TYPE_START,
} from './wire/packet.ts'
import { decodeRouteChoices, encodeRouteChoices, PAIRS_MAX } from './wire/route-choices.ts'
import type { RouteChoice } from './wire/route-choices.ts'
import { Snapshots, snapshotPayloads } from './snapshots.ts'

/** What the control plane asks of the rest of its node. */
export interface ControlHost {
  readonly send: Send
  /** Sends a message of this type to another node, by some way. */
  message(type: number, target: number, payload: Uint8Array): void
  /** The view of the topology has changed: flows may have lost their ways. */
  topologyChanged(nowPs: number): void
}

export class ControlPlane {
  readonly #self: number
  readonly #config: RackConfig
  readonly #matrix: TrafficMatrix
  readonly #view: TopologyView
  readonly #host: ControlHost
  readonly #counters: Counters
  readonly #heard: AnnouncementsHeard[]
  /** Number of the last word of each node on its links; -1: none yet. */
  readonly #linkWords: Int32Array
  readonly #askedPs: Float64Array
  readonly #snapshots: Snapshots
  /** Of this node's announcements; 24 bits of it travel with digests, 8 with all others. */
  #number = 0
  #tree = 0
  #digestPs: number
  /** Announcements to send again, by their text, and when. */
  readonly #again = new Map<string, { bytes: Uint8Array; atPs: number }>()

  constructor(
    self: number,
    config: RackConfig,
    matrix: TrafficMatrix,
    view: TopologyView,
    host: ControlHost,
    counters: Counters,
  ) {
    const { nodes } = config.wiring
    this.#self = self
    this.#config = config
    this.#matrix = matrix
    this.#view = view
    this.#host = host
    this.#counters = counters
    this.#heard = Array.from({ length: nodes }, () => new AnnouncementsHeard())
    this.#linkWords = new Int32Array(nodes).fill(-1)
    this.#askedPs = new Float64Array(nodes).fill(-Infinity)
    this.#snapshots = new Snapshots(nodes)
    // Digests of different nodes are spread over the period.
    this.#digestPs = Math.ceil((config.digestPs * (self + 1)) / nodes)
  }

  /** A flow of this node starts, changes, or is announced again. */
  announceStart(flow: Omit<KnownFlow, 'source' | 'sincePs'>, nowPs: number): void {
    this.#announce(TYPE_START, flow, nowPs)
  }

  announceFinish(flow: Omit<KnownFlow, 'source' | 'sincePs'>, nowPs: number): void {
    this.#announce(TYPE_FINISH, flow, nowPs)
  }

  announceRoutes(choices: readonly RouteChoice[]): void {
    for (let at = 0; at < choices.length; at += PAIRS_MAX) {
      const tree = this.#nextTree()
      const part = choices.slice(at, at + PAIRS_MAX)
      for (const { source, flow, protocol } of part) this.#matrix.reroute(source, flow, protocol)
      const sequence = this.#number & 255
      this.#broadcast(
        encodeRouteChoices({ source: this.#self, tree, sequence, choices: part }),
        tree,
      )
    }
  }

  /** An output of this node has died, or lives again. */
  linkChanged(port: number, isUp: boolean, nowPs: number): void {
    const before = this.#view.downOutputs(this.#self)
    const after = isUp ? before & ~(1 << port) : before | (1 << port)
    if (!this.#view.setDownOutputs(this.#self, after)) return
    this.#linkWords[this.#self] = (this.#linkWords[this.#self]! + 1) & 0xffff
    this.#floodLinks()
    this.#viewChanged(nowPs)
  }

  /** Periodic work; `nextPs` says when it is due. */
  tick(nowPs: number): void {
    for (const [text, { bytes, atPs }] of this.#again) {
      if (nowPs < atPs) continue
      this.#again.delete(text)
      this.#sendAgain(bytes)
    }
    this.#heard.forEach((heard, source) => {
      const isMissing = nowPs - heard.missingSincePs >= this.#config.gapPs
      if (isMissing || heard.isSuspect) this.#request(source, nowPs)
    })
    if (nowPs < this.#digestPs) return
    this.#digestPs += this.#config.digestPs
    this.#matrix.forgetEnds(nowPs - this.#config.endPs)
    const { count, hash } = this.#matrix.digestOf(this.#self)
    const flow = this.#number >>> 8
    this.#broadcastOwn({ ...BLANK, type: TYPE_DIGEST, target: count, flow, demandKbps: hash })
    // Words on links may be lost too.
    if (this.#linkWords[this.#self]! >= 0) this.#floodLinks()
  }

  nextPs(): number {
    let gap = Infinity
    this.#heard.forEach(({ missingSincePs, isSuspect }, source) => {
      const suspectPs = isSuspect ? -Infinity : missingSincePs + this.#config.gapPs
      if (suspectPs === Infinity) return
      gap = Math.min(gap, Math.max(suspectPs, this.#askedPs[source]! + this.#config.requestPs))
    })
    const again = Math.min(...[...this.#again.values()].map(({ atPs }) => atPs))
    return Math.min(this.#digestPs, gap, again)
  }

  /** A broadcast of 16 bytes has come by a channel. */
  onAnnouncement(bytes: Uint8Array, fromPort: number, nowPs: number): void {
    const a = decodeAnnouncement(bytes, this.#config.wiring.nodes)
    if (typeof a === 'string' || bytes.length !== ANNOUNCEMENT_BYTES) {
      this.#counters.malformed++
      return
    }
    if (a.source === this.#self) return
    if (a.type === TYPE_LINKS) return this.#onLinks(a, bytes, fromPort, nowPs)
    this.#forward(bytes, a.source, a.tree)
    if (a.type === TYPE_DIGEST) return this.#onDigest(a, nowPs)
    const number = this.#heard[a.source]!.hear(a.sequence, nowPs)
    if (this.#view.isReachable(a.source)) this.#matrix.apply(a, number, nowPs)
  }

  /** Returns the choices, for the node to apply to its own flows. */
  onRouteChoices(bytes: Uint8Array): readonly RouteChoice[] {
    const packet = decodeRouteChoices(bytes, this.#config.wiring.nodes)
    if (typeof packet === 'string') {
      this.#counters.malformed++
      return []
    }
    if (packet.source === this.#self) return []
    this.#forward(bytes, packet.source, packet.tree)
    return packet.choices.filter(({ source, flow, protocol }) =>
      this.#matrix.reroute(source, flow, protocol),
    )
  }

  onMessage(type: number, from: number, payload: Uint8Array, nowPs: number): void {
    if (type === TYPE_REQUEST) {
      const flows = this.#matrix.of(this.#self).map((flow) => this.#startOf(flow))
      for (const part of snapshotPayloads(flows, this.#number)) {
        this.#host.message(TYPE_SNAPSHOT, from, part)
        this.#counters.snapshots++
      }
    } else if (type === TYPE_SNAPSHOT) this.#onSnapshot(from, payload, nowPs)
    else if (type === TYPE_DROPPED) this.#wantAgain(payload, nowPs)
  }

  /** This node had to drop a broadcast, for want of room or of a link: its source should know. */
  onDropped(bytes: Uint8Array, nowPs: number): void {
    const a = decodeAnnouncement(bytes, this.#config.wiring.nodes)
    if (typeof a === 'string' || a.type === TYPE_DIGEST || a.type === TYPE_LINKS) return
    if (a.source === this.#self) this.#wantAgain(bytes, nowPs)
    else this.#host.message(TYPE_DROPPED, a.source, bytes)
  }

  #announce(
    type: typeof TYPE_START | typeof TYPE_FINISH,
    flow: Omit<KnownFlow, 'source' | 'sincePs'>,
    nowPs: number,
  ): void {
    this.#number = (this.#number + 1) & 0xffffff
    this.#counters.announced++
    const { target, flow: number, priority, protocol, demandKbps, weightCode } = flow
    const what = { type, target, flow: number, priority, protocol, demandKbps, weightCode }
    const announcement = this.#broadcastOwn({ ...what, tree: 0, source: 0, sequence: 0 })
    this.#matrix.apply(announcement, this.#number, nowPs)
  }

  /** With this node's address, its number and a tree of its own. */
  #broadcastOwn(a: Announcement): Announcement {
    const tree = this.#nextTree()
    const own = { ...a, source: this.#self, sequence: this.#number & 255, tree }
    this.#broadcast(encodeAnnouncement(own), tree)
    return own
  }

  #broadcast(bytes: Uint8Array, tree: number): void {
    for (const port of this.#view.forwarding(this.#self, tree)) this.#host.send(port, bytes.slice())
  }

  #forward(bytes: Uint8Array, source: number, tree: number): void {
    if (!this.#view.isReachable(source)) return
    for (const port of this.#view.forwarding(source, tree % this.#config.trees)) {
      this.#host.send(port, bytes.slice())
      this.#counters.forwarded++
    }
  }

  #nextTree(): number {
    this.#tree = (this.#tree + 1) % this.#config.trees
    return this.#tree
  }

  /** Not at once: the queue that had no room for it has none yet. */
  #wantAgain(bytes: Uint8Array, nowPs: number): void {
    const a = decodeAnnouncement(bytes, this.#config.wiring.nodes)
    if (typeof a === 'string' || a.source !== this.#self) {
      this.#counters.malformed++
      return
    }
    // Several nodes may have dropped the same one, whatever its tree.
    const text = `${a.type}.${a.flow}.${a.sequence}`
    if (this.#again.has(text)) return
    this.#again.set(text, { bytes: bytes.slice(), atPs: nowPs + this.#config.retryPs })
  }

  #sendAgain(bytes: Uint8Array): void {
    const a = decodeAnnouncement(bytes, this.#config.wiring.nodes)
    if (typeof a === 'string') return
    this.#counters.retransmitted++
    const tree = this.#nextTree()
    this.#broadcast(encodeAnnouncement({ ...a, tree }), tree)
  }

  #onDigest(a: Announcement, nowPs: number): void {
    if (!this.#view.isReachable(a.source)) return
    const heard = this.#heard[a.source]!
    const number = a.flow * 256 + a.sequence
    if (heard.latest > number) return
    const { count, hash } = this.#matrix.digestOf(a.source)
    if (count === a.target && hash === a.demandKbps) heard.caughtUp(number)
    else {
      heard.isSuspect = true
      this.#request(a.source, nowPs)
    }
  }

  #request(source: number, nowPs: number): void {
    if (nowPs - this.#askedPs[source]! < this.#config.requestPs) return
    this.#askedPs[source] = nowPs
    if (!this.#view.isReachable(source)) {
      this.#heard[source]!.caughtUp(this.#heard[source]!.latest)
      return
    }
    this.#counters.requests++
    this.#host.message(TYPE_REQUEST, source, new Uint8Array(0))
  }

  #onSnapshot(from: number, payload: Uint8Array, nowPs: number): void {
    const snapshot = this.#snapshots.take(from, payload, this.#config.wiring.nodes)
    if (snapshot === 'malformed') this.#counters.malformed++
    if (typeof snapshot === 'string') return
    const heard = this.#heard[from]!
    // Newer announcements have come meanwhile: the next digest will tell whether anything is amiss.
    if (heard.latest > snapshot.number) return
    this.#matrix.replace(from, snapshot.flows, snapshot.number, nowPs)
    heard.caughtUp(snapshot.number)
  }

  #floodLinks(): void {
    const bits = this.#view.downOutputs(this.#self)
    const word = { ...BLANK, type: TYPE_LINKS, flow: this.#linkWords[this.#self]! } as const
    const own = { ...word, source: this.#self, sequence: 0, demandKbps: bits }
    this.#flood(encodeAnnouncement(own), -1)
  }

  #flood(bytes: Uint8Array, exceptPort: number): void {
    const { starts } = this.#config.wiring
    const outputs = starts[this.#self + 1]! - starts[this.#self]!
    for (let port = 0; port < outputs; port++) {
      if (port !== exceptPort) this.#host.send(port, bytes.slice())
    }
  }

  #onLinks(a: Announcement, bytes: Uint8Array, fromPort: number, nowPs: number): void {
    const known = this.#linkWords[a.source]!
    const ahead = (a.flow - known) & 0xffff
    if (known >= 0 && (ahead === 0 || ahead > 0x7fff)) return
    this.#linkWords[a.source] = a.flow
    this.#flood(bytes, fromPort)
    if (this.#view.setDownOutputs(a.source, a.demandKbps)) this.#viewChanged(nowPs)
  }

  /** 'Upon detecting a failure, nodes broadcast information about all their ongoing flows.' */
  #viewChanged(nowPs: number): void {
    for (let source = 0; source < this.#config.wiring.nodes; source++) {
      if (source !== this.#self && !this.#view.isReachable(source)) this.#matrix.forget(source)
    }
    this.#host.topologyChanged(nowPs)
    for (const flow of this.#matrix.of(this.#self)) this.announceStart(flow, nowPs)
  }

  #startOf(flow: KnownFlow): Announcement {
    const { target, flow: number, priority, protocol, demandKbps, weightCode } = flow
    const own = {
      source: this.#self,
      sequence: this.#number & 255,
      tree: 0,
      type: TYPE_START,
    } as const
    return { ...own, target, flow: number, priority, protocol, demandKbps, weightCode }
  }
}

const BLANK: Announcement = {
  type: TYPE_DIGEST,
  priority: PRIORITY_MAX,
  tree: 0,
  protocol: 0,
  source: 0,
  target: 0,
  flow: 0,
  demandKbps: 0,
  weightCode: 0,
  sequence: 0,
}
