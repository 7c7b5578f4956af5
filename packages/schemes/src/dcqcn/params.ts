/**
 * DCQCN's parameters and presets, each value with where it comes from. Numbers of sections and
 * figures of SIGCOMM 2015 are not verified; `firmware` was compared with run.py value by value
 * (docs/sources.md).
 */
import type { Marking } from '@weir/fabric'
import type { ParamsOf, Presets } from '../param.ts'
import type { ReactionValues } from './reaction.ts'

const US = 1e6
const PAPER = 'SIGCOMM 2015, section 5 (Table 14; not verified)'
const FIRMWARE =
  "HPCC artifact, simulation/run.py, --cc dcqcn (CC_MODE 1: rdma-hw.cc's 'Mellanox's version')"

export interface Values extends ReactionValues {
  readonly cnpInterval: number
  readonly feedback: 'cnp' | 'ack'
  readonly markAt: Marking['at']
  readonly kmin: number
  readonly kmax: number
  readonly pmax: number
  readonly referenceRate: number
}

export const params: ParamsOf<Values> = {
  cnpInterval: {
    unit: 'time',
    default: 50 * US,
    min: 0,
    max: 10_000 * US,
    about: 'NP: least time between two CNPs of a flow (N).',
    source: 'SIGCOMM 2015, section 3.1 (NP algorithm): 50 us',
  },
  feedback: {
    unit: 'choice',
    default: 'cnp',
    choices: ['cnp', 'ack'],
    about: 'How marks reach the sender: CNP packets, or echoed in each ACK.',
    source: 'SIGCOMM 2015, section 3.1',
  },
  g: {
    unit: 'fraction',
    default: 1 / 256,
    min: 1e-6,
    max: 1,
    about: 'Gain of the estimate alpha (Eq. 1 and 2).',
    source: PAPER,
  },
  alphaInterval: {
    unit: 'time',
    default: 55 * US,
    min: 0.1 * US,
    max: 10_000 * US,
    about: 'Alpha decays by (1 - g) after each such time without a CNP (Eq. 2; K in the paper).',
    source: PAPER,
  },
  decreaseInterval: {
    unit: 'time',
    default: 0,
    min: 0,
    max: 10_000 * US,
    about: 'CNPs act on a grid of this period, many in one as one; 0: each acts at once.',
    source: 'SIGCOMM 2015, Fig. 7: each CNP acts',
  },
  increaseTimer: {
    unit: 'time',
    default: 55 * US,
    min: 1 * US,
    max: 100_000 * US,
    about: 'Period of the rate-increase timer (T).',
    source: PAPER,
  },
  byteCounter: {
    unit: 'size',
    default: 10e6,
    min: 0,
    max: 1e12,
    about: 'Bytes sent that count as one more increase event (B); 0: no byte counter.',
    source: PAPER,
  },
  fastRecovery: {
    unit: 'count',
    default: 5,
    min: 1,
    max: 100,
    about: 'Increase events of fast recovery before additive increase (F).',
    source: PAPER,
  },
  rateAi: {
    unit: 'rate',
    default: 40e6,
    min: 0,
    max: 1e12,
    about: 'Step of additive increase (R_AI, Eq. 4).',
    source: PAPER,
  },
  rateHai: {
    unit: 'rate',
    default: 400e6,
    min: 0,
    max: 1e12,
    about: 'Step of hyper increase (R_HAI).',
    source: 'ten additive steps: QCN keeps R_HAI an order above R_AI; the paper gives no value',
  },
  stepReference: {
    unit: 'rate',
    default: 0,
    min: 0,
    max: 1e13,
    about: 'Line rate that rateAi and rateHai are for; other NICs scale them. 0: no scaling.',
    source: 'SIGCOMM 2015: one step for all',
  },
  minRate: {
    unit: 'rate',
    default: 10e6,
    min: 1e3,
    max: 1e12,
    about: 'The rate never falls below this.',
    source: 'the smallest step of a NIC rate limiter; the HPCC artifact has 1 Gb/s (run.py)',
  },
  clampTarget: {
    unit: 'boolean',
    default: true,
    about: 'Each decrease sets the target to the current rate; false: only after an increase.',
    source: 'SIGCOMM 2015, Eq. 1',
  },
  markAt: {
    unit: 'choice',
    isMarking: true,
    default: 'enqueue',
    choices: ['enqueue', 'dequeue'],
    about:
      'CP: a packet is marked by the queue that it finds, or by the one that it leaves behind.',
    source: 'SIGCOMM 2015, section 3.1 (CP algorithm): at arrival',
  },
  kmin: {
    unit: 'size',
    isMarking: true,
    default: 5e3,
    min: 0,
    max: 1e9,
    about: 'CP: no marks below this queue, for a link of the reference rate.',
    source: PAPER,
  },
  kmax: {
    unit: 'size',
    isMarking: true,
    default: 200e3,
    min: 0,
    max: 1e9,
    about: 'CP: every packet is marked above this queue.',
    source: PAPER,
  },
  pmax: {
    unit: 'fraction',
    isMarking: true,
    default: 0.01,
    min: 0,
    max: 1,
    about: 'CP: marking probability at kmax.',
    source: PAPER,
  },
  referenceRate: {
    unit: 'rate',
    isMarking: true,
    default: 40e9,
    min: 0,
    max: 1e13,
    about: 'Link rate that kmin and kmax are for; other links scale them. 0: no scaling.',
    source: 'SIGCOMM 2015, section 6: 40 Gb/s links',
  },
}

export const presets: Presets<typeof params> = {
  paper: { about: 'The values of the paper.', source: PAPER, values: {} },
  firmware: {
    about: 'Marks echoed in ACKs, 1 us alpha and 4 us decrease timers, no byte counter.',
    source: FIRMWARE,
    values: {
      feedback: 'ack',
      alphaInterval: 1 * US,
      decreaseInterval: 4 * US,
      increaseTimer: 300 * US,
      byteCounter: 0,
      fastRecovery: 1,
      rateAi: 5e6,
      rateHai: 50e6,
      stepReference: 25e9,
      minRate: 1e9,
      clampTarget: false,
      markAt: 'dequeue',
      kmin: 100e3,
      kmax: 400e3,
      pmax: 0.2,
      referenceRate: 25e9,
    },
  },
  production: {
    about: "The paper's RP and NP with published production marking thresholds.",
    source: 'Y. Li et al., HPCC, SIGCOMM 2019, section 5.1: 100 KB and 400 KB at 25 Gb/s, scaled',
    values: { kmin: 100e3, kmax: 400e3, pmax: 0.2, referenceRate: 25e9 },
  },
}
