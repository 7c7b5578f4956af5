/**
 * Incast: many senders to one receiver at the same moment, the pattern of a partitioned query or a
 * striped read (A. Phanishayee et al., FAST 2008). Each arrival, random or periodic, is one event
 * in which every sender starts a flow. The senders are the hosts after the receiver in order, or
 * are drawn anew for each event.
 */
import type { Pair, Pattern } from '../contract.ts'
import { WorkloadError } from '../contract.ts'
import type { Random } from '@weir/engine'

/** `hosts` are the candidates; `receiver` need not be one of them, and is never a sender. */
export function incast(
  hosts: readonly number[],
  receiver: number,
  senders: number,
  drawSenders: boolean,
): Pattern {
  const at = hosts.indexOf(receiver)
  // The hosts after the receiver, then round to those before it.
  const others = [...hosts.slice(at + 1), ...hosts.slice(0, Math.max(at, 0))]
  if (!(senders >= 1 && senders <= others.length) || !Number.isInteger(senders)) {
    throw new WorkloadError(
      `An incast of ${senders} senders needs 1 to ${others.length} of the hosts selected; ` +
        'change the number of senders or select more hosts.',
    )
  }
  const event = function* (random: Random): Generator<Pair> {
    for (let i = 0; i < senders; i++) {
      // A Fisher-Yates shuffle that stops after the senders: any set of them is equally likely.
      if (drawSenders) {
        const j = i + random.below(others.length - i)
        const held = others[i]!
        others[i] = others[j]!
        others[j] = held
      }
      yield [others[i]!, receiver]
    }
  }
  return { flowsPerArrival: senders, arrival: event, round: event }
}
