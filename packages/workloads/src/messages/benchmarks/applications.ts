/**
 * The applications of the HPC Challenge, as the messages that they exchange and the time between
 * them (P. Luszczek et al., LBNL-57493, 2005). What a process computes is a time: operations, or
 * bytes of memory moved, over a rate that the user gives.
 *
 * PTRANS: A <- A^T + B by blocks of columns: an all-to-all, then a pass over memory. FFT: one
 * dimension in three transpositions, with the butterflies between. RandomAccess: look-ahead of some
 * updates, sent in buckets to their owners. HPL: right-looking LU by column blocks: the owner
 * factors a panel, it goes round a ring, all update.
 */
import { as, count, mapped, rate, ratio } from '@weir/engine/codec'
import type { Fields } from '@weir/engine/codec'
import { ln } from '@weir/engine'
import type { Benchmark, Measure } from '../program.ts'
import { ProgramDraft, spanPs } from '../program.ts'
import { exchange } from './exchange.ts'

const BYTE_BITS = 8
const DOUBLE_BYTES = 8
const COMPLEX_BYTES = 16

export interface Ptrans {
  /** Rows of the matrix. */
  readonly order: number
  /** Bytes a second that a process moves through its memory. */
  readonly memoryBytesPerSecond: number
}

export const ptransFields: Fields<Ptrans> = {
  order: count(1, 1_000_000, 512),
  memoryBytesPerSecond: as(
    'memoryRate',
    mapped(
      rate(),
      (bitsPerSecond) => bitsPerSecond / BYTE_BITS,
      (bytesPerSecond) => bytesPerSecond * BYTE_BITS,
    ),
  ),
}

export function ptrans(processes: number, params: Ptrans): Benchmark {
  const { order, memoryBytesPerSecond } = params
  const draft = new ProgramDraft(processes)
  const bytes = order * order * DOUBLE_BYTES
  draft.markAll('begin')
  exchange(draft, Math.ceil(bytes / (processes * processes)))
  draft.computeAll((bytes / processes / memoryBytesPerSecond) * 1e12)
  draft.markAll('end')
  return rateOf(draft, bytes, 'bytes/s')
}

export interface Fft {
  /** Complex numbers to transform. */
  readonly points: number
  readonly flopsPerSecond: number
}

export const fftFields: Fields<Fft> = {
  points: count(2, 1_000_000_000, 65_536),
  flopsPerSecond: as('flops', ratio(1, 1e15, '4e8')),
}

export function fft(processes: number, { points, flopsPerSecond }: Fft): Benchmark {
  const draft = new ProgramDraft(processes)
  const flops = 5 * points * (ln(points) / ln(2))
  const stages = 3
  const chunk = Math.ceil((points * COMPLEX_BYTES) / (processes * processes))
  draft.markAll('begin')
  for (let stage = 0; stage < stages; stage++) {
    exchange(draft, chunk)
    draft.computeAll((flops / stages / processes / flopsPerSecond) * 1e12)
  }
  draft.markAll('end')
  return rateOf(draft, flops, 'flop/s')
}

export interface RandomAccess {
  readonly rounds: number
  /** Updates that a process looks ahead in a round. */
  readonly lookahead: number
  /** Updates a second that a process could make by itself. */
  readonly updatesPerSecond: number
}

export const randomAccessFields: Fields<RandomAccess> = {
  rounds: count(1, 1_000_000, 100),
  lookahead: count(1, 1_000_000, 1024),
  updatesPerSecond: as('updateRate', ratio(1, 1e15, '4e6')),
}

export function randomAccess(processes: number, params: RandomAccess): Benchmark {
  const { rounds, lookahead, updatesPerSecond } = params
  const draft = new ProgramDraft(processes)
  const bucket = Math.ceil((lookahead * DOUBLE_BYTES) / processes)
  draft.markAll('begin')
  for (let round = 0; round < rounds; round++) {
    draft.computeAll((lookahead / updatesPerSecond) * 1e12)
    exchange(draft, bucket)
  }
  draft.markAll('end')
  const updates = rounds * lookahead * processes
  return rateOf(draft, updates, 'updates/s')
}

export interface Hpl {
  readonly order: number
  /** Columns of a panel. */
  readonly block: number
  readonly flopsPerSecond: number
}

export const hplFields: Fields<Hpl> = {
  order: count(1, 1_000_000, 512),
  block: count(1, 10_000, 64),
  flopsPerSecond: as('flops', ratio(1, 1e15, '5e8')),
}

export function hpl(processes: number, { order, block, flopsPerSecond }: Hpl): Benchmark {
  const draft = new ProgramDraft(processes)
  const panels = Math.ceil(order / block)
  const psOf = (flops: number): number => (flops / flopsPerSecond) * 1e12
  draft.markAll('begin')
  for (let panel = 0; panel < panels; panel++) {
    const rows = order - panel * block
    const width = Math.min(block, rows)
    const owner = panel % processes
    draft.compute(owner, psOf(rows * width * width))
    for (let hop = 0; hop < processes - 1; hop++) {
      const from = (owner + hop) % processes
      const to = (owner + hop + 1) % processes
      draft.send(from, to, rows * width * DOUBLE_BYTES)
      draft.receive(to, from)
    }
    const columns = Math.max(0, rows - width) / processes
    draft.computeAll(psOf(2 * rows * width * columns))
  }
  draft.markAll('end')
  const flops = (2 / 3) * order * order * order
  return rateOf(draft, flops, 'flop/s')
}

/** So much of something, done between the marks. */
function rateOf(draft: ProgramDraft, amount: number, unit: Measure['unit']): Benchmark {
  return {
    program: draft.ops,
    measure: (marks) => [
      { name: 'rate', unit, value: (amount * 1e12) / spanPs(marks, 'begin', 'end') },
    ],
  }
}
