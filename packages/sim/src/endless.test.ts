/** A flow without end has no size: Infinity to its scheme and in the result, null in JSON. */
import { describe, expect, it } from 'vitest'
import type { FlowContext } from '@weir/fabric'
import { none } from '@weir/schemes'
import { createRun } from './run.ts'
import { loadSpec } from './spec/load.ts'

const TEXT = `
topology: {kind: star, hosts: 3}
workload:
  - flows:
      - {from: h0, to: h2}
      - {from: h1, to: h2, stop: 20us}
      - {from: h1, to: h0, size: 5KB}
scheme: none
run: {until: 50us}
`

describe('a flow without end', () => {
  it('is of infinite size to its scheme and in the result, whether it is stopped or not', () => {
    const seen: number[] = []
    const run = createRun(loadSpec({ text: TEXT }), {
      ...none,
      create: (values, context) => {
        const control = none.create(values, context)
        const reaction = (flow: FlowContext): ReturnType<typeof control.reaction> => {
          seen.push(flow.sizeBytes, flow.unsentBytes)
          return control.reaction(flow)
        }
        return { ...control, reaction }
      },
    })
    while (run.advance(1e5)) continue
    expect(seen).toEqual([Infinity, Infinity, Infinity, Infinity, 5000, 5000])

    const { flows, summary } = run.result()
    expect(flows.sizeBytes).toEqual([Infinity, Infinity, 5000])
    expect(flows.unfinished).toEqual(['has no end', '', ''])
    expect(flows.idealFctPs.map((ps) => ps > 0)).toEqual([false, false, true])
    // Neither has a completion time of its own, nor a place among the sizes.
    expect(summary.fctPsMean).toBe(flows.fctPs[2])
    expect(summary.buckets.reduce((sum, bucket) => sum + bucket.flows, 0)).toBe(1)
    expect(JSON.stringify(flows.sizeBytes)).toBe('[null,null,5000]')
  })
})
