/** One result, in whatever order nodes run within a window, and whichever of them run together. */
import fc from 'fast-check'
import { schemes } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import type { Run } from './run.ts'
import { loadSpec } from './spec/index.ts'
import { anyRunSpec, anySchemeSpec, anySpec, specOf } from './testing/index.ts'
import { joined, lookedAt, resultOf, shuffled } from './testing/shuffled.ts'

const CASES = Number(process.env.CASES ?? 0) || 80
const SEED = Number(process.env.SEED ?? 0) || 12
const MINUTES = 300_000

function textOf(run: Run): string {
  return JSON.stringify(resultOf(run))
}

describe('one result', () => {
  it('for any order of nodes and any cells, whatever the fabric', { timeout: MINUTES }, () => {
    fc.assert(
      fc.property(anySpec(), fc.nat(), (spec, seed) => {
        const result = JSON.stringify(simulate(spec))
        expect(textOf(shuffled(spec, seed))).toBe(result)
        expect(textOf(joined(spec, seed))).toBe(result)
      }),
      { numRuns: CASES, seed: SEED, endOnFailure: true },
    )
  })

  it('under every scheme, with programs of messages', { timeout: MINUTES }, () => {
    fc.assert(
      fc.property(anySchemeSpec(), fc.nat(), (spec, seed) => {
        const result = JSON.stringify(simulate(spec))
        expect(textOf(shuffled(spec, seed))).toBe(result)
        expect(textOf(joined(spec, seed))).toBe(result)
      }),
      { numRuns: CASES / 2, seed: SEED, endOnFailure: true },
    )
  })

  it('whatever happens in a run, and whoever looks', { timeout: MINUTES }, () => {
    const endings = new Set<string>()
    fc.assert(
      fc.property(anyRunSpec(), fc.nat(), (spec, seed) => {
        const alone = simulate(spec)
        const result = JSON.stringify(alone)
        endings.add(alone.ended.why)
        expect(textOf(shuffled(spec, seed))).toBe(result)
        expect(textOf(joined(spec, seed))).toBe(result)
        expect(JSON.stringify(lookedAt(spec, seed))).toBe(result)
      }),
      { numRuns: CASES / 2, seed: SEED, endOnFailure: true },
    )
    expect([...endings].sort()).toEqual(expect.arrayContaining(['completed', 'events', 'time']))
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
      expect(textOf(shuffled(spec, seed))).toBe(result)
      expect(textOf(joined(spec, seed))).toBe(result)
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
        expect(textOf(shuffled(spec, seed))).toBe(result)
        expect(textOf(joined(spec, seed))).toBe(result)
      }
    })
  }
})
