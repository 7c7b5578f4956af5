/**
 * No congestion control: every flow sends at line rate, always: the rate of its host's link, which
 * is also how fast it fills a queue in front of that link (`hosts.injection: shared-fifo`). On a
 * lossless fabric this is 'PAUSE only' or 'PFC only', what the other schemes compare everything
 * with.
 */
import type { Control, FlowContext } from '@weir/fabric'
import { ReactionPoint } from '@weir/fabric'
import type { Scheme } from './scheme.ts'

class LineRate extends ReactionPoint {
  constructor({ lineRateBps }: FlowContext) {
    super()
    this.rateBps = lineRateBps
  }
}

export const none: Scheme = {
  name: 'none',
  title: 'line rate (flow control only)',
  cite: 'the baseline of every comparison',
  needs: [],
  params: {},
  presets: {},
  create: (): Control => ({
    dataHeaderBytes: 0,
    ackHeaderBytes: 0,
    ecnCapable: false,
    telemetry: false,
    flowInternals: [],
    portInternals: [],
    marking: () => undefined,
    reaction: (flow) => new LineRate(flow),
    notification: () => undefined,
    contention: () => undefined,
  }),
}
