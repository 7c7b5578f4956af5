import type { OwnDataOptions } from './own-data.ts'

/** The options that name these on another command line. */
export function dataWords({ topology, workload }: OwnDataOptions): string[] {
  return [
    ...(topology === undefined ? [] : ['--topology', topology]),
    ...(workload === undefined ? [] : ['--workload', workload]),
  ]
}
