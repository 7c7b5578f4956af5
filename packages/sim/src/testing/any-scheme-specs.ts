/**
 * Random specs for tests of identity: those of `anyTree` under every scheme, and in some of them a
 * program of messages among the flows.
 */
import fc from 'fast-check'
import { schemes } from '@weir/schemes'
import { SpecError } from '../spec/index.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'
import { anyTree } from './random-specs.ts'
import { specOf } from './specs.ts'
import type { Tree } from './specs.ts'

const PROGRAMS: readonly unknown[] = [
  { kind: 'allreduce', size: '20KB', iterations: 2 },
  { kind: 'ring', size: '2KB', iterations: 3, orders: 2 },
  { kind: 'ring', size: '500B', iterations: 2, overlap: true },
  { kind: 'random-access', rounds: 2, lookahead: 256, updateRate: 4e8 },
  { kind: 'fft', points: 1024, flops: 4e9 },
  '0 send 1 9KB\n2 send 1 9KB\n1 recv 0\n1 mark one\n1 recv 2\n1 compute 7us\n1 mark both',
]

const CREDITS = { switch: 'input-buffered', flowControl: 'credits' }

/**
 * Every one of them is valid: for a scheme that hosts or the fabric cannot carry those give way,
 * and if that does not help the scheme does, to DCQCN.
 */
export function anySchemeSpec(): fc.Arbitrary<ValidSpec> {
  const names = schemes.map(({ name }) => name)
  return fc
    .tuple(anyTree({ schemes: names }), fc.nat({ max: 3 * PROGRAMS.length }), fc.nat())
    .map(([tree, program, places]) => {
      const whole = { ...tree, workload: [...workloadOf(tree), ...messages(program, places)] }
      return firstValid([
        whole,
        { ...whole, hosts: {} },
        { ...whole, hosts: {}, fabric: {} },
        { ...whole, hosts: {}, fabric: CREDITS, routing: 'ecmp' },
        { ...whole, scheme: 'dcqcn' },
      ])
    })
}

function firstValid([first, ...others]: readonly Tree[]): ValidSpec {
  try {
    return specOf(first as Tree)
  } catch (error) {
    if (!(error instanceof SpecError) || others.length === 0) throw error
    return firstValid(others)
  }
}

function workloadOf({ workload }: Tree): readonly { readonly flows: readonly Tree[] }[] {
  return workload as { flows: Tree[] }[]
}

/** Four processes on the first two hosts, which every topology has. */
function messages(program: number, places: number): Tree[] {
  if (program >= PROGRAMS.length) return []
  const processes = [0, 1, places % 2, (places >> 1) % 2].map((host) => `h${host}`)
  return [{ messages: { name: 'program', processes, program: PROGRAMS[program] } }]
}
