/**
 * ACCurate: every flow sends one heartbeat (FRP) a period; each link on its way writes its fair
 * share into it, and the source takes the least. Rates are max-min fair without per-flow state in
 * switches and without waiting for queues to grow.
 *
 * A. Karampelas et al., "Optimizing Network Congestion Control for High-Performance Remote Direct
 * Memory Access Transfers", whose section numbers stand below.
 *
 * CP: `accurate/contention-point.ts`, in front of every link, the host's own included. NP: turns
 * FRPs round. RP: one FRP a period, the rate of the response. The NIC's next-service-time
 * scheduler (section IV-B) is the fabric's.
 *
 * Departs from the paper: see the contention point's header; FRPs leave `frpPhase` after the tick,
 * so that clocks which differ by less agree on the period; a piggybacked FRP is a packet of three
 * bytes behind a data packet, in its class, which queues as the header bits would.
 */
import type { Control, FlowContext, PortContext, ReceiverContext } from '@weir/fabric'
import { ContentionPoint, NotificationPoint, ReactionPoint, inertControl } from '@weir/fabric'
import type { ContentionCircuit } from './accurate/circuit.ts'
import { AccurateContentionPoint } from './accurate/contention-point.ts'
import type { Frp } from './accurate/contention-point.ts'
import { FixedContentionPoint } from './accurate/fixed-contention-point.ts'
import type { NodeClock } from './accurate/node-clock.ts'
import { AccurateNode } from './accurate/node.ts'
import { params, presets } from './accurate/params.ts'
import type { Values } from './accurate/params.ts'
import { rateCode } from './accurate/rate-code.ts'
import { World } from './accurate/world.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

/** Types of control packets; a holds CR and b DR. A lost one travels on with CR below zero. */
const FRP = 1
const INIT = 2
const STOP = 3
const RESPONSE = 4
/** A response made by a contention point on the way (section II-A). */
const SHORT_CIRCUIT = 5
const LOST = -1

const HEARTBEAT = 0

export const accurate: Scheme = defineScheme({
  name: 'accurate',
  title: 'ACCurate',
  cite: 'Karampelas et al., "Optimizing Network Congestion Control"',
  needs: [],
  params,
  presets,
  create(values, context): Control {
    const world = new World(values, context)
    return {
      ...inertControl,
      controlBytesMax: world.frpBytes,
      headroom: values.alpha,
      isControlInDataClass: world.isInDataClass,
      flowInternals: ['rate', 'current', 'desired'],
      portInternals: ['fsr', 'm', 'b', 'bMax', 'oldFsr', 'oldM', 'oldB'],
      reaction: (flow) => new AccurateReaction(flow, world),
      notification: (receiver) => new AccurateNotification(receiver, world),
      contention: (port) => new AccurateContention(port, world),
      agent: (node) => new AccurateNode(world.clockOf(node.name)),
    }
  },
})

function pointOf(port: PortContext, world: World): AccurateContentionPoint | FixedContentionPoint {
  const { alpha, shortCircuit, remembers, equalFloor, rates } = world.values
  const { arithmetic, rateBits, countBits } = world.values
  const settings = {
    capacityBps: port.rateBps,
    alpha,
    shortCircuitFraction: shortCircuit,
    remembers,
    floors: equalFloor,
    code: rateCode(rates, Math.max(world.topBps, port.rateBps)),
  }
  if (arithmetic === 'float') return new AccurateContentionPoint(settings)
  return new FixedContentionPoint({ ...settings, rateBits, countBits, topBps: world.linkRateBps })
}

/** Hears of an FRP, with the number of its flow, or of a tick (-1), when the circuit is through. */
export type CircuitListener = (nowPs: number, flow: number) => void

/** The circuit of a contention point with fixed arithmetic; `hear` is told of its cycles. */
export function circuitOf(
  point: ContentionPoint | undefined,
  hear: CircuitListener,
): ContentionCircuit | undefined {
  return point instanceof AccurateContention ? point.watch(hear) : undefined
}

class AccurateContention extends ContentionPoint {
  readonly sees = 'nothing'
  #hear: CircuitListener | undefined = undefined
  readonly #port: PortContext
  readonly #world: World
  readonly #node: AccurateNode
  readonly #clock: NodeClock
  readonly #point: AccurateContentionPoint | FixedContentionPoint
  readonly #frp: Frp = { type: 'frp', currentBps: NaN, desiredBps: NaN }
  /** The clock's events are taken only while flows pass: an idle period changes nothing. */
  #isTicking: boolean = false
  #period: number = 0

  constructor(port: PortContext, world: World) {
    super()
    this.#port = port
    this.#world = world
    this.#node = port.agent as AccurateNode
    this.#clock = this.#node.clock
    this.#point = pointOf(port, world)
  }

  watch(hear: CircuitListener): ContentionCircuit | undefined {
    if (!(this.#point instanceof FixedContentionPoint)) return undefined
    this.#hear = hear
    return this.#point.circuit
  }

  override onControl(packet: number, nowPs: number): void {
    const port = this.#port
    const code = port.controlCode(packet)
    const currentBps = port.controlA(packet)
    if (currentBps === LOST) return
    if (!this.#isTicking) {
      this.#isTicking = true
      this.#period = this.#clock.periodAt(nowPs)
      this.#awaitTick()
    }
    const frp = this.#frp
    frp.type = code === INIT ? 'flow-init' : code === STOP ? 'flow-stop' : 'frp'
    frp.currentBps = currentBps
    frp.desiredBps = port.controlB(packet)
    const isUrgent = this.#point.receive(frp)
    this.#hear?.(nowPs, port.packetFlow(packet))
    if (port.atHost) this.#node.promptBps = isUrgent ? frp.currentBps : NaN
    else if (isUrgent) {
      const { frpBytes } = this.#world
      port.notifySource(packet, SHORT_CIRCUIT, frpBytes, frp.currentBps, frp.desiredBps)
    }
    const isLost = this.#world.loses(port)
    port.setControl(packet, isLost ? LOST : frp.currentBps, frp.desiredBps)
  }

  #awaitTick(): void {
    this.#period++
    this.#port.setTimer(0, this.#clock.tickPs(this.#period))
  }

  override onTimer(_which: number, nowPs: number): void {
    const point = this.#point
    const wasIdle = point.m === 0 && point.elsewhere === 0
    point.tick()
    this.#hear?.(nowPs, -1)
    this.#isTicking = !wasIdle || point.oldFsrBps !== point.fsrBps
    if (this.#isTicking) this.#awaitTick()
  }

  override observe(index: number): number {
    const { fsrBps, m, bBps, bMaxBps, oldFsrBps, oldM, oldBBps } = this.#point
    return [fsrBps, m, bBps, bMaxBps, oldFsrBps, oldM, oldBBps][index] ?? NaN
  }
}

/** Section II: the destination turns an FRP round; contention points leave the response alone. */
class AccurateNotification extends NotificationPoint {
  readonly #receiver: ReceiverContext
  readonly #world: World

  constructor(receiver: ReceiverContext, world: World) {
    super()
    this.#receiver = receiver
    this.#world = world
  }

  override onControl(code: number, a: number, b: number, _nowPs: number): void {
    if (code === STOP || a === LOST || this.#world.loses(this.#receiver)) return
    this.#receiver.sendControl(RESPONSE, this.#world.frpBytes, a, b)
  }
}

class AccurateReaction extends ReactionPoint {
  readonly #flow: FlowContext
  readonly #world: World
  readonly #s: Values
  readonly #node: AccurateNode
  readonly #clock: NodeClock
  /** Section V: too small to be worth a heartbeat, and never limited. */
  readonly #isSmall: boolean
  /** The period of the last FRP, and its CR: a flow-stop must be counted as it was. */
  #period: number = -1
  #sentBps: number = NaN
  /** An FRP waits for a data packet to ride on: its type, or 0. */
  #waiting: number = 0
  #isOver: boolean = false
  /** CR and DR of the last response. */
  #currentBps: number
  #desiredBps: number
  #pieceBytes: number = 0

  constructor(flow: FlowContext, world: World) {
    super()
    this.#flow = flow
    this.#world = world
    this.#s = world.values
    this.#node = flow.agent as AccurateNode
    this.#clock = this.#node.clock
    this.#isSmall = flow.sizeBytes < this.#s.smallFlow
    // 'Flows start immediately at full speed' (section I).
    this.rateBps = flow.lineRateBps
    this.#sentBps = 0
    this.#currentBps = flow.lineRateBps
    this.#desiredBps = flow.lineRateBps
  }

  override onStart(nowPs: number): void {
    if (this.#isSmall) return
    if (this.#s.flowInit) this.#send(INIT, nowPs)
    this.#awaitHeartbeat(nowPs)
  }

  /** The next FRP, in the next period: one in each (section II). */
  #awaitHeartbeat(nowPs: number): void {
    const next = this.#clock.periodAt(nowPs) + 1
    this.#flow.setTimer(HEARTBEAT, this.#clock.tickPs(next) + this.#world.frpPhasePs)
  }

  override onTimer(_which: number, nowPs: number): void {
    if (this.#isOver) return
    if (this.#world.isPiggybacked) this.#waiting = FRP
    else this.#send(FRP, nowPs)
    this.#awaitHeartbeat(nowPs)
  }

  override onSent(bytes: number, nowPs: number): void {
    if (this.#waiting !== 0 && !this.#isOver) {
      const code = this.#waiting
      this.#waiting = 0
      // At most one per period, however late the packet is that carries it.
      if (this.#clock.periodAt(nowPs) !== this.#period) this.#send(code, nowPs)
    }
    if (this.#s.split > 0 && !this.#isSmall) this.#countPiece(bytes, nowPs)
  }

  #send(code: number, nowPs: number): void {
    const flow = this.#flow
    this.#period = this.#clock.periodAt(nowPs)
    this.#sentBps = Math.min(this.rateBps, flow.lineRateBps)
    this.#node.promptBps = NaN
    const desiredBps = this.#s.desiredRate ? flow.lineRateBps : this.#sentBps
    flow.sendControl(code, this.#world.frpBytes, this.#sentBps, desiredBps)
    // The answer of this NIC's own contention point, if it was urgent, is here already.
    if (this.#node.promptBps < this.rateBps) this.#setRate(this.#node.promptBps)
  }

  /** A large transfer in single-path pieces (section V): each is a flow to the fabric. */
  #countPiece(bytes: number, nowPs: number): void {
    this.#pieceBytes += bytes
    const { unsentBytes } = this.#flow
    if (this.#pieceBytes < this.#s.split || unsentBytes < this.#s.smallFlow) return
    if (this.#flow.reroute === undefined) return
    this.#pieceBytes = 0
    this.#leave(nowPs)
    this.#flow.reroute()
    if (this.#s.flowInit) this.#send(INIT, nowPs)
  }

  override onControl(code: number, a: number, b: number, _nowPs: number): void {
    if (this.#isOver || this.#isSmall) return
    if (code === SHORT_CIRCUIT) {
      // The rest of the path has not spoken: it can only take away.
      if (a < this.rateBps) this.#setRate(a)
      return
    }
    this.#currentBps = a
    this.#desiredBps = b
    // Section II: CR; section II-C: DR where it is greater.
    this.#setRate(b > a ? b : a)
  }

  #setRate(rateBps: number): void {
    this.rateBps = Math.max(this.#s.minRate, rateBps)
  }

  override onFinished(nowPs: number): void {
    if (this.#isOver || this.#isSmall) return
    this.#isOver = true
    this.#flow.cancelTimer(HEARTBEAT)
    this.#leave(nowPs)
  }

  /** Section II-B. A flow that this period has not counted yet needs only to be silent. */
  #leave(nowPs: number): void {
    if (!this.#s.flowStop || this.#period !== this.#clock.periodAt(nowPs)) return
    this.#flow.sendControl(STOP, this.#world.frpBytes, this.#sentBps, this.#sentBps)
  }

  override observe(index: number): number {
    return [this.rateBps, this.#currentBps, this.#desiredBps][index] ?? NaN
  }
}
