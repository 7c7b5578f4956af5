export * from './contract.ts'
export { makeBenchmark, type ProgramInput } from './messages/benchmark.ts'
export { checkProgram } from './messages/check-program.ts'
export {
  checkMessages,
  type Message,
  MessageDriver,
  type MessagesInput,
  type MessagesReport,
  type MessageWorld,
} from './messages/driver.ts'
export { parseProgram } from './messages/parse-program.ts'
export type { Benchmark, Mark, Measure, Op, Program } from './messages/program.ts'
export { ProgramDraft } from './messages/program.ts'
export { flowsAsRows } from './flows-as-csv.ts'
export { FlowList, LONG_LIST } from './flow-list.ts'
export { flowsOfCsv, lineOfFlow, parseFlowsCsv } from './flows-csv.ts'
export { hostIndex, indexHosts, selectHosts, type NamedHost } from './select-hosts.ts'
export { checkPattern, patternCodec, patterns, type PatternInput } from './patterns/patterns.ts'
export { arrivalsCodec, type ArrivalsInput } from './arrivals/arrivals.ts'
export type { CdfFile, CdfRow } from './sizes/cdf.ts'
export type { MixturePart } from './sizes/mixture.ts'
export { makeSizes, sizesKinds, type SizesDraft, type SizesInput } from './sizes/sizes.ts'
export {
  workloadCodec,
  type FlowDraft,
  type GenerateDraft,
  type MessagesDraft,
  type WorkloadDraft,
} from './written.ts'
export { parseCdf } from './sizes/parse-cdf.ts'
export { sizeTable, sizeTables, type SizeTable } from './sizes/tables.ts'
export {
  arrivals,
  ArrivalStream,
  expectedFlows,
  itemNames,
  listedFlows,
  type ArrivalsOptions,
} from './workload.ts'
