/** Every fluid model by its scheme's name: one line each. */
import { dcqcnFluid } from './dcqcn.ts'
import { dctcpFluid } from './dctcp.ts'
import { hpccFluid } from './hpcc.ts'
import type { FluidModel } from './model.ts'
import { noneFluid } from './none.ts'
import { paccFluid } from './pacc.ts'
import { roccFluid } from './rocc.ts'
import { patchedTimelyFluid, timelyFluid } from './timely.ts'

export const fluidModels: readonly FluidModel[] = [
  noneFluid,
  dctcpFluid,
  dcqcnFluid,
  timelyFluid,
  patchedTimelyFluid,
  hpccFluid,
  paccFluid,
  roccFluid,
]

export function fluidModelByName(name: string): FluidModel | undefined {
  return fluidModels.find((model) => model.name === name)
}
