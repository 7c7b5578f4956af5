/** How long a flow takes on the empty fabric: what slowdowns are measured by. */
import { idealFctPs, reversed, sprayedFctPs } from '@weir/fabric'
import type { Network } from './network.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

/**
 * Exact for a flow on one path; with packet spraying, where chance decides, the time that no draw
 * can beat. NaN for a flow without end.
 */
export function idealFctOf(
  { control, fabric, routing }: Network,
  { hosts }: ValidSpec,
  ends: { readonly source: number; readonly target: number },
  sizeBytes: number,
  /** undefined: each packet takes a way of its own. */
  path: readonly number[] | undefined,
  /** What ACKs take instead of the same way back. */
  ownBack?: readonly number[],
): number {
  if (sizeBytes === Infinity) return NaN
  const packets = Math.ceil(sizeBytes / hosts.mtuBytes)
  const extra = hosts.headerBytes + control.dataHeaderBytes
  const ackBytes = hosts.ack.every > 0 ? hosts.ack.bytes + control.ackHeaderBytes : 0
  const countsPayload = hosts.rateCap.counts === 'payload'
  const ideal = {
    fullBytes: hosts.mtuBytes + extra,
    lastBytes: sizeBytes - (packets - 1) * hosts.mtuBytes + extra,
    packets,
    ackBytes,
    ackEvery: hosts.ack.every,
    cutThroughBytes: fabric.cutThroughBytes,
    sendCapBps: hosts.rateCap.sendBps,
    takeCapBps: hosts.rateCap.takeBps,
    uncappedBytes: countsPayload ? extra : 0,
    ackCapBytes: countsPayload ? 0 : ackBytes,
  }
  if (path !== undefined) {
    const pathBack = ownBack ?? reversed(path)
    return idealFctPs(fabric.ports, { ...ideal, path, pathBack })
  }
  return sprayedFctPs(fabric.ports, {
    ...ideal,
    stages: routing.stages?.(ends.source, ends.target) ?? [],
    stagesBack: routing.stages?.(ends.target, ends.source) ?? [],
  })
}
