/**
 * NDP: switches cut payloads off instead of dropping packets, and receivers pull.
 *
 * M. Handley et al., "Re-architecting datacenter networks and stacks for low latency and high
 * performance", SIGCOMM 2017 (section numbers from memory: not verified). CP: a data packet that
 * finds `queue` packets ahead of it loses its payload, and its header goes on in the class of
 * control packets. RP: the first window goes out unasked, then one packet for each pull, repeated
 * ones first. NP and agent: every packet that comes, whole or cut, lets its receiver ask for one
 * more; the host's pulls leave one packet time apart, flows in turn, so that what they bring just
 * fills its link.
 *
 * Made for routing that sprays packets (`routing: packet-spray`), and works without.
 *
 * Differs: the arriving packet is cut, never the last one in the queue (the paper tosses a coin);
 * headers have strict priority or what `fabric.scheduler` says (the paper: 10 to 1); a header that
 * finds no room is dropped, not returned to its sender; pulls have no priority classes.
 */
import type { Control, FlowContext, LossCause, NodeContext } from '@weir/fabric'
import type { Received, ReceiverContext, Verdict } from '@weir/fabric'
import { ContentionPoint, inertControl, KEEP, NodeAgent, NotificationPoint } from '@weir/fabric'
import { ReactionPoint, TRIM } from '@weir/fabric'
import type { Params, Presets } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const US = 1e6
const PAPER = 'SIGCOMM 2017'
/** A pull; its field is how many there have been. */
const PULL = 1
/** A header says the first window and, above these, how often its sender has timed out. */
const WINDOWS = 2 ** 20

const params = {
  queue: {
    unit: 'count',
    default: 8,
    min: 1,
    max: 10_000,
    about: 'CP: full packets that wait before payloads are cut off.',
    source: `${PAPER}: eight packets`,
  },
  initialWindow: {
    unit: 'count',
    default: 0,
    min: 0,
    max: 100_000,
    about: 'RP: packets that go out unasked; 0: what the line carries in an unloaded round trip.',
    source: `${PAPER}: enough to fill the pipe; 30 of 9 KB in its simulations`,
  },
  retry: {
    unit: 'time',
    default: 1000 * US,
    min: 1 * US,
    max: 1e6 * US,
    about: 'NP: after so long without a packet of an unfinished flow it is pulled again.',
    source: 'ours: a pull that is lost leaves nobody with a timer',
  },
  controlBytes: {
    unit: 'size',
    default: 64,
    min: 1,
    max: 2048,
    about: 'A cut header and a pull on the wire.',
    source: `${PAPER}: 64 bytes`,
  },
} as const satisfies Params

const presets: Presets<typeof params> = {
  paper: { about: 'Eight packets of queue.', source: PAPER, values: {} },
}

export const ndp: Scheme = defineScheme({
  name: 'ndp',
  title: 'NDP',
  cite: 'Handley et al., SIGCOMM 2017',
  needs: ['acks', 'verdicts'],
  transport: 'unordered',
  params,
  presets,
  create(values, { packetBytes }): Control {
    const bytes = values.controlBytes
    const queueBytes = values.queue * packetBytes
    return {
      ...inertControl,
      controlBytesMax: bytes,
      trimmedBytes: bytes,
      flowInternals: ['quota'],
      reaction: (flow) => new NdpReaction(flow, values.initialWindow),
      notification: (receiver) => new NdpNotification(receiver, bytes, values.retry),
      contention: (port) => (port.atHost ? undefined : new CuttingQueue(queueBytes)),
      agent: (node) => (node.host < 0 ? undefined : new PullPacer(node)),
    }
  },
})

class CuttingQueue extends ContentionPoint {
  readonly sees = 'nothing'
  override readonly admits = true
  readonly #queueBytes: number

  constructor(queueBytes: number) {
    super()
    this.#queueBytes = queueBytes
  }

  override admit(_packet: number, queueBytes: number, _nowPs: number): Verdict {
    return queueBytes >= this.#queueBytes ? TRIM : KEEP
  }
}

class NdpReaction extends ReactionPoint {
  #pulled: number = 0

  constructor(flow: FlowContext, initialWindow: number) {
    super()
    const bdp = (flow.lineRateBps * flow.baseRttPs) / 8e12 / flow.packetBytes
    this.quota = initialWindow > 0 ? initialWindow : Math.max(1, Math.ceil(bdp))
    this.header = this.quota
  }

  override onControl(code: number, pulls: number, _b: number, _nowPs: number): void {
    if (code !== PULL || pulls <= this.#pulled) return
    this.quota += pulls - this.#pulled
    this.#pulled = pulls | 0
  }

  /** Packets were lost whole: a window goes out unasked, and says so. */
  override onLoss(cause: LossCause, _nowPs: number): void {
    if (cause !== 'timeout') return
    this.header += WINDOWS
    this.quota = this.header % WINDOWS
  }

  override observe(_index: number): number {
    return this.quota
  }
}

class NdpNotification extends NotificationPoint {
  readonly #receiver: ReceiverContext
  readonly #bytes: number
  readonly #retryPs: number
  readonly #packets: number
  /** Packets that have come, whole or cut; of them those that were new; pulls that have left. */
  #arrived: number = 0
  #new: number = 0
  #pulled: number = 0
  /** Pulls that wait in the pacer. */
  waiting: number = 0
  /** Packets that were sent unasked, as far as they may still be on their way. */
  #unasked: number = 0
  #header: number = NaN

  constructor(receiver: ReceiverContext, bytes: number, retryPs: number) {
    super()
    this.#receiver = receiver
    this.#bytes = bytes
    this.#retryPs = retryPs
    this.#header = -1
    this.#packets = Math.ceil(receiver.sizeBytes / receiver.mtuBytes)
  }

  override onReceived(packet: Readonly<Received>, nowPs: number): void {
    if (packet.header > this.#header) {
      // The first packet, or the first after a timeout: a window was sent, and all else is lost.
      this.#header = packet.header
      this.#unasked = this.#arrived - this.#pulled + ((packet.header % WINDOWS) | 0)
    }
    this.#arrived++
    if (packet.newBytes > 0) this.#new++
    const missing = this.#packets - this.#new
    this.#receiver.setTimer(missing > 0 ? nowPs + this.#retryPs : Infinity)
    const expected = Math.max(0, this.#unasked + this.#pulled - this.#arrived)
    if (missing > expected + this.waiting) this.#ask(nowPs)
  }

  /** Nothing has come for long: what was pulled or its pull is lost. */
  override onTimer(nowPs: number): void {
    this.#unasked = this.#arrived - this.#pulled
    this.#receiver.setTimer(nowPs + this.#retryPs)
    if (this.waiting === 0) this.#ask(nowPs)
  }

  #ask(nowPs: number): void {
    this.waiting++
    ;(this.#receiver.agent as PullPacer).add(this, nowPs)
  }

  /** The pacer lets a pull go. */
  pull(): void {
    this.waiting--
    this.#pulled++
    this.#receiver.sendControl(PULL, this.#bytes, this.#pulled, 0)
  }
}

/** The pulls of all flows to a host, a packet time apart; flows in turn. */
class PullPacer extends NodeAgent {
  readonly #node: NodeContext
  readonly #packetPs: number
  /** Flows with a pull that waits, each once. */
  readonly #turns: NdpNotification[] = []
  #freePs: number = NaN

  constructor(node: NodeContext) {
    super()
    this.#node = node
    this.#freePs = 0
    const [link] = node.links
    this.#packetPs = link === undefined ? 0 : Math.ceil((node.packetBytes * 8e12) / link.rateBps)
  }

  add(flow: NdpNotification, nowPs: number): void {
    if (flow.waiting === 1) this.#turns.push(flow)
    if (this.#freePs <= nowPs) this.#serve(nowPs)
    else this.#node.setTimer(0, this.#freePs)
  }

  override onTimer(_which: number, nowPs: number): void {
    this.#serve(nowPs)
  }

  #serve(nowPs: number): void {
    const flow = this.#turns.shift()
    if (flow === undefined) return
    this.#freePs = nowPs + this.#packetPs
    flow.pull()
    if (flow.waiting > 0) this.#turns.push(flow)
    if (this.#turns.length > 0) this.#node.setTimer(0, this.#freePs)
  }
}
