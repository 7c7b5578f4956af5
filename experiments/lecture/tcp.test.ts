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
      'first collapse of TCP with 200 ms, below half the link: senders with 100 packets over ' +
        'those with 32 KB',
      'goodput of DCTCP over that of TCP with 200 ms and 100 packets, the least below 35 senders',
    ],
    'lecture/dctcp-marking': ['smallest K of the sweep with full throughput at 10 Gb/s'],
    'lecture/dctcp-queue': ['median queue of TCP over that of DCTCP'],
    'lecture/dctcp-convergence': ['variation of a flow among five, TCP over DCTCP'],
  },
)
