import { md1WaitPs } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const SENDERS = 32
const PACKET = 1000
/** 800 ps a byte on the 10 Gb/s output. */
const SERVICE_PS = PACKET * 800

/** Many senders on links so fast that packets do not meet before the output in question. */
const many = graphOf([
  ...Array.from({ length: SENDERS }, (_, i) => ({
    a: `h${i + 1}`,
    b: 's0',
    rate: '400Gbps',
    delay: '1us',
  })),
  { a: 's0', b: 'h0', rate: '10Gbps', delay: '1us' },
])

/** Waits of single-packet flows that arrive by Poisson at h0, in picoseconds. */
function waits(load: number, flows: number, seed: number): number[] {
  const intervalPs = Math.round(SERVICE_PS / load)
  const spec = specOf({
    seed,
    topology: many,
    fabric: { flowControl: 'none', buffer: '100MB' },
    hosts: { mtu: `${PACKET}B`, header: '0B', ack: 'none' },
    workload: [
      {
        generate: {
          arrivals: { kind: 'poisson', interval: `${intervalPs}ps` },
          sizes: `${PACKET}B`,
          pattern: { kind: 'hot-spot', host: 'h0', fraction: 1 },
          flowsMax: flows,
        },
      },
    ],
    run: { until: '1s' },
  } satisfies Tree)
  const { fctPs, idealFctPs } = simulate(spec).flows
  return fctPs.map((fct, i) => fct - idealFctPs[i]!)
}

/** Mean, and its standard error by means of batches: waits of neighbours are correlated. */
function estimate(values: readonly number[]): { mean: number; error: number } {
  const batches = 30
  const size = Math.floor(values.length / batches)
  const means = Array.from({ length: batches }, (_, b) => {
    const batch = values.slice(b * size, (b + 1) * size)
    return batch.reduce((sum, one) => sum + one, 0) / size
  })
  const mean = means.reduce((sum, one) => sum + one, 0) / batches
  const variance = means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (batches - 1)
  return { mean, error: Math.sqrt(variance / batches) }
}

describe('an output that Poisson arrivals of equal packets share', () => {
  it.each([0.3, 0.5, 0.7, 0.85])(
    'makes them wait as M/D/1 says, at a load of %f',
    { timeout: 120_000 },
    (load) => {
      const { mean, error } = estimate(waits(load, 40_000, 3))
      const expected = md1WaitPs(load, SERVICE_PS)
      // The estimate must be sharp enough to tell M/D/1 from M/M/1, which waits twice as long.
      expect(error).toBeLessThan(0.1 * expected)
      expect(Math.abs(mean - expected)).toBeLessThan(3 * error + 0.005 * expected)
    },
  )
})
