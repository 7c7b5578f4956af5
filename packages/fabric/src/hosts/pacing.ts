/**
 * When a flow may send again. ACCurate, section IV-B: 'after serving a packet, NST = T + S/R'.
 * With T the moment of service that loses time: a packet that was due, and had to wait because a
 * sibling held the link, pushes all later ones back, and a flow never gets the rate that it is
 * limited to. So a packet counts as served when it was due, as far as the wait was
 *
 *   - one turn: a packet of each flow that the host's link serves, and
 *   - `burst` packets at the flow's own rate: the paper's 'small bursts (1-2 packets)'.
 *
 *     NST = max(NST, T - turn - burst S/R) + S/R
 *
 * What is later than that is lost: back-pressure is no credit. A flow that was idle (nothing to
 * send, its window closed) or held back by its own rate has waited for nobody, and saves nothing.
 * `burst` 0 is the letter of the paper.
 */
import type { Flow } from './flow.ts'

/** A packet has been taken from a flow that was due; `turnPs`: a packet of each flow here. */
export function paceServed(
  flow: Flow,
  bytes: number,
  turnPs: number,
  burst: number,
  nowPs: number,
): void {
  const { rateBps } = flow.reaction
  const gapPs = gapFor(flow, bytes)
  // Flows without a limit are served in turn: each goes behind those that have waited longer.
  const isExact = burst === 0 || gapPs === 0
  flow.servedPs = isExact ? nowPs : Math.max(flow.nstPs, nowPs - turnPs - burst * gapPs)
  flow.servedBytes = bytes
  flow.pacedBps = rateBps
  flow.nstPs = flow.servedPs + gapPs
}

/** The rate has changed: since the last packet it is the new one that counts. */
export function paceAgain(flow: Flow, burst: number, nowPs: number): void {
  const { rateBps } = flow.reaction
  flow.pacedBps = rateBps
  const duePs = flow.servedPs + gapFor(flow, flow.servedBytes)
  // A flow that has become due only by its new rate has not waited for anybody.
  flow.nstPs = burst === 0 ? duePs : Math.max(duePs, Math.min(flow.nstPs, nowPs))
}

/** An idle flow has something to send again; among flows without a limit it keeps its place. */
export function paceWoken(flow: Flow, burst: number, nowPs: number): void {
  if (burst > 0 && flow.reaction.rateBps < Infinity) flow.nstPs = Math.max(flow.nstPs, nowPs)
}

/** Time that a packet takes at a flow's own rate, in whole ps; at line rate what the link takes. */
function gapFor(flow: Flow, bytes: number): number {
  const { rateBps } = flow.reaction
  if (rateBps === flow.lineRateBps) return Math.round(bytes * (8e12 / rateBps))
  return rateBps < Infinity ? Math.ceil((bytes * 8e12) / rateBps) : 0
}
