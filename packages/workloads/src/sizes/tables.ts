/**
 * Published flow-size distributions, as small tables of [bytes, cumulative fraction]. Distributions
 * of one name differ between sources (data mining by 2.5 times in its mean, 'Hadoop' by 28 times),
 * so each table says whose numbers it holds.
 */
import type { CdfRow } from './cdf.ts'
import { WorkloadError } from '../contract.ts'

export interface SizeTable {
  /** The name a person writes in a scenario. */
  readonly name: string
  readonly about: string
  /** Who measured, and whose table of it this is. */
  readonly cite: string
  readonly rows: readonly CdfRow[]
}

const HPCC = 'as distributed with HPCC (Y. Li et al., SIGCOMM 2019)'
const CONWEAVE = 'as distributed with ConWeave (C. H. Song et al., SIGCOMM 2023)'
const ROY = 'A. Roy et al., "Inside the Social Network\'s (Datacenter) Network", SIGCOMM 2015'

export const sizeTables: readonly SizeTable[] = [
  {
    name: 'WebSearch',
    about: 'Web search: half of the flows below 80 KB, a tenth above 5 MB.',
    cite: `M. Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010; ${HPCC}`,
    rows: [
      [0, 0],
      [10000, 0.15],
      [20000, 0.2],
      [30000, 0.3],
      [50000, 0.4],
      [80000, 0.53],
      [200000, 0.6],
      [1000000, 0.7],
      [2000000, 0.8],
      [5000000, 0.9],
      [10000000, 0.97],
      [30000000, 1],
    ],
  },
  {
    name: 'FB_Hadoop',
    about: 'Facebook Hadoop: half of the flows below 700 bytes, a tenth above 120 KB.',
    cite: `${ROY}; ${HPCC}`,
    rows: [
      [0, 0],
      [100, 0.01],
      [200, 0.02],
      [300, 0.05],
      [350, 0.15],
      [400, 0.2],
      [500, 0.3],
      [600, 0.4],
      [700, 0.5],
      [1000, 0.6],
      [2000, 0.67],
      [7000, 0.7],
      [30000, 0.72],
      [50000, 0.82],
      [80000, 0.87],
      [120000, 0.9],
      [300000, 0.95],
      [1000000, 0.975],
      [2000000, 0.99],
      [10000000, 1],
    ],
  },
  {
    name: 'AliStorage2019',
    about: 'Alibaba block storage: two thirds of the flows below 8 KB, none above 2 MB.',
    cite: `Alibaba block storage, 2019; ${HPCC}`,
    rows: [
      [0, 0],
      [4000, 0.2293],
      [8000, 0.6921],
      [16000, 0.8061],
      [32000, 0.9047],
      [64000, 0.9353],
      [128000, 0.9677],
      [256000, 0.9753],
      [2000000, 1],
    ],
  },
  {
    name: 'Solar2022',
    about: 'Alibaba Solar storage: blocks of 4, 16 and 64 KiB, none above 256 KiB.',
    cite: `R. Miao et al., "From Luna to Solar", SIGCOMM 2022; ${CONWEAVE}`,
    rows: [
      [0, 0],
      [4095, 0.00001],
      [4096, 0.3],
      [16383, 0.35],
      [16384, 0.5],
      [65535, 0.6],
      [65536, 0.95],
      [262144, 1],
    ],
  },
  {
    name: 'DataMining',
    about: 'Data mining: half of the flows below 1 KB, a hundredth above 100 MB.',
    cite: 'A. Greenberg et al., "VL2", SIGCOMM 2009; as distributed by INET, TU Berlin',
    rows: [
      [100, 0],
      [180, 0.085],
      [250, 0.14],
      [560, 0.33],
      [900, 0.47],
      [1100, 0.55],
      [1870, 0.65],
      [3160, 0.7],
      [10000, 0.8],
      [100001, 0.874],
      [400000, 0.9],
      [1850000, 0.95],
      [10000000, 0.97],
      [30000000, 0.98],
      [100000000, 0.99],
      [250000000, 0.995],
      [1000000000, 1],
    ],
  },
  {
    name: 'CacheFollower',
    about: 'Facebook cache followers: half of the flows below 30 KB, three tenths above 1.5 MB.',
    cite: `${ROY}; ${CONWEAVE}`,
    rows: [
      [70, 0],
      [70, 0.01],
      [150, 0.015],
      [150, 0.04],
      [300, 0.08],
      [350, 0.1],
      [350, 0.19],
      [450, 0.2],
      [500, 0.28],
      [600, 0.3],
      [700, 0.35],
      [1100, 0.4],
      [2000, 0.42],
      [10000, 0.48],
      [30000, 0.5],
      [100000, 0.52],
      [200000, 0.6],
      [400000, 0.68],
      [600000, 0.7],
      [1500000, 0.701],
      [2000000, 0.8],
      [2400000, 0.9],
      [3000000, 1],
    ],
  },
  {
    name: 'WebServer',
    about: 'Facebook web servers: half of the flows below 3.1 KB, none above 500 KB.',
    cite: `${ROY}; ${CONWEAVE}`,
    rows: [
      [150, 0],
      [300, 0.12],
      [300, 0.2],
      [600, 0.2],
      [1000, 0.3],
      [2000, 0.4],
      [3100, 0.5],
      [6000, 0.6],
      [20000, 0.71],
      [60000, 0.8],
      [150000, 0.82],
      [300000, 0.9],
      [500000, 1],
    ],
  },
]

/** The table of this name; throws with the names there are. */
export function sizeTable(name: string): SizeTable {
  const table = sizeTables.find((candidate) => candidate.name === name)
  if (table === undefined) {
    const names = sizeTables.map((candidate) => candidate.name).join(', ')
    throw new WorkloadError(`There is no size table '${name}'; write one of ${names}.`)
  }
  return table
}

/** `websearch` is `WebSearch`: letter case and hyphens do not tell tables apart. */
export function tableNamed(given: string): SizeTable | undefined {
  const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_]/gu, '')
  return sizeTables.find(({ name }) => plain(name) === plain(given))
}
