import { scenarios, loadSpec, simulate } from '@weir/sim'
import type { Result } from '@weir/sim'
import { conforms } from '@weir/sim/testing'
import { describe, expect, it } from 'vitest'
import { accurate } from './accurate.ts'

conforms(accurate, {
  until: '4ms',
  recovered: 0.85,
  bounds: {
    utilisation: 0.92,
    jain: 0.999,
    source: 'ACCurate, section II: equal shares of C (1 - alpha), alpha = 0.05',
  },
})

const WIRE = 256 / 240
const G = 1e9

function run(name: string, ...settings: string[]): Result {
  const text = scenarios.find((scenario) => scenario.name === name)?.text ?? ''
  const all = ['scheme.name=accurate', 'hosts.ack=none', ...settings]
  return simulate(loadSpec({ text, sourceName: name, files: () => undefined, settings: all }))
}

function runText(text: string, ...settings: string[]): Result {
  return simulate(loadSpec({ text, sourceName: 'test', files: () => undefined, settings }))
}

/** The last value of a flow's rate limit, Gb/s. */
function limit(result: Result, flow: string): number {
  const series = result.series.find(({ name }) => name === `accurate.rate.${flow}`)
  return (series?.values.at(-1) ?? NaN) / G
}

const STAR = `topology: {kind: star, hosts: 4, rate: 10Gbps, delay: 100ns}
fabric: {switch: input-buffered, buffer: 2500B, flowControl: credits, classes: 2}
hosts: {mtu: 240B, header: 16B, ack: none}
scheme: accurate
`

describe('accurate', () => {
  it('gives the flows of the parking lot a third each, less the headroom', () => {
    const result = run('parking-lot')
    for (const flow of ['f1', 'f2', 'f3']) expect(limit(result, flow)).toBeCloseTo(9.5 / 3, 6)
    expect(result.counters.packetsDropped).toBe(0)
    expect(result.counters.bufferBytesMax).toBeLessThanOrEqual(2500)
  })

  it('protects the victim, gives it what the other leaves, and recovers', () => {
    const at = (us: number): Result => run('victim', `run.until=${us}us`, 'metrics.interval=1us')
    const first = at(395)
    expect(limit(first, 'f1')).toBeCloseTo(4.75, 6)
    const settled = at(410)
    expect(limit(settled, 'f1')).toBeCloseTo(9.5 * (2 / 3), 6)
    for (const flow of ['f2', 'f3', 'f4']) expect(limit(settled, flow)).toBeCloseTo(9.5 / 3, 6)
    const recovered = at(590)
    expect(limit(recovered, 'f1')).toBeCloseTo(9.5, 6)
    expect(limit(recovered, 'f2')).toBeCloseTo(4.75, 6)
  })

  it('never recovers without the desired rate', () => {
    const result = run('victim', 'scheme.params.desiredRate=false')
    expect(limit(result, 'f2')).toBeLessThan(3.2)
  })

  it('shows the registers of every contention point', () => {
    const result = run('parking-lot')
    const last = (name: string): number =>
      result.series.find((series) => series.name === `accurate.${name}.leaf2->H4`)?.values.at(-1) ??
      NaN
    expect(last('fsr') / G).toBeCloseTo(9.5 / 3, 6)
    expect(last('oldM')).toBe(3)
    expect(last('oldB')).toBe(0)
  })

  it('sends no FRPs for flows below 4 KB, and one per period for others', () => {
    const flows = (size: string): Result =>
      runText(`${STAR}workload: [flows: [{from: h0, to: h1, size: ${size}}]]\nrun: {until: 1ms}`)
    expect(flows('3999B').counters.notifications).toBe(0)
    expect(flows('4KB').counters.notifications).toBeGreaterThan(0)
    // 1 ms at 20 us: an init, 49 FRPs and their responses.
    const long = runText(`${STAR}workload: [flows: [{from: h0, to: h1}]]\nrun: {until: 1ms}`)
    expect(long.counters.notifications).toBe(100)
  })

  it('does not mind clocks that differ by the 2 us of section V', () => {
    const result = run('parking-lot', 'scheme.params.clockSkew=2us')
    for (const flow of ['f1', 'f2', 'f3']) expect(limit(result, flow)).toBeCloseTo(9.5 / 3, 6)
  })

  it('is at most one step of eight bits low when FRPs ride on data packets', () => {
    const result = run('parking-lot', 'scheme.preset=piggyback')
    for (const flow of ['f1', 'f2', 'f3']) {
      expect(limit(result, flow)).toBeLessThanOrEqual(9.5 / 3)
      expect(limit(result, flow)).toBeGreaterThan((9.5 / 3) * 0.96)
    }
  })

  // A flow whose FRP is lost is missing from the ports behind for a period, and those that pass
  // the fewest links lose fewest: with 2% a link the short flow gained 0.15 to 0.27 Gb/s in eight
  // seeds, with 10% 0.78 to 0.94.
  it('keeps rates near the fair share when few FRPs are lost, and the short flow gains', () => {
    const gains = (loss: number): number[] =>
      [1, 2, 3, 4, 5].map((seed) => {
        const settings = [`scheme.params.frpLoss=${loss}`, `seed=${seed}`, 'run.until=4ms']
        const { throughputBps } = run('parking-lot', ...settings).flows
        return (Math.max(...throughputBps) * WIRE) / G - 9.5 / 3
      })
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / 5
    const [none, few, many] = [gains(0), gains(0.02), gains(0.1)]
    expect(Math.max(...none)).toBeLessThan(0.03)
    expect(mean(few)).toBeGreaterThan(0.1)
    expect(mean(few)).toBeLessThan(0.3)
    expect(mean(many)).toBeGreaterThan(0.7)
  })

  it('sends the pieces of a large transfer by different paths', () => {
    const text = (split: string): string => `
topology:
  {kind: leaf-spine, leaves: 2, spines: 4, hostsPerLeaf: 1, hostRate: 10Gbps, fabricRate: 10Gbps}
fabric: {switch: input-buffered, buffer: 2500B, flowControl: credits, classes: 2}
hosts: {mtu: 240B, header: 16B, ack: none}
routing: ecmp
workload: [flows: [{from: h0, to: h1, size: 1MB}]]
scheme: {name: accurate, params: {split: ${split}}}
run: {until: 2ms}
metrics: {interval: 20us, series: [utilisation.leaf0->spine*]}
`
    const used = (result: Result): number =>
      result.series.filter(({ values }) => values.some((value) => value > 0.05)).length
    const whole = runText(text('0B'))
    const pieces = runText(text('100KB'))
    expect(used(whole)).toBe(1)
    expect(used(pieces)).toBeGreaterThan(1)
    expect(pieces.ended).toEqual({ why: 'completed' })
    expect(pieces.flows.deliveredBytes[0]).toBe(1e6)
  })
})
