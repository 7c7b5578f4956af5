/** Packets of one flow on ways that their sender chose or wrote. */
import { describe, expect, it } from 'vitest'
import { Run, simulate } from './run.ts'
import type { Result } from './result.ts'
import { runAudited, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'
import { simulateTogether } from './testing/together.ts'

const torus = { kind: 'torus', dimensions: [3, 3, 2], rate: '10Gbps', delay: '1us' }
const leafSpine = { kind: 'leaf-spine', leaves: 3, spines: 4, hostsPerLeaf: 3 }
const plenty = { flowControl: 'none', buffer: { size: '100MB', threshold: '100MB' } }
const anyOrder = { reliability: 'selective-repeat' }

/** Everybody to the host three further on, one of them in a hurry. */
const across = Array.from({ length: 9 }, (_, i) => ({
  from: `h${i}`,
  to: `h${(i + 4) % 9}`,
  size: '120KB',
  start: `${i}us`,
}))

const choice = { kind: 'choice', of: ['packet-spray', 'vlb', 'ecmp', 'reps'], begin: 'hash' }

const CASES: readonly (readonly [string, Tree])[] = [
  ['vlb on a torus', { topology: torus, routing: 'vlb' }],
  ['vlb on a leaf-spine', { topology: leafSpine, routing: 'vlb' }],
  ['romm', { topology: torus, routing: 'romm' }],
  ['wlb', { topology: torus, routing: 'wlb' }],
  ['wlb, cut-through', { topology: torus, routing: 'wlb', forwarding: 'cut-through' }],
  ['dimension order', { topology: torus, routing: 'dimension-order' }],
  ['reps', { topology: leafSpine, routing: 'reps' }],
  ['paths in turn', { topology: leafSpine, routing: 'paths-in-turn' }],
  [
    'spraying over paths',
    { topology: torus, routing: { kind: 'packet-spray', evenOver: 'paths' } },
  ],
  ['a choice of four', { topology: leafSpine, routing: choice }],
]

function treeOf({ forwarding = 'store-and-forward', ...tree }: Tree): Tree {
  return {
    fabric: { ...plenty, forwarding },
    hosts: anyOrder,
    workload: [{ flows: across }],
    scheme: 'dcqcn',
    run: { until: '20ms' },
    ...tree,
  }
}

describe.each(CASES)('%s', (_, tree) => {
  const spec = specOf(treeOf(tree))

  it('delivers every flow, and accounts for every packet', () => {
    const run = new Run(spec)
    runAudited(run, 200)
    const result = run.result()
    expect(result.summary.flowsUnfinished).toBe(0)
    expect(result.flows.deliveredBytes).toEqual(across.map(() => 120_000))
  })

  it('has one result, in however many threads', () => {
    const text = JSON.stringify(simulate(spec))
    for (const threads of [2, 3]) {
      expect(JSON.stringify(simulateTogether(spec, threads)) === text).toBe(true)
    }
  })
})

describe('each packet', () => {
  it('takes its own way: of four in turn each has a quarter of them', () => {
    const { flows, ports } = simulate(
      specOf({
        ...treeOf({ topology: leafSpine, routing: 'paths-in-turn' }),
        workload: [{ flows: [{ from: 'h0', to: 'h8', size: '400KB' }] }],
        scheme: 'none',
      }),
    )
    expect(flows.deliveredBytes).toEqual([400_000])
    const up = ports.utilisation.filter((_, i) => ports.name[i]!.startsWith('leaf0->spine'))
    expect(up[0]).toBeGreaterThan(0)
    expect(up).toEqual([up[0], up[0], up[0], up[0]])
  })

  it('may be marked where those who give out ways hear of marks, whatever the scheme', () => {
    const marked = (routing: string): number => {
      const tree = treeOf({ topology: leafSpine, routing, scheme: 'none' })
      const ecn = { kind: 'threshold', k: '2KB' }
      return simulate(specOf({ ...tree, fabric: { ...plenty, ecn } })).counters.packetsMarked
    }
    expect(marked('reps')).toBeGreaterThan(0)
    expect(marked('ecmp')).toBe(0)
  })
})

/** Two flows by four spines, one of which has a tenth of the others' rate to leaf 1. */
function pastASlowLink(routing: unknown, ecn: unknown): Result {
  const leaf = (i: number): string[] => [0, 1, 2, 3].map((h) => `l${i}h${h}`)
  const spines = [0, 1, 2, 3].map((i) => `s${i}`)
  const link = (a: string, b: string, rate = '25Gbps') => ({ a, b, rate, delay: '1us' })
  return simulate(
    specOf({
      topology: {
        kind: 'graph',
        hosts: [...leaf(0), ...leaf(1)],
        switches: ['l0', 'l1', ...spines],
        links: [
          ...leaf(0).map((host) => link(host, 'l0')),
          ...leaf(1).map((host) => link(host, 'l1')),
          ...spines.map((spine) => link('l0', spine)),
          ...spines.map((spine, i) => link(spine, 'l1', i === 0 ? '2.5Gbps' : '25Gbps')),
        ],
      },
      fabric: { ...plenty, ecn },
      hosts: { ...anyOrder, window: '100KB' },
      routing,
      workload: [
        { flows: [0, 1].map((i) => ({ from: leaf(0)[i], to: leaf(1)[i], size: '10MB' })) },
      ],
      scheme: 'none',
      run: { until: '50ms' },
      metrics: { interval: '10us' },
    }),
  )
}

const marks = { kind: 'threshold', k: '20KB' }
const slowest = ({ flows }: Result): number => Math.max(...flows.fctPs) / 1e9

describe('REPS', () => {
  it('leaves a slow link alone, where spraying waits for it', () => {
    const recycled = slowest(pastASlowLink('reps', marks))
    const sprayed = slowest(pastASlowLink('packet-spray', marks))
    expect(recycled).toBeLessThan(0.5 * sprayed)
  })

  it('forgets values that were marked: where nearly all are it sprays', () => {
    const waiting = ({ ports }: Result): number =>
      ports.queueBytesMean[ports.name.indexOf('s0->l1')]!
    const shallow = { kind: 'threshold', k: '3KB' }
    // Unmarked, a value comes back no faster than the slow link sends, and little waits there.
    expect(waiting(pastASlowLink('reps', shallow))).toBeGreaterThan(
      10 * waiting(pastASlowLink('reps', 'none')),
    )
  })
})
