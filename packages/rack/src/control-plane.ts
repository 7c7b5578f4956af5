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
 *
 * It speaks in announcements, not in bytes: whoever drives it (`node.ts` with bytes, the simulator
 * with packets of its own) carries them, and passes on those of others along their trees.
 */
import type { Counters, RackConfig } from './config.ts'
import { AnnouncementsHeard, LatestHeard } from './announcements-heard.ts'
import type { KnownFlow, TrafficMatrix } from './traffic-matrix.ts'
import { PRIORITY_MAX } from './wire/announcement.ts'
import type { Announcement } from './wire/announcement.ts'
import { TYPE_DIGEST, TYPE_FINISH, TYPE_LINKS, TYPE_ROUTES, TYPE_START } from './wire/packet.ts'
import { PAIRS_MAX } from './wire/route-choices.ts'
import type { RouteChoice, RouteChoices } from './wire/route-choices.ts'
import type { Snapshot } from './snapshots.ts'

/** What the control plane asks of the rest of its node. */
export interface ControlHost {
  /** An announcement of this node's own sets out along its tree. */
  broadcast(a: Announcement): void
  broadcastRoutes(routes: RouteChoices): void
  /** A word on links goes to all neighbours but the one by whose link it came (-1: none). */
  flood(a: Announcement, exceptPort: number): void
  /** Asks a node for all of its flows; gives them to one that has asked. */
  request(source: number): void
  snapshot(target: number, snapshot: Snapshot): void
  /** The view of the topology has changed: flows may have lost their ways. */
  topologyChanged(nowPs: number): void
}

/** What it asks of the topology as its node knows it. */
export interface ControlView {
  isReachable(node: number): boolean
  downOutputs(node: number): number
  /** Returns whether that changes the view. */
  setDownOutputs(node: number, bits: number): boolean
}

/**
 * A digest or a snapshot that is behind by no more than this was overtaken by announcements; one
 * that is further off is of a node that has begun anew.
 */
const OVERTAKEN = 128
/** The same for words on links; and how often one is said again where all links are up. */
const WORDS_OVERTAKEN = 64
const WORDS_AGAIN = 8

type OwnFlowFields = Omit<KnownFlow, 'source' | 'sincePs'>

export class ControlPlane {
  readonly #self: number
  readonly #config: RackConfig
  readonly #matrix: TrafficMatrix
  readonly #view: ControlView
  readonly #host: ControlHost
  readonly #counters: Counters
  readonly #heard: AnnouncementsHeard
  /** Number of the last word of each node on its links; -1: none yet. */
  readonly #linkWords: Int32Array
  /** When it came. */
  readonly #linkWordPs: Float64Array
  readonly #askedPs: Float64Array
  /** Of sources whose last digest was behind what had come: how far that was. */
  readonly #beyond = new Map<number, number>()
  /** Nodes that cannot be reached, as the view was when it last changed. */
  readonly #isLost: Uint8Array
  /** Of this node's announcements; 24 bits of it travel with digests, 8 with all others. */
  #number: number
  /** How many digests still bring a word on this node's links along. */
  #wordsDue = WORDS_AGAIN
  #tree = 0
  #digestPs: number
  /** Nothing need be asked for before this. */
  #gapDuePs = Infinity
  /** Broadcasts to send again, by their text, and when. */
  readonly #again = new Map<string, { what: Announcement | RouteChoices; atPs: number }>()
  #againDuePs = Infinity

  constructor(
    self: number,
    config: RackConfig,
    matrix: TrafficMatrix,
    view: ControlView,
    host: ControlHost,
    counters: Counters,
    /** Another one each time that a node is switched on; what it counts in is beyond 8 bits. */
    birth: number = 0,
    heard: AnnouncementsHeard = new AnnouncementsHeard(new LatestHeard(config.wiring.nodes)),
  ) {
    const { nodes } = config.wiring
    this.#number = birth * 256
    this.#self = self
    this.#config = config
    this.#matrix = matrix
    this.#view = view
    this.#host = host
    this.#counters = counters
    this.#heard = heard
    this.#linkWords = new Int32Array(nodes).fill(-1)
    this.#linkWords[self] = birth & 0xffff
    this.#linkWordPs = new Float64Array(nodes).fill(-Infinity)
    this.#askedPs = new Float64Array(nodes).fill(-Infinity)
    this.#isLost = new Uint8Array(nodes)
    // Digests of different nodes are spread over the period.
    this.#digestPs = Math.ceil((config.digestPs * (self + 1)) / nodes)
  }

  /** A flow of this node starts, changes, or is announced again. */
  announceStart(flow: OwnFlowFields, nowPs: number): void {
    this.#announce(TYPE_START, flow, nowPs)
  }

  announceFinish(flow: OwnFlowFields, nowPs: number): void {
    this.#announce(TYPE_FINISH, flow, nowPs)
  }

  announceRoutes(choices: readonly RouteChoice[]): void {
    for (let at = 0; at < choices.length; at += PAIRS_MAX) {
      const tree = this.#nextTree()
      const part = choices.slice(at, at + PAIRS_MAX)
      for (const { source, flow, protocol } of part) this.#matrix.reroute(source, flow, protocol)
      const sequence = this.#number & 255
      this.#host.broadcastRoutes({ source: this.#self, tree, sequence, choices: part })
    }
  }

  /** An output of this node has died, or lives again. */
  linkChanged(port: number, isUp: boolean, nowPs: number): void {
    const before = this.#view.downOutputs(this.#self)
    const after = isUp ? before & ~(1 << port) : before | (1 << port)
    if (!this.#view.setDownOutputs(this.#self, after)) return
    this.#wordsDue = WORDS_AGAIN
    this.#floodLinks()
    this.viewChanged(nowPs)
  }

  /** Periodic work; `nextPs` says when it is due. */
  tick(nowPs: number): void {
    if (nowPs >= this.#againDuePs) this.#sayAgain(nowPs)
    if (nowPs >= this.#gapDuePs) this.#lookForGaps(nowPs)
    if (nowPs >= this.#digestPs) this.#sayDigest(nowPs)
  }

  nextPs(): number {
    return Math.min(this.#digestPs, this.#gapDuePs, this.#againDuePs)
  }

  #sayAgain(nowPs: number): void {
    this.#againDuePs = Infinity
    for (const [text, { what, atPs }] of this.#again) {
      if (nowPs < atPs) {
        this.#againDuePs = Math.min(this.#againDuePs, atPs)
        continue
      }
      this.#again.delete(text)
      this.#counters.retransmitted++
      const tree = this.#nextTree()
      if ('choices' in what) this.#host.broadcastRoutes({ ...what, tree })
      else this.#host.broadcast({ ...what, tree })
    }
  }

  #sayDigest(nowPs: number): void {
    this.#digestPs = nextDuePs(this.#digestPs, this.#config.digestPs, nowPs)
    this.#matrix.forgetEnds(nowPs - this.#config.endPs)
    const { count, hash } = this.#matrix.digestOf(this.#self)
    const flow = this.#number >>> 8
    this.#broadcastOwn({ ...BLANK, type: TYPE_DIGEST, target: count, flow, demandKbps: hash })
    // Words on links may be lost too; and who begins has heard none of them.
    if (this.#wordsDue > 0 || this.#view.downOutputs(this.#self) !== 0) {
      this.#wordsDue--
      this.#floodLinks()
    }
  }

  /** A start, an end or a digest of another node has come. */
  hear(a: Announcement, nowPs: number): void {
    // Of a node that is back before this one knows, it shows as a gap by and by.
    if (!this.#view.isReachable(a.source)) return
    if (a.type === TYPE_DIGEST) return this.#onDigest(a, nowPs)
    const number = this.#heard.hear(a.source, a.sequence, nowPs)
    if (this.#heard.missingSincePs(a.source) === nowPs) this.#lookBy(nowPs + this.#config.gapPs)
    this.#matrix.apply(a, number, nowPs)
  }

  /** The choices that concern flows which are known. */
  hearRoutes(choices: readonly RouteChoice[]): readonly RouteChoice[] {
    return choices.filter(({ source, flow, protocol }) =>
      this.#matrix.reroute(source, flow, protocol),
    )
  }

  /** A word on another node's links has come; it is passed on if it is news. */
  hearLinks(a: Announcement, fromPort: number, nowPs: number): void {
    const known = this.#linkWords[a.source]!
    if (known >= 0 && ((known - a.flow) & 0xffff) <= WORDS_OVERTAKEN) return
    // Two words far apart are each news after the other: they would go round, and multiply, for
    // ever (RFC 789 has what that did to the ARPANET). One of them is over after this time.
    const isFar = known >= 0 && ((a.flow - known) & 0xffff) > WORDS_OVERTAKEN
    if (isFar && nowPs - this.#linkWordPs[a.source]! < this.#config.gapPs) return
    this.#linkWords[a.source] = a.flow
    this.#linkWordPs[a.source] = nowPs
    this.#host.flood(a, fromPort)
    if (this.#view.setDownOutputs(a.source, a.demandKbps)) this.viewChanged(nowPs)
  }

  /**
   * Somebody says of this node's links what it has not said of late: its own bytes, corrupted where
   * the checksum does not show it, or words of an earlier life. It says the truth, with a number
   * beyond theirs, or they would be believed until a link changes.
   */
  hearOwnLinks(a: Announcement): void {
    const behind = (this.#linkWords[this.#self]! - a.flow) & 0xffff
    if (behind <= WORDS_OVERTAKEN || a.demandKbps === this.#view.downOutputs(this.#self)) return
    this.#linkWords[this.#self] = a.flow
    // Not all may have believed the same.
    this.#wordsDue = WORDS_AGAIN
    this.#floodLinks()
  }

  onRequest(from: number): void {
    const flows = this.#matrix.of(this.#self).map((flow) => this.#startOf(flow))
    this.#counters.snapshots++
    this.#host.snapshot(from, { number: this.#number, flows })
  }

  onSnapshot(from: number, { number, flows }: Snapshot, nowPs: number): void {
    // Newer announcements have come meanwhile: the next digest will tell whether anything is amiss.
    if (this.#isOvertaken(from, number)) return
    this.#matrix.replace(from, flows, number, nowPs)
    this.#heard.caughtUp(from, number)
  }

  /** One of this node's own was dropped. Not at once: the queue that had no room has none yet. */
  wantAgain(what: Announcement | RouteChoices, nowPs: number): void {
    // Several nodes may have dropped the same one, whatever its tree.
    const text = textOf(what)
    if (this.#again.has(text)) return
    const atPs = nowPs + this.#config.retryPs
    this.#again.set(text, { what, atPs })
    this.#againDuePs = Math.min(this.#againDuePs, atPs)
  }

  /** 'Upon detecting a failure, nodes broadcast information about all their ongoing flows.' */
  viewChanged(nowPs: number): void {
    for (let source = 0; source < this.#config.wiring.nodes; source++) {
      if (source === this.#self) continue
      const isLost = this.#view.isReachable(source) ? 0 : 1
      if (isLost > this.#isLost[source]!) this.#matrix.forget(source)
      this.#isLost[source] = isLost
    }
    this.#host.topologyChanged(nowPs)
    for (const flow of this.#matrix.of(this.#self)) this.announceStart(flow, nowPs)
  }

  #announce(
    type: typeof TYPE_START | typeof TYPE_FINISH,
    flow: OwnFlowFields,
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
    this.#host.broadcast(own)
    return own
  }

  #nextTree(): number {
    this.#tree = (this.#tree + 1) % this.#config.trees
    return this.#tree
  }

  #onDigest(a: Announcement, nowPs: number): void {
    const heard = this.#heard
    const number = a.flow * 256 + a.sequence
    if (this.#isOvertaken(a.source, number)) {
      const before = this.#beyond.get(a.source)
      this.#beyond.set(a.source, heard.latest(a.source))
      if (before === undefined || !isOvertakenBy(number, before)) return
      // What had come when the digest before this one did is still beyond what the source says: a
      // corruption that the checksum did not show.
      heard.caughtUp(a.source, number)
    }
    this.#beyond.delete(a.source)
    const { count, hash } = this.#matrix.digestOf(a.source)
    // 65,536 flows are 0 in the 16 bits that they have there.
    if ((count & 0xffff) === a.target && hash === a.demandKbps) heard.caughtUp(a.source, number)
    else {
      heard.suspect(a.source)
      this.#request(a.source, nowPs)
    }
  }

  #isOvertaken(source: number, number: number): boolean {
    return isOvertakenBy(number, this.#heard.latest(source))
  }

  #lookBy(atPs: number): void {
    if (atPs < this.#gapDuePs) this.#gapDuePs = atPs
  }

  /** Asks whoever has been missed for long, and finds when the next one will have been. */
  #lookForGaps(nowPs: number): void {
    const heard = this.#heard
    const { gapPs } = this.#config
    this.#gapDuePs = Infinity
    for (const source of heard.amiss()) {
      const sincePs = heard.missingSincePs(source)
      const isMissing = nowPs - sincePs >= gapPs
      if (isMissing || heard.isSuspect(source)) this.#request(source, nowPs)
      else if (sincePs < Infinity) this.#lookBy(sincePs + gapPs)
    }
  }

  #request(source: number, nowPs: number): void {
    const { requestPs } = this.#config
    if (nowPs - this.#askedPs[source]! < requestPs) {
      return this.#lookBy(this.#askedPs[source]! + requestPs)
    }
    this.#askedPs[source] = nowPs
    if (!this.#view.isReachable(source)) {
      this.#heard.caughtUp(source, this.#heard.latest(source))
      return
    }
    this.#lookBy(nowPs + requestPs)
    this.#counters.requests++
    this.#host.request(source)
  }

  /** With a number of its own, also if it is said again: others pass on only what is new. */
  #floodLinks(): void {
    this.#linkWords[this.#self] = (this.#linkWords[this.#self]! + 1) & 0xffff
    const bits = this.#view.downOutputs(this.#self)
    const word = { ...BLANK, type: TYPE_LINKS, flow: this.#linkWords[this.#self]! } as const
    this.#host.flood({ ...word, source: this.#self, sequence: 0, demandKbps: bits }, -1)
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

function isOvertakenBy(number: number, later: number): boolean {
  const behind = (later - number) & 0xffffff
  return behind > 0 && behind <= OVERTAKEN
}

/** What tells a node's own broadcasts apart; announced routes have one number for all parts. */
function textOf(what: Announcement | RouteChoices): string {
  if (!('choices' in what)) return `${what.type}.${what.flow}.${what.sequence}`
  const [first] = what.choices
  return `${TYPE_ROUTES}.${first?.source}.${first?.flow}.${what.sequence}`
}

/** The first time after now at which something periodic is due. */
export function nextDuePs(duePs: number, periodPs: number, nowPs: number): number {
  return duePs + (Math.floor((nowPs - duePs) / periodPs) + 1) * periodPs
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
