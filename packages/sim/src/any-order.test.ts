/** One result, in whatever order nodes run within a window, and whichever of them run together. */
import fc from 'fast-check'
import { Random } from '@weir/engine'
import { schemes } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { cellsOf } from './cells.ts'
import type { Cells } from './cells.ts'
import { Run, simulate } from './run.ts'
import { loadSpec } from './spec/index.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import { anySpec, specOf } from './testing/index.ts'

const CASES = Number(process.env.CASES ?? 0) || 80
const SEED = Number(process.env.SEED ?? 0) || 12
const MINUTES = 300_000

/** Nodes run in another order in every window. */
function shuffled(spec: ValidSpec, seed: number): Run {
  const run = new Run(spec)
  const { windows } = run.network
  const random = new Random(seed, 'order')
  const order = Int32Array.from({ length: windows.cells }, (_, cell) => cell)
  windows.runInOrder(order)
  const open = windows.open.bind(windows)
  windows.open = (endPs) => {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random.uniform() * (i + 1))
      const one = order[i]!
      order[i] = order[j]!
      order[j] = one
    }
    open(endPs)
  }
  return run
}

/** Cells are joined at random, or all to one: they run together then, and share an order. */
function joined(spec: ValidSpec, seed: number): Run {
  return new Run(spec, undefined, (graph): Cells => {
    const { cellOf, cells, windowPs } = cellsOf(graph)
    const random = new Random(seed, 'cells')
    const fewer = 1 + Math.floor(random.uniform() * Math.min(cells, 4))
    const into = Int32Array.from({ length: cells }, (_, cell) => {
      return cell < fewer ? cell : Math.floor(random.uniform() * fewer)
    })
    return { cellOf: cellOf.map((cell) => into[cell]!), cells: fewer, windowPs }
  })
}

function resultOf(run: Run): string {
  while (run.advance(1e6)) continue
  return JSON.stringify(run.result())
}

describe('one result', () => {
  it('for any order of nodes and any cells, whatever the fabric', { timeout: MINUTES }, () => {
    fc.assert(
      fc.property(anySpec(), fc.nat(), (spec, seed) => {
        const result = JSON.stringify(simulate(spec))
        expect(resultOf(shuffled(spec, seed))).toBe(result)
        expect(resultOf(joined(spec, seed))).toBe(result)
      }),
      { numRuns: CASES, seed: SEED, endOnFailure: true },
    )
  })

  const programs = [
    '{kind: allreduce, size: 40KB, iterations: 3}',
    '{kind: ring, size: 2KB, iterations: 4}',
  ]
  const texts = [
    '"0 send 5 9KB\\n1 send 5 9KB\\n5 recv 0\\n5 recv 1\\n5 mark both\\n5 send 4 1KB\\n4 recv 5"',
  ]
  it.each([...programs, ...texts])('for any order of the processes of %s', (program) => {
    const text = `
topology: { kind: leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 2 }
workload:
  - messages: { processes: [h0, h1, h2, h3, h0, h1], program: ${program} }
  - flows: [{ from: h0, to: h3, size: 90KB, start: 3us }]
scheme: dcqcn
run: { until: 3ms }
`
    const spec = loadSpec({ text, sourceName: 'program', files: () => undefined, settings: [] })
    const result = JSON.stringify(simulate(spec))
    expect(JSON.parse(result).ended.why).toBe('completed')
    for (const seed of [1, 2, 3]) {
      expect(resultOf(shuffled(spec, seed))).toBe(result)
      expect(resultOf(joined(spec, seed))).toBe(result)
    }
  })

  for (const { name } of schemes) {
    it(`for any order of nodes under ${name}`, () => {
      const credits = { switch: 'input-buffered', flowControl: 'credits' }
      const spec = specOf({
        topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 3 },
        workload: [
          { flows: [0, 1, 2, 3].map((i) => ({ from: `h${i}`, to: 'h5', size: '90KB' })) },
          { flows: [{ from: 'h5', to: 'h0', size: '60KB', start: '3us' }] },
        ],
        run: { until: '3ms' },
        scheme: name,
        ...(name === 'infiniband' ? { fabric: credits } : {}),
      })
      const result = JSON.stringify(simulate(spec))
      for (const seed of [1, 2, 3]) {
        expect(resultOf(shuffled(spec, seed))).toBe(result)
        expect(resultOf(joined(spec, seed))).toBe(result)
      }
    })
  }
})
