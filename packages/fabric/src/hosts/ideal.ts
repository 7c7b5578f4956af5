/**
 * How long a flow takes on the empty fabric, exactly: by the max-plus recursion of a tandem of
 * servers. Equal packets leave hop i spaced by the slowest service up to i; the last, shorter one is
 * followed through by itself. O(hops), whatever the flow's length.
 */
import type { Ports } from '../ports.ts'

export interface IdealParams {
  readonly path: ArrayLike<number>
  readonly pathBack: ArrayLike<number>
  readonly fullBytes: number
  readonly lastBytes: number
  /** All packets, the last one included. */
  readonly packets: number
  /** 0: the flow ends when its last packet arrives. */
  readonly ackBytes: number
  readonly cutThroughBytes: number
  /** A host's own cap on what it sends and takes, bit/s; 0: none. */
  readonly rateCapBps: number
}

export function idealFctPs(ports: Ports, ideal: IdealParams): number {
  const { path, packets, fullBytes, lastBytes, cutThroughBytes, rateCapBps } = ideal
  const fullCount = packets - 1
  const capPs = rateCapBps > 0 ? 8e12 / rateCapBps : 0
  // Start times at the current hop: of the first full packet, of the last full one, of the last.
  let first = 0
  let last = fullCount > 0 ? spacing(ports.psPerByte[path[0]], capPs, fullBytes) * fullCount : 0
  let lastFull = fullCount > 0 ? last - spacing(ports.psPerByte[path[0]], capPs, fullBytes) : 0
  let slowest = fullCount > 0 ? spacing(ports.psPerByte[path[0]], capPs, fullBytes) : 0
  for (let i = 1; i < path.length; i++) {
    const before = path[i - 1]
    const port = path[i]
    const fullPs = Math.round(fullBytes * ports.psPerByte[port])
    const ready = (start: number, bytes: number): number =>
      start + crossingPs(ports, before, port, bytes, cutThroughBytes)
    let lastReady = ready(last, lastBytes)
    if (fullCount > 0) {
      first = ready(first, fullBytes)
      slowest = Math.max(slowest, fullPs)
      lastFull = first + (fullCount - 1) * slowest
      lastReady = Math.max(lastReady, lastFull + fullPs)
    }
    last = lastReady
  }
  const final = path[path.length - 1]
  let endPs = last + Math.round(lastBytes * ports.psPerByte[final]) + ports.delayPs[final]
  if (capPs > 0) endPs = takenIn(ports, final, ideal, lastFull, endPs, capPs)
  if (ideal.ackBytes === 0) return endPs
  return endPs + crossAllPs(ports, ideal.pathBack, ideal.ackBytes, cutThroughBytes)
}

/** The receiving host's cap: a server behind the last link. */
function takenIn(
  ports: Ports,
  final: number,
  ideal: IdealParams,
  lastFullStart: number,
  lastIn: number,
  capPs: number,
): number {
  const lastService = Math.ceil(ideal.lastBytes * capPs)
  if (ideal.packets === 1) return lastIn + lastService
  // The sending host keeps the same cap, so full packets come no faster than they are taken in.
  const fullIn =
    lastFullStart + Math.round(ideal.fullBytes * ports.psPerByte[final]) + ports.delayPs[final]
  return Math.max(lastIn, fullIn + Math.ceil(ideal.fullBytes * capPs)) + lastService
}

/** One packet across a whole path, alone. */
export function crossAllPs(
  ports: Ports,
  path: ArrayLike<number>,
  bytes: number,
  cutThroughBytes: number,
): number {
  let start = 0
  for (let i = 1; i < path.length; i++) {
    start += crossingPs(ports, path[i - 1], path[i], bytes, cutThroughBytes)
  }
  const final = path[path.length - 1]
  return start + Math.round(bytes * ports.psPerByte[final]) + ports.delayPs[final]
}

/** From the start of a transmission on one link to the earliest start on the next. */
function crossingPs(
  ports: Ports,
  before: number,
  after: number,
  bytes: number,
  cutThroughBytes: number,
): number {
  const wholePs = Math.round(bytes * ports.psPerByte[before])
  if (cutThroughBytes === 0 || bytes <= cutThroughBytes) return wholePs + ports.delayPs[before]
  const headPs = Math.round(cutThroughBytes * ports.psPerByte[before])
  const afterPs = Math.round(bytes * ports.psPerByte[after])
  return Math.max(headPs, wholePs - afterPs) + ports.delayPs[before]
}

function spacing(psPerByte: number, capPs: number, bytes: number): number {
  return Math.max(Math.round(bytes * psPerByte), Math.ceil(bytes * capPs))
}
