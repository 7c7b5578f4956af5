/** The figures of R2C2 (P. Costa et al., SIGCOMM 2015), in the paper's order. */
import type { Figure } from '../figure.ts'
import { fig10 } from './fig10.ts'
import { fig15 } from './fig15.ts'
import { fig15Packets } from './fig15-packets.ts'
import { fig17 } from './fig17.ts'
import { fig18 } from './fig18.ts'
import { fig18Packets } from './fig18-packets.ts'
import { fig19 } from './fig19.ts'
import { fig2 } from './fig2.ts'
import { fig4 } from './fig4.ts'
import { fig8 } from './fig8.ts'
import { fig9 } from './fig9.ts'
import { policies } from './policies.ts'
import { policiesPackets } from './policies-packets.ts'

export const figures: readonly Figure[] = [
  fig2,
  fig4,
  fig8,
  fig9,
  fig10,
  fig15,
  fig15Packets,
  fig17,
  fig18,
  fig18Packets,
  fig19,
  policies,
  policiesPackets,
]
