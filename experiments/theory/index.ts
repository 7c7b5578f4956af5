/** Fluid models against packets: what their papers claim, and how far the two are apart. */
import type { Figure } from '../figure.ts'
import { boundaries } from './boundaries.ts'
import { dcqcnFixedPoint } from './dcqcn-fixed-point.ts'
import { dctcpAmplitude } from './dctcp-amplitude.ts'
import { fluidAndPackets } from './fluid-and-packets.ts'
import { solver } from './solver.ts'
import { stability } from './stability.ts'
import { timelyStarts } from './timely-starts.ts'

export const figures: readonly Figure[] = [
  fluidAndPackets,
  dcqcnFixedPoint,
  dctcpAmplitude,
  timelyStarts,
  stability,
  boundaries,
  solver,
]
