/** ACCurate's parameters: the paper's values, and where it gives none, ours with the reason. */
import type { ParamsOf, Presets } from '../param.ts'
import type { RateCodeName } from './rate-code.ts'

const US = 1e6

export interface Values {
  readonly rrp: number
  readonly alpha: number
  readonly frpSize: number
  readonly frpClass: 'control' | 'data'
  readonly frpPhase: number
  readonly encoding: 'standalone' | 'piggyback'
  readonly rates: RateCodeName
  readonly arithmetic: 'float' | 'fixed'
  readonly rateBits: number
  readonly countBits: number
  readonly shortCircuit: number
  readonly flowInit: boolean
  readonly flowStop: boolean
  readonly desiredRate: boolean
  readonly remembers: boolean
  readonly equalFloor: boolean
  readonly smallFlow: number
  readonly split: number
  readonly clockSkew: number
  readonly clockJitter: number
  readonly frpLoss: number
  readonly minRate: number
}

export const params: ParamsOf<Values> = {
  rrp: {
    unit: 'time',
    default: 20 * US,
    min: 1 * US,
    max: 10_000 * US,
    about: 'Rate re-evaluation period: one heartbeat per flow, and a new fair share, in each.',
    source: 'ACCurate, section III: 20 us',
  },
  alpha: {
    unit: 'fraction',
    default: 0.05,
    min: 0,
    max: 0.9,
    about: 'Part of each link that is not given to flows (Eq. 1).',
    source: 'ACCurate, section III: 0.05; section II: typically 0.01 to 0.1',
  },
  frpSize: {
    unit: 'size',
    default: 20,
    min: 1,
    max: 1500,
    about: 'Bytes of a standalone FRP on the wire.',
    source: 'ACCurate, section II: 20 bytes',
  },
  frpClass: {
    unit: 'choice',
    default: 'control',
    choices: ['control', 'data'],
    about: 'Class that standalone FRPs travel in: the highest, or that of the data.',
    source: 'ACCurate, section III: high priority',
  },
  frpPhase: {
    unit: 'time',
    default: 2 * US,
    min: 0.001 * US,
    max: 1000 * US,
    about: 'FRPs leave this long after the tick, so that slightly different clocks agree.',
    source: 'ACCurate, section V: clocks are good to 2 us; the paper does not say when in an RRP',
  },
  encoding: {
    unit: 'choice',
    default: 'standalone',
    choices: ['standalone', 'piggyback'],
    about: 'FRPs are packets of their own, or 20 bits in the header of a data packet.',
    source: 'ACCurate, section II; section V for the 20 bits',
  },
  rates: {
    unit: 'choice',
    default: 'exact',
    choices: ['exact', 'linear8', 'float8'],
    about: 'How FRPs and registers hold rates: exactly, in 255 steps, or as 3 + 5 bit floats.',
    source: 'ACCurate, sections II and V; the form of the 8 bits is ours',
  },
  arithmetic: {
    unit: 'choice',
    default: 'float',
    choices: ['float', 'fixed'],
    about: 'Contention points reckon in floating point, or as the circuit in hdl/ does.',
    source: 'ACCurate, section IV, which gives no widths',
  },
  rateBits: {
    unit: 'count',
    default: 12,
    min: 4,
    max: 24,
    about: "Bits of a rate in the circuit: all ones are the fastest link's; with fixed only.",
    source: 'ours: steps of 2.4 Mb/s at 10 Gb/s, by which a third of the link is 0.1% off',
  },
  countBits: {
    unit: 'count',
    default: 7,
    min: 2,
    max: 16,
    about: 'Bits of a count of flows in the circuit; a full one stays full; with fixed only.',
    source: 'ACCurate, section II: up to 100 flows on a link',
  },
  shortCircuit: {
    unit: 'fraction',
    default: 0.1,
    min: 0,
    max: 1,
    about:
      'A CP that cuts CR by more than this part of its link tells the source at once; 1: never.',
    source: "ACCurate, section II-A: 'a large difference'; twice the headroom is ours",
  },
  flowInit: {
    unit: 'boolean',
    default: true,
    about: 'A flow announces itself ahead of its first packet.',
    source: 'ACCurate, section II-B',
  },
  flowStop: {
    unit: 'boolean',
    default: true,
    about: 'A flow says that it ends.',
    source: 'ACCurate, section II-B',
  },
  desiredRate: {
    unit: 'boolean',
    default: true,
    about: 'FRPs ask for the line rate (DR), so that rates recover; false: they only fall.',
    source: 'ACCurate, section II-C',
  },
  remembers: {
    unit: 'boolean',
    default: true,
    about: 'A CP counts a flow as its own if CR reaches FSR or the old FSR; false: FSR alone.',
    source: 'ours, from the registers of section IV; false is the letter of section II',
  },
  equalFloor: {
    unit: 'boolean',
    default: true,
    about: 'A share is never below C (1 - alpha) over all flows; false: only if negative.',
    source: 'ours, from section IV-A, which floors negative shares; false is its letter',
  },
  smallFlow: {
    unit: 'size',
    default: 4e3,
    min: 0,
    max: 1e12,
    about: 'Flows below this size send no FRPs and are not limited.',
    source: 'ACCurate, section V: 4 KB',
  },
  split: {
    unit: 'size',
    default: 0,
    min: 0,
    max: 1e15,
    about: 'A transfer takes another path after each such piece; 0: one path.',
    source: 'ACCurate, section V (multi-path routing), which gives no size; off by default',
  },
  clockSkew: {
    unit: 'time',
    default: 0,
    min: 0,
    max: 10_000 * US,
    about: "Nodes' clocks are late by a constant between 0 and this.",
    source: 'ACCurate, section V: a common clock',
  },
  clockJitter: {
    unit: 'time',
    default: 0,
    min: 0,
    max: 1000 * US,
    about: 'Each tick of a node is late by a draw between 0 and this; below half an RRP.',
    source: 'ACCurate, section V: a common clock',
  },
  frpLoss: {
    unit: 'fraction',
    default: 0,
    min: 0,
    max: 1,
    about: 'Chance that a link loses the FRP that crosses it (a response: once for its way).',
    source: 'ACCurate: a lossless network',
  },
  minRate: {
    unit: 'rate',
    default: 1e6,
    min: 1,
    max: 1e12,
    about: 'The rate limiter never goes below this.',
    source: 'ours: a limiter at 0 would never send again',
  },
}

export const presets: Presets<typeof params> = {
  paper: {
    about:
      'The letter of the paper: CR is compared with FSR alone, and only negative shares floored.',
    source: 'ACCurate, sections II, III and IV-A',
    values: { remembers: false, equalFloor: false },
  },
  amended: {
    about: "The default: the paper's values, and a contention point that settles on any network.",
    source: 'ACCurate, section III; `remembers` and `equalFloor` are ours',
    values: {},
  },
  piggyback: {
    about: 'FRPs in 20 spare bits of data packets, rates as 8-bit floats.',
    source: 'ACCurate, section V',
    values: { encoding: 'piggyback', rates: 'float8' },
  },
}
