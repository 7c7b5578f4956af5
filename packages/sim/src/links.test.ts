/** Links that die, come back, change their rate or have errors, under every scheme. */
import { schemes } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { createRun, simulate as simulateAlone } from './run.ts'
import { printSpec } from './spec/print.ts'
import { loadSpec } from './spec/load.ts'
import { audit } from './testing/audit.ts'
import { specOf, type Tree } from './testing/specs.ts'
import { simulateTogether } from './testing/together.ts'

const US = 1e6

function simulate(tree: Tree): Result {
  const run = createRun(specOf(tree))
  while (run.advance(2000)) audit(run)
  return run.result()
}

/** Two leaves, two spines: a flow from h0 to h2 has two ways. */
const CLOS = {
  kind: 'leaf-spine',
  leaves: 2,
  spines: 2,
  hostsPerLeaf: 2,
  hostRate: '10Gbps',
  fabricRate: '10Gbps',
}
const DEATH = [
  { between: ['leaf0', 'spine0'], at: '50us', state: 'down' },
  { between: ['leaf0', 'spine0'], at: '400us', state: 'up' },
]
const FOUR = [
  {
    flows: ['leaf0.h0 leaf1.h0', 'leaf0.h1 leaf1.h1', 'leaf1.h0 leaf0.h1', 'leaf1.h1 leaf0.h0'].map(
      (ends) => ({ from: ends.split(' ')[0], to: ends.split(' ')[1], size: '400KB' }),
    ),
  },
]

const FABRICS: Readonly<Record<string, Tree>> = {
  lossy: { flowControl: 'none' },
  pfc: { flowControl: 'pfc' },
  pause: { flowControl: 'pause' },
  credits: { switch: 'input-buffered', flowControl: 'credits', buffer: '64KB' },
  'input buffers and PAUSE': {
    switch: 'input-buffered',
    flowControl: { kind: 'pause', xoff: '20KB' },
    buffer: '256KB',
  },
  'per-flow queues': { switch: 'per-flow-queues' },
}

describe('a link that dies and comes back', () => {
  for (const { name, needs } of schemes) {
    for (const [kind, fabric] of Object.entries(FABRICS)) {
      if (needs.includes('verdicts') && kind === 'credits') continue
      if (needs.includes('input-buffered') && kind !== 'credits') continue
      if (needs.includes('credits') && kind !== 'credits') continue
      if (needs.includes('lossless') && kind === 'lossy') continue
      it(`is survived by ${name} on a fabric with ${kind}`, () => {
        const result = simulate({
          topology: CLOS,
          fabric,
          scheme: name,
          links: { detection: '100us', changes: DEATH },
          workload: FOUR,
          // TCP's timeouts are of a second.
          run: { until: '10s' },
        })
        expect(result.counters.packetsLost).toBeGreaterThan(0)
        expect(result.ended).toEqual({ why: 'completed' })
        const { counters, ports } = result
        expect(ports.packetsLost.reduce((sum, n) => sum + n, 0)).toBe(counters.packetsLost)
        // What was lost was lost on that link, and nowhere else.
        ports.name.forEach((port, i) => {
          if (!/^(leaf0->spine0|spine0->leaf0)$/.test(port)) expect(ports.packetsLost[i]).toBe(0)
        })
      })
    }
  }

  it('leaves Homa what was granted and not sent when a timeout comes early', () => {
    const result = simulate({
      topology: CLOS,
      seed: 1,
      fabric: FABRICS['input buffers and PAUSE'],
      scheme: 'homa',
      links: {
        detection: '100us',
        changes: [
          { between: ['leaf0', 'spine0'], at: '95us', state: 'down' },
          { between: ['leaf0', 'spine0'], at: '845us', state: 'up' },
        ],
      },
      workload: [
        {
          flows: [
            ...[
              ['leaf1.h0', 'leaf1.h1', 182, 84],
              ['leaf1.h1', 'leaf1.h0', 215, 47],
            ],
            ...[
              ['leaf1.h1', 'leaf1.h0', 147, 88],
              ['leaf1.h0', 'leaf0.h0', 304, 18],
            ],
            ...[
              ['leaf0.h1', 'leaf1.h1', 379, 20],
              ['leaf1.h1', 'leaf0.h0', 231, 55],
            ],
            ...[
              ['leaf0.h0', 'leaf1.h0', 273, 22],
              ['leaf0.h0', 'leaf1.h0', 133, 34],
            ],
            ['leaf0.h0', 'leaf1.h1', 500, 0],
          ].map(([from, to, kb, us]) => ({ from, to, size: `${kb}KB`, start: `${us}us` })),
        },
      ],
      run: { until: '1s' },
    })
    expect(result.counters.retransmittedPackets).toBeGreaterThan(0)
    expect(result.ended).toEqual({ why: 'completed' })
  })

  it('loses what is on it, to the packet', () => {
    // 1,048 B at 10 Gb/s are 838.4 ns; the link is 10 us long.
    const result = simulate({
      topology: {
        kind: 'graph',
        hosts: ['h0', 'h1'],
        switches: ['s'],
        rate: '10Gbps',
        delay: '10us',
        links: ['h0 s', 'h1 s'],
      },
      fabric: { flowControl: 'pfc' },
      hosts: { reliability: 'none' },
      links: {
        changes: [
          { between: ['h0', 's'], at: '20us', state: 'down' },
          { between: ['h0', 's'], at: '20.5us', state: 'up' },
        ],
      },
      workload: [{ flows: [{ from: 'h0', to: 'h1', size: '100KB' }] }],
      run: { until: '1ms' },
    })
    // Those that began before 20.5 us and were to arrive after 20 us: numbers 11 to 24.
    const began = Math.floor(20.5 / 0.8384)
    const arrived = Math.floor(10 / 0.8384)
    expect(result.counters.packetsLost).toBe(began - arrived + 1)
    expect(result.summary.flowsEnded).toBe(0)
  })

  it('is not taken once it is known to be dead, and is taken again when it is back', () => {
    const spec = specOf({
      topology: CLOS,
      links: { detection: '100us', changes: DEATH },
      workload: FOUR,
      run: { until: '100ms' },
    })
    const run = createRun(spec)
    const paths = (): number[] => run.network.hosts.flows.map((flow) => flow?.path ?? -1)
    run.step(140 * US)
    const before = paths()
    run.step(200 * US)
    const during = paths()
    run.step(600 * US)
    const after = paths()
    expect(during).not.toEqual(before)
    const { paths: store } = run.network
    const dead = run.network.graph.links.findIndex(
      ({ a, b }) =>
        [a, b].map((node) => run.network.graph.nodes[node]!.name).join() === 'leaf0,spine0' ||
        [a, b].map((node) => run.network.graph.nodes[node]!.name).join() === 'spine0,leaf0',
    )
    const uses = (path: number): boolean =>
      path >= 0 &&
      Array.from(store.ports.subarray(path, path + store.lengthOf(path))).some(
        (port) => port >> 1 === dead,
      )
    expect(before.some(uses)).toBe(true)
    expect(during.some(uses)).toBe(false)
    after.forEach((path, i) => {
      if (path >= 0) expect(path).toBe(before[i])
    })
  })

  it('names the flows that it cuts off for good', () => {
    const result = simulate({
      topology: CLOS,
      links: { changes: [{ between: ['leaf0.h0', 'leaf0'], at: '50us', state: 'down' }] },
      workload: FOUR,
      run: { until: '5ms' },
    })
    expect(result.ended.why).toBe('time')
    expect(result.summary.flowsUnfinished).toBe(2)
  })
})

describe('a link with errors', () => {
  const noisy = (errors: number | undefined, more: Tree = {}): Tree => ({
    topology: CLOS,
    ...(errors !== undefined && { links: { changes: [{ between: ['leaf0', 'spine0'], errors }] } }),
    workload: FOUR,
    run: { until: '200ms' },
    ...more,
  })

  it('loses packets by their length, and the flows end', () => {
    const result = simulate(noisy(1e-5))
    const { counters } = result
    expect(result.ended).toEqual({ why: 'completed' })
    // 8,384 bits of a data packet: 8 % of those that pass.
    expect(counters.packetsLost).toBeGreaterThan(20)
    const port = result.ports.name.indexOf('leaf0->spine0')
    expect(result.ports.packetsLost[port]).toBeGreaterThan(10)
  })

  it('without errors is as if it had none', () => {
    const rto = { rto: '1ms' }
    const { fingerprint } = simulate(noisy(undefined, { hosts: rto }))
    expect(simulate(noisy(0, { hosts: rto })).fingerprint).toBe(fingerprint)
  })

  it('does not stop a class for ever when XON is lost', () => {
    const tree = (pauseTime: string): Tree => ({
      topology: { kind: 'star', hosts: 5, rate: '10Gbps', delay: '1us' },
      // Frames as long as data: one in twelve is lost.
      fabric: { flowControl: { kind: 'pfc', xoff: '20KB', frame: '1000B' } },
      hosts: { reliability: 'selective-repeat' },
      links: {
        pauseTime,
        changes: [1, 2, 3, 4].map((i) => ({ between: [`h${i}`, 'switch'], errors: 1e-5 })),
      },
      workload: [{ flows: [1, 2, 3, 4].map((i) => ({ from: `h${i}`, to: 'h0', size: '1MB' })) }],
      run: { until: '2s' },
    })
    // Not audited: where an XOFF is lost, so is what comes after it.
    const endOf = (pauseTime: string): Result['ended'] =>
      simulateAlone(specOf(tree(pauseTime))).ended
    expect(endOf('none').why).not.toBe('completed')
    expect(endOf('200us')).toEqual({ why: 'completed' })
  })
})

describe('a link that becomes slower', () => {
  it('has that rate for all who ask, in both directions', () => {
    const changes = [{ between: ['h1', 'switch'], at: '10us', rate: '4Gbps' }]
    const run = createRun(
      specOf({
        topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '1us' },
        links: { changes },
        workload: [{ flows: [{ from: 'h0', to: 'h1', size: '100KB' }] }],
      }),
    )
    run.step(20 * US)
    const { psPerByte, rateBps } = run.network.fabric.ports
    expect([...rateBps]).toEqual([10e9, 10e9, 4e9, 4e9])
    expect([...psPerByte]).toEqual([800, 800, 2000, 2000])
  })

  it('sends what begins after that at the new rate', () => {
    const tree = (changes: Tree[]): Tree => ({
      topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '1us' },
      ...(changes.length > 0 && { links: { changes } }),
      hosts: { rto: 'none' },
      workload: [{ flows: [{ from: 'h0', to: 'h1', size: '1MB' }] }],
      run: { until: '50ms' },
    })
    const fctOf = (changes: Tree[]): number => simulate(tree(changes)).summary.fctPsMean
    const fast = fctOf([])
    const half = fctOf([{ between: ['h1', 'switch'], at: '0us', rate: '5Gbps' }])
    expect(half / fast).toBeCloseTo(2, 1)
    const late = fctOf([{ between: ['h1', 'switch'], at: '400us', rate: '5Gbps' }])
    // 400 us at full rate and the rest at half.
    expect(late).toBeCloseTo(400 * US + (fast - 400 * US) * 2, -7)
    const back = fctOf([
      { between: ['h1', 'switch'], at: '0us', rate: '5Gbps' },
      { between: ['h1', 'switch'], at: '400us', rate: '10Gbps' },
    ])
    expect(back).toBeCloseTo(400 * US + (fast - 200 * US), -7)
  })
})

describe('links that change', () => {
  const changing = (kind: string): Tree => ({
    topology: { kind: 'fat-tree', k: 4, rate: '10Gbps', delay: '1us' },
    fabric: { flowControl: kind },
    scheme: 'dcqcn',
    links: {
      detection: '50us',
      pauseTime: '100us',
      changes: [
        { between: ['pod0.edge0', 'pod0.agg0'], at: '30us', state: 'down' },
        { between: ['pod0.edge0', 'pod0.agg0'], at: '300us', state: 'up' },
        { between: ['pod1.agg0', 'core0'], at: '20us', rate: '2Gbps' },
        { between: ['pod1.agg0', 'core1'], errors: 1e-6 },
      ],
    },
    workload: [{ permutation: { size: '200KB' } }],
    run: { until: '20ms' },
  })

  it.each(['pfc', 'none'])('give the same result in 1, 2 and 3 threads, with %s', (kind) => {
    const spec = specOf({
      ...changing(kind),
      workload: [
        {
          flows: Array.from({ length: 16 }, (_, i) => ({
            from: `h${i}`,
            to: `h${(i + 5) % 16}`,
            size: '200KB',
          })),
        },
      ],
    })
    const alone = JSON.stringify(simulateTogether(spec, 1))
    expect(JSON.stringify(simulateTogether(spec, 2))).toBe(alone)
    expect(JSON.stringify(simulateTogether(spec, 3))).toBe(alone)
  })

  it('are printed as they can be read again', () => {
    const spec = specOf({ topology: CLOS, links: { changes: DEATH }, workload: FOUR })
    expect(loadSpec({ text: printSpec(spec) })).toEqual(spec)
  })

  const refused = (links: unknown, sentence: RegExp): void =>
    expect(() => specOf({ topology: CLOS, links, workload: FOUR } as Tree)).toThrow(sentence)

  it('are refused where they say nothing that can be done', () => {
    refused({ changes: [{ between: ['leaf0', 'spine0'] }] }, /it changes nothing/)
    refused({ changes: [{ between: ['leaf0'], state: 'down' }] }, /a link has two ends/)
    refused({ changes: [{ between: ['leaf0', 'leaf1'], state: 'down' }] }, /there is no link/)
    refused({ changes: [{ between: ['leaf0', 'spin0'], state: 'down' }] }, /did you mean "spine0"/)
    refused({ changes: [{ between: ['leaf0', 'spine0'], errors: 2 }] }, /errors/)
  })
})
