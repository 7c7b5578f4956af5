/** Programs by name: what `program:` of a `messages` workload can say. */
import type { Random } from '@weir/engine'
import { allreduce } from './benchmarks/allreduce.ts'
import type { Allreduce } from './benchmarks/allreduce.ts'
import { fft, hpl, ptrans, randomAccess } from './benchmarks/applications.ts'
import type { Fft, Hpl, Ptrans, RandomAccess } from './benchmarks/applications.ts'
import { pingPong } from './benchmarks/ping-pong.ts'
import type { PingPong } from './benchmarks/ping-pong.ts'
import { ring } from './benchmarks/ring.ts'
import type { Ring } from './benchmarks/ring.ts'
import { parseProgram } from './parse-program.ts'
import type { Benchmark, Mark, Measure } from './program.ts'

export type ProgramInput =
  | ({ readonly kind: 'ping-pong' } & PingPong)
  | ({ readonly kind: 'ring' } & Ring)
  | ({ readonly kind: 'ptrans' } & Ptrans)
  | ({ readonly kind: 'random-access' } & RandomAccess)
  | ({ readonly kind: 'fft' } & Fft)
  | ({ readonly kind: 'hpl' } & Hpl)
  | ({ readonly kind: 'allreduce' } & Allreduce)
  | { readonly kind: 'text'; readonly text: string }

export function makeBenchmark(input: ProgramInput, processes: number, random: Random): Benchmark {
  switch (input.kind) {
    case 'ping-pong':
      return pingPong(processes, input)
    case 'ring':
      return ring(processes, input, random)
    case 'ptrans':
      return ptrans(processes, input)
    case 'random-access':
      return randomAccess(processes, input)
    case 'fft':
      return fft(processes, input)
    case 'hpl':
      return hpl(processes, input)
    case 'allreduce':
      return allreduce(processes, input)
    case 'text':
      return { program: parseProgram(input.text, processes), measure: spans }
  }
}

/** Of a text's own marks: for each label, the time of its last one. */
function spans(marks: readonly Mark[]): Measure[] {
  const last = new Map<string, number>()
  for (const { label, atPs } of marks) last.set(label, Math.max(atPs, last.get(label) ?? 0))
  return [...last].map(([name, value]) => ({ name, unit: 'ps', value }))
}
