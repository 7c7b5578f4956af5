/** What one TCP flow gets of a long path: held to theory, not to an earlier result. */
import { describe, expect, it } from 'vitest'
import { simulate } from '@weir/sim'
import { specOf } from '@weir/sim/testing'

const PACKET_BYTES = 1538
const PAYLOAD_BYTES = 1460
const RTT_S = 0.04

describe('one flow over a round trip of 40 ms', () => {
  // A sawtooth from W to W / 2 never empties a buffer of one BDP (C. Villamizar and C. Song, "High
  // performance TCP in ANSNET", 1994); with 0.92 of it the link is idle for 0.1% of the time. The
  // first slow start overshoots by a whole window, which NewReno mends at a packet a round trip
  // until the timer fires, in the midst of recovery.
  it.each([50, 100])('fills %i Mb/s with a buffer of 0.92 BDP, after its first loss', (mbps) => {
    const bdpBytes = (mbps * 1e6 * RTT_S) / 8
    const result = simulate(
      specOf({
        topology: {
          kind: 'dumbbell',
          left: 1,
          right: 1,
          rate: '10Gbps',
          bottleneckRate: `${mbps}Mbps`,
          delay: `${Math.round((RTT_S * 1e6) / 6)}us`,
        },
        fabric: {
          flowControl: 'none',
          buffer: { size: '100MB', threshold: `${Math.round(0.92 * bdpBytes)}B` },
        },
        hosts: { mtu: `${PAYLOAD_BYTES}B`, header: `${PACKET_BYTES - PAYLOAD_BYTES}B` },
        workload: [{ flows: [{ name: 'long', from: 'l0', to: 'r0' }] }],
        scheme: 'tcp-reno',
        run: { until: '10s' },
        metrics: { interval: '1s', series: ['rate.long'] },
      }),
    )
    const full = mbps * 1e6 * (PAYLOAD_BYTES / PACKET_BYTES)
    const shares = result.series[0]!.values.map((rateBps) => rateBps / full)
    expect(shares).toHaveLength(10)
    expect(Math.min(...shares.slice(2))).toBeGreaterThan(0.98)
    expect(Math.max(...shares)).toBeLessThan(1.001)
    // Slow start's overshoot, and a packet each sawtooth: no second slow start into a full buffer.
    const overshoot = (1.92 * bdpBytes) / PACKET_BYTES
    expect(result.counters.packetsDropped).toBeGreaterThan(0.5 * overshoot)
    expect(result.counters.packetsDropped).toBeLessThan(1.2 * overshoot)
  })
})
