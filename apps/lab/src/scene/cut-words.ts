/**
 * What a run had more of than is noted, in words: packets that are drawn one by one are kept in
 * logs with a bound, and where one is full nothing is drawn that was there.
 */
import { shortTime } from '@weir/engine'
import { whole } from '../model/compare.ts'
import type { Recording } from '../model/recording.ts'
import { NOTES_MAX } from '../worker/protocol.ts'

/** Of what is shown at a moment; Infinity: of the whole run. */
export function cutWords({ packets, circuits }: Recording, timePs: number = Infinity): string[] {
  const cuts = [
    ['broadcasts and messages', packets.agentsCutPs],
    ['credits', packets.creditsCutPs],
    ['heartbeats', circuits.cutPs],
  ] as const
  return cuts.flatMap(([what, cutPs]) =>
    cutPs <= timePs && cutPs < Infinity
      ? [`${what} are not noted after ${shortTime(cutPs)}: the log holds ${whole(NOTES_MAX)}`]
      : [],
  )
}
