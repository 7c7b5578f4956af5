/** What a spec's PFC means at each link of a fabric: headroom, and the share that stops it. */
import { headroomBytes } from '@weir/fabric'
import type { Fabric, PortEnds, SharedMemoryParams } from '@weir/fabric'
import type { FabricSpec } from './spec/valid-spec.ts'

export type PfcSpec = Extract<FabricSpec['flowControl'], { kind: 'pfc' | 'pause' }>

export function pfcParams(
  fabric: Fabric,
  flowControl: PfcSpec,
  packetBytes: number,
  classesUsed: readonly number[],
): NonNullable<SharedMemoryParams['pfc']> {
  const lossless = losslessOf(flowControl, classesUsed)
  const { ports } = fabric
  const links = Array.from({ length: ports.count }, (_, link) => link)
  return {
    xoff: flowControl.xoff,
    alphas: Float64Array.from(links, (link) => alphaOf(flowControl, ports.rateBps[link]!)),
    reserveBytes: flowControl.reserveBytes,
    xonGapBytes: flowControl.xonGapBytes,
    headroomBytes: headroomOf(ports, flowControl, packetBytes, lossless.length),
    frameBytes: flowControl.frameBytes,
    losslessClasses: lossless.reduce((bits, one) => bits | (1 << one), 0),
  }
}

/** Of the classes that packets travel in, those that are stopped instead of dropped. */
export function losslessOf(flowControl: PfcSpec, classesUsed: readonly number[]): number[] {
  return classesUsed.filter((one) => flowControl.losslessClasses.includes(one))
}

/** Above this an input sends XOFF; the headroom must still be free then. */
export function inputXoffBytes(
  xoff: PfcSpec['xoff'],
  bufferBytes: number,
  headroomBytes: number,
): number {
  if (xoff.kind === 'static') return xoff.bytes
  // An input has no shared memory to divide: the dynamic form is its fixed point for one queue.
  return Math.floor((xoff.alpha / (1 + xoff.alpha)) * Math.max(0, bufferBytes - headroomBytes))
}

/** A faster link's share is doubled as often as its rate halves to the reference, up to all. */
function alphaOf({ xoff, referenceRateBps }: PfcSpec, rateBps: number): number {
  if (xoff.kind === 'static') return 0
  let { alpha } = xoff
  if (referenceRateBps === 0) return alpha
  for (let rate = rateBps; rate > referenceRateBps && alpha < 1; rate /= 2) alpha *= 2
  return Math.max(xoff.alpha, Math.min(1, alpha))
}

/** By link: what may still come after XOFF. */
export function headroomOf(
  ports: PortEnds,
  flowControl: PfcSpec,
  packetBytes: number,
  frames: number,
): Float64Array {
  return Float64Array.from({ length: ports.count }, (_, link) => {
    const rateBps = ports.rateBps[link]!
    const delayPs = ports.delayPs[link]!
    if (flowControl.headroomDelays > 0) {
      return Math.floor((flowControl.headroomDelays * rateBps * delayPs) / 8e12)
    }
    if (flowControl.headroomBytes !== 'auto') return flowControl.headroomBytes
    const side = (port: number): Parameters<typeof headroomBytes>[0] => ({
      rateBps: ports.rateBps[port]!,
      delayPs: ports.delayPs[port]!,
      packetBytes,
      frameBytes: flowControl.frameBytes,
      frames,
    })
    return headroomBytes(side(link), side(link ^ 1))
  })
}
