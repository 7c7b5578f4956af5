/**
 * The nodes of a rack in the simulator. A server is a host and, in a rack, a switch of its own: the
 * host has the control plane (`rack/src/control-plane.ts`), the same that runs on real links, and
 * the switch passes broadcasts on along their trees. On other fabrics hosts are the nodes, and
 * switches do no more than pass on.
 */
import type { AgentPacket, NodeContext } from '@weir/fabric'
import { NodeAgent } from '@weir/fabric'
import type {
  Announcement,
  ControlHost,
  Counters,
  RouteChoices,
  Snapshot,
  Topology,
} from '@weir/rack'
import {
  ANNOUNCEMENT_BYTES,
  AnnouncementsHeard,
  ControlPlane,
  HEADER_BYTES,
  keyOf,
  newCounters,
  PAIR_BYTES,
  ROUTES_HEAD_BYTES,
  selectorAt,
  selectRoutes,
  Snapshots,
  TrafficMatrix,
  TYPE_DIGEST,
  TYPE_FINISH,
  TYPE_REQUEST,
  TYPE_ROUTES,
  TYPE_SNAPSHOT,
  TYPE_START,
} from '@weir/rack'
import {
  addressesOf,
  codeOf,
  newHeard,
  PAIRS_PER_PACKET,
  readAnnouncement,
  readRoutes,
  readSnapshot,
  routeFields,
  snapshotFields,
  sourceOf,
  treeOfCode,
  typeOfCode,
  wordOf,
} from './fields.ts'
import { FlowNumbers } from './flow-numbers.ts'
import { LEAST_BPS } from './reaction.ts'
import type { R2c2Reaction, RackAgent } from './reaction.ts'
import type { RackWorld } from './world.ts'

const COMPUTE = 0
const CONTROL = 1
const ROUTES = 2
const SELECT = 3
/** A message to one node: the header of a routed packet with the longest route. */
const MESSAGE_BYTES = HEADER_BYTES + 16
/** A flow of a snapshot: six bytes that say which part it is, and an announcement's 16. */
const PART_BYTES = MESSAGE_BYTES + 22

export const LONGEST_BYTES: number = PART_BYTES

function isAnnouncement(type: number): boolean {
  return type === TYPE_START || type === TYPE_FINISH || type === TYPE_DIGEST
}

export class RackSwitch extends NodeAgent {
  readonly #node: NodeContext
  readonly #world: RackWorld
  #topology: Topology

  constructor(node: NodeContext, world: RackWorld) {
    super()
    this.#node = node
    this.#world = world
    this.#topology = world.whole
  }

  override onPacket({ code, bytes, a, b }: Readonly<AgentPacket>, _nowPs: number): void {
    const type = typeOfCode(code)
    if (!isAnnouncement(type) && type !== TYPE_ROUTES) return
    const world = this.#world
    const source = sourceOf(code, a)
    world.forward(this.#node, this.#topology, source, treeOfCode(code), code, bytes, a, b)
  }

  override onRoutes(isDown: (link: number) => boolean, _nowPs: number): void {
    this.#topology = this.#world.topologyOf(isDown)
  }
}

export class RackHost extends NodeAgent implements ControlHost, RackAgent {
  readonly matrix: TrafficMatrix
  readonly counters: Counters = newCounters()
  readonly world: RackWorld
  readonly #node: NodeContext
  readonly #control: ControlPlane
  readonly #snapshots: Snapshots
  readonly #flows = new FlowNumbers<R2c2Reaction>()
  /** Its number among those who hear. */
  readonly #member: number
  #isComputing = false
  #armedPs = Infinity
  #topology: Topology

  constructor(node: NodeContext, world: RackWorld) {
    super()
    const { config } = world
    this.#node = node
    this.world = world
    const { endPs } = config
    const { latest, log } = world.hearing
    this.#member = node.host
    const isDigested = config.digestPs < Infinity
    const options = { isWatched: false, isDigested, endPs, log, member: node.host }
    this.matrix = new TrafficMatrix(config.wiring.nodes, options)
    this.#snapshots = new Snapshots(config.wiring.nodes)
    this.#topology = world.whole
    // Which links are down is found by routing, for all nodes alike: nobody need say so.
    const view = {
      isReachable: (other: number) => {
        return this.#topology === world.whole || this.#topology.isReachable(node.node, other)
      },
      downOutputs: () => 0,
      setDownOutputs: () => false,
    }
    const { counters, matrix } = this
    const heard = new AnnouncementsHeard(latest, node.host)
    this.#control = new ControlPlane(node.node, config, matrix, view, this, counters, 0, heard)
  }

  override onStart(_nowPs: number): void {
    this.#rearm()
    const { select } = this.world
    if (select !== undefined) this.#node.setTimer(SELECT, select.periodPs)
  }

  /** A flow begins here: all are told, and it is not limited until rates are next computed. */
  open(flow: R2c2Reaction, nowPs: number): void {
    flow.number = this.#flows.add(flow, this.#node.name)
    if (this.#leadsTo(flow)) this.#control.announceStart(flow.announced, nowPs)
    else flow.withdraw()
    if (this.#isComputing) return
    const { rhoPs } = this.world.config
    this.#isComputing = true
    this.#node.setTimer(COMPUTE, (Math.floor(nowPs / rhoPs) + 1) * rhoPs)
  }

  /** Its last packet has gone. What was lost of a flow that is withdrawn waits for its way too. */
  close(flow: R2c2Reaction, nowPs: number): void {
    flow.isSent = true
    if (flow.isWithdrawn || !this.#flows.delete(flow.number)) return
    this.#control.announceFinish(flow.announced, nowPs)
  }

  #leadsTo({ announced: { target } }: R2c2Reaction): boolean {
    return (
      this.#topology === this.world.whole || this.#topology.isReachable(this.#node.node, target)
    )
  }

  override onRoutes(isDown: (link: number) => boolean, nowPs: number): void {
    const topology = this.world.topologyOf(isDown)
    if (topology === this.#topology) return
    this.#topology = topology
    this.#node.setTimer(ROUTES, nowPs)
  }

  override onTimer(which: number, nowPs: number): void {
    // All announce their flows anew: what died with a link is not known.
    if (which === ROUTES) return this.#control.viewChanged(nowPs)
    if (which === SELECT) return this.#select(nowPs)
    if (which === CONTROL) {
      this.#armedPs = Infinity
      this.#control.tick(nowPs)
      this.#rearm()
      return
    }
    this.#isComputing = this.#flows.size > 0
    if (!this.#isComputing) return
    this.#compute(nowPs)
    this.#node.setTimer(COMPUTE, nowPs + this.world.config.rhoPs)
  }

  override onPacket({ code, a, b, source }: Readonly<AgentPacket>, nowPs: number): void {
    const type = typeOfCode(code)
    if (type === TYPE_REQUEST) this.#control.onRequest(a)
    else if (type === TYPE_SNAPSHOT) this.#onSnapshot(source, code, a, b, nowPs)
    else if (type === TYPE_ROUTES) this.#control.hearRoutes(readRoutes(code, a, b))
    else if (isAnnouncement(type)) {
      const { heard, hearing, whole } = this.world
      readAnnouncement(code, a, b, heard)
      const isUsual = type !== TYPE_DIGEST && this.#topology === whole
      if (isUsual && hearing.hearNext(this.#member, heard, nowPs)) return
      if (isUsual && hearing.isOld(this.#member, heard)) return
      this.#control.hear(heard, nowPs)
      this.#rearm()
    }
  }

  broadcast(announcement: Announcement): void {
    const { source, tree } = announcement
    const code = codeOf(announcement)
    const a = addressesOf(announcement)
    const b = wordOf(announcement)
    this.world.forward(this.#node, this.#topology, source, tree, code, ANNOUNCEMENT_BYTES, a, b)
  }

  /** The packet's bytes, in as many of an agent's as its pairs fill; the first has the header. */
  broadcastRoutes({ source, tree, choices }: RouteChoices): void {
    for (let at = 0; at < choices.length; at += PAIRS_PER_PACKET) {
      const pairs = choices.slice(at, at + PAIRS_PER_PACKET)
      const [code, a, b] = routeFields(source, tree, pairs)
      const bytes = (at === 0 ? ROUTES_HEAD_BYTES : 0) + pairs.length * PAIR_BYTES
      this.world.forward(this.#node, this.#topology, source, tree, code, bytes, a, b)
    }
  }

  flood(): void {}

  request(source: number): void {
    const host = this.world.hostOf[source]!
    this.#node.sendTo(host, TYPE_REQUEST, MESSAGE_BYTES, this.#node.node, 0)
  }

  snapshot(target: number, { flows, number }: Snapshot): void {
    const host = this.world.hostOf[target]!
    const parts = flows.length
    if (parts === 0) {
      const none = { number, part: 0, parts, flow: newHeard() }
      return this.#node.sendTo(host, ...sized(snapshotFields(none), MESSAGE_BYTES))
    }
    flows.forEach((flow, part) => {
      const fields = snapshotFields({ number, part, parts, flow })
      this.#node.sendTo(host, ...sized(fields, PART_BYTES))
    })
  }

  /** What cannot arrive would only fill the links of others: such flows wait, and none counts. */
  topologyChanged(nowPs: number): void {
    for (const flow of this.#flows.values()) {
      const isLed = this.#leadsTo(flow)
      if (isLed !== flow.isWithdrawn) continue
      if (isLed) {
        flow.readmit(nowPs)
        if (flow.isSent) this.#flows.delete(flow.number)
        else this.#control.announceStart(flow.announced, nowPs)
      } else {
        this.#control.announceFinish(flow.announced, nowPs)
        flow.withdraw()
      }
    }
  }

  #onSnapshot(source: number, code: number, a: number, b: number, nowPs: number): void {
    const { number, part, parts, flow } = readSnapshot(source, code, a, b)
    const flows = parts === 0 ? [] : [flow]
    const whole = this.#snapshots.collect(source, number, part, parts, flows)
    if (whole !== undefined) this.#control.onSnapshot(source, whole, nowPs)
  }

  #rearm(): void {
    const nextPs = this.#control.nextPs()
    if (nextPs === this.#armedPs || nextPs === Infinity) return
    this.#armedPs = nextPs
    this.#node.setTimer(CONTROL, nextPs)
  }

  /** This node's turn, if it is: long flows may get another routing, and all are told. */
  #select(nowPs: number): void {
    const { capacitiesBps, config, hostNodes, select } = this.world
    if (select === undefined) return
    this.#node.setTimer(SELECT, nowPs + select.periodPs)
    const isReachable = (node: number): boolean => this.#topology.isReachable(this.#node.node, node)
    if (selectorAt(config, hostNodes, isReachable, nowPs) !== this.#node.node) return
    const topology = this.#topology
    const rack = {
      capacitiesBps,
      fractions: (protocol: number, source: number, target: number) =>
        topology.fractions(protocol, source, target),
    }
    const { random } = this.#node
    this.#control.announceRoutes(selectRoutes(config, this.matrix, rack, random, nowPs, select))
  }

  /**
   * The rates of this node's flows that are rho old, and what they seem to want. Routes that were
   * chosen meanwhile are taken at the same time, by all nodes: old rates may be too much for them.
   */
  #compute(nowPs: number): void {
    const { rhoPs, gapPs } = this.world.config
    // A flow is known elsewhere a little later than here.
    const sincePs = nowPs - rhoPs + Math.min(gapPs, rhoPs / 10)
    if (![...this.#flows.values()].some((flow) => flow.sincePs <= sincePs)) return
    this.counters.computations++
    const rates = this.world.ratesOf(this.matrix, sincePs, this.#topology)
    for (const flow of this.#flows.values()) {
      const rateBps = rates.get(keyOf(this.#node.node, flow.number))
      if (rateBps === undefined) continue
      flow.follow(this.matrix.get(this.#node.node, flow.number)!.protocol)
      if (flow.estimate(rhoPs)) this.#control.announceStart(flow.announced, nowPs)
      flow.limit(Math.max(LEAST_BPS, rateBps))
    }
  }
}

function sized(
  [code, a, b]: [number, number, number],
  bytes: number,
): [code: number, bytes: number, a: number, b: number] {
  return [code, bytes, a, b]
}
