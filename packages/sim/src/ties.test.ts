/** What a port does in one picosecond: it finishes, it begins the next, and then it listens. */
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { eventDriven, graphOf, specOf } from './testing/index.ts'
import type { FlowTree } from './testing/index.ts'

const PACKET_PS = 0.8e6
/** Two hosts keep s0's port to h0 busy from 1.8 us on, with packets of 0.8 us. */
const low: FlowTree[] = [
  { from: 'h1', to: 'h0', class: 0 },
  { from: 'h2', to: 'h0', class: 0 },
]

function runOf(form: string, more: readonly FlowTree[]): Run {
  const spec = specOf({
    topology: graphOf(['h1 s0', 'h2 s0', 'h3 s0', 's0 h0']),
    fabric: { classes: 2, scheduler: 'strict', flowControl: 'pfc' },
    hosts: { mtu: '1000B', header: '0B', ack: 'none' },
    workload: [{ flows: [...low, ...more] }],
    run: { until: '100us' },
  })
  const run = createRun(spec)
  return form === 'events' ? eventDriven(run) : run
}

describe.each(['fast ports', 'events'])('at a tie, by %s', (form) => {
  it('a packet of a higher class waits for the low one that begins as it arrives', () => {
    // It is at s0 1.8 us after its start.
    const startsPs = [16, 17, 18].map((slots) => slots * PACKET_PS)
    for (const startPs of startsPs) {
      const high = { from: 'h3', to: 'h0', class: 1, size: '1000B', start: `${startPs}ps` }
      const run = runOf(form, [high])
      while (run.advance(1e6)) continue
      const { fctPs, idealFctPs } = run.result().flows
      expect(fctPs[2]! - idealFctPs[2]!).toBe(PACKET_PS)
    }
  })

  it('a pause does not stop the packet that begins as it arrives', () => {
    const run = runOf(form, [])
    const { fabric } = run.network
    const port = fabric.graph.links.findIndex(({ b }) => fabric.graph.nodes[b]?.name === 'h0') * 2
    const tiePs = 1.8e6 + 16 * PACKET_PS
    run.step(tiePs - 1)
    fabric.setPaused(port, 0, true, tiePs)
    expect(fabric.inventory.freePs(port)).toBe(tiePs + PACKET_PS)
    run.step(tiePs + 10 * PACKET_PS)
    expect(fabric.inventory.freePs(port)).toBe(tiePs + PACKET_PS)
  })
})
