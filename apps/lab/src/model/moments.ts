/** When something happened for the first time, or began or ended: the ticks of the timeline. */
import { deadlockOf } from '../scene/close-up.ts'
import { TOTALS } from '../worker/protocol.ts'
import type { LaneResult } from './session.ts'
import type { Recording } from './recording.ts'

export interface Moment {
  readonly ps: number
  readonly text: string
  readonly kind: 'mark' | 'pause' | 'loss' | 'flow' | 'deadlock'
}

/** Flows are named one by one only if they are few. */
const FLOWS_MAX = 8

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
  const add = (ps: number, text: string, kind: Moment['kind']): void => {
    if (ps >= 0 && Number.isFinite(ps)) moments.push({ ps, text, kind })
  }
  add(first(0), 'first loss', 'loss')
  add(first(1), 'first mark', 'mark')
  add(first(2), 'first pause', 'pause')
  const cycle = result?.ended.why === 'deadlock' ? result.ended.cycle : undefined
  add(
    cycle === undefined ? -1 : (deadlockOf(recording, cycle)?.seenPs ?? -1),
    'DEADLOCK',
    'deadlock',
  )
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
