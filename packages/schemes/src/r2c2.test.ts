import type { Run } from '@weir/sim'
import { createRun, validateSpec } from '@weir/sim'
import { conforms } from '@weir/sim/testing'
import { Cube, hopSpraying, fractionsOf, ShortestWays, waterFill } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { RackHost } from './r2c2/node.ts'
import { r2c2 } from './r2c2.ts'

conforms(r2c2, {
  // What 16 flows put into the network in their first rho drains through the headroom alone.
  bounds: {
    utilisation: 0.93,
    jain: 0.98,
    source: 'SIGCOMM 2015, section 3.3: max-min rates of 95% of the link',
  },
})

const US = 1e6
const SIDE = 4

/** A 4 x 4 torus, without ACKs unless told. */
function torus(flows: readonly object[], more: object = {}, params: object = {}): Run {
  return createRun(
    validateSpec({
      topology: {
        kind: 'torus',
        dimensions: [SIDE, SIDE],
        rate: '10Gbps',
        delay: '100ns',
        injectionRate: '40Gbps',
      },
      fabric: { flowControl: 'none', ecn: 'none' },
      hosts: { ack: 'none', reliability: 'none' },
      routing: 'packet-spray',
      workload: [{ flows }],
      scheme: { name: 'r2c2', params },
      run: { until: '3ms' },
      metrics: { interval: 'none' },
      ...more,
    }),
  )
}

function views(run: Run): string[] {
  const hosts = run.network.fabric.agents.of.filter((agent) => agent instanceof RackHost)
  expect(hosts).toHaveLength(SIDE * SIDE)
  return hosts.map(({ matrix }) => matrix.toString())
}

const ENDLESS = [
  { from: 'h0', to: 'h5' },
  { from: 'h1', to: 'h5', weight: 2 },
  { from: 'h10', to: 'h7' },
]

describe('r2c2', () => {
  it('tells every node of every flow within two microseconds, over 15 links of 16 B', () => {
    const run = torus(ENDLESS, {}, { digests: false })
    run.step(2 * US)
    const [first, ...others] = views(run)
    expect(first!.split('\n')).toHaveLength(3)
    for (const other of others) expect(other).toBe(first)
    run.step(3000 * US)
    expect(run.result().counters.agentBytesInner).toBe(3 * 15 * 16)
  })

  it('forgets a flow everywhere when it has sent its last byte', () => {
    const run = torus([{ from: 'h0', to: 'h5', size: '10KB' }, ENDLESS[2]!])
    run.step(20 * US)
    for (const view of views(run)) expect(view.split('\n')).toHaveLength(1)
  })

  it('gives flows the rates of water-filling once they are rho old, and paths before', () => {
    const run = torus(ENDLESS)
    const cube = new Cube([SIDE, SIDE])
    const routing = hopSpraying(new ShortestWays(cube))
    const flows = [
      [0, 5],
      [1, 5],
      [10, 7],
    ].map(([from, to], i) => {
      const { links, fractions } = fractionsOf(routing, cube, from!, to!)
      return { links: [...links], fractions: [...fractions], weight: i === 1 ? 2 : 1 }
    })
    const capacities = new Float64Array(cube.count).fill(10e9)
    const expected = waterFill(capacities, flows, 0.05).ratesBps
    const rates = (): number[] => run.network.hosts.flows.map((flow) => flow!.reaction.rateBps)
    run.step(400 * US)
    flows.forEach(({ fractions }, i) => {
      expect(rates()[i]).toBeCloseTo(10e9 / Math.max(...fractions), 0)
    })
    run.step(1100 * US)
    expected.forEach((bps, i) => expect(rates()[i]! / bps).toBeCloseTo(1, 9))
  })

  it('leaves a flow alone that is not rho old, and computes the others without it', () => {
    const [old] = ENDLESS
    const run = torus([
      { ...old, name: 'old' },
      { ...old, name: 'young', start: '700us' },
    ])
    const gbps = (): number[] => run.network.hosts.flows.map((flow) => flow!.reaction.rateBps / 1e9)
    run.step(1100 * US)
    expect(gbps()).toEqual([19, 20])
    run.step(1600 * US)
    expect(gbps()).toEqual([9.5, 9.5])
  })

  it('computes once for all nodes that know the same flows', () => {
    const run = torus(ENDLESS)
    run.step(2600 * US)
    const hosts = run.network.fabric.agents.of.filter((agent) => agent instanceof RackHost)
    const asked = hosts.reduce((sum, { counters }) => sum + counters.computations, 0)
    // Three senders, at 0.5, 1, 1.5, 2 and 2.5 ms.
    expect(asked).toBe(15)
    expect(hosts[0]!.world.rates.computed).toBe(1)
  })

  it('lets the central controller set the rates that nodes would compute', () => {
    const run = torus(ENDLESS, {}, { control: 'central' })
    run.step(50 * US)
    const rates = run.network.hosts.flows.map((flow) => flow!.reaction.rateBps)
    const other = torus(ENDLESS)
    other.step(1100 * US)
    other.network.hosts.flows.forEach((flow, i) => expect(rates[i]).toBe(flow!.reaction.rateBps))
  })
})

describe('what flows of r2c2 leave that their host holds up', () => {
  /** One host has 6 Gb/s for four flows; three of them share a link with one of another host. */
  function otherGbps(rateCap: object, fromMs: number): number[] {
    const line = { kind: 'mesh', dimensions: [3], rate: '10Gbps', delay: '100ns' }
    const flows = ['h0', 'h2', 'h2', 'h2'].map((to) => ({ from: 'h1', to }))
    const run = torus([...flows, { from: 'h0', to: 'h2' }], {
      topology: { ...line, injectionRate: '20Gbps' },
      hosts: { ack: 'none', reliability: 'none', ...rateCap },
      run: { until: '12ms' },
    })
    return Array.from({ length: 2 * (12 - fromMs) }, (_, i) => {
      run.step((fromMs + i / 2) * 1000 * US)
      return run.network.hosts.flows.at(-1)!.reaction.rateBps / 1e9
    })
  }

  it('is another one’s, for as long as it is left', () => {
    for (const gbps of otherGbps({}, 2)) expect(gbps).toBeCloseTo(9.5 / 4, 6)
    // Each of the three can use 1.5, and has a tenth more: 9.5 - 3 x 1.65.
    const rateCap = { rateCap: { send: '6Gbps', take: 'none' } }
    for (const gbps of otherGbps(rateCap, 2)) expect(Math.abs(gbps - 4.55)).toBeLessThan(0.05)
  })
})

describe('a flow of r2c2, and what is told of it', () => {
  it('shows its rate, and which routing it has', () => {
    const run = torus(ENDLESS)
    run.step(1100 * US)
    for (const flow of run.network.hosts.flows) {
      const { reaction } = flow!
      expect([reaction.observe(0), reaction.observe(1)]).toEqual([reaction.rateBps, 0])
      expect(reaction.rateBps).toBeGreaterThan(1e9)
    }
  })

  it('is a message to the controller, and one with its rate from there', () => {
    // h1, n1, n0, h0 and back: 16 B for the start, 12 + 4 B for the rate, by three links each.
    const run = torus([{ from: 'h1', to: 'h5' }], {}, { control: 'central' })
    run.step(50 * US)
    const { agentBytes, agentPackets } = run.result().counters
    expect([agentPackets, agentBytes]).toEqual([6, 3 * (16 + 16)])
    // Two flows of one node have one message, with a rate each.
    const two = torus([ENDLESS[1]!, { from: 'h1', to: 'h5' }], {}, { control: 'central' })
    two.step(50 * US)
    expect(two.result().counters.agentBytes).toBe(3 * (16 + 16) + 3 * (16 + 16 + 4))
  })

  it('keeps no list of changes that nobody takes', () => {
    const run = torus(ENDLESS)
    run.step(20 * US)
    const hosts = run.network.fabric.agents.of.filter((agent) => agent instanceof RackHost)
    expect(hosts.map(({ matrix }) => matrix.changed)).toEqual(hosts.map(() => undefined))
  })

  it('is heard of by all at a switch with more links than a word has bits', () => {
    const topology = { kind: 'star', hosts: 70, rate: '10Gbps', delay: '100ns' }
    const run = torus([{ from: 'h3', to: 'h40' }], { topology, routing: 'shortest-path' })
    run.step(5 * US)
    const hosts = run.network.fabric.agents.of.filter((agent) => agent instanceof RackHost)
    const known = hosts.map(({ matrix }) => matrix.toString())
    expect(known[0]).not.toBe('')
    expect(known).toEqual(new Array(70).fill(known[0]))
  })
})

/** Every link of the torus, as `links:` names it. */
const LINKS = Array.from({ length: SIDE * SIDE }, (_, n) => [
  n % SIDE,
  Math.floor(n / SIDE),
]).flatMap(([x, y]) => [
  [`n${x}.${y}`, `n${(x! + 1) % SIDE}.${y}`],
  [`n${x}.${y}`, `n${x}.${(y! + 1) % SIDE}`],
])

describe('r2c2, when broadcasts are lost', () => {
  /** Of 16 B one in twenty is lost on each link; data has packets of 100 B and is repeated. */
  const errors = 1 - 0.95 ** (1 / 128)
  const lossy = (params: object): Run =>
    torus(
      Array.from({ length: 60 }, (_, i) => ({
        from: `h${(7 * i) % 16}`,
        to: `h${(7 * i + 3 + (i % 9)) % 16}`,
        size: i % 3 === 0 ? '40KB' : '2KB',
        start: `${i * 10}us`,
      })),
      {
        hosts: {
          mtu: '60B',
          header: '40B',
          ack: { every: 1, size: '40B' },
          reliability: 'unordered',
        },
        links: {
          changes: LINKS.flatMap((between) => [
            { between, at: '0us', errors },
            { between, at: '1ms', errors: 0 },
          ]),
        },
        run: { until: '20ms' },
      },
      params,
    )

  it('nodes agree again within two digests of the last loss, and every flow ends', () => {
    const run = lossy({ digestPeriod: '500us' })
    let agreedPs = NaN
    for (let us = 1000; us <= 4000; us += 20) {
      run.step(us * US)
      const isOne = new Set(views(run)).size === 1
      if (!isOne) agreedPs = NaN
      else if (Number.isNaN(agreedPs)) agreedPs = us * US
    }
    expect(agreedPs).toBeLessThanOrEqual(2000 * US)
    while (run.advance(1e6)) continue
    const { counters, ended } = run.result()
    expect(ended).toEqual({ why: 'completed' })
    expect(counters.packetsLost).toBeGreaterThan(500)
  })

  it('without digests they need not', () => {
    const run = lossy({ digests: false })
    run.step(4000 * US)
    expect(new Set(views(run)).size).toBeGreaterThan(1)
  })
})

describe('r2c2, when a link dies', () => {
  it('announces all flows anew on what is left, and gives them other rates', () => {
    const death = { between: ['n0.0', 'n0.1'], at: '1200us', state: 'down' }
    const run = torus(
      ENDLESS,
      { links: { detection: '50us', changes: [death] } },
      { digests: false },
    )
    run.step(1200 * US)
    const before = run.network.hosts.flows.map((flow) => flow!.reaction.rateBps)
    const { agentBytesInner } = run.result().counters
    run.step(1260 * US)
    expect(new Set(views(run)).size).toBe(1)
    expect(run.result().counters.agentBytesInner - agentBytesInner).toBe(3 * 15 * 16)
    run.step(1600 * US)
    const after = run.network.hosts.flows.map((flow) => flow!.reaction.rateBps)
    // h0 had half its way by n0.1, whose link to n1.1 h1 used with twice its weight: 3.8 and 7.6
    // Gb/s. Now it has the other way alone, and h1 its link; the third flow is as it was.
    expect(before[0]! / 1e9).toBeCloseTo(3.8, 9)
    expect(after[0]! / 1e9).toBeCloseTo(9.5, 9)
    expect(after[1]! / 1e9).toBeCloseTo(9.5, 9)
    expect(after[2]).toBe(before[2])
  })
})
