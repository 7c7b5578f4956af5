/** A switch with so many ports that it settles only those that have sent: nothing else changes. */
import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { createRun, simulate } from './run.ts'
import { eventDriven, runAudited, specOf, watchArrivals } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const HOSTS = 140

const SLOW = { rateCap: { take: '5Gbps' } }

const FABRICS: readonly (readonly [string, Tree, Tree])[] = [
  ['shares by dynamic thresholds', { flowControl: 'none', buffer: { size: '300KB' } }, {}],
  [
    'drops at inputs',
    { flowControl: 'none', buffer: { size: '200KB', threshold: '3KB', dropAt: 'inputs' } },
    {},
  ],
  ['pauses by PFC', { flowControl: 'pfc', buffer: '60MB' }, {}],
  ['pauses, and is paused by slow hosts', { flowControl: 'pfc', buffer: '60MB' }, SLOW],
]

/** Bursts of 20 senders each, into hosts drawn at random. */
function flowsOf(seed: number): Tree[] {
  const random = new Random(seed, 'flows')
  return Array.from({ length: 400 }, (_, i) => {
    const to = (Math.floor(i / 20) * 7) % HOSTS
    const from = (to + 1 + random.below(HOSTS - 1)) % HOSTS
    const size = `${1 + random.below(30_000)}B`
    return { from: `h${from}`, to: `h${to}`, size, start: `${random.below(60)}us` }
  })
}

describe.each(FABRICS)('a star that %s', (_, fabric, hosts) => {
  const spec = specOf({
    topology: { kind: 'star', hosts: HOSTS, rate: '25Gbps', delay: '1us' },
    fabric,
    hosts,
    workload: [{ flows: flowsOf(3) }],
    scheme: 'dcqcn',
    run: { until: '400us' },
  })

  it('has the trajectory that it has when each departure is an event', () => {
    const seen = [createRun(spec), eventDriven(createRun(spec))].map((run) => {
      const arrivals = watchArrivals(run)
      runAudited(run, 5_000)
      return [arrivals(), run.result().counters.bufferBytesMax] as const
    })
    expect(seen[0]![0].length).toBeGreaterThan(5_000)
    expect(seen[0]![0].join() === seen[1]![0].join()).toBe(true)
    expect(seen[0]![1]).toBe(seen[1]![1])
  })
})

describe.each([24, HOSTS])('a star of %d hosts', (hosts) => {
  it('remembers the most that its switch held when it holds less', () => {
    const bytesMax = (bursts: readonly Tree[][]): number => {
      const spec = specOf({
        topology: { kind: 'star', hosts, rate: '25Gbps', delay: '1us' },
        fabric: { flowControl: 'none' },
        workload: [{ flows: bursts.flat() }],
        run: { until: '400us' },
      })
      return simulate(spec).counters.bufferBytesMax
    }
    const burst = (senders: number, start: string): Tree[] =>
      Array.from({ length: senders }, (_, i) => {
        return { from: `h${i + 1}`, to: 'h0', size: '10KB', start }
      })
    const most = bytesMax([burst(20, '0us')])
    expect(most).toBeGreaterThan(4 * bytesMax([burst(4, '0us')]))
    expect(bytesMax([burst(20, '0us'), burst(4, '200us')])).toBe(most)
  })
})
