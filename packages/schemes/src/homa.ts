/**
 * Homa: receivers grant to the shortest messages first, and say at which priority.
 *
 * B. Montazeri et al., "Homa: A Receiver-Driven Low-Latency Transport Protocol Using Network
 * Priorities", SIGCOMM 2018 (section numbers from memory: not verified). A flow is a message. RP:
 * the first RTTbytes go out unasked, at a priority that follows from the message's length; the rest
 * as it is granted, at the priority of the grant. Agent: of the messages on their way to a host the
 * few with the least left (`overcommit`) have grants for RTTbytes beyond what has come, the
 * shortest at the highest of the levels that are in use, which are the lowest. Senders, too, serve
 * the shortest first (`hosts.service: shortest-first`).
 *
 * Made for routing that sprays packets (`routing: packet-spray`), and works without.
 *
 * Differs: levels for unscheduled bytes are cut geometrically between a packet and RTTbytes, where
 * the paper balances the bytes of each level from what a receiver has seen; every packet is
 * acknowledged (the paper's receiver asks for what is missing); a sender's timeout stands for
 * RESEND and BUSY; no limit on unscheduled bytes under incast of one's own requests.
 */
import { pow } from '@weir/engine'
import type { Control, FlowContext, LossCause } from '@weir/fabric'
import type { Received, ReceiverContext } from '@weir/fabric'
import { inertControl, NodeAgent, NotificationPoint, ReactionPoint } from '@weir/fabric'
import type { Params, Presets } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const US = 1e6
const PAPER = 'SIGCOMM 2018'
/** A grant; its fields are the packets granted so far, and the class of those that follow. */
const GRANT = 1

/** A power of a root may be less than the number itself by its last digit. */
const ROUNDING = 1e-6

const params = {
  unscheduled: {
    unit: 'size',
    default: 0,
    min: 0,
    max: 1e9,
    about:
      'Bytes that a message sends unasked; 0: what the line carries in an unloaded round trip.',
    source: `${PAPER}: RTTbytes`,
  },
  unscheduledLevels: {
    unit: 'count',
    default: 3,
    min: 1,
    max: 6,
    about:
      'Priorities of unscheduled packets, the highest; the shortest messages have the top one.',
    source: 'ours: the paper divides eight by the bytes of its workload',
  },
  overcommit: {
    unit: 'count',
    default: 4,
    min: 1,
    max: 7,
    about: 'Messages that a receiver has granted to at once, each at a priority of its own.',
    source: `${PAPER}: as many as there are scheduled priorities`,
  },
  retry: {
    unit: 'time',
    default: 1000 * US,
    min: 1 * US,
    max: 1e6 * US,
    about: 'After so long without a packet of an unfinished message its grant is said again.',
    source: 'ours, for RESEND: the paper says a few milliseconds',
  },
  controlBytes: {
    unit: 'size',
    default: 64,
    min: 1,
    max: 2048,
    about: 'A grant on the wire.',
    source: 'ours: the least frame',
  },
} as const satisfies Params

const presets: Presets<typeof params> = {
  paper: { about: 'Four messages granted to at once.', source: PAPER, values: {} },
}

export const homa: Scheme = defineScheme({
  name: 'homa',
  title: 'Homa',
  cite: 'Montazeri et al., SIGCOMM 2018',
  needs: ['acks'],
  transport: 'unordered',
  service: 'shortest-first',
  params,
  presets,
  create(values, { classes }): Control {
    // The highest class is that of grants; a fabric of few classes has fewer levels.
    const levels = Math.max(1, classes - 1)
    const unscheduledLevels = Math.min(values.unscheduledLevels, levels)
    const settings: Settings = {
      unscheduled: values.unscheduled,
      topClass: levels - 1,
      unscheduledLevels,
      scheduledLevels: Math.max(1, levels - unscheduledLevels),
      overcommit: values.overcommit,
      controlBytes: values.controlBytes,
      retryPs: values.retry,
    }
    return {
      ...inertControl,
      controlBytesMax: settings.controlBytes,
      classes: Array.from({ length: levels }, (_, level) => level),
      flowInternals: ['quota', 'class'],
      reaction: (flow) => new HomaReaction(flow, settings),
      notification: (receiver) => new HomaNotification(receiver, settings),
      agent: (node) => (node.host < 0 ? undefined : new Granter(settings)),
    }
  },
})

interface Settings {
  readonly unscheduled: number
  /** Classes from `topClass` down are of unscheduled packets, those from 0 up of granted ones. */
  readonly topClass: number
  readonly unscheduledLevels: number
  readonly scheduledLevels: number
  readonly overcommit: number
  readonly controlBytes: number
  readonly retryPs: number
}

/** RTTbytes in packets, as both ends of a message reckon them. */
function rttPackets(
  end: Pick<FlowContext, 'lineRateBps' | 'baseRttPs' | 'mtuBytes'>,
  { unscheduled }: Settings,
): number {
  const bytes = unscheduled > 0 ? unscheduled : (end.lineRateBps * end.baseRttPs) / 8e12
  return Math.max(1, Math.ceil(bytes / end.mtuBytes))
}

/** The class of a message's unscheduled packets: by its length, in steps of one factor. */
function unscheduledClass(packets: number, most: number, settings: Settings): number {
  const { topClass, unscheduledLevels } = settings
  const factor = pow(Math.max(2, most), 1 / unscheduledLevels)
  let level = 0
  for (let cut = factor; level < unscheduledLevels - 1 && packets > cut + ROUNDING; cut *= factor)
    level++
  return topClass - level
}

class HomaReaction extends ReactionPoint {
  readonly #flow: FlowContext
  readonly #unscheduled: number
  #sent: number = 0
  #granted: number
  #grantedClass: number = 0

  constructor(flow: FlowContext, settings: Settings) {
    super()
    this.#flow = flow
    this.#unscheduled = rttPackets(flow, settings)
    this.#granted = this.#unscheduled
    this.quota = this.#unscheduled
    const packets = Math.ceil(flow.sizeBytes / flow.mtuBytes)
    this.packetClass = unscheduledClass(packets, this.#unscheduled, settings)
  }

  override onSent(_bytes: number, _nowPs: number): void {
    this.#sent++
    if (this.#sent >= this.#unscheduled) this.packetClass = this.#grantedClass
  }

  override onControl(code: number, granted: number, trafficClass: number, _nowPs: number): void {
    if (code !== GRANT || granted <= this.#granted) return
    this.quota += granted - this.#granted
    this.#granted = granted | 0
    this.#grantedClass = trafficClass | 0
    if (this.#sent >= this.#unscheduled) this.packetClass = this.#grantedClass
  }

  /** What was granted is granted: what is missing may go again, and what was never sent may go. */
  override onLoss(cause: LossCause, _nowPs: number): void {
    if (cause !== 'timeout') return
    const missing = Math.ceil(this.#flow.flightBytes / this.#flow.mtuBytes)
    this.quota = missing + this.#grantedUnsent()
  }

  /** Of a message without end nobody knows how many were repeated: its quota stands for it. */
  #grantedUnsent(): number {
    const { mtuBytes, sizeBytes, unsentBytes } = this.#flow
    if (sizeBytes === Infinity) return this.quota
    const sent = Math.ceil(sizeBytes / mtuBytes) - Math.ceil(unsentBytes / mtuBytes)
    return Math.max(0, this.#granted - sent)
  }

  override observe(index: number): number {
    return index === 0 ? this.quota : this.packetClass
  }
}

class HomaNotification extends NotificationPoint {
  readonly #receiver: ReceiverContext
  readonly #bytes: number
  readonly #packets: number
  /** Packets that have come, each once, and that are granted. */
  #come: number = 0
  #granted: number
  readonly #ahead: number
  readonly #retryPs: number
  /** Of the last grant; -1: there was none. */
  #class: number = -1
  isKnown: boolean = false

  constructor(receiver: ReceiverContext, settings: Settings) {
    super()
    this.#receiver = receiver
    this.#bytes = settings.controlBytes
    this.#retryPs = settings.retryPs
    this.#packets = Math.ceil(receiver.sizeBytes / receiver.mtuBytes)
    this.#ahead = rttPackets(receiver, settings)
    this.#granted = this.#ahead
  }

  /** Packets that are to come; and that are not even granted. */
  get left(): number {
    return this.#receiver.sizeBytes === Infinity ? Infinity : this.#packets - this.#come
  }

  get needsGrants(): boolean {
    return this.#granted < this.#packets
  }

  override onReceived(packet: Readonly<Received>, nowPs: number): void {
    if (packet.newBytes > 0) this.#come++
    this.#receiver.setTimer(this.left > 0 ? nowPs + this.#retryPs : Infinity)
    ;(this.#receiver.agent as Granter).look(this)
  }

  /** As much as may be on its way is granted, at a class. */
  grant(trafficClass: number): void {
    const granted = Math.min(this.#packets, this.#come + this.#ahead)
    if (granted <= this.#granted) return
    this.#granted = granted
    this.#class = trafficClass
    this.#receiver.sendControl(GRANT, this.#bytes, granted, trafficClass)
  }

  /** Nothing has come for long: the last grant may be lost. */
  override onTimer(nowPs: number): void {
    this.#receiver.setTimer(nowPs + this.#retryPs)
    if (this.#class < 0) return
    this.#receiver.sendControl(GRANT, this.#bytes, this.#granted, this.#class)
  }
}

/** Grants of one host: to the few messages with the least left. */
class Granter extends NodeAgent {
  readonly #settings: Settings
  /** Messages that need grants, in order of their first packet. */
  #messages: HomaNotification[] = []

  constructor(settings: Settings) {
    super()
    this.#settings = settings
  }

  /** A packet of a message has come. */
  look(message: HomaNotification): void {
    if (!message.isKnown) {
      message.isKnown = true
      if (message.needsGrants) this.#messages.push(message)
    }
    if (this.#messages.length === 0) return
    this.#messages = this.#messages.filter((each) => each.needsGrants)
    const { overcommit, scheduledLevels } = this.#settings
    const chosen = this.#shortest(overcommit)
    chosen.forEach((each, rank) => {
      each.grant(Math.min(scheduledLevels, chosen.length) - 1 - Math.min(rank, scheduledLevels - 1))
    })
  }

  /** The `count` messages with the least left; of equals, the one that came first. */
  #shortest(count: number): HomaNotification[] {
    const order = [...this.#messages].sort((a, b) => (a.left === b.left ? 0 : a.left - b.left))
    return order.slice(0, count)
  }
}
