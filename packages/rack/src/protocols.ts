/**
 * What flows may be routed by. The number is what travels in packets, in four bits of an
 * announcement and in a byte of an announced route. P. Costa et al., "R2C2", SIGCOMM 2015, section
 * 2.2.1 names random packet spraying, destination tag, VLB and WLB; the others are ours.
 */

/** All shortest ways, 'used equally' (section 3.3). */
export const RPS = 0
/** By way of a node drawn from all, each half of the way as RPS. */
export const VLB = 1
/** One dimension after the other, the shorter way round. */
export const DESTINATION_TAG = 2
/** The shorter direction more often than the longer, then by way of a node between. */
export const WLB = 3
/** Spraying as switches do it that draw hop by hop: any output that leads nearer. */
export const HOP_SPRAY = 4
/** By way of a node of the minimal quadrant. */
export const ROMM = 5

export const PROTOCOL_NAMES: readonly string[] = [
  'random packet spraying',
  'VLB',
  'destination tag',
  'WLB',
  'spraying hop by hop',
  'ROMM',
]

/** Protocols that go dimension by dimension, on a torus or mesh only. */
export function needsCube(protocol: number): boolean {
  return protocol === DESTINATION_TAG || protocol === WLB || protocol === ROMM
}
