/** What data packets collect on their way, and ACKs bring back. */
import { ReactionPoint } from '@weir/fabric'
import { none } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import { graphOf, specOf } from './testing/index.ts'

const PACKET = 1048

interface Hop {
  readonly queueBytes: number
  readonly sentBytes: number
  readonly rateBps: number
  readonly timePs: number
}

/** The records of each ACK of six packets from h0 to h1, over two switches. */
function brought(): Hop[][] {
  const acks: Hop[][] = []
  const run = createRun(
    specOf({
      topology: graphOf(['h0 s0', 's0 s1', { a: 's1', b: 'h1', rate: '5Gbps', delay: '1us' }]),
      fabric: { flowControl: 'none' },
      workload: [{ flows: [{ from: 'h0', to: 'h1', size: '6KB' }] }],
      run: { until: '1ms' },
    }),
    {
      ...none,
      create: (values, context) => {
        const { telemetry } = context
        class Reading extends ReactionPoint {
          override onAck({ telemetry: row }: { readonly telemetry: number }): void {
            acks.push(
              Array.from({ length: telemetry.hops(row) }, (_, hop) => ({
                queueBytes: telemetry.queueBytes(row, hop),
                sentBytes: telemetry.sentBytes(row, hop),
                rateBps: telemetry.rateBps(row, hop),
                timePs: telemetry.timePs(row, hop),
              })),
            )
          }
        }
        return { ...none.create(values, context), telemetry: true, reaction: () => new Reading() }
      },
    },
  )
  while (run.advance(1e6)) continue
  return acks
}

describe('telemetry', () => {
  it('has a record of each switch output that a packet left by, and none of hosts', () => {
    const acks = brought()
    expect(acks).toHaveLength(6)
    for (const hops of acks) expect(hops.map(({ rateBps }) => rateBps)).toEqual([10e9, 5e9])
  })

  it('says what a packet left behind and what had been sent before it', () => {
    const acks = brought()
    // s0 passes packets on as they come, s1 at half the rate: every second one finds one more.
    const [first, last] = [acks.map(([hop]) => hop!), acks.map(([, hop]) => hop!)]
    expect(first.map(({ queueBytes }) => queueBytes)).toEqual([0, 0, 0, 0, 0, 0])
    for (const hops of [first, last]) {
      expect(hops.map(({ sentBytes }) => sentBytes)).toEqual(
        [0, 1, 2, 3, 4, 5].map((n) => n * PACKET),
      )
    }
    const gapsPs = last.slice(1).map(({ timePs }, i) => timePs - last[i]!.timePs)
    expect(gapsPs).toEqual(new Array(5).fill(PACKET * 1600))
    expect(Math.max(...last.map(({ queueBytes }) => queueBytes))).toBeGreaterThan(PACKET)
    expect(last.at(-1)!.queueBytes).toBe(0)
  })
})
