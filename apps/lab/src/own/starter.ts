/**
 * The scheme that the editor begins with: small, complete, and worse than the others on purpose.
 */
export const starter: string = `import { ReactionPoint } from '@weir/fabric'
import type { Ack, Control, FlowContext } from '@weir/fabric'
import type { Scheme } from '@weir/schemes'

/** Halve the rate when a mark comes back, at most once a round trip; otherwise add a little. */
class Halving extends ReactionPoint {
  #cutPs = 0

  constructor(
    readonly flow: FlowContext,
    readonly step: number,
  ) {
    super()
    this.rateBps = flow.lineRateBps
  }

  override onAck(ack: Readonly<Ack>, nowPs: number): void {
    if (ack.marked && nowPs - this.#cutPs > 2 * this.flow.baseRttPs) {
      this.#cutPs = nowPs
      this.rateBps = Math.max(1e8, this.rateBps / 2)
    } else {
      this.rateBps = Math.min(this.flow.lineRateBps, this.rateBps + this.step)
    }
  }

  override observe(): number {
    return this.rateBps
  }
}

export const halving: Scheme = {
  name: 'halving',
  title: 'Halving',
  cite: 'mine',
  needs: ['ecn', 'acks'],
  params: {
    step: {
      unit: 'rate',
      default: 5e6,
      min: 1e5,
      max: 1e9,
      about: 'Added to the rate with every unmarked acknowledgement.',
      source: 'a guess',
    },
  },
  presets: {},
  create: (values): Control => ({
    dataHeaderBytes: 0,
    ackHeaderBytes: 0,
    ecnCapable: true,
    telemetry: false,
    flowInternals: ['rate'],
    portInternals: [],
    // Mark every packet that finds more than 100 KB before it.
    marking: () => ({ kminBytes: 100e3, kmaxBytes: 100e3, pmax: 1, at: 'enqueue' }),
    reaction: (flow) => new Halving(flow, Number(values['step'])),
    notification: () => undefined,
    contention: () => undefined,
  }),
}
`
