/**
 * Incast: many senders to one receiver at the same moment, the pattern of a partitioned query or a
 * striped read (A. Phanishayee et al., FAST 2008). Each arrival, random or periodic, is one event
 * in which every sender starts a flow. The senders are the hosts after the receiver in order, or
 * are drawn anew for each event.
 */
import { count, is, name, otherwise, Refusal, section, unless, yesOrNo } from '@weir/engine/codec'
import type { Pair, Pattern, PatternKind } from '../contract.ts'
import { WorkloadError } from '../contract.ts'
import { hostIndex, indexHosts } from '../select-hosts.ts'
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

export interface Incast {
  readonly kind: 'incast'
  readonly senders: number
  /** Its name; '': the first host. */
  readonly receiver: string
  /** Senders are drawn anew each time; else they are the hosts after the receiver. */
  readonly drawSenders: boolean
}

export const incastPattern: PatternKind<Incast> = {
  summary: 'many senders to one receiver',
  codec: section('an incast', {
    kind: is('incast'),
    senders: count(1, 65_536, 16),
    receiver: unless('', name('a host', 'h0')),
    drawSenders: otherwise(yesOrNo(), false),
  }),
  check({ receiver, senders }, { chosen, index }) {
    const target = receiver === '' ? [...chosen][0]! : index(receiver, 'receiver')
    const others = chosen.size - (chosen.has(target) ? 1 : 0)
    if (senders <= others) return
    throw new Refusal(
      ['senders'],
      `there are ${senders} senders, and besides the receiver ${others} hosts; ` +
        `write at most ${others}`,
    )
  },
  make({ receiver, senders, drawSenders }, { hosts, sources }) {
    const target =
      receiver === '' ? sources.hosts[0]! : hostIndex(hosts, indexHosts(hosts), receiver)
    return incast(sources.hosts, target, senders, drawSenders)
  },
}
