import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import type { Result } from './result.ts'
import { graphOf, specOf } from './testing/index.ts'

/** 1,000 B at 10 Gb/s; links of 2 us. */
const PACKET_PS = 800_000
const DELAY_PS = 2_000_000
/** Credits are spent at h0 when a packet starts, and are back when it has left s0, and a delay. */
const LOOP_PS = 2 * (PACKET_PS + DELAY_PS)
const PACKETS = 200

function oneFlow(bufferBytes: number): Result {
  return simulate(
    specOf({
      topology: graphOf(['h0 s0', 's0 h1'], { delay: '2us' }),
      fabric: {
        switch: 'input-buffered',
        flowControl: 'credits',
        buffer: `${bufferBytes}B`,
        classes: 1,
      },
      hosts: { mtu: '1000B', header: '0B', ack: 'none' },
      workload: [{ flows: [{ from: 'h0', to: 'h1', size: `${PACKETS}KB` }] }],
    }),
  )
}

describe('credits', () => {
  it('never starve a link at full rate if the buffer covers the loop', () => {
    const covering = Math.ceil(LOOP_PS / PACKET_PS) * 1000
    const { flows } = oneFlow(covering)
    expect(flows.fctPs[0]).toBe(flows.idealFctPs[0])
    expect(oneFlow(covering - 1).flows.fctPs[0]).toBeGreaterThan(flows.idealFctPs[0]!)
  })

  it.each([1, 2, 3, 5, 6])('let %i packets pass a loop if the buffer holds no more', (window) => {
    const { flows } = oneFlow(window * 1000 + 999)
    const rounds = Math.floor((PACKETS - 1) / window)
    const startPs = rounds * LOOP_PS + ((PACKETS - 1) % window) * PACKET_PS
    expect(flows.fctPs[0]).toBe(startPs + LOOP_PS)
  })

  it('that a fast output frees are used before those that a slow one will free', () => {
    // h0 has a packet for slow h1, of which s0 gives back the credits much later, then for h2.
    const topology = graphOf(['h0 s0', { a: 's0', b: 'h1', rate: '100Mbps' }, 's0 h2'])
    const { flows } = simulate(
      specOf({
        topology,
        fabric: {
          switch: 'input-buffered',
          flowControl: 'credits',
          buffer: { size: '3000B', inputQueue: 'voq' },
          classes: 1,
        },
        hosts: { mtu: '1000B', header: '0B', ack: 'none' },
        workload: [
          {
            flows: [
              { from: 'h0', to: 'h1', size: '1000B' },
              { from: 'h0', to: 'h2', size: '10KB', start: '1ps' },
            ],
          },
        ],
      }),
    )
    // Two packets a loop of 3.6 us, where one waits 80 us for the slow one to leave.
    expect(flows.fctPs[1]).toBeLessThan(25e6)
  })
})
