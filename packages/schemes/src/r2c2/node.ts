/**
 * The nodes of a rack in the simulator. A server is a host and, in a rack, a switch of its own: the
 * host has the control plane (`rack/src/control-plane.ts`), the same that runs on real links, and
 * the switch passes broadcasts on along their trees. On other fabrics hosts are the nodes, and
 * switches do no more than pass on.
 */
import type { AgentPacket, FlowContext, NodeContext } from '@weir/fabric'
import { NodeAgent, ReactionPoint } from '@weir/fabric'
import type { Announcement, ControlHost, Counters, Snapshot, Topology } from '@weir/rack'
import {
  announcedDemand,
  ControlPlane,
  DemandEstimator,
  HEADER_BYTES,
  keyOf,
  newCounters,
  PRIORITY_MAX,
  RPS,
  Snapshots,
  TrafficMatrix,
  TYPE_DIGEST,
  TYPE_FINISH,
  TYPE_REQUEST,
  TYPE_SNAPSHOT,
  TYPE_START,
  weightCodeOf,
} from '@weir/rack'
import {
  addressesOf,
  codeOf,
  newHeard,
  readAnnouncement,
  readSnapshot,
  snapshotFields,
  sourceOfAddresses,
  treeOfCode,
  typeOfCode,
  wordOf,
} from './fields.ts'
import { FlowNumbers } from './flow-numbers.ts'
import type { RackWorld } from './world.ts'

const COMPUTE = 0
const CONTROL = 1
const ROUTES = 2
/** A flow that gets nothing for now may still show that it is there. */
export const LEAST_BPS: number = 1e6
/** A message to one node: the header of a routed packet with the longest route. */
const MESSAGE_BYTES = HEADER_BYTES + 16
/** A flow of a snapshot: six bytes that say which part it is, and an announcement's 16. */
const PART_BYTES = MESSAGE_BYTES + 22

export const LONGEST_BYTES: number = PART_BYTES

function isBroadcast(type: number): boolean {
  return type === TYPE_START || type === TYPE_FINISH || type === TYPE_DIGEST
}

/** What a flow asks of its host's agent. */
export interface RackAgent {
  open(flow: R2c2Reaction, nowPs: number): void
  close(flow: R2c2Reaction, nowPs: number): void
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

  override onPacket({ code, a, b }: Readonly<AgentPacket>, _nowPs: number): void {
    if (!isBroadcast(typeOfCode(code))) return
    const world = this.#world
    const source = sourceOfAddresses(a)
    world.forward(this.#node, this.#topology, source, treeOfCode(code), code, a, b)
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
  readonly #heard = newHeard()
  #isComputing = false
  #armedPs = Infinity
  #topology: Topology

  constructor(node: NodeContext, world: RackWorld) {
    super()
    const { config } = world
    this.#node = node
    this.world = world
    this.matrix = new TrafficMatrix(config.wiring.nodes, { isWatched: false, endPs: config.endPs })
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
    this.#control = new ControlPlane(node.node, config, this.matrix, view, this, this.counters)
  }

  override onStart(_nowPs: number): void {
    this.#rearm()
  }

  /** A flow begins here: all are told, and it is not limited until rates are next computed. */
  open(flow: R2c2Reaction, nowPs: number): void {
    flow.number = this.#flows.add(flow, this.#node.name)
    this.#control.announceStart(flow.announced, nowPs)
    if (this.#isComputing) return
    const { rhoPs } = this.world.config
    this.#isComputing = true
    this.#node.setTimer(COMPUTE, (Math.floor(nowPs / rhoPs) + 1) * rhoPs)
  }

  close(flow: R2c2Reaction, nowPs: number): void {
    if (!this.#flows.delete(flow.number)) return
    this.#control.announceFinish(flow.announced, nowPs)
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
    else if (isBroadcast(type)) {
      const heard = this.#heard
      readAnnouncement(code, a, b, heard)
      this.#control.hear(heard, nowPs)
      this.#rearm()
    }
  }

  broadcast(announcement: Announcement): void {
    const { source, tree } = announcement
    const code = codeOf(announcement)
    const a = addressesOf(announcement)
    this.world.forward(this.#node, this.#topology, source, tree, code, a, wordOf(announcement))
  }

  /** Flows keep the routing that they begin with. */
  broadcastRoutes(): void {}

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

  topologyChanged(): void {}

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

  /** The rates of this node's flows that are rho old, and what they seem to want. */
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

/** A flow's rate limiter: its NIC paces it by what its node computes. */
export class R2c2Reaction extends ReactionPoint {
  number = -1
  sincePs: number = Infinity
  readonly #flow: FlowContext
  readonly #target: number
  readonly #demand = new DemandEstimator()
  #demandKbps = Infinity
  #sentBytes = 0
  #isLimited = false

  constructor(flow: FlowContext, world: RackWorld) {
    super()
    this.#flow = flow
    this.#target = world.hostNodes[flow.target]!
    this.rateBps = Math.min(flow.lineRateBps, world.startBps(flow.source, flow.target))
  }

  /** What all nodes are told of it. */
  get announced(): {
    readonly target: number
    readonly flow: number
    readonly priority: number
    readonly protocol: number
    readonly demandKbps: number
    readonly weightCode: number
  } {
    return {
      target: this.#target,
      flow: this.number,
      priority: Math.min(PRIORITY_MAX, this.#flow.class),
      protocol: RPS,
      demandKbps: this.#demandKbps,
      weightCode: weightCodeOf(this.#flow.weight),
    }
  }

  get #node(): RackAgent | undefined {
    return this.#flow.agent as (NodeAgent & RackAgent) | undefined
  }

  override onStart(nowPs: number): void {
    this.sincePs = nowPs
    this.#node?.open(this, nowPs)
  }

  override onSent(bytes: number, _nowPs: number): void {
    this.#sentBytes += bytes
  }

  override onFinished(nowPs: number): void {
    this.#node?.close(this, nowPs)
  }

  /**
   * Estimates its demand over a period that ends; true if others should hear of it. Bytes that wait
   * are queued at the limiter only if the limiter is what holds them: a flow that leaves a tenth of
   * its allocation is held up by its host.
   */
  estimate(periodPs: number): boolean {
    const sentBytes = this.#sentBytes
    this.#sentBytes = 0
    if (!this.#isLimited) return false
    const { lineRateBps, packetBytes, unsentBytes } = this.#flow
    const allocatedBytes = (this.rateBps * periodPs) / 8e12
    const isHeld = sentBytes + packetBytes >= 0.9 * allocatedBytes
    const queuedBytes = isHeld ? unsentBytes : 0
    const estimateBps = this.#demand.observe(this.rateBps, sentBytes, queuedBytes, periodPs)
    const demandKbps = announcedDemand(this.#demandKbps, estimateBps, this.rateBps, lineRateBps)
    const isNews = demandKbps !== this.#demandKbps
    this.#demandKbps = demandKbps
    return isNews
  }

  limit(rateBps: number): void {
    this.#isLimited = true
    this.rateBps = Math.min(rateBps, this.#flow.lineRateBps)
    this.#flow.wake()
  }

  override observe(_index: number): number {
    return this.rateBps
  }
}
