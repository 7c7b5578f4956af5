/**
 * What a sprayed flow's slowdown is measured by: all its ways together. By one path of 10 Gb/s the
 * first flow had a slowdown of 0.5.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { validateSpec } from './spec/index.ts'
import { graphOf, specOf } from './testing/index.ts'

function slowdowns(
  fabricRate: string,
  spines: number,
  sizes: readonly number[],
  more = {},
): number[] {
  const { flows } = simulate(
    validateSpec({
      topology: { kind: 'leaf-spine', leaves: 2, spines, hostsPerLeaf: 2, fabricRate },
      routing: 'packet-spray',
      hosts: { reliability: 'selective-repeat', ...more },
      workload: [
        {
          // One after the other, so that none waits for another.
          flows: sizes.map((size, i) => ({
            from: 'leaf0.h0',
            to: i % 2 === 0 ? 'leaf1.h1' : 'leaf0.h1',
            size: `${size}B`,
            start: `${i * 20}ms`,
          })),
        },
      ],
      scheme: 'none',
      run: { until: `${sizes.length * 20}ms` },
      metrics: { interval: 'none' },
    }),
  )
  return [...flows.slowdown]
}

describe('a sprayed flow', () => {
  it('is not faster than all of its ways together, where one of them is slow', () => {
    const [far, near] = slowdowns('10Gbps', 4, [1_000_000, 1_000_000])
    expect(far).toBeGreaterThanOrEqual(1)
    // 40 Gb/s by four ways for a host of 25: chance alone makes it slower.
    expect(far).toBeLessThan(1.5)
    expect(near).toBeCloseTo(1, 2)
  })

  it('takes exactly its time where there is one way', () => {
    for (const slowdown of slowdowns('10Gbps', 1, [1, 999, 1000, 12_345])) {
      expect(slowdown).toBeGreaterThanOrEqual(1)
      expect(slowdown).toBeLessThan(1.1)
    }
    expect(slowdowns('100Gbps', 1, [700])[0]).toBe(1)
  })

  it.each([
    ['a host', {}, 'store-and-forward'],
    ['a host without ACKs', { ack: 'none', reliability: 'none' }, 'store-and-forward'],
    ['a host with few ACKs', { ack: { every: 3 } }, 'store-and-forward'],
    ['a slow host', { rateCap: '1Gbps' }, 'store-and-forward'],
    ['a host at cut-through', {}, 'cut-through'],
    ['a slow host at cut-through', { rateCap: '1Gbps' }, 'cut-through'],
  ])('has the least time of a path where that is its only one (%s)', (_name, hosts, forwarding) => {
    const sizes = [1, 700, 1000, 1500, 12_345, 30_000, 33_000]
    for (const rate of ['5Gbps', '10Gbps', '40Gbps']) {
      const least = (routing: string): readonly number[] =>
        simulate(
          specOf({
            topology: graphOf(['h0 s0', { a: 's0', b: 's1', rate, delay: '1us' }, 's1 h1']),
            fabric: { forwarding, flowControl: 'none' },
            routing,
            hosts: { reliability: 'selective-repeat', ...hosts },
            workload: [
              {
                flows: sizes.map((size, i) => {
                  return { from: 'h0', to: 'h1', size: `${size}B`, start: `${i * 2}ms` }
                }),
              },
            ],
            run: { until: '20ms' },
          }),
        ).flows.idealFctPs
      const sprayed = least('packet-spray')
      const below = least('shortest-path').map((ps, i) => ps - sprayed[i]!)
      // Where a queue of full packets forms behind a slow link or host, the last, shorter one may
      // go first if there is a choice, so that it is a bound; to two packets at 5 Gb/s.
      const isExact = rate !== '5Gbps' && !('rateCap' in hosts)
      below.forEach((ps, i) => {
        expect(ps).toBeGreaterThanOrEqual(0)
        expect(ps).toBeLessThan(isExact || sizes[i]! <= 1000 ? 1 : 2 * 1_676_800)
      })
    }
  })

  it('has no slowdown below 1, whatever the rates, sizes and ACKs', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(
        fc.constantFrom('1Gbps', '7Gbps', '10Gbps', '33Gbps', '100Gbps'),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(
          {},
          { ack: 'none', reliability: 'none' },
          { ack: { every: 3 } },
          { rateCap: '5Gbps' },
          { mtu: '64KB', rateCap: '1Gbps' },
        ),
        (rate, spines, sizes, more) => {
          for (const slowdown of slowdowns(rate, spines, sizes, more)) {
            if (!Number.isNaN(slowdown)) expect(slowdown).toBeGreaterThanOrEqual(1)
          }
        },
      ),
      { numRuns: 60, seed: 1 },
    )
  })
})
