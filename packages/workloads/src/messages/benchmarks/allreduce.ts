/**
 * Allreduce by a ring: a reduce-scatter and an all-gather, in which each process passes a share of
 * the vector to the next in each of 2 (P - 1) steps (P. Patarasuk and X. Yuan, JPDC 2009). It shows
 * that collectives are programs like any other.
 */
import { as, count, size } from '@weir/engine/codec'
import type { Fields } from '@weir/engine/codec'
import type { Benchmark } from '../program.ts'
import { ProgramDraft, spanPs } from '../program.ts'

export interface Allreduce {
  readonly bytes: number
  readonly iterations: number
}

export const allreduceFields: Fields<Allreduce> = {
  bytes: as('size', size()),
  iterations: count(1, 1_000_000, 100),
}

export function allreduce(processes: number, { bytes, iterations }: Allreduce): Benchmark {
  const draft = new ProgramDraft(processes)
  const share = Math.ceil(bytes / processes)
  draft.markAll('begin')
  for (let step = 0; step < iterations * 2 * (processes - 1); step++) {
    for (let process = 0; process < processes; process++) {
      draft.send(process, (process + 1) % processes, share)
      draft.receive(process, (process + processes - 1) % processes)
    }
  }
  draft.markAll('end')
  return {
    program: draft.ops,
    measure: (marks) => {
      const timePs = spanPs(marks, 'begin', 'end') / iterations
      return [
        { name: 'time', unit: 'ps', value: timePs },
        { name: 'bandwidth', unit: 'bytes/s', value: (bytes * 1e12) / timePs },
      ]
    },
  }
}
