/**
 * No congestion control: every flow sends at line rate, always. On a lossless fabric this is
 * 'PAUSE only' or 'PFC only', what documents A and B compare everything with.
 */
import type { Control } from '@weir/fabric'
import { ReactionPoint } from '@weir/fabric'
import type { Scheme } from './scheme.ts'

class LineRate extends ReactionPoint {}

export const none: Scheme = {
  name: 'none',
  title: 'line rate (flow control only)',
  cite: 'the baseline of documents A and B',
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
    reaction: () => new LineRate(),
    notification: () => undefined,
    contention: () => undefined,
  }),
}
