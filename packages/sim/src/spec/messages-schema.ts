/**
 * `messages:` of a workload as users write it: processes on hosts, and the program that they carry
 * out, by name with its numbers or as a text of one operation a line.
 */
import { z } from 'zod'
import type { ProgramInput } from '@weir/workloads'
import { defaults } from './defaults.ts'
import { count, list, name, rate, ratio, size, time } from './quantities.ts'
import { kinds, section } from './sections.ts'
import type { MessagesSpec } from './valid-spec.ts'

export type MessagesDraft = Omit<MessagesSpec, 'name'> & { readonly name: string | undefined }

const iterations = count(1, 1_000_000, 100)
const BYTE_BITS = 8

const program = kinds<ProgramInput>({
  what: 'a program',
  names: ['ping-pong', 'ring', 'ptrans', 'random-access', 'fft', 'hpl', 'allreduce', 'text'],
  words: [],
  reads: 'a text with one operation per line',
  read: (given) => (/\s/u.test(given) ? { kind: 'text', text: given } : undefined),
  members: [
    section('a ping-pong', { kind: z.literal('ping-pong'), size: size(), iterations }).transform(
      (t) => ({ kind: t.kind, bytes: t.size, iterations: t.iterations }),
    ),
    section('a ring', {
      kind: z.literal('ring'),
      size: size(),
      iterations,
      orders: count(0, 1000, 3).prefault(0),
      overlap: z.boolean().prefault(false),
    }).transform((t) => ({
      kind: t.kind,
      bytes: t.size,
      iterations: t.iterations,
      orders: t.orders,
      isOverlapped: t.overlap,
    })),
    section('PTRANS', {
      kind: z.literal('ptrans'),
      order: count(1, 1_000_000, 512),
      memoryRate: rate(),
    }).transform((t) => ({
      kind: t.kind,
      order: t.order,
      memoryBytesPerSecond: t.memoryRate / BYTE_BITS,
    })),
    section('RandomAccess', {
      kind: z.literal('random-access'),
      rounds: iterations,
      lookahead: count(1, 1_000_000, 1024),
      updateRate: ratio(1, 1e15, '4e6'),
    }).transform((t) => ({
      kind: t.kind,
      rounds: t.rounds,
      lookahead: t.lookahead,
      updatesPerSecond: t.updateRate,
    })),
    section('an FFT', {
      kind: z.literal('fft'),
      points: count(2, 1_000_000_000, 65_536),
      flops: ratio(1, 1e15, '4e8'),
    }).transform((t) => ({ kind: t.kind, points: t.points, flopsPerSecond: t.flops })),
    section('HPL', {
      kind: z.literal('hpl'),
      order: count(1, 1_000_000, 512),
      block: count(1, 10_000, 64),
      flops: ratio(1, 1e15, '5e8'),
    }).transform((t) => ({
      kind: t.kind,
      order: t.order,
      block: t.block,
      flopsPerSecond: t.flops,
    })),
    section('an allreduce', { kind: z.literal('allreduce'), size: size(), iterations }).transform(
      (t) => ({ kind: t.kind, bytes: t.size, iterations: t.iterations }),
    ),
    section('a text', { kind: z.literal('text'), text: z.string() }),
  ],
})

export const messagesSchema: z.ZodType<MessagesDraft> = section('messages', {
  name: name('a name', 'm1').optional(),
  processes: list(name('a host', 'h0'), 'the host of each process, such as [h0, h1, h0, h1]'),
  program,
  start: time({ zero: true }).prefault('0us'),
  sendOverhead: time({ zero: true }).prefault(defaults.messages.overhead),
  receiveOverhead: time({ zero: true }).prefault(defaults.messages.overhead),
  localDelay: time({ zero: true }).prefault(defaults.messages.localDelay),
  localRate: rate().prefault(defaults.messages.localRate),
  class: count(0, 7, 3).optional(),
}).transform((t) => ({
  kind: 'messages',
  name: t.name,
  processes: t.processes,
  program: t.program,
  startPs: t.start,
  sendOverheadPs: t.sendOverhead,
  receiveOverheadPs: t.receiveOverhead,
  localDelayPs: t.localDelay,
  localRateBps: t.localRate,
  class: t.class ?? -1,
}))
