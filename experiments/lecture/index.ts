import type { Figure } from '../figure.ts'
import { dctcpConvergence } from './dctcp-convergence.ts'
import { dctcpCuts } from './dctcp-cuts.ts'
import { dctcpMarking } from './dctcp-marking.ts'
import { dctcpQueue } from './dctcp-queue.ts'
import { incast } from './incast.ts'

export const figures: readonly Figure[] = [
  incast,
  dctcpCuts,
  dctcpMarking,
  dctcpQueue,
  dctcpConvergence,
]
