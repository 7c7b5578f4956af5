export * from './contract.ts'
export { makeBenchmark, type ProgramInput } from './messages/benchmark.ts'
export { checkProgram } from './messages/check-program.ts'
export {
  checkMessages,
  MessageDriver,
  type MessagesInput,
  type MessagesReport,
  type MessageWorld,
} from './messages/driver.ts'
export { parseProgram } from './messages/parse-program.ts'
export type { Benchmark, Mark, Measure, Op, Program } from './messages/program.ts'
export { ProgramDraft } from './messages/program.ts'
export { parseFlowsCsv } from './flows-csv.ts'
export { hostIndex, indexHosts, selectHosts, type NamedHost } from './select-hosts.ts'
export { makeSizes } from './sizes/sizes.ts'
export { parseCdf } from './sizes/parse-cdf.ts'
export { sizeTable, sizeTables, type SizeTable } from './sizes/tables.ts'
export {
  arrivals,
  ArrivalStream,
  expectedFlows,
  itemNames,
  type ArrivalsOptions,
} from './workload.ts'
