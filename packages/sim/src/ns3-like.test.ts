/** The example that sets every knob as another simulator has it runs, and the knobs are at work. */
import { readFileSync } from 'node:fs'
import type { SharedMemory } from '@weir/fabric'
import { expect, it } from 'vitest'
import { createRun } from './run.ts'
import { loadSpec } from './spec/load.ts'

it('examples/ns3-like.yaml divides its switches as the artifact does, and its flows end', () => {
  const file = new URL('../../../examples/ns3-like.yaml', import.meta.url)
  const text = readFileSync(file, 'utf8')
  const spec = loadSpec({ text, sourceName: 'ns3-like' })
  const run = createRun(spec)
  const memory = run.network.switches as SharedMemory
  const { ports } = run.network.fabric
  const headroom = new Set<number>()
  for (let link = 0; link < ports.count; link++) {
    if (ports.toHost[link] === 0) headroom.add(memory.headroomOf(link))
  }
  // 1 us at 25 and at 100 Gb/s, three times.
  expect([...headroom].sort((a, b) => a - b)).toEqual([9375, 37_500])
  while (run.advance(1e6)) continue
  const { counters, summary } = run.result()
  expect(summary.flowsEnded).toBeGreaterThan(3)
  expect(counters.packetsDropped).toBe(0)
})
