/**
 * DCQCN: ECN marks at the switch, congestion notification packets (CNPs) from the receiver, and
 * QCN's rate machine at the sender.
 *
 * Y. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015; equation and
 * section numbers below are that paper's (not verified: docs/sources.md). Trivedi 2019, "DC-QCN".
 *
 * CP: RED on the instantaneous queue (section 3.1, Fig. 5), by the fabric's marker. NP: a CNP for a
 * marked packet, at most one in N us for a flow (Fig. 6), or, as in the common NIC firmware and the
 * public simulators, the mark echoed in every ACK. RP: Eqs. 1 to 4 (Fig. 7).
 *
 * Departs from the paper: timers stop while a flow is at line rate, where they change nothing.
 */
import type { Control, Marking, ReceiverContext } from '@weir/fabric'
import { NotificationPoint, inertControl } from '@weir/fabric'
import { params, presets } from './dcqcn/params.ts'
import type { Values } from './dcqcn/params.ts'
import { CNP, CNP_BYTES } from './dcqcn/reaction.ts'
import { dcqcnSender } from './dcqcn/sender.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

export const dcqcn: Scheme = defineScheme({
  name: 'dcqcn',
  title: 'DCQCN',
  cite: 'Zhu et al., SIGCOMM 2015',
  needs: ['ecn', 'acks'],
  params,
  ordered: [['kmin', 'kmax']],
  presets,
  create(values): Control {
    return {
      ...inertControl,
      controlBytesMax: CNP_BYTES,
      ecnCapable: true,
      flowInternals: ['rate', 'target', 'alpha'],
      marking: (rateBps) => markingFor(rateBps, values),
      reaction: (flow) => dcqcnSender(flow, values),
      notification: (receiver) =>
        values.feedback === 'ack' ? undefined : new DcqcnNotification(receiver, values.cnpInterval),
    }
  },
})

function markingFor(rateBps: number, values: Values): Marking {
  const scale = values.referenceRate > 0 ? rateBps / values.referenceRate : 1
  return {
    kminBytes: Math.round(values.kmin * scale),
    kmaxBytes: Math.round(values.kmax * scale),
    pmax: values.pmax,
    at: values.markAt,
  }
}

/** Section 3.1, NP: a marked packet draws a CNP unless one was sent within the interval. */
class DcqcnNotification extends NotificationPoint {
  readonly #receiver: ReceiverContext
  readonly #intervalPs: number
  #sentPs: number = -Infinity

  constructor(receiver: ReceiverContext, intervalPs: number) {
    super()
    this.#receiver = receiver
    this.#intervalPs = intervalPs
  }

  override onData(marked: boolean, _bytes: number, nowPs: number): void {
    if (!marked || nowPs - this.#sentPs < this.#intervalPs) return
    this.#sentPs = nowPs
    this.#receiver.sendControl(CNP, CNP_BYTES, 0, 0)
  }
}
