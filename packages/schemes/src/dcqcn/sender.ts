/** The sender that the parameters ask for: with a decrease interval, on its grid. */
import type { FlowContext, ReactionPoint } from '@weir/fabric'
import { AtOnceReaction } from './at-once.ts'
import { OnGridReaction } from './on-grid.ts'
import type { ReactionValues } from './reaction.ts'

export function dcqcnSender(flow: FlowContext, values: ReactionValues): ReactionPoint {
  return values.decreaseInterval === 0
    ? new AtOnceReaction(flow, values)
    : new OnGridReaction(flow, values)
}
