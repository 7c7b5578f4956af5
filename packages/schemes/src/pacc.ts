/**
 * PACC: the switch reckons from its queue how many CNPs there should be, shares them among the
 * flows that met congestion, and sends them itself; senders are DCQCN's.
 *
 * X. Zhong et al., "PACC: Proactive and Accurate Congestion Feedback for RDMA Congestion Control";
 * lines below are those of its Algorithm 1. CP: a flow table for each output, a PI controller every
 * T, a test for microbursts, CNPs 4 us apart in the highest class. NP: none. RP: DCQCN's, as it is,
 * from its own file.
 *
 * Readings where the paper leaves it open: the queue is counted in KB (the gains make sense only
 * so), all classes of the output together; thresholds follow the output's rate; the average takes
 * the queue in every T, before the computation; table and computation share one clock, allocation
 * before clearing; each output's clock has a phase of its own, drawn at random; a flow gets at most
 * the CNPs that T has room for, 20, and the rest is dropped. An output whose table is empty and
 * whose queue is gone stops its clock, and finds its phase again.
 */
import type { Control, PortContext } from '@weir/fabric'
import { ContentionPoint, inertControl } from '@weir/fabric'
import { pow } from '@weir/engine'
import { CNP, CNP_BYTES } from './dcqcn/reaction.ts'
import { dcqcnSender } from './dcqcn/sender.ts'
import { FlowTable } from './pacc/flow-table.ts'
import { params, presets } from './pacc/params.ts'
import type { Values } from './pacc/params.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const KB = 1e3
const PERIOD = 0
const PACE = 1
/** Keys are source * this + target. */
const HOSTS_MAX = 2 ** 20

export const pacc: Scheme = defineScheme({
  name: 'pacc',
  title: 'PACC',
  cite: 'Zhong et al., "PACC: Proactive and Accurate Congestion Feedback"',
  needs: [],
  params,
  presets,
  create(values, { packetBytes }): Control {
    return {
      ...inertControl,
      controlBytesMax: CNP_BYTES,
      flowInternals: ['rate', 'target', 'alpha'],
      portInternals: ['cnps', 'average', 'entries'],
      reaction: (flow) => dcqcnSender(flow, values),
      contention: (port) =>
        port.atHost ? undefined : new PaccContention(port, values, packetBytes),
    }
  },
})

class PaccContention extends ContentionPoint {
  readonly sees = 'arrivals'
  readonly #port: PortContext
  readonly #s: Values
  /** Q_th, and Q_burst, which is B_th too. */
  readonly #reference: number
  readonly #burst: number
  /** CNPs that fit into T for one flow. */
  readonly #most: number
  readonly #table: FlowTable = new FlowTable()
  readonly #notify: (flow: number) => void
  /** When the first computation is or was: the others are whole periods later. */
  #phasePs: number = NaN
  #isTicking: boolean = false
  #tickedPs: number = NaN
  #queueOld: number = 0
  #average: number = NaN
  #cnps: number = NaN

  constructor(port: PortContext, values: Values, packetBytes: number) {
    super()
    this.#port = port
    this.#s = values
    this.#tickedPs = 0
    this.#average = 0
    this.#cnps = 0
    const bytesPerPs = port.rateBps / 8e12
    const hopPs = port.delayPs + packetBytes / bytesPerPs
    this.#reference = values.reference || (values.interval / 2) * bytesPerPs
    this.#burst = values.burst || hopPs * bytesPerPs
    this.#most = Math.max(1, Math.floor(values.interval / values.cnpSpacing))
    this.#notify = (flow) => {
      port.notifyFlow(flow, CNP, CNP_BYTES, 0, 0)
    }
  }

  /** Lines 27 to 32. */
  override onArrival(packet: number, _queueBytes: number, nowPs: number): void {
    const port = this.#port
    if (!this.#isTicking) this.#start(nowPs)
    const key = port.packetSource(packet) * HOSTS_MAX + port.packetTarget(packet)
    port.remember(packet)
    const isCongested = port.queueBytesAll() > this.#reference
    this.#table.count(key, port.packetFlow(packet), port.packetBytes(packet), isCongested)
  }

  override onTimer(which: number, nowPs: number): void {
    if (which === PACE) {
      if (this.#table.send(this.#notify)) this.#port.setTimer(PACE, nowPs + this.#s.cnpSpacing)
      return
    }
    this.#tickedPs = nowPs
    const queue = this.#port.queueBytesAll()
    this.#average = this.#s.weight * queue + (1 - this.#s.weight) * this.#average // line 24
    this.#compute(queue, nowPs)
    this.#table.age(this.#burst) // line 33
    this.#isTicking = this.#table.size > 0 || queue > 0
    if (this.#isTicking) this.#port.setTimer(PERIOD, nowPs + this.#s.interval)
  }

  /** Lines 11 to 21. */
  #compute(queue: number, nowPs: number): void {
    const beta1 = this.#s.beta1 / KB
    const beta2 = this.#s.beta2 / KB
    const all = beta1 * (queue - this.#reference) + beta2 * (queue - this.#queueOld)
    this.#queueOld = queue
    this.#cnps = Math.max(0, all)
    if (all <= 0 || this.#average <= this.#burst) return
    if (!this.#table.allocate(all, this.#most)) return
    this.onTimer(PACE, nowPs)
  }

  /** The clock again, in its old phase; what it has missed were empty queues. */
  #start(nowPs: number): void {
    const { interval: intervalPs, weight } = this.#s
    this.#isTicking = true
    if (Number.isNaN(this.#phasePs)) {
      this.#phasePs = nowPs + Math.floor(this.#port.random.uniform() * intervalPs)
      this.#port.setTimer(PERIOD, this.#phasePs)
      return
    }
    const periods = Math.floor((nowPs - this.#phasePs) / intervalPs) + 1
    const nextPs = this.#phasePs + periods * intervalPs
    const missed = Math.round((nextPs - this.#tickedPs) / intervalPs) - 1
    if (missed > 0) {
      this.#average *= pow(1 - weight, missed)
      this.#queueOld = 0
    }
    this.#port.setTimer(PERIOD, nextPs)
  }

  override observe(index: number): number {
    return [this.#cnps, this.#average, this.#table.size][index] ?? NaN
  }
}
