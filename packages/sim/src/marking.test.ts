import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { graphOf, specOf } from './testing/index.ts'

const PACKETS = 40
const BYTES = 1048
const SERVICE_PS = BYTES * 800
/** So long that every packet is sent before the first CNP is back, and no two arrive together. */
const DELAYS_PS = [100_000_000, 100_123_457]
const K_BYTES = 10_000

/** Two hosts send to a third over one output; every link has 10 Gb/s. */
function marksOf(at: 'enqueue' | 'dequeue'): number {
  const { counters } = simulate(
    specOf({
      topology: graphOf([
        // The output that marks is port 0.
        's0 h0',
        { a: 'h1', b: 's0', rate: '10Gbps', delay: `${DELAYS_PS[0]}ps` },
        { a: 'h2', b: 's0', rate: '10Gbps', delay: `${DELAYS_PS[1]}ps` },
      ]),
      fabric: { ecn: { kind: 'threshold', k: `${K_BYTES}B`, at } },
      workload: [{ flows: ['h1', 'h2'].map((from) => ({ from, to: 'h0', size: `${PACKETS}KB` })) }],
      scheme: 'dcqcn',
    }),
  )
  expect(counters.packetsSent).toBe(2 * PACKETS)
  return counters.packetsMarked
}

/** The same output by the recursion of one server: when each packet comes, starts and has left. */
const served = DELAYS_PS.flatMap((delayPs) =>
  Array.from({ length: PACKETS }, (_, i) => delayPs + (i + 1) * SERVICE_PS),
)
  .sort((a, b) => a - b)
  .reduce<{ comesPs: number; startsPs: number; leftPs: number }[]>((before, comesPs) => {
    const startsPs = Math.max(comesPs, before.at(-1)?.leftPs ?? 0)
    return [...before, { comesPs, startsPs, leftPs: startsPs + SERVICE_PS }]
  }, [])

/** Bytes that others hold there at a time; what comes as a packet starts comes after it. */
const othersAt = (atPs: number, me: number): number =>
  served.filter(({ comesPs, leftPs }, i) => i !== me && comesPs < atPs && leftPs > atPs).length *
  BYTES

describe('a marking threshold', () => {
  it('counts what an arriving packet finds, the packet in service with it', () => {
    const expected = served.filter(({ comesPs }, i) => othersAt(comesPs, i) > K_BYTES).length
    expect(expected).toBeGreaterThan(PACKETS / 2)
    expect(marksOf('enqueue')).toBe(expected)
  })

  it('counts what a departing packet leaves behind', () => {
    const expected = served.filter(({ startsPs }, i) => othersAt(startsPs, i) > K_BYTES).length
    expect(expected).toBeGreaterThan(PACKETS / 2)
    expect(marksOf('dequeue')).toBe(expected)
  })
})

describe('automatic marking', () => {
  /** Eight to one under DCQCN's firmware, which marks what leaves. */
  const trajectory = (ecn: unknown): string =>
    simulate(
      specOf({
        topology: { kind: 'star', hosts: 9, rate: '25Gbps', delay: '1us' },
        fabric: { ecn },
        workload: [
          {
            generate: {
              arrivals: 'once',
              sizes: '200KB',
              pattern: { kind: 'incast', senders: 8, receiver: 'h0' },
            },
          },
        ],
        scheme: { name: 'dcqcn', preset: 'firmware' },
        run: { until: '2ms' },
      }),
    ).fingerprint

  it("takes the moment to mark from the scheme's preset", () => {
    const red = { kind: 'red', kmin: '100KB', kmax: '400KB', pmax: 0.2 }
    expect(trajectory('auto')).toBe(trajectory({ ...red, at: 'dequeue' }))
    expect(trajectory('auto')).not.toBe(trajectory({ ...red, at: 'enqueue' }))
  })
})
