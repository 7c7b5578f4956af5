/**
 * How long a flow takes on the empty fabric, exactly: by the max-plus recursion of a tandem of
 * servers. Equal packets leave a server spaced by the slowest service so far; the last, shorter one
 * is followed through by itself. ACKs go back in the same way: the last one may have to wait for
 * the one before it. O(hops), whatever the flow's length.
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
  /** An ACK each so many packets, and at the last. */
  readonly ackEvery: number
  readonly cutThroughBytes: number
  /** A host's own caps on what it sends and takes, bit/s; 0: none. */
  readonly sendCapBps: number
  readonly takeCapBps: number
  /** Bytes of a data packet that the caps do not count, and of an ACK that they do. */
  readonly uncappedBytes: number
  readonly ackCapBytes: number
}

/** Times of equal packets, `gap` apart, and of a last one behind them. */
interface Train {
  readonly count: number
  first: number
  gap: number
  last: number
}

export function idealFctPs(ports: Ports, ideal: IdealParams): number {
  const { path, pathBack, packets, fullBytes, lastBytes, ackBytes, ackEvery } = ideal
  const { ackCapBytes, uncappedBytes } = ideal
  const sendPs = ideal.sendCapBps > 0 ? 8e12 / ideal.sendCapBps : 0
  const takePs = ideal.takeCapBps > 0 ? 8e12 / ideal.takeCapBps : 0
  const wirePs = Math.round(fullBytes * ports.psPerByte[path[0]])
  const sentGap = Math.max(wirePs, Math.ceil((fullBytes - uncappedBytes) * sendPs))
  const count = packets - 1
  const train: Train = { count, first: 0, gap: sentGap, last: count * sentGap }
  cross(ports, path, train, fullBytes, lastBytes, ideal.cutThroughBytes)
  takeIn(train, fullBytes - uncappedBytes, lastBytes - uncappedBytes, takePs)
  if (ackBytes === 0) return train.last

  const acks: Train = {
    count: Math.floor(count / ackEvery),
    first: train.first + (ackEvery - 1) * train.gap,
    gap: ackEvery * train.gap,
    last: train.last,
  }
  const ackPs = Math.round(ackBytes * ports.psPerByte[pathBack[0]])
  serve(acks, ackPs)
  cross(ports, pathBack, acks, ackBytes, ackBytes, ideal.cutThroughBytes)
  takeIn(acks, ackCapBytes, ackCapBytes, takePs)
  return acks.last
}

/** From times of arrival at a server to times of starting there. */
function serve(train: Train, fullPs: number): void {
  train.gap = Math.max(train.gap, fullPs)
  if (train.count === 0) return
  const lastFull = train.first + (train.count - 1) * train.gap
  train.last = Math.max(train.last, lastFull + fullPs)
}

/** From times of starting on the first link to times of arrival at the end of the last. */
function cross(
  ports: Ports,
  path: ArrayLike<number>,
  train: Train,
  fullBytes: number,
  lastBytes: number,
  cutThroughBytes: number,
): void {
  for (let i = 1; i < path.length; i++) {
    train.first += crossingPs(ports, path[i - 1], path[i], fullBytes, cutThroughBytes)
    train.last += crossingPs(ports, path[i - 1], path[i], lastBytes, cutThroughBytes)
    serve(train, Math.round(fullBytes * ports.psPerByte[path[i]]))
  }
  const final = path[path.length - 1]
  train.first += Math.round(fullBytes * ports.psPerByte[final]) + ports.delayPs[final]
  train.last += Math.round(lastBytes * ports.psPerByte[final]) + ports.delayPs[final]
}

/** A host's cap on what it takes is a server behind the last link. */
function takeIn(train: Train, fullBytes: number, lastBytes: number, capPs: number): void {
  if (capPs === 0) return
  const fullPs = Math.ceil(fullBytes * capPs)
  serve(train, fullPs)
  train.first += fullPs
  train.last += Math.ceil(lastBytes * capPs)
}

/** A packet there and its ACK back, on the empty fabric. */
export function baseRttPs(
  ports: Ports,
  path: ArrayLike<number>,
  pathBack: ArrayLike<number>,
  packetBytes: number,
  ackBytes: number,
  cutThroughBytes: number,
): number {
  return (
    crossAllPs(ports, path, packetBytes, cutThroughBytes) +
    crossAllPs(ports, pathBack, ackBytes, cutThroughBytes)
  )
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
