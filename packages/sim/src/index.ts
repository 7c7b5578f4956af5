export { createRun, Run, simulate } from './run.ts'
export type * from './result.ts'
export * from './spec/index.ts'
export { VERSION } from './version.ts'
