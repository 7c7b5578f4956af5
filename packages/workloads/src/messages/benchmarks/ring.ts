/**
 * Rings of the HPC Challenge: all processes at once exchange a message with both neighbours, in
 * natural order or in orders drawn at random (R. Rabenseifner et al., EuroPVM/MPI 2005).
 *
 * Latency: an iteration is two exchanges, one after the other (MPI_Sendrecv right, then left), and
 * the latency half of it. Bandwidth, for `isOverlapped`: both messages leave before either is
 * awaited; a process's bandwidth is the bytes that it sends in an iteration over the iteration.
 */
import { as, count, otherwise, size, yesOrNo } from '@weir/engine/codec'
import type { Fields } from '@weir/engine/codec'
import type { Random } from '@weir/engine'
import type { Benchmark, Measure } from '../program.ts'
import { ProgramDraft, spanPs } from '../program.ts'
import { barrier } from './exchange.ts'

export interface Ring {
  readonly bytes: number
  readonly iterations: number
  /** Random orders to run one after the other; 0: the natural order, once. */
  readonly orders: number
  readonly isOverlapped: boolean
}

export const ringFields: Fields<Ring> = {
  bytes: as('size', size()),
  iterations: count(1, 1_000_000, 100),
  orders: otherwise(count(0, 1000, 3), 0),
  isOverlapped: as('overlap', otherwise(yesOrNo(), false)),
}

export function ring(processes: number, params: Ring, random: Random): Benchmark {
  const { bytes, iterations, orders, isOverlapped } = params
  const draft = new ProgramDraft(processes)
  const rounds = Math.max(1, orders)
  for (let round = 0; round < rounds; round++) {
    const order = Array.from({ length: processes }, (_, i) => i)
    if (orders > 0) random.shuffle(order)
    barrier(draft)
    draft.markAll(`${round} begin`)
    order.forEach((process, place) => {
      const right = order[(place + 1) % processes]!
      const left = order[(place + processes - 1) % processes]!
      for (let i = 0; i < iterations; i++) {
        draft.send(process, right, bytes)
        if (isOverlapped) draft.send(process, left, bytes)
        draft.receive(process, left)
        if (!isOverlapped) draft.send(process, left, bytes)
        draft.receive(process, right)
      }
    })
    draft.markAll(`${round} end`)
  }
  return {
    program: draft.ops,
    measure(marks): readonly Measure[] {
      let latencyPs = 0
      let rate = 0
      for (let round = 0; round < rounds; round++) {
        const iterationPs = spanPs(marks, `${round} begin`, `${round} end`) / iterations
        latencyPs += iterationPs / 2 / rounds
        rate += (2 * bytes * 1e12) / iterationPs / rounds
      }
      return [
        { name: 'latency', unit: 'ps', value: latencyPs },
        { name: 'bandwidth', unit: 'bytes/s', value: rate },
      ]
    },
  }
}
