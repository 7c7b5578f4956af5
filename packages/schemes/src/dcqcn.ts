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
 * Departs from the paper: alpha's decay (Eq. 2) has no timer of its own but is computed when alpha
 * is needed, with the same result; timers stop while a flow is at line rate, where they change
 * nothing.
 */
import type { Control, Marking, ReceiverContext } from '@weir/fabric'
import { NotificationPoint } from '@weir/fabric'
import { params, presets, settingsOf } from './dcqcn/params.ts'
import type { Settings } from './dcqcn/params.ts'
import { CNP, CNP_BYTES, DcqcnReaction } from './dcqcn/reaction.ts'
import type { Scheme } from './scheme.ts'

export const dcqcn: Scheme = {
  name: 'dcqcn',
  title: 'DCQCN',
  cite: 'Zhu et al., SIGCOMM 2015',
  needs: ['ecn', 'acks'],
  params,
  ordered: [['kmin', 'kmax']],
  presets,
  create(values): Control {
    const settings = settingsOf(values)
    return {
      dataHeaderBytes: 0,
      ackHeaderBytes: 0,
      controlBytesMax: CNP_BYTES,
      ecnCapable: true,
      telemetry: false,
      flowInternals: ['rate', 'target', 'alpha'],
      portInternals: [],
      marking: (rateBps) => markingFor(rateBps, settings),
      reaction: (flow) => new DcqcnReaction(flow, settings),
      notification: (receiver) =>
        settings.isEchoed ? undefined : new DcqcnNotification(receiver, settings.cnpIntervalPs),
      contention: () => undefined,
    }
  },
}

function markingFor(rateBps: number, settings: Settings): Marking {
  const scale = settings.referenceRate > 0 ? rateBps / settings.referenceRate : 1
  return {
    kminBytes: Math.round(settings.kmin * scale),
    kmaxBytes: Math.round(settings.kmax * scale),
    pmax: settings.pmax,
    at: settings.markAt,
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
