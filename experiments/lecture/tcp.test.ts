/** The TCP figures of the lecture, small. */
import { describeFigures } from '../figure-suite.ts'
import { dctcpConvergence } from './dctcp-convergence.ts'
import { dctcpCuts } from './dctcp-cuts.ts'
import { dctcpMarking } from './dctcp-marking.ts'
import { dctcpQueue } from './dctcp-queue.ts'
import { incast } from './incast.ts'

describeFigures(
  'the TCP figures of the lecture',
  [incast, dctcpCuts, dctcpMarking, dctcpQueue, dctcpConvergence],
  {
    // With few senders TCP fills the link as well.
    'lecture/incast': [
      'goodput of DCTCP over that of TCP with 200 ms and 100 packets, the least below 35 senders',
    ],
    'lecture/dctcp-marking': ['smallest K of the sweep with full throughput at 10 Gb/s'],
    'lecture/dctcp-queue': ['median queue of TCP over that of DCTCP'],
    'lecture/dctcp-convergence': ['variation of a flow among five, TCP over DCTCP'],
  },
)
