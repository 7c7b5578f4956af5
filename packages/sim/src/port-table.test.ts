import { describe, expect, it } from 'vitest'
import type { PausedBy, Result } from './result.ts'
import { simulate } from './run.ts'
import { graphOf, specOf } from './testing/specs.ts'
import type { FlowTree, Tree } from './testing/specs.ts'

/** h0 and h1 behind s0, the others behind s1; PFC at 40 KB, nobody slows down by itself. */
function simulated(flows: readonly FlowTree[], more: Tree = {}): Result {
  const topology = graphOf(['h0 s0', 'h1 s0', 's0 s1', 'h2 s1', 'h3 s1', 'h4 s1'])
  const fabric = { flowControl: { kind: 'pfc', xoff: '40KB' } }
  const metrics = { interval: '10us', series: ['queue.*', 'paused.*', 'utilisation.*'] }
  return simulate(
    specOf({ topology, fabric, metrics, workload: [{ flows }], run: { until: '2ms' }, ...more }),
  )
}

const toH2 = [
  { name: 'a', from: 'h0', to: 'h2' },
  { name: 'b', from: 'h3', to: 'h2' },
]

function rowOf({ ports }: Result, name: string): { row: number; by: readonly PausedBy[] } {
  const row = ports.name.indexOf(name)
  expect(row).not.toBe(-1)
  return { row, by: ports.pausedBy[row]! }
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

describe('the table of ports', () => {
  it('says who paused whom, hop by hop, up to where congestion began', () => {
    const result = simulated([...toH2, { name: 'victim', from: 'h1', to: 'h4' }])
    expect(rowOf(result, 'h0->s0').by).toEqual([{ port: 's0->s1', share: 1 }])
    expect(rowOf(result, 's0->s1').by).toEqual([{ port: 's1->h2', share: 1 }])
    expect(rowOf(result, 'h3->s1').by).toEqual([{ port: 's1->h2', share: 1 }])
    // It shares a link with the culprit, and is stopped for it though nobody waits for h4.
    expect(rowOf(result, 'h1->s0').by).toEqual([{ port: 's0->s1', share: 1 }])
    expect(rowOf(result, 's1->h2').by).toEqual([])
    expect(rowOf(result, 's1->h4').by).toEqual([])
  })

  it('shares the blame by time', () => {
    // First one receiver is overrun, then the other, for half as long.
    const at = (name: string, from: string, to: string, start: string, stop: string): FlowTree => ({
      ...{ name, from, to, start, stop },
    })
    const result = simulated([
      at('a', 'h0', 'h2', '0us', '1ms'),
      at('b', 'h3', 'h2', '0us', '1ms'),
      at('c', 'h0', 'h4', '1300us', '1800us'),
      at('d', 'h3', 'h4', '1300us', '1800us'),
    ])
    const { by } = rowOf(result, 'h3->s1')
    expect(by.map(({ port }) => port)).toEqual(['s1->h2', 's1->h4'])
    expect(by[0]!.share).toBeGreaterThan(0.6)
    expect(by[0]!.share).toBeLessThan(0.75)
    expect(by[0]!.share + by[1]!.share).toBeCloseTo(1)
  })

  it('names a host that takes no more than it can', () => {
    const result = simulated([toH2[0]!], { hosts: { rateCap: { take: '5Gbps' } } })
    expect(rowOf(result, 's1->h2').by).toEqual([{ port: 'h2', share: 1 }])
  })

  it('counts pauses that last to the end', () => {
    const result = simulated(toH2)
    const { row } = rowOf(result, 's0->s1')
    // Two lines want one: each is stopped about half of the time.
    expect(result.ports.pausedPs[row]! / 2e9).toBeGreaterThan(0.4)
    expect(result.ports.pausedPs[row]! / 2e9).toBeLessThan(0.6)
  })

  it('has the means of what the series show, and tells hosts from switches', () => {
    const result = simulated(toH2)
    const { ports, series } = result
    for (const name of ['s1->h2', 'h0->s0']) {
      const row = ports.name.indexOf(name)
      const values = (prefix: string): readonly number[] =>
        series.find((one) => one.name.startsWith(`${prefix}.${name}`))!.values
      const classes = series.filter((one) => one.name.startsWith(`queue.${name}.`))
      const mean = classes.reduce((sum, one) => sum + meanOf(one.values), 0)
      expect(ports.queueBytesMean[row]).toBeCloseTo(mean, 6)
      expect(ports.utilisation[row]).toBeCloseTo(meanOf(values('utilisation')), 3)
    }
    expect(ports.of[ports.name.indexOf('h0->s0')]).toBe('host')
    expect(ports.of[ports.name.indexOf('s0->h0')]).toBe('switch')
    const switches = ports.queueBytesMax.filter((_, row) => ports.of[row] === 'switch')
    expect(result.summary.queueBytesMax).toBe(Math.max(...switches))
  })

  it('is of the measured time where flows are drained', () => {
    const generate = { arrivals: { kind: 'poisson', load: 0.6 }, sizes: '300KB' }
    const open = { workload: [{ generate }] }
    const cut = simulated([], { ...open, run: { until: '2ms', drain: 'none' } })
    const drained = simulated([], { ...open, run: { until: '2ms' } })
    expect(drained.simulatedPs).toBeGreaterThan(drained.measuredPs)
    expect(drained.measuredPs).toBe(2e9)
    expect(drained.ports.utilisation).toEqual(cut.ports.utilisation)
    expect(drained.ports.queueBytesMean).toEqual(cut.ports.queueBytesMean)
  })
})
