/** One result, by however many threads a run is shared. */
import fc from 'fast-check'
import { CLASS_BITS, CLASS_MASK, ContentionPoint, NodeAgent } from '@weir/fabric'
import type { SharedMemory } from '@weir/fabric'
import { none, schemes } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { simulate } from '../run.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'
import {
  anyRunSpec,
  anySchemeSpec,
  anySpec,
  controls,
  families,
  lockableSpec,
  specOf,
} from '../testing/index.ts'
import { simulateTogether } from '../testing/together.ts'

const CASES = Number(process.env.CASES ?? 0) || 60
const SEED = Number(process.env.SEED ?? 0) || 12
const MINUTES = 300_000

function expectTheSame(spec: ValidSpec, threads: readonly number[] = [2, 3, 4]): string {
  const result = simulate(spec)
  const text = JSON.stringify(result)
  for (const count of threads) {
    expect(JSON.stringify(simulateTogether(spec, count)), `${count} threads`).toBe(text)
  }
  return result.ended.why
}

describe('threads that share a run', () => {
  it('have the result of one, whatever the fabric', { timeout: MINUTES }, () => {
    fc.assert(
      fc.property(anySpec(), fc.integer({ min: 2, max: 4 }), (spec, threads) => {
        expectTheSame(spec, [threads])
      }),
      { numRuns: CASES, seed: SEED, endOnFailure: true },
    )
  })

  it('and under every scheme, with programs of messages', { timeout: MINUTES }, () => {
    fc.assert(
      fc.property(anySchemeSpec(), fc.integer({ min: 2, max: 4 }), (spec, threads) => {
        expectTheSame(spec, [threads])
      }),
      { numRuns: CASES, seed: SEED, endOnFailure: true },
    )
  })

  it('and whatever happens in a run', { timeout: MINUTES }, () => {
    fc.assert(
      fc.property(anyRunSpec(), fc.integer({ min: 2, max: 4 }), (spec, threads) => {
        expectTheSame(spec, [threads])
      }),
      { numRuns: CASES, seed: SEED, endOnFailure: true },
    )
  })

  it('and the verdict of one where flows never end', { timeout: MINUTES }, () => {
    const verdicts = new Map<string, number>()
    for (const family of families) {
      for (const control of controls) {
        for (let n = 0; n < CASES / 12; n++) {
          const why = expectTheSame(lockableSpec(family, control, SEED + n), [2 + (n % 3)])
          verdicts.set(why, (verdicts.get(why) ?? 0) + 1)
        }
      }
    }
    expect([...verdicts.keys()].sort()).toEqual(['completed', 'deadlock', 'time'])
  })

  // A switch that has sent XON says by its own state that the output may go on, unless it has sent
  // XOFF after it. Here it never says so: what is on its way must do.
  it.each([
    ['torus', 'pause', 3, 53],
    ['torus', 'pfc, static', 4, 53],
    ['ring', 'pfc, static', 12, 31],
    ['ring', 'pause', 13, 31],
  ] as const)('and in a %s under %s (%i) hear an XON that is on its way', (...which) => {
    const [family, control, number, untilUs] = which
    const spec = lockableSpec(family, control, number)
    const cut = { ...spec, run: { ...spec.run, untilPs: untilUs * 1e6 + 331 } }
    const together = simulateTogether(cut, 2, undefined, ({ network: { fabric, switches } }) => {
      const memory = switches as SharedMemory
      const canResume = memory.canResume.bind(memory)
      memory.canResume = (output, stuckBytes) => {
        const [port, trafficClass] = [output >> CLASS_BITS, output & CLASS_MASK]
        if (fabric.inventory.isXonOnItsWay(port, trafficClass)) return false
        return canResume(output, stuckBytes)
      }
    })
    expect(JSON.stringify(together)).toBe(JSON.stringify(simulate(cut)))
  })

  const leafSpine = { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 3 }
  const incast = [0, 1, 2, 3].map((i) => ({ from: `h${i}`, to: 'h5', size: '90KB' }))
  const metrics = { interval: '5us', series: ['**'] }

  it('and stop at the bound on events, whatever the last one is: here a sample', () => {
    const flows = ['0us', '1ms'].map((start) => ({ from: 'h0', to: 'h5', size: '1KB', start }))
    const spec = specOf({
      ...{ topology: leafSpine, workload: [{ flows }], metrics: { interval: '1us' } },
      run: { until: '2ms', eventsMax: 300 },
    })
    expect(expectTheSame(spec)).toBe('events')
    const { simulatedPs } = simulate(spec)
    expect(simulatedPs).toBeGreaterThan(200e6)
    expect(simulatedPs).toBeLessThan(300e6)
  })

  for (const { name } of schemes) {
    it(`under ${name}, with every series, stopped flows and a drain`, () => {
      const spec = specOf({
        topology: leafSpine,
        workload: [
          { flows: incast },
          { flows: [{ from: 'h5', to: 'h0', size: '60KB', start: '3us' }] },
          { flows: [{ from: 'h4', to: 'h1', start: '3us', stop: '40us' }] },
        ],
        run: { until: '60us', drain: '3ms' },
        metrics,
        scheme: name,
        ...(name === 'infiniband' && {
          fabric: { switch: 'input-buffered', flowControl: 'credits' },
        }),
      })
      expectTheSame(spec)
    })
  }

  it('starts each point in the thread that runs it, and in no other', () => {
    const started: string[] = []
    let threads = 0
    class Counted extends ContentionPoint {
      override readonly sees = 'nothing'
      constructor(readonly what: string) {
        super()
      }
      override onStart(): void {
        started.push(this.what)
      }
    }
    class CountedAgent extends NodeAgent {
      constructor(readonly what: string) {
        super()
      }
      override onStart(): void {
        started.push(this.what)
      }
    }
    const counting: Scheme = {
      ...none,
      create: (values, context) => {
        threads++
        return {
          ...none.create(values, context),
          contention: (port) => new Counted(`port ${port.name}`),
          agent: (node) => new CountedAgent(`node ${node.name}`),
        }
      },
    }
    const spec = specOf({ topology: leafSpine, workload: [{ flows: incast }], scheme: 'none' })
    simulateTogether(spec, 3, counting)
    expect(threads).toBe(3)
    // Ten nodes, and twenty ports of ten links.
    expect([...new Set(started)].length).toBe(started.length)
    expect(started.filter((what) => what.startsWith('node')).length).toBe(10)
    expect(started.filter((what) => what.startsWith('port')).length).toBe(20)
  })

  it('and its count of events, of what points and agents do by the clock too', () => {
    for (const { name } of schemes) {
      const spec = specOf({
        topology: leafSpine,
        workload: [{ flows: incast }],
        run: { until: '3ms', eventsMax: 1500 },
        scheme: name,
        ...(name === 'infiniband' && {
          fabric: { switch: 'input-buffered', flowControl: 'credits' },
        }),
      })
      expect(expectTheSame(spec, [2, 3]), name).toBe('events')
    }
  })

  it('where packets are lost, nothing is acknowledged, and events are counted out', () => {
    const lossy = { buffer: '20KB', flowControl: 'none' }
    const workload = [{ flows: [...incast, { from: 'h4', to: 'h0', stop: '50us' }] }]
    const tree = { topology: leafSpine, workload, fabric: lossy, metrics }
    expectTheSame(specOf({ ...tree, run: { until: '2ms' } }))
    expectTheSame(specOf({ ...tree, run: { until: '2ms', eventsMax: 3000 } }))
    const silent = { ack: { every: 0 }, reliability: 'none' }
    expectTheSame(specOf({ ...tree, hosts: silent, fabric: {}, run: { until: '2ms' } }))
  })

  it('where packets take longer than many windows to leave', () => {
    const slow = { kind: 'dumbbell', left: 2, right: 2, rate: '10Gbps', delay: '1us' }
    const topology = { ...slow, bottleneckRate: '200Mbps', bottleneckDelay: '1us' }
    const flows = [0, 1].map((i) => ({ from: `h${i}`, to: `h${i + 2}`, size: '40KB' }))
    expectTheSame(
      specOf({ topology, workload: [{ flows }], scheme: 'none', run: { until: '9ms' } }),
    )
  })

  it('where a packet leaves long after the last event, and arrives with the one before it', () => {
    const slow = { kind: 'dumbbell', left: 1, right: 1, rate: '10Gbps', delay: '5us' }
    const topology = { ...slow, bottleneckRate: '200Mbps', bottleneckDelay: '5us' }
    for (const start of ['0us', '1us', '2us', '3us', '4us']) {
      const flows = [{ from: 'h0', to: 'h1', size: '1001B', start }]
      expectTheSame(specOf({ topology, workload: [{ flows }], scheme: 'none' }))
    }
  })

  it('where a transfer changes its path, and where packets go hop by hop', () => {
    const workload = [{ flows: incast.map((flow) => ({ ...flow, size: '2MB' })) }]
    const run = { until: '3ms' }
    const scheme = { name: 'accurate', params: { split: '100KB' } }
    expectTheSame(specOf({ topology: leafSpine, workload, run, scheme }))
    expectTheSame(specOf({ topology: leafSpine, workload, run, routing: 'packet-spray' }))
  })
})
