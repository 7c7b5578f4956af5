/** Programs by name: what `program:` of `messages` can say. The list is the catalogue. */
import type { Random } from '@weir/engine'
import { is, kinds, section, text } from '@weir/engine/codec'
import type { Codec, Fields } from '@weir/engine/codec'
import { allreduce, allreduceFields } from './benchmarks/allreduce.ts'
import type { Allreduce } from './benchmarks/allreduce.ts'
import {
  fft,
  fftFields,
  hpl,
  hplFields,
  ptrans,
  ptransFields,
  randomAccess,
  randomAccessFields,
} from './benchmarks/applications.ts'
import type { Fft, Hpl, Ptrans, RandomAccess } from './benchmarks/applications.ts'
import { pingPong, pingPongFields } from './benchmarks/ping-pong.ts'
import type { PingPong } from './benchmarks/ping-pong.ts'
import { ring, ringFields } from './benchmarks/ring.ts'
import type { Ring } from './benchmarks/ring.ts'
import { parseProgram } from './parse-program.ts'
import type { Benchmark, Mark, Measure } from './program.ts'

interface ProgramsByKind {
  readonly 'ping-pong': PingPong
  readonly ring: Ring
  readonly ptrans: Ptrans
  readonly 'random-access': RandomAccess
  readonly fft: Fft
  readonly hpl: Hpl
  readonly allreduce: Allreduce
  readonly text: { readonly text: string }
}

type Kind = keyof ProgramsByKind

export type ProgramInput = { [K in Kind]: { readonly kind: K } & ProgramsByKind[K] }[Kind]

interface ProgramKind<P> {
  /** How sentences speak of it. */
  readonly what: string
  readonly fields: Fields<P>
  make(processes: number, params: P, random: Random): Benchmark
}

const programs: { readonly [K in Kind]: ProgramKind<ProgramsByKind[K]> } = {
  'ping-pong': { what: 'a ping-pong', fields: pingPongFields, make: pingPong },
  ring: { what: 'a ring', fields: ringFields, make: ring },
  ptrans: { what: 'PTRANS', fields: ptransFields, make: ptrans },
  'random-access': { what: 'RandomAccess', fields: randomAccessFields, make: randomAccess },
  fft: { what: 'an FFT', fields: fftFields, make: fft },
  hpl: { what: 'HPL', fields: hplFields, make: hpl },
  allreduce: { what: 'an allreduce', fields: allreduceFields, make: allreduce },
  text: {
    what: 'a text',
    fields: { text: text('a text', 'one operation per line') },
    make: (processes, params) => ({
      program: parseProgram(params.text, processes),
      measure: spans,
    }),
  },
}

/** `program:` of messages. */
export const programCodec: Codec<ProgramInput> = kinds<ProgramInput>({
  what: 'a program',
  members: Object.entries(programs).map(([kind, { what, fields }]) =>
    section(what, { kind: is(kind), ...fields } as unknown as Fields<object>),
  ),
  words: [],
  reads: 'a text with one operation per line',
  read: (given) => (/\s/u.test(given) ? { kind: 'text', text: given } : undefined),
})

export function makeBenchmark(input: ProgramInput, processes: number, random: Random): Benchmark {
  // The record pairs each kind with the program that takes its parameters.
  return (programs[input.kind] as unknown as ProgramKind<ProgramInput>).make(
    processes,
    input,
    random,
  )
}

/** Of a text's own marks: for each label, the time of its last one. */
function spans(marks: readonly Mark[]): Measure[] {
  const last = new Map<string, number>()
  for (const { label, atPs } of marks) last.set(label, Math.max(atPs, last.get(label) ?? 0))
  return [...last].map(([name, value]) => ({ name, unit: 'ps', value }))
}
