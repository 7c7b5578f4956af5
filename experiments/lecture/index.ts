import type { Figure } from '../figure.ts'
import { dcqcnIncast } from './dcqcn-incast.ts'
import { dctcpConvergence } from './dctcp-convergence.ts'
import { dctcpCuts } from './dctcp-cuts.ts'
import { dctcpMarking } from './dctcp-marking.ts'
import { dctcpQueue } from './dctcp-queue.ts'
import { hpccFigure } from './hpcc.ts'
import { incast } from './incast.ts'
import { lanes } from './lanes.ts'
import { pfcFaults } from './pfc-faults.ts'
import { qcnDcqcnParkingLot } from './qcn-dcqcn-parking-lot.ts'
import { qcnSetPoint } from './qcn-set-point.ts'
import { sideBySide } from './side-by-side.ts'
import { timelyIncast } from './timely-incast.ts'

export const figures: readonly Figure[] = [
  incast,
  dctcpCuts,
  dctcpMarking,
  dctcpQueue,
  dctcpConvergence,
  pfcFaults,
  lanes,
  dcqcnIncast,
  qcnSetPoint,
  qcnDcqcnParkingLot,
  timelyIncast,
  hpccFigure,
  sideBySide,
]
