import { describe, expect, it } from 'vitest'
import { createRun, simulate } from './run.ts'
import { eachEvent, graphOf, specOf } from './testing/index.ts'

/** s1 gives h0 and h1 in turn to a slow h2, through s0 -> s1; h1 also sends one packet to h3. */
const topology = graphOf(['h0 s0', 'h1 s0', 's0 s1', { a: 's1', b: 'h2', rate: '1Gbps' }, 's1 h3'])

/** Microseconds that the packet to h3 takes beside the endless flow, by the FIFOs of outputs. */
function probeUs(inputQueue: 'fifo' | 'voq', outputQueue: string): number {
  const { flows } = simulate(
    specOf({
      topology,
      fabric: {
        switch: 'input-buffered',
        flowControl: 'credits',
        buffer: { size: '10KB', inputQueue, outputQueue },
        classes: 1,
      },
      hosts: { mtu: '1000B', header: '0B', ack: 'none' },
      workload: [
        {
          flows: [
            { from: 'h0', to: 'h2' },
            { from: 'h1', to: 'h3', size: '1000B', start: '1ms' },
          ],
        },
      ],
      scheme: 'none',
      run: { until: '2ms' },
    }),
  )
  return flows.fctPs[1]! / 1e6
}

/** A packet at the rate of the slow link. */
const SLOW_US = 8

describe('a FIFO at each output of an input-buffered switch', () => {
  it('holds up a packet for a free port by as much as waits in it, though inputs have VOQs', () => {
    const bare = probeUs('voq', 'none')
    expect(bare).toBeLessThan(3 * SLOW_US)
    const [short, long] = [probeUs('voq', '5KB'), probeUs('voq', '15KB')]
    // Behind five and fifteen packets for h2, each of which leaves s0 as one leaves s1.
    expect(short).toBeGreaterThan(4 * SLOW_US)
    expect(short).toBeLessThan(7 * SLOW_US)
    expect((long - short) / SLOW_US).toBeCloseTo(10, 0)
  })

  it('frees inputs as packets cross, so that a switch holds a FIFO more of a blocked flow', () => {
    const held = (outputQueue: string): number => {
      const result = simulate(
        specOf({
          topology: graphOf(['h0 s0', { a: 's0', b: 'h1', rate: '1Gbps' }]),
          fabric: {
            switch: 'input-buffered',
            flowControl: 'credits',
            buffer: { size: '10KB', inputQueue: 'voq', outputQueue },
            classes: 1,
          },
          hosts: { mtu: '1000B', header: '0B', ack: 'none' },
          workload: [{ flows: [{ from: 'h0', to: 'h1' }] }],
          scheme: 'none',
          run: { until: '1ms' },
        }),
      )
      return result.summary.queueBytesMax
    }
    expect(held('none')).toBe(10_000)
    // The input, the FIFO and the packet in service, which counts as none of them.
    expect(held('5KB')).toBe(10_000 + 5_000 + 1_000)
  })

  it.each([
    ['5KB', 5_000],
    ['none', 0],
  ])('holds no more than %s, whatever the switch sends of its own', (outputQueue, bytes) => {
    // QCN's messages to h0 and h1 wait where data for them waits.
    const run = createRun(
      specOf({
        topology: graphOf(['h0 s0', 'h1 s0', 'h2 s0']),
        fabric: {
          switch: 'input-buffered',
          flowControl: 'credits',
          buffer: { size: '200KB', inputQueue: 'voq', outputQueue },
          classes: 1,
        },
        hosts: { mtu: '1000B', header: '0B', ack: 'none' },
        workload: [
          {
            flows: [
              { from: 'h0', to: 'h1' },
              { from: 'h1', to: 'h0' },
              { from: 'h2', to: 'h0' },
              { from: 'h2', to: 'h1' },
            ],
          },
        ],
        scheme: { name: 'qcn', params: { setPoint: '10KB', messageSize: '1000B' } },
        run: { until: '1ms' },
      }),
    )
    const { fabric } = run.network
    const { inventory } = fabric
    const crossed = (port: number): number => {
      const packets = inventory.waiting(port, 0).filter((p) => inventory.ingress(p) >= 0)
      return packets.reduce((sum, p) => sum + inventory.bytes(p), 0)
    }
    let most = 0
    eachEvent(run, run.lastPs, () => {
      for (const port of [1, 3]) most = Math.max(most, crossed(port))
    })
    while (run.advance(1)) continue
    expect(most).toBe(bytes)
    expect(run.result().counters.notifications).toBeGreaterThan(5)
  })
})
