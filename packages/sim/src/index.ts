export { createRun, createShare, Run, simulate } from './run.ts'
export { threadsMax, threadsThatPay } from './threads/how-many.ts'
export {
  counterColumns,
  flowColumns,
  partColumns,
  portColumns,
  runColumns,
  seriesColumns,
  summaryColumns,
  type ColumnInfo,
  type SummaryKey,
  measureInfo,
  type MeasureInfo,
} from './columns.ts'
export { flowLists, type FlowLists } from './flow-table.ts'
export { resultForThread, resultFromThread, type SentResult } from './from-thread.ts'
export { ComputedList, type List } from './list.ts'
export { drawsOf, type DrawKind } from './draws.ts'
export { LinkShares, type LinkShare } from './link-shares.ts'
export { noiseOf, perturbed } from './noise.ts'
export type { Noise } from './noise.ts'
export type * from './result.ts'
export type { FlowStats, StatKey } from '@weir/metrics'
export * from './spec/index.ts'
export { VERSION } from './version.ts'
