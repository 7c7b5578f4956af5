/** Flows as the rows of a CSV that `parseFlowsCsv` reads back, exactly. */
import type { FlowInput } from './contract.ts'

const COLUMNS = ['name', 'from', 'to', 'size', 'start', 'stop', 'path', 'class', 'weight']

export function* flowsAsRows(flows: Iterable<FlowInput>): Generator<(string | number)[]> {
  yield COLUMNS
  for (const { name, from, to, sizeBytes, startPs, stopPs, path, class: own, weight } of flows) {
    const size = sizeBytes === 0 ? '' : `${sizeBytes}B`
    const stop = stopPs === 0 ? '' : `${stopPs}ps`
    yield [name, from, to, size, `${startPs}ps`, stop, path.join(' '), own < 0 ? '' : own, weight]
  }
}
