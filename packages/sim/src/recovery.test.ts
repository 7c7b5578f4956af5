import { ReactionPoint } from '@weir/fabric'
import type { LossCause } from '@weir/fabric'
import { none } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { createRun, simulate } from './run.ts'
import type { Result } from './result.ts'
import { incastOf, losing, runAudited, specOf } from './testing/index.ts'

function incast(reliability: string, every = 1): Result {
  const run = createRun(
    specOf(
      incastOf(8, '100KB', {
        fabric: { flowControl: 'none', buffer: { size: '30KB', threshold: '20KB' } },
        hosts: { reliability, rto: '200us', ack: { every } },
        run: { until: '100ms' },
      }),
    ),
  )
  runAudited(run, 500)
  return run.result()
}

describe('a lossy fabric with tiny buffers', () => {
  it.each(['go-back-n', 'selective-repeat'])('loses packets, and %s brings them all', (name) => {
    for (const every of [1, 4]) {
      const { ended, flows, counters } = incast(name, every)
      expect(counters.packetsDropped).toBeGreaterThan(100)
      expect(counters.retransmittedPackets).toBeGreaterThanOrEqual(100)
      expect(ended).toEqual({ why: 'completed' })
      expect(flows.deliveredBytes).toEqual(flows.sizeBytes)
      const again = flows.retransmittedPackets.reduce((sum, packets) => sum + packets, 0)
      expect(again).toBe(counters.retransmittedPackets)
    }
  })

  it('makes selective repeat send again hardly more than was lost', () => {
    const { packetsDropped, retransmittedPackets } = incast('selective-repeat').counters
    expect(retransmittedPackets).toBeLessThan(1.2 * packetsDropped)
  })

  it('leaves flows unfinished that repeat nothing, and says so', () => {
    const { ended, flows, counters } = incast('none')
    expect(ended).toMatchObject({ why: 'time' })
    const left = flows.unfinished.filter((why) => why.includes('of 100000 bytes delivered'))
    expect(left.length).toBeGreaterThan(0)
    const missing = flows.deliveredBytes.reduce((sum, bytes) => sum + (100_000 - bytes), 0)
    expect(missing).toBeLessThanOrEqual(counters.packetsDropped * 1000)
  })
})

describe('a flow that is stopped', () => {
  it.each([1, 2, 3, 7])(
    'ends although no ACK is due for its last packets (an ACK each %i)',
    (every) => {
      const { ended, flows } = simulate(
        specOf({
          topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '1us' },
          hosts: { ack: { every } },
          workload: [{ flows: [{ from: 'h0', to: 'h1', stop: '20us' }] }],
        }),
      )
      expect(ended).toEqual({ why: 'completed' })
      expect(flows.endPs[0]).toBeLessThan(30e6)
    },
  )

  it('ends with its last packet even if that draws no ACK, and fires no timer after it', () => {
    const flows = [
      { from: 'h1', to: 'h0', stop: '500ns' }, // one packet, and an ACK for every two
      { from: 'h2', to: 'h0', start: '100us', size: '1KB' },
    ]
    const hosts = { ack: { every: 2 } }
    const result = simulate(specOf(incastOf(2, '1KB', { hosts, workload: [{ flows }] })))
    expect(result.ended).toEqual({ why: 'completed' })
    expect(result.flows.deliveredBytes).toEqual([1000, 1000])
  })
})

describe('the retransmission timer', () => {
  /** When h0 is first told of a timeout: nothing that it sends, a packet each 1 ms, arrives. */
  const firstTimeoutMs = (reliability: string): number => {
    let firstPs = Infinity
    class Slow extends ReactionPoint {
      constructor() {
        super()
        this.rateBps = (1048 * 8) / 1e-3
        this.windowBytes = 10_000
      }
      override onLoss(_cause: LossCause, nowPs: number): void {
        firstPs = Math.min(firstPs, nowPs)
      }
    }
    const scheme: Scheme = {
      ...none,
      create: (values, context) => ({
        ...none.create(values, context),
        reaction: () => new Slow(),
      }),
    }
    const run = createRun(
      specOf({
        topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '1us' },
        fabric: { flowControl: 'none' },
        hosts: {
          reliability,
          ...(reliability === 'tcp' ? { tcp: { rtoMin: '5ms' } } : { rto: '5ms' }),
        },
        workload: [{ flows: [{ from: 'h0', to: 'h1', size: '100KB' }] }],
        run: { until: '40ms' },
      }),
      scheme,
    )
    losing(run, () => true)
    while (run.advance(1e6)) continue
    return firstPs / 1e9
  }

  it('of TCP runs from the first packet that is not acknowledged (RFC 6298, 5.1)', () => {
    expect(firstTimeoutMs('tcp')).toBeCloseTo(5, 1)
  })

  it('of the others from the last: ten packets are sent in 9 ms before it is silent', () => {
    expect(firstTimeoutMs('go-back-n')).toBeCloseTo(9 + 5, 1)
  })
})
