/** The figures of the lecture's other schemes, small. */
import { expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import { dcqcnIncast } from './dcqcn-incast.ts'
import { hpccFigure } from './hpcc.ts'
import { figures } from './index.ts'
import { lanes } from './lanes.ts'
import { pfcFaults } from './pfc-faults.ts'
import { qcnDcqcnParkingLot } from './qcn-dcqcn-parking-lot.ts'
import { qcnSetPoint } from './qcn-set-point.ts'
import { sideBySide } from './side-by-side.ts'
import { timelyIncast } from './timely-incast.ts'

const reproduced = describeFigures(
  'the RoCE figures of the lecture',
  [
    pfcFaults,
    lanes,
    dcqcnIncast,
    qcnSetPoint,
    qcnDcqcnParkingLot,
    timelyIncast,
    hpccFigure,
    sideBySide,
  ],
  {
    'lecture/lanes': ['credits, one lane, flows over 2 links: locked up'],
    'lecture/pfc-faults': ['DCQCN: worst flow of the four over the fair share'],
    'lecture/dcqcn-incast': [
      'incast flows, median: DCQCN over PFC alone',
      'incast flows with DCQCN: 10th percentile over median',
    ],
    'lecture/qcn-dcqcn-parking-lot': ['local over remote, DCQCN, 256 KB'],
    'lecture/timely-incast': [
      'TIMELY: normalized throughput at 20%',
      'TIMELY: 99th percentile RTT between other hosts, with over without, at 20%',
    ],
    'lecture/hpcc': ['goodput that the headers cost'],
    'lecture/side-by-side': [
      'TIMELY: share of the link',
      'DCQCN: share of the link',
      'TIMELY: mean queue',
    ],
  },
)

it('figures of the lecture have names of their own', () => {
  const ids = figures.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

it('hpcc: both curves of the queue are as long as the axis', async () => {
  const { plots } = await reproduced(hpccFigure)
  const ends = plots[0]!.curves.map(({ x }) => x.at(-1))
  expect(ends[0]).toBe(ends[1])
})

it('lanes: nothing is luck where one lane alone shows it', async () => {
  const { checks } = await reproduced(lanes)
  const lucky = checks.filter(({ note }) => note.includes('luck'))
  expect(lucky.map(({ name }) => name)).toEqual([
    'credits, one lane, flows over 2 links: locked up',
  ])
})
