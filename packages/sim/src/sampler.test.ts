import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { loadSpec } from './spec/index.ts'

describe('a time series of a flow', () => {
  it.each(['0us', '30us', '100us', '130us'])('is at its own times if it starts at %s', (start) => {
    const text = `
topology: {kind: star, hosts: 2, rate: 10Gbps, delay: 0ns}
workload: [flows: [{name: f, from: h1, to: h0, start: ${start}, stop: 400us}, {from: h0, to: h1}]]
scheme: none
run: {until: 600us}
metrics: {interval: 50us, series: [rate.f]}
`
    const { series } = simulate(loadSpec({ text, sourceName: 'test', files: () => undefined }))
    const { startPs, intervalPs, values } = series[0]!
    const at = (us: number): number => values[(us * 1e6 - startPs) / intervalPs] ?? NaN
    const startUs = Number.parseInt(start, 10)
    // The first whole interval after the start is full, and the one that ends with the stop too.
    const firstUs = Math.ceil(startUs / 50) * 50 + 50
    expect(at(firstUs) / 10e9).toBeGreaterThan(0.8)
    expect(at(400) / 10e9).toBeGreaterThan(0.8)
  })
})
