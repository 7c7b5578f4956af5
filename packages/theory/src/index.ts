export * from './filling/index.ts'
export { solve, SolverError } from './dde/solver.ts'
export type { DelayProblem, Past, Solution, SolveOptions } from './dde/solver.ts'
export { analyse, stabilityMap } from './fluid/analyse.ts'
export type { Analysis, MapCell, Stability } from './fluid/analyse.ts'
export { linearize } from './fluid/linearize.ts'
export { TheoryError } from './fluid/model.ts'
export type {
  FixedPoint,
  FluidGroup,
  FluidModel,
  FluidNetwork,
  FluidSystem,
  FluidValue,
  FluidValues,
  Quantity,
} from './fluid/model.ts'
export { paccAlpha, paccLoop, paccLoopGain, paccRange } from './fluid/pacc-printed.ts'
export type { PaccGains, SignReading } from './fluid/pacc-printed.ts'
export { fluidModelByName, fluidModels } from './fluid/registry.ts'
export { trajectory } from './fluid/trajectory.ts'
export type { Trajectory, TrajectoryOptions } from './fluid/trajectory.ts'
export { unitOf } from './fluid/units.ts'
export type { ParamUnit } from './fluid/units.ts'
export { bode, integratorLoop, margins, openLoop, rangeOf } from './linear/bode.ts'
export type { Bode, Margins, Range, Transfer } from './linear/bode.ts'
export type { Complex } from './linear/complex.ts'
export type { DelayTerm, LinearDde, RealMatrix } from './linear/linear-dde.ts'
export { rightmostRoots } from './linear/rightmost.ts'
export type { RootOptions } from './linear/rightmost.ts'
export { maxMin, type MaxMinOptions } from './max-min.ts'
export { md1Waiting, md1WaitPs, mg1WaitPs } from './md1.ts'
export * from './policies/index.ts'
export * from './routes/index.ts'
export * from './selection/index.ts'
export { DEMAND, waterFill, type Allocation, type FilledFlow } from './water-filling.ts'
