/** Theory laid over a run, apart from the simulator: a page loads it only when somebody asks. */
export { isTheory, portQueue, theoryDistance, theoryOf } from './overlay.ts'
export type { TheoryDistance, TheoryOverlay } from './overlay.ts'
export { maxMinAt, type MaxMinSteps } from './max-min-course.ts'
export type { FluidLine } from './fluid-line.ts'
