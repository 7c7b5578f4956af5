/**
 * No congestion control: every flow sends at line rate, always: the rate of its host's link, which
 * is also how fast it fills a queue in front of that link (`hosts.injection: shared-fifo`). On a
 * lossless fabric this is 'PAUSE only' or 'PFC only', what the other schemes compare everything
 * with.
 */
import type { FlowContext } from '@weir/fabric'
import { inertControl, ReactionPoint } from '@weir/fabric'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

class LineRate extends ReactionPoint {
  constructor({ lineRateBps }: FlowContext) {
    super()
    this.rateBps = lineRateBps
  }
}

export const none: Scheme = defineScheme({
  name: 'none',
  title: 'line rate (flow control only)',
  cite: 'the baseline of every comparison',
  needs: [],
  params: {},
  presets: {},
  create: () => ({ ...inertControl, reaction: (flow) => new LineRate(flow) }),
})
