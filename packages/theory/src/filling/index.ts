export { IncrementalFilling, type PrioritizedFlow, type Wanted } from './incremental.ts'
export type { FillingFlow } from './filling-flow.ts'
