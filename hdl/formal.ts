/**
 * What holds for every sequence of inputs, not only for random ones: the assertions in the sources
 * (`ifdef FORMAL`), proved by Yosys' own SAT solver by induction over cycles. Shares are never 0
 * nor above C (1 - alpha), no divisor is 0, no count and no sum wraps.
 */
import type { CircuitSettings } from '@weir/schemes'
import { yosys } from './yosys.ts'

/** Rejects with the end of Yosys' log, which has the counter-example, if not all is proved. */
export async function prove(settings: CircuitSettings): Promise<void> {
  const { log } = await yosys(
    settings,
    'prep -flatten -top contention_point; async2sync; opt; ' +
      'sat -verify -tempinduct -prove-asserts -set reset 0 -show-ports -maxsteps 12',
    '-formal -DFORMAL',
  )
  if (!log.includes('Induction step proven: SUCCESS')) throw new Error(log.slice(-2000))
}
