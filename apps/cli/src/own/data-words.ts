import type { OwnData, OwnDataOptions } from './own-data.ts'

/** The options that name these on another command line. */
export function dataWords({ routing, topology, workload }: OwnDataOptions): string[] {
  return [
    ...(topology === undefined ? [] : ['--topology', topology]),
    ...(workload === undefined ? [] : ['--workload', workload]),
    ...(routing === undefined ? [] : ['--routing', routing]),
  ]
}

/** The scenario's routing is the person's. */
export function routingData(name: string): OwnData {
  return { path: name, setting: `routing=${JSON.stringify({ kind: 'own', name })}` }
}
