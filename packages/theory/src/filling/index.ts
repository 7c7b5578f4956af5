export { IncrementalFilling, type PrioritizedFlow } from './incremental.ts'
export type { FillingFlow } from './filling-flow.ts'
