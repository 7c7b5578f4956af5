/**
 * TCP Reno with NewReno's recovery: one segment more each round trip, half the window at a loss.
 *
 * V. Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988; RFC 5681, RFC 6582. With `ecn`, a
 * mark counts as a loss that loses nothing: at most once a round trip the window is halved (RFC
 * 3168, section 6.1.2), and the receiver echoes until the sender says CWR (section 6.1.3).
 * Trivedi 2019, "TCP Congestion Control" and "Explicit Congestion Notification".
 *
 * Departs from the RFCs: packets sent again are ECN-capable too, as all are.
 */
import type { Ack, Control, Marking } from '@weir/fabric'
import { inertControl } from '@weir/fabric'
import type { Params, Presets } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'
import { TcpWindow, windowParams } from './tcp-window.ts'

const RED =
  'SIGCOMM 2010 (DCTCP), section 4.1 (not verified): TCP over RED, 50 and 150 packets, max_p 0.1'

const params = {
  ...windowParams,
  ecn: {
    unit: 'boolean',
    default: false,
    about: 'Packets are ECN-capable, and a mark halves the window once per round trip.',
    source: 'RFC 3168: ECN is negotiated, and off unless both ends ask for it',
  },
  kmin: {
    unit: 'size',
    isMarking: true,
    default: 75e3,
    min: 0,
    max: 1e9,
    about: 'With ecn: no marks below this queue.',
    source: RED,
  },
  kmax: {
    unit: 'size',
    isMarking: true,
    default: 225e3,
    min: 0,
    max: 1e9,
    about: 'With ecn: every packet is marked above this queue.',
    source: RED,
  },
  pmax: {
    unit: 'fraction',
    isMarking: true,
    default: 0.1,
    min: 0,
    max: 1,
    about: 'With ecn: marking probability at kmax.',
    source: RED,
  },
} as const satisfies Params

const presets: Presets<typeof params> = {
  ecn: {
    about: 'With ECN, marked by RED on the instantaneous queue.',
    source: 'RFC 3168',
    values: { ecn: true },
  },
  classic: {
    about: 'Hosts of the incast papers: an initial window of three segments.',
    source: 'RFC 3390, section 1: 4380 bytes',
    values: { initialWindow: 3 },
  },
}

export const tcpReno: Scheme = defineScheme({
  name: 'tcp-reno',
  title: 'TCP NewReno',
  cite: 'Jacobson, SIGCOMM 1988; RFC 5681, RFC 6582, RFC 3168',
  needs: ['acks'],
  transport: 'tcp',
  params,
  ordered: [['kmin', 'kmax']],
  presets,
  create(values): Control {
    const marking: Marking = {
      kminBytes: values.kmin,
      kmaxBytes: values.kmax,
      pmax: values.pmax,
      at: 'enqueue',
    }
    return {
      ...inertControl,
      ecnCapable: values.ecn,
      echo: 'until-cwr',
      flowInternals: ['window', 'threshold'],
      marking: () => (values.ecn ? marking : undefined),
      reaction: (flow) => new RenoReaction(flow, values),
    }
  },
})

class RenoReaction extends TcpWindow {
  /** Marks are not acted on again until what was sent by then is acknowledged. */
  #reducedUpTo: number = -1

  /** RFC 3168, section 6.1.2: as for a loss, but at most once a window of data. */
  protected override onEcho(ack: Readonly<Ack>): boolean {
    if (!ack.marked) return false
    if (ack.acked > this.#reducedUpTo && !this.isRecovering) {
      this.reduceTo(this.cwnd / 2)
      this.#reducedUpTo = ack.next
    }
    return true
  }

  override observe(index: number): number {
    return [this.cwnd, this.ssthresh][index] ?? NaN
  }
}
