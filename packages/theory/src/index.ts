export { maxMin, type MaxMinOptions } from './max-min.ts'
export { md1Waiting, md1WaitPs, mg1WaitPs } from './md1.ts'
export { DEMAND, waterFill, type Allocation, type FilledFlow } from './water-filling.ts'
