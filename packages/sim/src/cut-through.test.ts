import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import { loadSpec } from './spec/load.ts'

describe('cut-through', () => {
  it('counts neither header nor payload of a packet whose tail has not left', () => {
    const text = `
topology: {kind: star, hosts: 2, rate: 1Gbps, delay: 0us}
fabric: {forwarding: cut-through}
workload: [{flows: [{from: h0, to: h1, size: 3KB}]}]
scheme: none
run: {until: 1ms}
`
    const run = createRun(loadSpec({ text }))
    // A packet takes 8.384 us, its header 0.384: at most times a head is ahead of its tail.
    for (let ps = 0; ps < 60e6; ps += 0.7e6) {
      run.step(ps)
      const { allBytes, controlBytes, dataBytes } = run.result().counters
      expect(dataBytes).toBeGreaterThanOrEqual(0)
      expect(controlBytes).toBeLessThanOrEqual(allBytes)
      // Whole packets of 48 and 1000 B, and ACKs of 60 B.
      expect((controlBytes - (dataBytes / 1000) * 48) % 60).toBe(0)
    }
  })
})
