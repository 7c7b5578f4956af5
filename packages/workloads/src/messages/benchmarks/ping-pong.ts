/**
 * Ping-pong of the HPC Challenge's latency and bandwidth test: every pair of processes in turn,
 * while the others are still (R. Rabenseifner et al., EuroPVM/MPI 2005). Minimum, mean and maximum
 * over the pairs of half a round trip, and of a message's bytes over it.
 */
import { as, count, size } from '@weir/engine/codec'
import type { Fields } from '@weir/engine/codec'
import type { Benchmark, Measure } from '../program.ts'
import { ProgramDraft, spanPs } from '../program.ts'

export interface PingPong {
  readonly bytes: number
  readonly iterations: number
}

export const pingPongFields: Fields<PingPong> = {
  bytes: as('size', size()),
  iterations: count(1, 1_000_000, 100),
}

/** Bytes of the message by which a pair lets the next one begin. */
const GO_BYTES = 8

export function pingPong(processes: number, { bytes, iterations }: PingPong): Benchmark {
  const draft = new ProgramDraft(processes)
  const pairs: [number, number][] = []
  for (let a = 0; a < processes; a++) for (let b = a + 1; b < processes; b++) pairs.push([a, b])
  pairs.forEach(([a, b], k) => {
    const before = pairs[k - 1]?.[0] ?? a
    if (before !== a) {
      draft.send(before, a, GO_BYTES)
      draft.receive(a, before)
    }
    for (let i = -1; i < iterations; i++) {
      // The first exchange is a rehearsal.
      if (i === 0) draft.mark(a, `${k} begin`)
      draft.send(a, b, bytes)
      draft.receive(b, a)
      draft.send(b, a, bytes)
      draft.receive(a, b)
    }
    draft.mark(a, `${k} end`)
  })
  return {
    program: draft.ops,
    measure(marks): readonly Measure[] {
      const halves = pairs.map((_, k) => spanPs(marks, `${k} begin`, `${k} end`) / (2 * iterations))
      const mean = (values: readonly number[]): number =>
        values.reduce((sum, value) => sum + value, 0) / values.length
      const rates = halves.map((halfPs) => (bytes * 1e12) / halfPs)
      return [
        { name: 'latencyMin', unit: 'ps', value: Math.min(...halves) },
        { name: 'latencyMean', unit: 'ps', value: mean(halves) },
        { name: 'latencyMax', unit: 'ps', value: Math.max(...halves) },
        { name: 'bandwidthMin', unit: 'bytes/s', value: Math.min(...rates) },
        { name: 'bandwidthMean', unit: 'bytes/s', value: mean(rates) },
        { name: 'bandwidthMax', unit: 'bytes/s', value: Math.max(...rates) },
      ]
    },
  }
}
