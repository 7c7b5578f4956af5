/** Every story: a file here and one line. */
import { accurate } from './accurate.ts'
import { fluid } from './fluid.ts'
import { incast } from './incast.ts'
import { infiniband } from './infiniband.ts'
import { pacc } from './pacc.ts'
import { parkingLot } from './parking-lot.ts'
import { pfc } from './pfc.ts'
import { r2c2 } from './r2c2.ts'
import { r2c2Routes } from './r2c2-routes.ts'
import type { Story } from './story.ts'
import { tcpToHere } from './tcp-to-here.ts'

export const stories: readonly Story[] = [
  tcpToHere,
  incast,
  pfc,
  parkingLot,
  accurate,
  infiniband,
  pacc,
  r2c2,
  r2c2Routes,
  fluid,
]
