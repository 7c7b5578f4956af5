/** PACC's parameters, each with where it comes from. */
import type { ReactionValues } from '../dcqcn/reaction.ts'
import type { ParamsOf, Presets } from '../param.ts'

const US = 1e6
const PAPER = 'PACC, section IV-C'
const EVALUATION = 'PACC, section V-A'
const SOURCE = 'PACC, section V: built on the HPCC artifact, whose run.py has this for DCQCN'
const DCQCN = "DCQCN's own (SIGCOMM 2015): PACC leaves the reaction point unchanged"

export interface Values extends Omit<ReactionValues, 'feedback'> {
  readonly interval: number
  readonly beta1: number
  readonly beta2: number
  readonly reference: number
  readonly burst: number
  readonly weight: number
  readonly cnpSpacing: number
}

export const params: ParamsOf<Values> = {
  interval: {
    unit: 'time',
    default: 80 * US,
    min: 1 * US,
    max: 100_000 * US,
    about: 'CP: period of the computation, of the average and of the flow table (T).',
    source: PAPER,
  },
  beta1: {
    unit: 'number',
    default: 0.05,
    min: 0,
    max: 1000,
    about: 'CP: CNPs for each KB of queue above its reference.',
    source: `${PAPER}; in KB: with bytes 125 KB would draw thousands of CNPs`,
  },
  beta2: {
    unit: 'number',
    default: 0.1,
    min: 0,
    max: 1000,
    about: 'CP: CNPs for each KB that the queue has grown by since the last computation.',
    source: PAPER,
  },
  reference: {
    unit: 'size',
    default: 0,
    min: 0,
    max: 1e9,
    about: 'CP: the queue to hold (Q_th); 0: T / 2 at the rate of the output.',
    source: `${PAPER}: T C / 2; 125 KB at 25 Gb/s`,
  },
  burst: {
    unit: 'size',
    default: 0,
    min: 0,
    max: 1e9,
    about:
      'CP: a mean queue below this is a microburst, and draws no CNP (Q_burst, B_th); 0: a hop.',
    source: `${PAPER}: a hop's delay, with a packet's own time, at the output's rate; 4 KB`,
  },
  weight: {
    unit: 'fraction',
    default: 0.9,
    min: 0,
    max: 1,
    about: 'CP: weight of the queue now in its average (w).',
    source: EVALUATION,
  },
  cnpSpacing: {
    unit: 'time',
    default: 4 * US,
    min: 0.1 * US,
    max: 10_000 * US,
    about: 'CP: time between two CNPs to one sender; more than fit into T are dropped.',
    source: 'PACC, section III-B4: 4 us',
  },
  g: {
    unit: 'fraction',
    default: 1 / 256,
    min: 1e-6,
    max: 1,
    about: 'RP: gain of the estimate alpha.',
    source: DCQCN,
  },
  alphaInterval: {
    unit: 'time',
    default: 1 * US,
    min: 0.1 * US,
    max: 10_000 * US,
    about: "RP: alpha decays after each such time without a CNP (tau').",
    source: "PACC, appendix A: (tau', T_i) = (1, 300) us",
  },
  decreaseInterval: {
    unit: 'time',
    default: 4 * US,
    min: 0,
    max: 10_000 * US,
    about: 'RP: CNPs act on a grid of this period; 0: each acts at once.',
    source: `${SOURCE}; Eq. 1 has each act at once (preset printed)`,
  },
  increaseTimer: {
    unit: 'time',
    default: 300 * US,
    min: 1 * US,
    max: 100_000 * US,
    about: 'RP: period of the rate-increase timer (T_i).',
    source: "PACC, appendix A: (tau', T_i) = (1, 300) us",
  },
  byteCounter: {
    unit: 'size',
    default: 0,
    min: 0,
    max: 1e12,
    about: 'RP: bytes sent that count as one more increase event; 0: no byte counter.',
    source: SOURCE,
  },
  fastRecovery: {
    unit: 'count',
    default: 1,
    min: 1,
    max: 100,
    about: 'RP: increase events of fast recovery before additive increase (F).',
    source: SOURCE,
  },
  rateAi: {
    unit: 'rate',
    default: 5e6,
    min: 0,
    max: 1e12,
    about: 'RP: step of additive increase, for a NIC of the reference rate.',
    source: SOURCE,
  },
  rateHai: {
    unit: 'rate',
    default: 50e6,
    min: 0,
    max: 1e12,
    about: 'RP: step of hyper increase, for a NIC of the reference rate.',
    source: SOURCE,
  },
  stepReference: {
    unit: 'rate',
    default: 25e9,
    min: 0,
    max: 1e13,
    about: 'Line rate that rateAi and rateHai are for; other NICs scale them. 0: no scaling.',
    source: SOURCE,
  },
  minRate: {
    unit: 'rate',
    default: 10e6,
    min: 1e3,
    max: 1e12,
    about: 'RP: the rate never falls below this.',
    source: `${DCQCN}; the artifact has 1 Gb/s, which 25 flows of 25 Gb/s cannot go below`,
  },
  clampTarget: {
    unit: 'boolean',
    default: false,
    about: 'RP: each CNP sets the target to the rate; false: only after an increase.',
    source: `${SOURCE}; Eq. 1 has R_T = R_C each time (preset printed)`,
  },
}

export const presets: Presets<typeof params> = {
  paper: { about: 'The values of the paper.', source: `${PAPER}, ${EVALUATION}`, values: {} },
  printed: {
    about: 'Senders as Eq. 1 has them: each CNP acts at once, and takes the target down with it.',
    source: 'PACC, Eq. 1',
    values: { clampTarget: true, decreaseInterval: 0 },
  },
  artifact: {
    about: 'Also the least rate of the simulator that PACC was built on.',
    source: SOURCE,
    values: { minRate: 1e9 },
  },
}
