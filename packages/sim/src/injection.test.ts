import { ReactionPoint, watchDepartures } from '@weir/fabric'
import type { Fabric, FlowContext } from '@weir/fabric'
import { none } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { maxMin } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { createRun, simulate } from './run.ts'
import type { Run } from './run.ts'
import { audit } from './testing/audit.ts'
import { graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

describe('a shared queue in front of the link', () => {
  /** How long a packet of h1 waits behind a flow that h1 has sent at line rate for 100 us. */
  const waitPs = (from: string): number => {
    const { flows } = simulate(
      specOf({
        topology: graphOf(['h0 s0', 'h1 s0', 'h2 s0', 'h3 s0']),
        hosts: {
          mtu: '1000B',
          header: '0B',
          ack: 'none',
          injection: { kind: 'shared-fifo', packets: 100 },
        },
        workload: [
          {
            flows: [
              { from, to: 'h2' },
              { from: 'h1', to: 'h3', size: '1000B', start: '100us', name: 'late' },
            ],
          },
        ],
        run: { until: '400us' },
      }),
    )
    const row = flows.name.indexOf('late')
    return flows.fctPs[row]! - flows.idealFctPs[row]!
  }

  it('is left empty by one flow at line rate: the next comer waits for a packet or two', () => {
    expect(waitPs('h0')).toBe(0)
    expect(waitPs('h1')).toBeGreaterThan(0)
    expect(waitPs('h1')).toBeLessThanOrEqual(2 * 800_000)
  })

  it.each([
    ['past', 0, 0.8],
    // 64 packets take 51.2 us, of which 10 have gone, and the 3.6 on the way, when h1 answers.
    ['behind', 37.6, 37.6],
  ])('lets ACKs go %s the data that waits in it', (acks, leastUs, mostUs) => {
    const { flows } = simulate(
      specOf({
        topology: graphOf(['h0 s0', 'h1 s0', 'h2 s0']),
        fabric: { flowControl: 'none', buffer: '10MB' },
        hosts: {
          mtu: '1000B',
          header: '0B',
          ack: { size: '1B' },
          injection: { kind: 'shared-fifo', packets: 100, acks },
        },
        scheme: { name: 'tcp-reno', params: { initialWindow: 64 } },
        workload: [
          {
            flows: [
              { from: 'h1', to: 'h2', size: '64KB' },
              { from: 'h0', to: 'h1', size: '1000B', start: '10us', name: 'asked' },
            ],
          },
        ],
        run: { until: '1ms' },
      }),
    )
    const row = flows.name.indexOf('asked')
    const waitUs = (flows.fctPs[row]! - flows.idealFctPs[row]!) / 1e6
    expect(waitUs).toBeGreaterThanOrEqual(leastUs)
    expect(waitUs).toBeLessThanOrEqual(mostUs)
  })
})

it('what waits in shared queues is accounted for', () => {
  const run = createRun(
    specOf({
      topology: graphOf(['h0 s0', 'h1 s0', 'h2 s0']),
      fabric: { flowControl: 'pfc', classes: 2 },
      hosts: { mtu: '1000B', header: '0B', injection: { kind: 'shared-fifo', packets: 5 } },
      workload: [
        { flows: ['h0', 'h1'].map((from) => ({ from, to: 'h2', size: '200KB', class: 0 })) },
      ],
      run: { until: '400us' },
    }),
  )
  const held = (): number[] => {
    const of = [0, 0, 0]
    run.network.hosts.eachHeld((_packet, host, isOutgoing) => (of[host]! += isOutgoing ? 1 : 0))
    return of
  }
  const { fabric } = run.network
  run.step(10e6)
  // The first port is that of h0.
  fabric.setPaused(0, 0, true, 10e6)
  run.step(20e6)
  // One flow at line rate leaves its queue empty, but where it is stopped.
  expect(held()).toEqual([5, 0, 0])
  audit(run)
  fabric.setPaused(0, 0, false, 20e6)
  while (run.advance(500)) audit(run)
  expect(held()).toEqual([0, 0, 0])
})

describe('flows of one host whose rates differ', () => {
  // h0 sends to hosts with slower links; 10 + 5 + 2.5 + 2.5 would be too much for its 10 Gb/s.
  const rates = [10, 5, 2.5, 2.5, 1]
  const links = rates.map((rate, i) => ({ a: `h${i + 1}`, b: 's0', rate: `${rate}Gbps` }))
  const topology = graphOf(['h0 s0', ...links], { delay: '100ns' })
  const flows = rates.map((_, i) => ({ from: 'h0', to: `h${i + 1}` }))
  const { ratesBps } = maxMin(
    [10, ...rates].map((rate) => rate * 0.95),
    rates.map((_, i) => [0, i + 1]),
  )

  /** The most that a delivered rate is off max-min less alpha under ACCurate, as a fraction. */
  const worst = (hosts: Tree): number => {
    const bytesAt = (us: number): readonly number[] =>
      simulate(
        specOf({
          topology,
          fabric: { classes: 2, flowControl: 'none', buffer: '100MB' },
          hosts: { mtu: '256B', header: '0B', ack: 'none', ...hosts },
          workload: [{ flows }],
          scheme: 'accurate',
          run: { until: `${us}us` },
        }),
      ).flows.deliveredBytes
    const before = bytesAt(500)
    const errors = bytesAt(1500).map((bytes, i) => {
      const gbps = ((bytes - before[i]!) * 8) / 1e6
      return Math.abs(gbps / ratesBps[i]! - 1)
    })
    return Math.max(...errors)
  }

  it.each(['next-service-time', 'round-robin'])('get them, served by %s', (service) => {
    expect(worst({ service })).toBeLessThan(0.01)
  })

  it('do not by the letter of ACCurate: who was late stays late', () => {
    expect(worst({ burst: 0 })).toBeGreaterThan(0.02)
  })
})

/** Limits the flow to h1 to the first of these rates, that to h2 to the second, and so on. */
function limitedTo(ratesGbps: readonly number[]): Scheme {
  class Limited extends ReactionPoint {
    constructor(flow: FlowContext) {
      super()
      this.rateBps = ratesGbps[flow.target - 1]! * 1e9
    }
  }
  return {
    ...none,
    create: (values, context) => ({
      ...none.create(values, context),
      reaction: (flow) => new Limited(flow),
    }),
  }
}

describe('a limited flow that is stopped for a while', () => {
  it.each([0, 100])(
    'goes on at its rate: a wait is no credit, but for a packet or two',
    (ended) => {
      // Flows that its host had before are siblings that it waits for no more.
      const before = Array.from({ length: ended }, () => {
        return { from: 'h0', to: 'h2', class: 1, size: '1B' }
      })
      const run = createRun(
        specOf({
          topology: graphOf(['h0 s0', 'h1 s0', 'h2 s0']),
          fabric: { flowControl: 'pfc' },
          hosts: { mtu: '1000B', header: '0B', ack: 'none' },
          // The second goes on meanwhile: a run in which nothing moves is over.
          workload: [
            {
              flows: [
                { from: 'h0', to: 'h1', class: 0 },
                { from: 'h1', to: 'h2', class: 1 },
                ...before,
              ],
            },
          ],
          run: { until: '300us' },
        }),
        limitedTo([1, 1]),
      )
      const { fabric } = run.network
      run.step(100e6)
      fabric.setPaused(0, 0, true, 100e6)
      run.step(200e6)
      fabric.setPaused(0, 0, false, 200e6)
      while (run.advance(1e6)) continue
      // 8 us a packet, for 200 of 300 us: 25 packets, of which the last is not delivered.
      const packets = run.result().flows.deliveredBytes[0]! / 1000
      expect(packets).toBeGreaterThanOrEqual(24)
      expect(packets).toBeLessThanOrEqual(28)
    },
  )
})

describe('a host that is capped below its link', () => {
  /** Gb/s of h0's first flow, limited to 2.5, beside ten of 0.24 that are due at one time. */
  const firstGbps = (hosts: Tree): number => {
    const rates = [2.5, ...Array.from({ length: 10 }, () => 0.24)]
    const run = createRun(
      specOf({
        topology: graphOf(['h0 s0', ...rates.map((_, i) => `h${i + 1} s0`)], { rate: '100Gbps' }),
        fabric: { flowControl: 'none' },
        hosts: { mtu: '1000B', header: '0B', ack: 'none', rateCap: '5Gbps', ...hosts },
        workload: [{ flows: rates.map((_, i) => ({ from: 'h0', to: `h${i + 1}` })) }],
        run: { until: '2ms' },
      }),
      limitedTo(rates),
    )
    while (run.advance(1e6)) continue
    return (run.result().flows.deliveredBytes[0]! * 8) / 2e-3 / 1e9
  }

  it('lets a flow catch up what it waits for siblings, a packet of each, at its cap', () => {
    expect(firstGbps({})).toBeGreaterThan(2.49)
    // By the letter of ACCurate, who was late stays late.
    expect(firstGbps({ burst: 0 })).toBeLessThan(2.4)
  })
})

describe('the classes of a host', () => {
  const topology = graphOf(['h0 s0', 'h1 s0', 'h2 s0'])

  /** Packets of h0's flows to h1 and h2, limited to these rates and of these classes, in 1 ms. */
  const packets = (
    injection: unknown,
    rates: readonly number[],
    classes: readonly number[],
    size: Tree = {},
  ): number[] => {
    const run = createRun(
      specOf({
        topology,
        fabric: { classes: 2, flowControl: 'none' },
        hosts: { mtu: '1000B', header: '0B', ack: 'none', injection },
        workload: [
          {
            flows: [
              { from: 'h0', to: 'h1', class: classes[0] },
              { from: 'h0', to: 'h2', class: classes[1], ...size },
            ],
          },
        ],
        run: { until: '1ms' },
      }),
      limitedTo(rates),
    )
    while (run.advance(1e6)) continue
    return run.result().flows.deliveredBytes.map((bytes) => bytes / 1000)
  }

  describe.each<[string, unknown]>([
    ['queues of their own', 'per-flow'],
    ['a shared one', { kind: 'shared-fifo', packets: 3 }],
  ])('with %s', (_, injection) => {
    it.each([
      [0, 1],
      [1, 0],
    ])('have the rates of their flows, however seldom the other is due (%i, %i)', (fast, slow) => {
      // A packet each 8 and each 80 us, the first at once; what leaves late does not count.
      expect(packets(injection, [1, 0.1], [fast, slow])).toEqual([125, 13])
    })

    it.each([
      [0, 1],
      [1, 0],
    ])('go on when the other has nothing left (%i, %i)', (long, short) => {
      expect(packets(injection, [1, 1], [long, short], { size: '2KB' })).toEqual([125, 2])
    })
  })

  it.each<[string, (fabric: Fabric) => void]>([
    ['somebody watches what leaves', (fabric) => watchDepartures(fabric, 0)],
    ['a third one is stopped', (fabric) => fabric.setPaused(0, 2, true, 0)],
  ])('take turns by their weights, also where %s', (_, slowDown) => {
    const spec = specOf({
      topology,
      fabric: {
        classes: 3,
        flowControl: 'none',
        scheduler: { kind: 'weighted-round-robin', weights: [1, 4, 1] },
      },
      hosts: { mtu: '1000B', header: '0B', ack: 'none' },
      workload: [{ flows: [0, 1].map((c) => ({ from: 'h0', to: 'h1', size: '40KB', class: c })) }],
      run: { until: '1ms' },
    })
    const ends = (run: Run): readonly number[] => {
      while (run.advance(1e6)) continue
      return run.result().flows.endPs
    }
    const slow = createRun(spec)
    // The first port is that of h0, which has an event for each packet now.
    slowDown(slow.network.fabric)
    const [low, high] = ends(slow)
    expect([low, high]).toEqual(ends(createRun(spec)))
    // 80 packets, of which the high class has four of each five until it has none.
    expect(low! / 1e6).toBeCloseTo(80 * 0.8 + 0.8 + 2, 0)
    expect(high! / 1e6).toBeLessThan((50 + 4) * 0.8 + 0.8 + 2)
  })
})

describe('a host whose class is stopped', () => {
  it.each(['pfc', 'credits'])('keeps its packets, and others go, with %s', (kind) => {
    const links = ['h0 s0', { a: 's0', b: 'h1', rate: '100Mbps', delay: '1us' }, 's0 h2']
    const run = createRun(
      specOf({
        topology: graphOf(links),
        fabric: {
          classes: 2,
          ...(kind === 'pfc' && { flowControl: { kind, xoff: '5KB' } }),
          ...(kind === 'credits' && {
            switch: 'input-buffered',
            flowControl: kind,
            buffer: '20KB',
          }),
        },
        hosts: { ack: 'none' },
        workload: [
          {
            flows: [
              { from: 'h0', to: 'h1', size: '200KB', class: 0 },
              { from: 'h0', to: 'h2', size: '200KB', class: 1, start: '20us' },
            ],
          },
        ],
        run: { until: '1ms' },
      }),
    )
    while (run.advance(1e6)) continue
    const { flows, ports } = run.result()
    expect([flows.endPs[0], flows.endPs[1]! < 300e6]).toEqual([NaN, true])
    // The packet that is being sent, and no other: a port holds what its NIC has given away.
    expect(ports.queueBytesMax[ports.name.indexOf('h0->s0')]).toBe(1048)
  })
})
