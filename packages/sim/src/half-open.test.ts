import { describe, expect, it } from 'vitest'
import { createRun, simulate } from './run.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import { specOf } from './testing/index.ts'

/** One packet of 1,000 B from h0 to h1, which ends where it arrives. */
const onePacket = (until: string): ValidSpec =>
  specOf({
    topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '1us' },
    hosts: { ack: 'none' },
    workload: [{ flows: [{ from: 'h0', to: 'h1', size: '1000B' }] }],
    run: { until },
  })

describe('time', () => {
  const arrivesPs = simulate(onePacket('1ms')).flows.endPs[0]!

  it('is half-open at `until`: what happens then is not seen, what happens before is', () => {
    expect(simulate(onePacket(`${arrivesPs}ps`)).flows.deliveredBytes).toEqual([0])
    expect(simulate(onePacket(`${arrivesPs + 1}ps`)).flows.deliveredBytes).toEqual([1000])
  })

  it('is half-open for who steps through a run', () => {
    const run = createRun(onePacket('1ms'))
    run.step(arrivesPs)
    expect(run.network.hosts.deliveredBytes).toBe(0)
    run.step(arrivesPs + 1)
    expect(run.network.hosts.deliveredBytes).toBe(1000)
  })
})

describe('a flow that is told to stop', () => {
  const stopped = (ack: unknown): { endPs: number; ended: unknown } => {
    const { ended, flows } = simulate(
      specOf({
        topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '1us' },
        hosts: { ack },
        workload: [{ flows: [{ from: 'h0', to: 'h1', stop: '80us' }] }],
        run: { until: '1ms' },
      }),
    )
    return { endPs: flows.endPs[0]!, ended }
  }

  it('ends by the ACK of its last packet, and does not wait for more of them', () => {
    // ACKs for 999 packets wait 50 us; a round trip takes 6.
    const { endPs, ended } = stopped({ every: 999 })
    expect(ended).toEqual({ why: 'completed' })
    expect(endPs).toBeGreaterThan(84e6)
    expect(endPs).toBeLessThan(90e6)
  })

  it('ends where its last packet arrives if there are no ACKs', () => {
    const { endPs, ended } = stopped('none')
    expect(ended).toEqual({ why: 'completed' })
    expect(endPs).toBeGreaterThan(82e6)
    expect(endPs).toBeLessThan(85e6)
  })
})
