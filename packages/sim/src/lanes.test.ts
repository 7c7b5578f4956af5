/**
 * Lanes by hop. Rings and tori with datelines never lock up, whatever the flows, and the same ones
 * without do: Dally and Seitz, 1987. CASES=170 tries a thousand of them.
 */
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import type { Result } from './result.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import { datelineSpec, graphOf, lockableSpec, specOf, withRandomLanes } from './testing/index.ts'
import { simulateTogether } from './testing/together.ts'

const CASES = Number(process.env.CASES ?? 0) || 3
const MINUTES = 60_000 + CASES * 10_000
/** A case that locks up early. */
const CUBE = 2

function resultOf(spec: ValidSpec): Result {
  const run = createRun(spec)
  while (run.advance(1e6)) continue
  return run.result()
}

describe('with datelines nothing locks up, and without some do', () => {
  for (const family of ['ring', 'torus'] as const) {
    it.each(['pfc, static', 'pfc, dynamic', 'credits'] as const)(
      `in ${family === 'ring' ? 'rings' : 'tori'} under %s`,
      (control) => {
        const cases = Array.from({ length: CASES }, (_, n) => n)
        const locked = (lanes: 'dateline' | 'none'): number[] =>
          cases.filter((n) => {
            return resultOf(datelineSpec(family, control, n, lanes)).ended.why === 'deadlock'
          })
        expect(locked('dateline')).toEqual([])
        expect(locked('none').length).toBeGreaterThan(0)
      },
      MINUTES,
    )
  }
})

it('in three dimensions, with twelve lanes of sixteen', { timeout: MINUTES }, () => {
  const why = (lanes: 'dateline' | 'none'): string =>
    resultOf(datelineSpec('cube', 'credits', CUBE, lanes)).ended.why
  expect(why('dateline')).not.toBe('deadlock')
  expect(why('none')).toBe('deadlock')
})

/** Specs that may lock up, of several classes. */
function severalClasses(count: number): ValidSpec[] {
  const specs: ValidSpec[] = []
  for (let n = 0; specs.length < count; n++) {
    const control = (['pfc, static', 'credits', 'pfc, dynamic'] as const)[n % 3]!
    const spec = lockableSpec(n % 2 === 0 ? 'ring' : 'torus', control, n)
    if (spec.fabric.classes > 1) specs.push(spec)
  }
  return specs
}

it('a map that changes no class, written out, changes nothing', () => {
  for (const spec of severalClasses(6)) {
    const { lanes } = withRandomLanes(spec, 1).fabric
    if (lanes.kind !== 'by-link') throw new Error('no lanes')
    const changes = lanes.changes.map((one) => ({ ...one, becomes: one.class }))
    const fabric = { ...spec.fabric, lanes: { kind: 'by-link' as const, changes } }
    const [kept, written] = [resultOf(spec), resultOf({ ...spec, fabric })]
    expect(written.fingerprint).toBe(kept.fingerprint)
    expect(written.flows).toEqual(kept.flows)
  }
})

it('several threads have the result of one, deadlocks and all', () => {
  const verdicts = severalClasses(8).map((spec, n) => {
    const changed = withRandomLanes(spec, n)
    const one = resultOf(changed)
    expect(JSON.stringify(simulateTogether(changed, 2 + (n % 2)))).toBe(JSON.stringify(one))
    return one.ended.why
  })
  expect(verdicts).toContain('deadlock')
})

it('lanes of one input that become one class go in turn', () => {
  const changes = [{ from: 's1', to: 'h2', class: 4, becomes: 3 }]
  const spec = specOf({
    topology: graphOf(['h0 s0', 'h1 s0', 's0 s1', 's1 h2', 'h3 s1']),
    fabric: {
      switch: 'input-buffered',
      scheduler: 'round-robin',
      lanes: { kind: 'by-link', changes },
    },
    workload: [
      {
        flows: [
          { from: 'h0', to: 'h2', class: 3 },
          { from: 'h1', to: 'h2', class: 4 },
          { from: 'h3', to: 'h2', class: 3 },
        ],
      },
    ],
    run: { until: '2ms' },
  })
  const [three, four, other] = resultOf(spec).flows.deliveredBytes
  expect(three! / four!).toBeCloseTo(1, 1)
  expect(other! / (three! + four!)).toBeCloseTo(1, 1)
})

describe('where a link changes the class', () => {
  const changes = [
    { from: 's0', to: 's1', class: 3, becomes: 5 },
    { from: 's1', to: 's0', class: 3, becomes: 2 },
  ]
  const spec = (fabric: object): ValidSpec =>
    specOf({
      topology: graphOf(['h0 s0', 'h1 s0', 's0 s1', 's1 h2', 'h3 s1']),
      fabric: { scheduler: 'round-robin', ...fabric, lanes: { kind: 'by-link', changes } },
      workload: [{ flows: [0, 1, 3].map((i) => ({ from: `h${i}`, to: 'h2', size: '300KB' })) }],
      run: { until: '5ms' },
    })

  /** Classes of what came by a link, by the names of its ends: data, and ACKs. */
  function classesOf(run: Run): Map<string, Set<string>> {
    const { fabric, graph } = run.network
    const { from, to } = fabric.ports
    const seen = new Map<string, Set<string>>()
    const arrive = fabric.arrive.bind(fabric)
    fabric.arrive = (port, p, nowPs) => {
      const { inventory } = fabric
      if (!inventory.isFrame(p)) {
        const link = `${graph.nodes[from[port]!]!.name}->${graph.nodes[to[port]!]!.name}`
        const what = `${inventory.isData(p) ? 'data' : 'ack'} ${inventory.trafficClass(p)}`
        seen.set(link, (seen.get(link) ?? new Set()).add(what))
      }
      arrive(port, p, nowPs)
    }
    while (run.advance(1e6)) continue
    return seen
  }

  it('data go on in it to their host, and ACKs begin in the class of their flow', () => {
    const seen = classesOf(createRun(spec({})))
    const at = (link: string): string[] => [...(seen.get(link) ?? [])].sort()
    expect(at('h0->s0')).toEqual(['data 3'])
    expect(at('s0->s1')).toEqual(['data 5'])
    expect(at('s1->h2')).toEqual(['data 3', 'data 5'])
    expect(at('h2->s1')).toEqual(['ack 3'])
    expect(at('s1->s0')).toEqual(['ack 2'])
    expect(at('s1->h3')).toEqual(['ack 3'])
  })

  it.each([
    ['a shared memory', { buffer: '2MB', flowControl: { kind: 'pfc', xoff: '10KB' } }],
    [
      'input buffers',
      { switch: 'input-buffered', buffer: '64KB', flowControl: { kind: 'pfc', xoff: '10KB' } },
    ],
  ])('a pause is of the class that came by its link, with %s', (_name, fabric) => {
    const run = createRun(spec(fabric))
    while (run.advance(1e6)) continue
    const { observer, graph } = run.network
    const { from, to } = run.network.fabric.ports
    const paused = (a: string, b: string): number[] => {
      const port = Array.from(from, (node, i) => [node, to[i]!] as const).findIndex(
        ([x, y]) => graph.nodes[x]!.name === a && graph.nodes[y]!.name === b,
      )
      return Array.from({ length: 8 }, (_, c) => c).filter((c) => {
        return observer.pausedPs(port, c, run.nowPs) > 0
      })
    }
    expect(paused('s0', 's1')).toEqual([5])
    expect(paused('h0', 's0')).toEqual([3])
    expect(paused('h3', 's1')).toEqual([3])
  })
})
