/** Why a run ends, or would if it ended now: see docs/spec.md, 'How a run ends'. */
import { formatTime } from '@weir/engine'
import { findDeadlock, nameCycle } from './deadlock.ts'
import type { Ended } from './result.ts'
import type { Run } from './run.ts'
import type { Share } from './threads/share.ts'
import { stuckTogether } from './threads/stuck-together.ts'

/** Of a run, or of this thread's share of one. */
export function* why(run: Run, share: Share | undefined): Generator<void, Ended> {
  const { network } = run
  if (isDecided(run)) return whyNow(run, undefined)
  if (share === undefined) return whyNow(run, findDeadlock(network))
  return whyNow(run, nameCycle(network, yield* stuckTogether(network, share)))
}

/** Everything has ended: nothing else is to be looked at. */
function isDecided(run: Run): boolean {
  return hasCompleted(run) && run.active.endless === 0
}

function hasCompleted(run: Run): boolean {
  return run.active.ending === 0 && !run.isExpecting && run.jobs.isOver
}

/** `cycle`: ports that wait for each other, if any do. */
export function whyNow(run: Run, cycle: readonly string[] | undefined): Ended {
  if (isDecided(run)) return { why: 'completed' }
  if (cycle !== undefined) {
    const sentence = `deadlock: ${cycle.join(' waits for ')} waits for ${cycle[0]}`
    return { why: 'deadlock', cycle, sentence }
  }
  if (run.hasHadItsEvents) {
    const { eventsMax } = run.spec.run
    return { why: 'events', sentence: `stopped after ${eventsMax} events, as run.eventsMax says` }
  }
  if (hasCompleted(run)) return { why: 'completed' }
  const left = run.active.ending
  if (run.drain !== undefined) {
    const after = `after ${formatTime(run.spec.run.drainPs)} of drain`
    const sentence = `${flowsText(left)} had still not ended ${after}`
    return { why: 'time', saturated: run.drain.isSaturated, sentence }
  }
  // Heavy tails leave a backlog in any short run; in saturation most flows are late, and later.
  const isGrowing = run.backlogBytes() > 1.2 * run.backlogHalfway
  const isSaturated = left > 0 && isGrowing && lateFlows(run) > left / 2
  const sentence = isSaturated
    ? `${flowsText(left)} had not ended and the backlog was growing: ${OVERLOAD}`
    : `${flowsText(left)} had not ended when the time was over`
  return { why: 'time', saturated: isSaturated, sentence }
}

export const OVERLOAD = 'more is offered than is carried'

export const flowsText = (count: number): string => `${count} flow${count === 1 ? '' : 's'}`

/** Flows with a size that have taken ten times as long as on the empty fabric, and go on. */
function lateFlows(run: Run): number {
  let late = 0
  for (const flow of run.network.hosts.flows) {
    if (flow === undefined || flow.sizeBytes === Infinity) continue
    if (!run.rows.isUnderWay(flow.row)) continue
    const { startPs, idealFctPs } = run.rows
    if (run.nowPs - startPs[flow.row]! > 10 * idealFctPs[flow.row]!) late++
  }
  return late
}
