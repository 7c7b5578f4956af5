/** What tests of this and of higher packages stand on: specs, audits, and the schemes' suite. */
export { audit, runAudited } from './audit.ts'
export { eventDriven } from './event-driven.ts'
export { anySpec, anyTree } from './random-specs.ts'
export { graphOf, incastOf, specOf } from './specs.ts'
export type { FlowTree, Tree } from './specs.ts'
