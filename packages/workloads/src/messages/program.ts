/**
 * A message program: what each process of a parallel job does, one operation after another.
 * Messages depend on each other only through it: a process sends when it has received what it
 * waited for. This is the form that benchmarks, collectives and people's own texts are brought to;
 * the driver carries it out.
 *
 * `send` hands a message over and goes on; `receive` waits for the next message from that process;
 * `compute` takes time; `mark` notes the time under a label, for measures.
 */
import { WorkloadError } from '../contract.ts'

/** One step of one process. */
export type Op =
  | { readonly do: 'send'; readonly to: number; readonly bytes: number }
  | { readonly do: 'receive'; readonly from: number }
  | { readonly do: 'compute'; readonly ps: number }
  | { readonly do: 'mark'; readonly label: string }

/** The operations of each process, by process. */
export type Program = readonly (readonly Op[])[]

/** A moment that a process noted. */
export interface Mark {
  readonly label: string
  readonly process: number
  readonly atPs: number
}

/** What a program measured of itself. */
export interface Measure {
  readonly name: string
  readonly unit: 'ps' | 'bytes/s' | 'flop/s' | 'updates/s'
  readonly value: number
}

/** A program and how its marks are read. */
export interface Benchmark {
  readonly program: Program
  measure(marks: readonly Mark[]): readonly Measure[]
}

/** More operations than this are a mistake, or a job for a generator of flows. */
const OPS_MAX = 2_000_000

/** Operations of a program being written, process by process. */
export class ProgramDraft {
  readonly ops: readonly Op[][]
  /** Operations of all processes so far. */
  count: number = 0

  constructor(processes: number) {
    this.ops = Array.from({ length: processes }, () => [])
  }

  get size(): number {
    return this.ops.length
  }

  send(process: number, to: number, bytes: number): void {
    if (!(bytes >= 1)) {
      throw new WorkloadError(`A message of ${bytes} bytes has nothing to send; write at least 1B.`)
    }
    this.#add(process, { do: 'send', to, bytes })
  }

  receive(process: number, from: number): void {
    this.#add(process, { do: 'receive', from })
  }

  compute(process: number, ps: number): void {
    if (ps > 0) this.#add(process, { do: 'compute', ps: Math.round(ps) })
  }

  mark(process: number, label: string): void {
    this.#add(process, { do: 'mark', label })
  }

  /** The same for every process. */
  computeAll(ps: number): void {
    for (let process = 0; process < this.size; process++) this.compute(process, ps)
  }

  markAll(label: string): void {
    for (let process = 0; process < this.size; process++) this.mark(process, label)
  }

  #add(process: number, op: Op): void {
    if (++this.count > OPS_MAX) {
      throw new WorkloadError(
        `The program has more than ${OPS_MAX} operations; repeat less often or on fewer processes.`,
      )
    }
    ;(this.ops[process] as Op[]).push(op)
  }
}

/** Time from the first mark of a label to the last of another. */
export function spanPs(marks: readonly Mark[], from: string, to: string): number {
  let first = Infinity
  let last = -Infinity
  for (const { label, atPs } of marks) {
    if (label === from && atPs < first) first = atPs
    if (label === to && atPs > last) last = atPs
  }
  return last - first
}
