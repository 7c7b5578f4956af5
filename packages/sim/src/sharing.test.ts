import { Random } from '@weir/engine'
import { maxMin } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { graphOf, specOf } from './testing/index.ts'
import type { FlowTree, Tree } from './testing/index.ts'

/**
 * Payload that each long flow brings over, in Gb/s, over the later part of a millisecond or more.
 */
function ratesGbps(tree: Tree, flows: readonly FlowTree[], untilUs = 2000): number[] {
  const run = (us: number): readonly number[] =>
    simulate(specOf({ workload: [{ flows }], ...tree, run: { until: `${us}us` } })).flows
      .deliveredBytes
  const fromUs = untilUs / 4
  const before = run(fromUs)
  return run(untilUs).map((bytes, i) => ((bytes - before[i]!) * 8) / (untilUs - fromUs) / 1000)
}

function expectRates(measured: readonly number[], expected: readonly number[]): void {
  expect(measured).toHaveLength(expected.length)
  measured.forEach((rate, i) => expect(rate / expected[i]!).toBeCloseTo(1, 1.7))
}

const byCredits = (inputQueue: 'fifo' | 'voq'): Tree => ({
  switch: 'input-buffered',
  buffer: { size: '64KB', inputQueue },
  flowControl: 'credits',
  classes: 2,
})
const hosts = { header: '0B', ack: { every: 1, size: '20B', class: 'control' } }

describe('round robin between the inputs of an output', () => {
  it.each(['fifo', 'voq'] as const)('gives max-min rates on one bottleneck (%s)', (queue) => {
    // One sender cannot use its share; the others divide what it leaves.
    const topology = graphOf([
      { a: 'h1', b: 's0', rate: '1Gbps', delay: '1us' },
      'h2 s0',
      'h3 s0',
      's0 s1',
      's1 h0',
    ])
    const flows = ['h1', 'h2', 'h3'].map((from) => ({ from, to: 'h0' }))
    const { ratesBps } = maxMin(
      [1, 10, 10, 10, 10],
      [
        [0, 3, 4],
        [1, 3, 4],
        [2, 3, 4],
      ],
    )
    const measured = ratesGbps({ topology, fabric: byCredits(queue), hosts }, flows)
    expectRates(measured, Array.from(ratesBps))
    expectRates(measured, [1, 4.5, 4.5])
  })

  it.each(['fifo', 'voq'] as const)('halves at each merge of a parking lot (%s)', (queue) => {
    const topology = graphOf(['h1 s1', 'h2 s1', 'h3 s2', 'h4 s3', 's1 s2', 's2 s3', 's3 h0'])
    const flows = ['h1', 'h2', 'h3', 'h4'].map((from) => ({ from, to: 'h0' }))
    const measured = ratesGbps({ topology, fabric: byCredits(queue), hosts }, flows)
    expectRates(measured, [10 / 8, 10 / 8, 10 / 4, 10 / 2])
  })

  it.each(['fifo', 'voq'] as const)(
    'lets no victim past a full buffer of its class (%s)',
    (queue) => {
      // h1 sends to h3, which h2 sends to as well, and to h4, which nobody else wants.
      const topology = graphOf([
        'h1 s1',
        'h2 s2',
        's1 s2',
        { a: 's2', b: 'h3', rate: '2Gbps' },
        's2 h4',
      ])
      const flows = [
        { from: 'h1', to: 'h3' },
        { from: 'h2', to: 'h3' },
        { from: 'h1', to: 'h4' },
      ]
      // VOQ or not, packets for h3 come to hold all credits of s1's link: the victim then gets one
      // for each packet that h3 takes.
      expectRates(ratesGbps({ topology, fabric: byCredits(queue), hosts }, flows), [1, 1, 1])
    },
  )
})

describe('a 2 x 2 switch, all its packets drawn to either output', () => {
  // Slots of one packet; 16 of them fit in a buffer, and the links into the switch are faster, so
  // that a buffer is full again by the next slot.
  const SLOTS = 5000
  const topology = graphOf(
    [{ a: 'h0', b: 's0', rate: '40Gbps' }, { a: 'h1', b: 's0', rate: '40Gbps' }, 's0 h2', 's0 h3'],
    { delay: '0us' },
  )
  const carried = (inputQueue: 'fifo' | 'voq'): number => {
    const random = new Random(1, 'destinations')
    const flows = Array.from({ length: 2 * SLOTS }, (_, i) => ({
      from: `h${i % 2}`,
      to: `h${2 + random.below(2)}`,
      size: '1000B',
    }))
    const fabric = { ...byCredits(inputQueue), buffer: { size: '16KB', inputQueue } }
    const hosts = { mtu: '1000B', header: '0B', ack: 'none' }
    const run = { until: `${0.8 * SLOTS}us` }
    const result = simulate(specOf({ topology, fabric, hosts, workload: [{ flows }], run }))
    return result.flows.deliveredBytes.reduce((sum, bytes) => sum + bytes, 0) / 1000 / 2 / SLOTS
  }
  // Three standard deviations over so many slots.
  const TOLERANCE = 0.015

  it('carries 5/6 by FIFOs', () => {
    // As in Karol, Hluchyj and Morgan, 1987, but that the packet behind one in service may go to
    // the other output in the same slot. Both heads wait for one output (S), or for one each (D).
    // From S, one packet goes; the next head wants the idle output with 1/2, goes as well, and the
    // head behind it leaves S with 1/2. From D two go, and either state follows. So S has 2/3 of
    // the slots, with 3/2 packets each, and D 1/3 with 2: 5/3 of 2.
    expect(Math.abs(carried('fifo') - 5 / 6)).toBeLessThan(TOLERANCE)
  })

  it('carries all but 1/(2K) by virtual output queues, of K packets that wait', () => {
    // The packets for one output do a random walk between 0 and K, with steps -1 and 1 at 1/4 each
    // inside and half that weight at either end: one output idles in 1/K of the slots. Two of the
    // 32 places are on their way back.
    const K = 2 * 16 - 2
    expect(Math.abs(carried('voq') - (1 - 1 / (2 * K)))).toBeLessThan(TOLERANCE)
  })
})

describe('the classes of an output', () => {
  const topology = graphOf(['h1 s0', 'h2 s0', 'h3 s0', 's0 h0'])
  const flows = [
    { from: 'h1', to: 'h0', class: 0 },
    { from: 'h2', to: 'h0', class: 1 },
  ]
  const fabric = (scheduler: unknown): Tree => ({ classes: 3, scheduler, flowControl: 'pfc' })
  const noAcks = (mtu: string): Tree => ({ mtu, header: '0B', ack: 'none' })

  it.each(['1000B', '9000B', '256B'])('share it by their weights, with packets of %s', (mtu) => {
    const scheduler = { kind: 'weighted-round-robin', weights: [3, 1, 1] }
    const tree = { topology, fabric: fabric(scheduler), hosts: noAcks(mtu) }
    expectRates(ratesGbps(tree, flows), [7.5, 2.5])
  })

  it('share it by bytes although their packets differ in length', () => {
    const scheduler = { kind: 'weighted-round-robin', weights: [1, 1, 1] }
    // Class 1 has messages of one short packet after another, class 0 full ones.
    const short = Array.from({ length: 8000 }, () => ({
      from: 'h2',
      to: 'h0',
      class: 1,
      size: '300B',
    }))
    const tree = { topology, fabric: fabric(scheduler), hosts: noAcks('1500B') }
    const rates = ratesGbps(tree, [flows[0]!, ...short], 1000)
    const shortGbps = rates.slice(1).reduce((sum, one) => sum + one, 0)
    expectRates([rates[0]!, shortGbps], [5, 5])
  })

  it('take turns at a host too', () => {
    const both = [
      { from: 'h1', to: 'h0', class: 0 },
      { from: 'h1', to: 'h0', class: 1 },
    ]
    const tree = { topology, hosts: noAcks('1000B') }
    expectRates(ratesGbps({ ...tree, fabric: fabric('round-robin') }, both), [5, 5])
    const scheduler = { kind: 'weighted-round-robin', weights: [1, 4, 1] }
    expectRates(ratesGbps({ ...tree, fabric: fabric(scheduler) }, both), [2, 8])
  })

  it('yield to a higher one at the next packet, and not before', () => {
    const result = simulate(
      specOf({
        topology,
        fabric: fabric('strict'),
        hosts: noAcks('1000B'),
        workload: [
          {
            flows: [
              flows[0]!,
              { ...flows[1]!, from: 'h3', name: 'high', size: '3000B', start: '100.3us' },
              { ...flows[0]!, from: 'h2' },
            ],
          },
        ],
        run: { until: '200us' },
      }),
    )
    // It comes in the middle of a packet of 800 ns: low ones leave s0 from 1.8 us on, back to back.
    const row = result.flows.name.indexOf('high')
    const waitPs = result.flows.fctPs[row]! - result.flows.idealFctPs[row]!
    const intoPs = (100.3e6 + 0.8e6 + 1e6 - 1.8e6) % 0.8e6
    expect(waitPs).toBe(0.8e6 - intoPs)
  })

  it('are paused one by one under PFC, and together where there is one', () => {
    // h1 sends to a slow host and to a fast one; both fast hosts take 10 Gb/s.
    const slow = graphOf(['h1 s0', { a: 's0', b: 'h2', rate: '1Gbps' }, 's0 h3'])
    const to = (classes: readonly number[]): FlowTree[] => [
      { from: 'h1', to: 'h2', class: classes[0] },
      { from: 'h1', to: 'h3', class: classes[1] },
    ]
    const xoff = { kind: 'pfc', xoff: '20KB' }
    const tree = { topology: slow, hosts: noAcks('1000B') }
    const apart = { classes: 3, scheduler: 'round-robin', flowControl: xoff }
    expect(ratesGbps({ ...tree, fabric: apart }, to([0, 1]))[1]).toBeGreaterThan(8.5)
    const together = { classes: 1, flowControl: { ...xoff, kind: 'pause' } }
    expect(ratesGbps({ ...tree, fabric: together }, to([0, 0]))[1]).toBeLessThan(1.5)
  })
})

describe('a host rate cap', () => {
  it('holds for what a host sends and for what it takes', () => {
    const topology = graphOf(['h1 s0', 'h2 s0', 's0 h0'])
    const capped = { header: '0B', ack: 'none', rateCap: '3Gbps' }
    expectRates(ratesGbps({ topology, hosts: capped }, [{ from: 'h1', to: 'h0' }]), [3])
    const both = [
      { from: 'h1', to: 'h0' },
      { from: 'h2', to: 'h0' },
    ]
    expectRates(ratesGbps({ topology, hosts: capped }, both, 4000), [1.5, 1.5])
  })

  it('may be another one for sending than for taking, and count payload alone', () => {
    const topology = graphOf(['h1 s0', 'h2 s0', 's0 h0'])
    const rateCap = { send: '3Gbps', take: '4Gbps', counts: 'payload' }
    const capped = { mtu: '1000B', header: '250B', ack: 'none', rateCap }
    expectRates(ratesGbps({ topology, hosts: capped }, [{ from: 'h1', to: 'h0' }]), [3])
    const both = [
      { from: 'h1', to: 'h0' },
      { from: 'h2', to: 'h0' },
    ]
    expectRates(ratesGbps({ topology, hosts: capped }, both, 4000), [2, 2])
  })
})
