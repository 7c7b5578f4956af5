/** When something happened for the first time, or began or ended: the ticks of the timeline. */
import { deadlockOf } from '../scene/close-up.ts'
import { TOTALS } from '../worker/protocol.ts'
import type { LaneResult } from './session.ts'
import type { Recording } from './recording.ts'

export interface Moment {
  readonly ps: number
  /** Where its tick leads, if no picture shows it yet when it happens. */
  readonly seenPs?: number
  readonly text: string
  readonly kind: 'mark' | 'pause' | 'loss' | 'flow' | 'deadlock'
}

/** Flows are named one by one only if they are few. */
const FLOWS_MAX = 8

/**
 * When the first port was stopped. It is in the picture that ends after it, for a share of its time
 * that says when: one that is stopped is so for longer than a picture lasts.
 */
function firstPause(
  { totals, paused, ports, count, intervalPs }: Recording,
  times: Float64Array,
): { ps: number; seenPs: number } | undefined {
  let sent = 0
  while (sent < count && totals[sent * TOTALS + 2] === 0) sent++
  // The frame that stops it may still be on its way when a picture ends.
  for (let i = sent; i < Math.min(count, sent + 2); i++) {
    const most = paused.subarray(i * ports, (i + 1) * ports).reduce((a, b) => Math.max(a, b), 0)
    if (most > 0) return { ps: times[i]! - (most / 255) * intervalPs, seenPs: times[i]! }
  }
  return sent < count ? { ps: times[sent]!, seenPs: times[sent]! } : undefined
}

export function momentsOf(recording: Recording, result: LaneResult | undefined): Moment[] {
  const moments: Moment[] = []
  // When the picture that shows it ends: it is not there before, and the tick leads to it.
  const times = recording.timesPs()
  const first = (lane: number): number => {
    for (let i = 0; i < recording.count; i++) {
      if (recording.totals[i * TOTALS + lane]! > 0) return times[i]!
    }
    return -1
  }
  const add = (ps: number, text: string, kind: Moment['kind'], seenPs?: number): void => {
    if (!(ps >= 0) || !Number.isFinite(ps)) return
    moments.push({ ps, text, kind, ...(seenPs !== undefined && { seenPs }) })
  }
  add(first(0), 'first loss', 'loss')
  add(first(1), 'first mark', 'mark')
  const pause = firstPause(recording, times)
  if (pause !== undefined) add(pause.ps, 'first pause', 'pause', pause.seenPs)
  const cycle = result?.ended.why === 'deadlock' ? result.ended.cycle : undefined
  const deadlock = cycle === undefined ? undefined : deadlockOf(recording, cycle)
  // The words in the picture say since when: its tick stands there.
  if (deadlock !== undefined) add(deadlock.sincePs, 'DEADLOCK', 'deadlock', deadlock.seenPs)
  const flows = recording.flows.filter((flow) => flow !== undefined)
  const isFew = flows.length <= FLOWS_MAX
  for (const { name, startPs, endPs } of isFew ? flows : []) {
    if (startPs > 0) add(startPs, `${name} starts`, 'flow')
    add(endPs, `${name} ends`, 'flow')
  }
  if (!isFew) {
    const ends = flows.map(({ endPs }) => endPs).filter((ps) => ps >= 0)
    if (ends.length > 0) {
      add(Math.min(...ends.slice(0, 10_000)), 'first flow ends', 'flow')
      // A run that is over before a flow is has no last one.
      const ending = flows.filter(({ sizeBytes }) => sizeBytes < Infinity)
      const isAll = result !== undefined && ends.length >= ending.length
      const which = ending.length < flows.length ? 'last flow with a size' : 'last flow'
      if (isAll) add(Math.max(...ends.slice(-10_000)), `${which} ends`, 'flow')
    }
  }
  return moments.sort((a, b) => a.ps - b.ps)
}
