/** Theory laid over runs: max-min rates by hand, and a fluid where there is one bottleneck. */
import { describe, expect, it } from 'vitest'
import { simulate } from '../run.ts'
import { validateSpec } from '../spec/index.ts'
import type { ValidSpec } from '../spec/index.ts'
import { maxMinAt, maxMinCourse, maxMinMean } from './max-min-course.ts'
import { isTheory, theoryDistance, theoryOf } from './overlay.ts'
import type { PlannedFlow } from './planned-flows.ts'

const MS = 1e9

function flow(name: string, ports: number[], more: Partial<PlannedFlow> = {}): PlannedFlow {
  const rest = { startPs: 0, stopPs: Infinity, sizeBytes: Infinity, weight: 1 }
  return { name, ports, ...rest, ...more }
}

describe('the max-min course', () => {
  it('shares anew when flows come, stop and have sent their size', () => {
    const [a, b, c] = maxMinCourse(
      [
        flow('a', [0]),
        flow('b', [0], { startPs: 1 * MS, stopPs: 3 * MS }),
        // 5 Gb/s from 4 ms on: 1.25 MB take 2 ms.
        flow('c', [0], { startPs: 4 * MS, sizeBytes: 1.25e6 }),
      ],
      [10e9],
      8 * MS,
    )
    expect(a!.atPs).toEqual([0, 1 * MS, 3 * MS, 4 * MS, 6 * MS, 8 * MS])
    expect(a!.rateBps).toEqual([10e9, 5e9, 10e9, 5e9, 10e9, 0])
    expect(b!.atPs).toEqual([1 * MS, 3 * MS])
    expect(c!.atPs).toEqual([4 * MS, 6 * MS])
    expect(maxMinAt(a!, 3.5 * MS)).toBe(10e9)
    expect(maxMinAt(b!, 0)).toBe(0)
    expect(maxMinMean(a!, 0, 2 * MS)).toBe(7.5e9)
  })

  it('gives what another link leaves to those who can use it', () => {
    const [a, b] = maxMinCourse([flow('a', [0, 1]), flow('b', [0])], [10e9, 2e9], MS)
    expect(a!.rateBps[0]).toBe(2e9)
    expect(b!.rateBps[0]).toBe(8e9)
  })
})

const HOSTS = { kind: 'star', hosts: 3, rate: '25Gbps', delay: '1us' }

function specOf(change: object = {}): ValidSpec {
  return validateSpec({
    topology: HOSTS,
    fabric: { flowControl: 'none', buffer: '100MB' },
    workload: [
      {
        flows: [
          { name: 'a', from: 'h1', to: 'h0' },
          { name: 'b', from: 'h2', to: 'h0' },
        ],
      },
    ],
    scheme: 'hpcc',
    run: { until: '2ms' },
    metrics: { interval: '10us' },
    ...change,
  })
}

function whyNot(spec: ValidSpec): string {
  const { fluid } = theoryOf(spec)
  return isTheory(fluid) ? '' : fluid.why
}

describe('theory of a scenario', () => {
  it('finds the bottleneck, its delays and what flows get', () => {
    const spec = specOf()
    const theory = theoryOf(spec)
    if (!isTheory(theory.fluid) || !isTheory(theory.maxMin)) throw new Error('no theory')
    const { port, flows, network, queueBytes, rateBps } = theory.fluid
    expect(port).toBe('switch->h0')
    expect(flows).toEqual(['a', 'b'])
    // Four links of 1 us; data of 1,090 B and ACKs of 60 B and telemetry take their own time.
    expect(network.delayPs).toBeGreaterThan(4e6)
    expect(network.delayPs).toBeLessThan(5e6)
    expect(network.nearDelayPs).toBeLessThan(network.delayPs / 2 + 1e5)
    expect(queueBytes).toHaveLength(200)
    expect(rateBps.at(-1)! / 12.5e9).toBeGreaterThan(0.93)
    const [first] = theory.maxMin
    expect(first!.rateBps[0]! / 12.5e9).toBeCloseTo(1000 / 1090, 6)
  })

  it('says how far packets are from it', () => {
    const run = { until: '10ms' }
    const spec = specOf({ scheme: 'dctcp', hosts: { reliability: 'tcp' }, run })
    const { queuePackets, queueFluid, rateApart, rateWorst } = theoryDistance(
      simulate(spec),
      theoryOf(spec),
    )
    expect(queueFluid / queuePackets).toBeGreaterThan(0.9)
    expect(queueFluid / queuePackets).toBeLessThan(1.1)
    expect(Math.abs(rateApart)).toBeLessThan(0.1)
    expect(['a', 'b']).toContain(rateWorst)
  })

  it('hears of a fabric that marks by its own thresholds', () => {
    const own = theoryOf(specOf({ scheme: 'dcqcn' })).fluid
    const ecn = { kind: 'red', kmin: '1KB', kmax: '10KB', pmax: 1 }
    const early = theoryOf(
      specOf({ scheme: 'dcqcn', fabric: { flowControl: 'pfc', buffer: '32MB', ecn } }),
    ).fluid
    if (!isTheory(own) || !isTheory(early)) throw new Error('no theory')
    // Both begin at line rate: every packet above 10 KB is marked, or one in a hundred.
    const [most, least] = [own, early].map(({ queueBytes }) => Math.max(...queueBytes))
    expect(least!).toBeLessThan(0.75 * most!)
  })

  it('ends with the first flow that ends', () => {
    const flows = [
      { name: 'a', from: 'h1', to: 'h0', stop: '1ms' },
      { name: 'b', from: 'h2', to: 'h0' },
    ]
    const { fluid } = theoryOf(specOf({ workload: [{ flows }] }))
    expect(isTheory(fluid) && fluid.queueBytes.length).toBe(100)
  })

  it('says in a sentence where there is none', () => {
    const apart = [
      { from: 'h1', to: 'h0' },
      { from: 'h0', to: 'h2' },
    ]
    expect(whyNot(specOf({ workload: [{ flows: apart }] }))).toMatch(/^no port/)
    expect(whyNot(specOf({ scheme: 'qcn' }))).toMatch(/^there is no fluid model of qcn/)
    expect(whyNot(specOf({ routing: 'packet-spray' }))).toMatch(/sprayed/)
    const program = { processes: ['h0', 'h1'], program: 'all send +1 1KB\nall recv -1' }
    expect(whyNot(specOf({ workload: [{ messages: program }] }))).toMatch(/program/)
    const many = { arrivals: { kind: 'poisson', load: 0.9 }, sizes: '1KB' }
    expect(whyNot(specOf({ workload: [{ generate: many }] }))).toMatch(/more than 400/)
  })
})
