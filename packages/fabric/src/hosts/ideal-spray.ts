/**
 * How long a flow takes at least on the empty fabric when each packet takes a way of its own. One
 * path's time is no such bound: four links of 10 Gb/s carry what a host of 25 Gb/s sends, in less
 * time than one of them. So every stage (all ports that a packet may take as its i-th hop) is a
 * server as fast as its ports together, and a packet crosses it as by the fastest of them.
 *
 * Packets overtake each other, so who is last is open: the last full packet and the short one are
 * followed both. Of a stage with k ports and a common rate R, n packets of b bytes before the last
 * one keep it waiting for at least (n - k) b / R: k of them may be under way, and one be short.
 * Nothing waits for chance here, so that a real flow is never faster, and is a little slower.
 */
import type { Ports } from '../ports.ts'
import type { IdealParams } from './ideal.ts'

/** Ports of each hop, in the order of hops. */
export type Stages = readonly (readonly number[])[]

export interface SprayedParams extends Omit<IdealParams, 'path' | 'pathBack'> {
  readonly stages: Stages
  readonly stagesBack: Stages
}

/** When the first packet, the last full one and the last one are at some place. */
interface Front {
  first: number
  /** The last one, if nothing ever keeps it waiting: it may then be the first. */
  ahead: number
  full: number
  last: number
}

export function sprayedFctPs(ports: Ports, ideal: SprayedParams): number {
  const { stages, stagesBack, packets, fullBytes, lastBytes, ackBytes, ackEvery } = ideal
  const { ackCapBytes, uncappedBytes } = ideal
  const sendPs = ideal.sendCapBps > 0 ? 8e12 / ideal.sendCapBps : 0
  const takePs = ideal.takeCapBps > 0 ? 8e12 / ideal.takeCapBps : 0
  const count = packets - 1
  const cappedPs = Math.ceil((fullBytes - uncappedBytes) * sendPs)
  const gap = Math.max(servicePs(ports, stages[0]![0]!, fullBytes), cappedPs)
  const [full, last] = [Math.max(0, count - 1) * gap, count * gap]
  const front: Front = { first: 0, ahead: last, full, last }
  cross(ports, stages, front, count, fullBytes, lastBytes, ideal.cutThroughBytes)
  takeIn(front, count, fullBytes - uncappedBytes, lastBytes - uncappedBytes, takePs)
  const endPs = Math.max(front.full, front.last)
  if (ackBytes === 0) return endPs

  // The last ACK answers whoever came last; those before it may hold it up.
  const acks = Math.floor(count / ackEvery)
  const back: Front = { first: front.first, ahead: endPs, full: front.first, last: endPs }
  cross(ports, stagesBack, back, acks, ackBytes, ackBytes, ideal.cutThroughBytes)
  takeIn(back, acks, ackCapBytes, ackCapBytes, takePs)
  return back.last
}

function cross(
  ports: Ports,
  stages: Stages,
  front: Front,
  count: number,
  fullBytes: number,
  lastBytes: number,
  cutThroughBytes: number,
): void {
  if (count === 0) front.first = front.full = front.last
  stages.forEach((stage, i) => {
    const perPs = stage.reduce((sum, port) => sum + 1 / servicePs(ports, port, fullBytes), 0)
    const waitPs = Math.floor(Math.max(0, count - stage.length) / perPs)
    front.last = Math.max(front.last, front.first + waitPs)
    const next = stages[i + 1]
    const isLink = next === undefined && stage.length === 1 && count > 0
    // On one link the last two are sent one after the other, whichever is first.
    const both = isLink
      ? Math.min(front.full, front.last) + servicePs(ports, stage[0]!, fullBytes)
      : -Infinity
    const crossing = (bytes: number): number =>
      fastestPs(ports, stage, next, bytes, cutThroughBytes)
    front.ahead += crossing(lastBytes)
    front.first = Math.min(front.first + crossing(fullBytes), front.ahead)
    front.full += crossing(count > 0 ? fullBytes : lastBytes)
    front.last = Math.max(front.last, both) + crossing(lastBytes)
  })
}

/** A host's cap on what it takes is a server behind the last link. */
function takeIn(
  front: Front,
  count: number,
  fullBytes: number,
  lastBytes: number,
  capPs: number,
): void {
  if (capPs === 0) return
  const begun = front.first + Math.max(0, count - 1) * Math.ceil(fullBytes * capPs)
  front.last = Math.max(front.last, begun) + Math.ceil(lastBytes * capPs)
  // Without a full packet the last one is all there is.
  if (count > 0) front.full += Math.ceil(fullBytes * capPs)
  front.ahead += Math.ceil(lastBytes * capPs)
  front.first = Math.min(front.first + Math.ceil(fullBytes * capPs), front.ahead)
}

/** From the start of a transmission in this stage to the earliest start in the next. */
function fastestPs(
  ports: Ports,
  stage: readonly number[],
  next: readonly number[] | undefined,
  bytes: number,
  cutThroughBytes: number,
): number {
  // A packet seen before its tail is in may not leave by a faster port before that is.
  const isCut = next !== undefined && cutThroughBytes > 0 && bytes > cutThroughBytes
  let leastPs = Infinity
  for (const port of stage) {
    const wholePs = servicePs(ports, port, bytes)
    let aheadPs = 0
    if (isCut) {
      for (const after of next) aheadPs = Math.max(aheadPs, servicePs(ports, after, bytes))
      aheadPs = Math.min(aheadPs, wholePs - servicePs(ports, port, cutThroughBytes))
    }
    leastPs = Math.min(leastPs, wholePs - aheadPs + ports.delayPs[port]!)
  }
  return leastPs
}

function servicePs(ports: Ports, port: number, bytes: number): number {
  return Math.round(bytes * ports.psPerByte[port]!)
}
