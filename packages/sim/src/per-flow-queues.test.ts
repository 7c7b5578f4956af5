/**
 * Per-flow queues: each test takes the mechanism away, or another switch, and sees the effect go.
 */
import { Random } from '@weir/engine'
import { PerFlowQueues } from '@weir/fabric'
import { schemes } from '@weir/schemes'
import { maxMin } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { payloadCapacities } from './payload-capacities.ts'
import { createRun, simulate } from './run.ts'
import type { Run } from './run.ts'
import { scenarioByName } from './scenarios/index.ts'
import { loadSpec } from './spec/index.ts'
import { graphOf, incastOf, runAudited, specOf } from './testing/index.ts'
import type { FlowTree, Tree } from './testing/index.ts'
import { simulateTogether } from './testing/together.ts'

const perFlow: Tree = { switch: 'per-flow-queues' }
const above = (xoff: string): Tree => ({ ...perFlow, flowControl: { kind: 'per-flow', xoff } })
/** Nothing goes back, and every byte is payload. */
const plain: Tree = { header: '0B', reliability: 'none', ack: 'none' }

/** Payload that each long flow brings over, in Gb/s, over the later part of a run. */
function ratesGbps(tree: Tree, untilUs = 1000): number[] {
  const run = createRun(specOf({ hosts: plain, ...tree, run: { until: `${untilUs}us` } }))
  run.step(untilUs * 0.25e6)
  const delivered = (): number[] => run.network.hosts.flows.map((f) => f!.receiver.deliveredBytes)
  const before = delivered()
  run.step(untilUs * 1e6)
  return delivered().map((bytes, i) => ((bytes - before[i]!) * 8) / (untilUs * 0.75) / 1000)
}

function expectClose(
  measured: readonly number[],
  expected: readonly number[],
  within = 0.01,
): void {
  expect(measured).toHaveLength(expected.length)
  measured.forEach((rate, i) => {
    const words = `${measured.map((gbps) => gbps.toFixed(3))} for ${expected}`
    expect(Math.abs(rate / expected[i]! - 1), words).toBeLessThan(within)
  })
}

function switchesOf(run: Run): PerFlowQueues {
  const { switches } = run.network
  if (!(switches instanceof PerFlowQueues)) throw new Error('other switches')
  return switches
}

describe('a queue for each flow at each output', () => {
  const topology = graphOf([
    { a: 'h1', b: 's0', rate: '100Gbps' },
    { a: 'h2', b: 's0', rate: '10Gbps' },
    { a: 's0', b: 'h0', rate: '8Gbps' },
  ])
  const workload = [{ flows: ['h1', 'h2'].map((from) => ({ from, to: 'h0' })) }]

  it('is served as often as another that comes at a tenth of its rate', () => {
    expectClose(ratesGbps({ topology, workload, fabric: perFlow }), [4, 4])
  })

  it('is what does it: in one queue the fast one takes most', () => {
    const fabric = { flowControl: 'none', buffer: '64KB' }
    const [fast, slow] = ratesGbps({ topology, workload, fabric })
    expect(fast! / slow!).toBeGreaterThan(5)
  })

  it('is there as long as something waits or is stopped, and no longer', () => {
    const run = createRun(
      specOf({
        topology: { kind: 'torus', dimensions: [3, 3], rate: '10Gbps', delay: '100ns' },
        fabric: above('2KB'),
        routing: 'packet-spray',
        hosts: { reliability: 'unordered' },
        workload: [{ generate: { arrivals: { kind: 'poisson', load: 0.5 }, sizes: '30KB' } }],
        run: { until: '1ms' },
      }),
    )
    let most = 0
    while (run.advance(500)) most = Math.max(most, switchesOf(run).queues.count)
    const { queues, stops } = switchesOf(run)
    expect(run.result().summary.flowsEnded).toBe(run.result().summary.flows)
    expect(most).toBeGreaterThan(20)
    expect([queues.count, stops.count]).toEqual([0, 0])
  })
})

describe('back-pressure on one flow', () => {
  it('does no harm to another that comes by the same link; PFC does', () => {
    const { text } = scenarioByName('pfc-victim')!
    const more = ['metrics={interval: none}', 'run={until: 2ms}']
    const gbps = (settings: readonly string[]): number[] => {
      const { flows } = simulate(loadSpec({ text, settings: [...more, ...settings] }))
      return flows.throughputBps.map((bps) => bps / 1e9)
    }
    const third = ((25 / 3) * 1000) / 1048
    const [, , , harmed] = gbps([])
    const [a, b, c, spared] = gbps(['fabric={switch: per-flow-queues}'])
    expectClose([a!, b!, c!, spared!], [third, third, third, 2 * third], 0.02)
    expect(harmed).toBeLessThan(1.1 * third)
  })

  it('keeps a link full that one flow has for itself, over long links and short', () => {
    for (const delay of ['10ns', '1us', '20us']) {
      const topology = graphOf(
        [
          { a: 'h1', b: 's1', rate: '40Gbps' },
          's1 s2',
          's2 s3',
          { a: 's3', b: 'h0', rate: '9.9Gbps' },
        ],
        { delay },
      )
      const workload = [{ flows: [{ from: 'h1', to: 'h0' }] }]
      expectClose(ratesGbps({ topology, workload, fabric: perFlow }, 2000), [9.9], 0.001)
      const [starved] = ratesGbps({ topology, workload, fabric: above('1B') }, 2000)
      if (delay !== '10ns') expect(starved).toBeLessThan(9)
    }
  })

  it('holds no more of a flow at a node than the threshold and what a round trip brings', () => {
    const run = createRun(specOf(incastOf(20, '400KB', { fabric: perFlow, hosts: plain })))
    run.step(1e15)
    const { usedBytesMax } = switchesOf(run)
    // 2.5 KB come in the round trip of 2 us, 1 KB more has begun; the first 4.5 KB are waiting.
    expect(Math.max(...usedBytesMax)).toBeLessThanOrEqual(20 * (4500 + 2500 + 2000))
    expect(Math.max(...usedBytesMax)).toBeGreaterThan(20 * 4500)
  })

  it('counts the most that a node and an output ever held, whatever comes after', () => {
    // Two links bring 20 packets each; one packet leaves as the next two come. Then there is one
    // packet less, and what has left by two other ports is not yet accounted for.
    const bursts = [20, 19].flatMap((packets, i) => {
      const size = `${packets}KB`
      return ['h1', 'h2'].map((from) => ({ from, to: 'h0', size, start: `${i * 100}us` }))
    })
    const others = ['h1', 'h2'].map((to) => ({ from: 'h0', to, size: '1KB', start: '100us' }))
    const flows = [...bursts, ...others]
    const tree = { fabric: above('1MB'), hosts: plain, workload: [{ flows }] }
    const run = createRun(specOf(incastOf(2, '1KB', tree)))
    runAudited(run, 3)
    const { counters } = run.result()
    expect([counters.queueBytesMax, counters.bufferBytesMax]).toEqual([21_000, 21_000])
  })

  it('loses nothing, whatever the threshold, and all is where it should be', () => {
    for (const xoff of ['1B', '1500B', '5KB']) {
      const tree = incastOf(6, '40KB', { fabric: above(xoff), hosts: { ack: { class: 'data' } } })
      const run = createRun(specOf(tree))
      runAudited(run, 7)
      const { counters, summary } = run.result()
      expect([summary.flowsEnded, counters.packetsDropped]).toEqual([6, 0])
      expect(counters.retransmittedPackets).toBe(0)
      expect(counters.pauseFrames).toBeGreaterThan(0)
    }
  })
})

describe('a sprayed flow', () => {
  const topology = graphOf(
    [
      { a: 'h1', b: 's1', rate: '40Gbps' },
      ...['s1 s2', 's1 s3', 's1 s5', 's2 s4', 's3 s4', 's5 s4'],
      { a: 's4', b: 'h0', rate: '40Gbps' },
    ],
    { delay: '100ns' },
  )
  const workload = [{ flows: [{ from: 'h1', to: 'h0' }] }]

  it('fills most of its links, and more of them with longer queues', () => {
    const gbps = ['2KB', 'auto', '64KB'].map((xoff) => {
      return ratesGbps({ topology, workload, fabric: above(xoff), routing: 'packet-spray' })[0]!
    })
    expect(gbps[0]).toBeLessThan(25)
    expect(gbps[1]).toBeGreaterThan(27)
    expect(gbps[2]).toBeGreaterThan(gbps[1]!)
  })

  it('is stopped at each of the links that it comes by', () => {
    const links = (topology.links as unknown[]).map((link) => {
      return link instanceof Object && 'a' in link && link.a === 's4'
        ? { ...link, rate: '2Gbps' }
        : link
    })
    const spec = specOf({
      topology: { ...topology, links },
      workload,
      fabric: above('4KB'),
      routing: 'packet-spray',
      hosts: plain,
      run: { until: '300us' },
    })
    const run = createRun(spec)
    runAudited(run, 50)
    const { usedBytesMax, stops } = switchesOf(run)
    let told = 0
    stops.each((node, _key, _full, links) => {
      if (run.network.graph.nodes[node]!.name === 's4') told = links.length
    })
    expect(told).toBe(3)
    const node = run.network.graph.nodes.findIndex(({ name }) => name === 's4')
    // Over the threshold: a packet that was on its way, or had begun, by each link; one in service.
    expect(usedBytesMax[node]).toBeLessThanOrEqual(4000 + 1000 + 3 * 2000 + 1000)
  })
})

describe('long flows on fixed paths', () => {
  /** A random tree of switches with a few links more, two hosts each, and rates at random. */
  function anyNetwork(random: Random): { tree: Tree; flows: FlowTree[] } {
    const switches = 4 + random.below(5)
    const rate = (): string => `${4 + random.below(17)}Gbps`
    const links = [
      ...upTo(switches - 1).map((i) => [`s${i + 1}`, `s${random.below(i + 1)}`]),
      ...upTo(3).map(() => {
        const a = random.below(switches)
        return [`s${a}`, `s${(a + 1 + random.below(switches - 1)) % switches}`]
      }),
      ...upTo(2 * switches).map((i) => [`h${i}`, `s${i >> 1}`]),
    ].map(([a, b]) => ({ a, b, rate: rate(), delay: `${50 + random.below(900)}ns` }))
    const hosts = 2 * switches
    const flows = upTo(hosts + 4).map(() => {
      const from = random.below(hosts)
      return { from: `h${from}`, to: `h${(from + 1 + random.below(hosts - 1)) % hosts}` }
    })
    return { tree: { topology: graphOf(links), routing: 'ecmp', seed: random.below(1000) }, flows }
  }

  it('get their max-min rates, whatever the network', () => {
    const random = new Random(7, 'networks')
    // A packet more or less of the slowest flow's hundred.
    let worst = 0
    for (let draw = 0; draw < 4; draw++) {
      const { tree, flows } = anyNetwork(random)
      const all = { ...tree, fabric: perFlow, hosts: plain, workload: [{ flows }] }
      const spec = specOf({ ...all, run: { until: '1ms' } })
      const run = createRun(spec)
      run.step(1e3)
      const { hosts, paths: store } = run.network
      const paths = hosts.flows.map((flow) => {
        return [...store.ports.subarray(flow!.path, flow!.path + store.lengthOf(flow!.path))]
      })
      const { ratesBps } = maxMin(payloadCapacities(spec, run.network), paths)
      ratesGbps(all, 1500).forEach((gbps, i) => {
        worst = Math.max(worst, Math.abs((gbps * 1e9) / ratesBps[i]! - 1))
      })
    }
    expect(worst).toBeLessThan(0.012)
  })
})

describe('every scheme that needs no other switch', () => {
  const others: readonly string[] = ['credits', 'input-buffered']
  const fit = schemes.filter(({ needs }) => !needs.some((need) => others.includes(need)))
  it.each(fit.map(({ name }) => name))('brings all over, and loses nothing, under %s', (name) => {
    const flows = [0, 1, 2, 3].map((i) => ({ from: `h${i}`, to: 'h5', size: '40KB' }))
    const back = { from: 'h5', to: 'h0', size: '30KB', start: '3us' }
    const spec = specOf({
      topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 3 },
      fabric: perFlow,
      workload: [{ flows: [...flows, back] }],
      scheme: name,
      run: { until: '20ms' },
    })
    const run = createRun(spec)
    runAudited(run, 211)
    const result = run.result()
    expect([result.ended.why, result.counters.packetsDropped]).toEqual(['completed', 0])
    expect(simulateTogether(spec, 2)).toEqual(result)
  })
})

describe('a flow whose own route comes back to a switch', () => {
  it('locks itself up, which is seen, and no other flow', () => {
    const fast = { a: 'h1', b: 's1', rate: '40Gbps' }
    const path = ['s1', 's2', 's3', 's1', 's4']
    const spec = specOf({
      topology: graphOf([fast, 'h2 s1', 's1 s2', 's2 s3', 's3 s1', 's1 s4', 's4 h0', 's4 h3']),
      fabric: perFlow,
      hosts: plain,
      workload: [
        {
          flows: [
            { from: 'h1', to: 'h0', size: '900KB', path },
            { from: 'h2', to: 'h3', size: '900KB', path: ['s1', 's4'] },
          ],
        },
      ],
      run: { until: '5ms' },
    })
    const { ended, flows } = simulate(spec)
    expect(ended).toMatchObject({ why: 'deadlock' })
    const cycle = ended.why === 'deadlock' ? [...ended.cycle].sort() : []
    expect(cycle).toEqual(['s1->s2', 's2->s3', 's3->s1'])
    expect(flows.deliveredBytes[0]).toBeLessThan(900_000)
    expect(flows.deliveredBytes[1]).toBe(900_000)
    expect(simulateTogether(spec, 2)).toEqual(simulate(spec))
  })
})

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}
