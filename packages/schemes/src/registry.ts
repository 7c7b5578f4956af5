/** Every scheme by name: the index is the catalogue. A scheme is added with one line here. */
import { accurate } from './accurate.ts'
import { dcqcn } from './dcqcn.ts'
import { dctcp } from './dctcp.ts'
import { dctcpRate } from './dctcp-rate.ts'
import { homa } from './homa.ts'
import { hpcc } from './hpcc.ts'
import { infiniband } from './infiniband.ts'
import { ndp } from './ndp.ts'
import { none } from './none.ts'
import { pacc } from './pacc.ts'
import { qcn } from './qcn.ts'
import { r2c2 } from './r2c2.ts'
import { rocc } from './rocc.ts'
import type { Scheme } from './scheme.ts'
import { swift } from './swift.ts'
import { tcpReno } from './tcp-reno.ts'
import { timely } from './timely.ts'

/** What the spec parser, `weir list` and `weir explain` need of a scheme. */
export type SchemeCard = Omit<Scheme, 'create'>

export const schemes: readonly Scheme[] = [
  none,
  tcpReno,
  dctcp,
  dctcpRate,
  dcqcn,
  qcn,
  timely,
  hpcc,
  infiniband,
  accurate,
  pacc,
  rocc,
  swift,
  ndp,
  homa,
  r2c2,
]

export function schemeByName(name: string): Scheme | undefined {
  return schemes.find((scheme) => scheme.name === name)
}
