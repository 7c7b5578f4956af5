/**
 * What PFC does to others: victims, unfairness, deadlock. Each test also takes the mechanism away
 * and sees the effect go, so that it fails if PFC does nothing.
 */
import { describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { simulate } from './run.ts'
import { scenarioByName } from './scenarios/index.ts'
import { loadSpec } from './spec/index.ts'

const GBPS = 1e9
/** What a 25 Gb/s link carries of payload: 1,000 of 1,048 B. */
const CAPACITY = (25 * GBPS * 1000) / 1048

function run(name: string, ...settings: string[]): Result {
  const text = scenarioByName(name)?.text
  if (text === undefined) throw new Error(`there is no scenario ${name}`)
  return simulate(loadSpec({ text, sourceName: name, files: () => undefined, settings }))
}

function rateOf(result: Result, flow: string): number {
  return result.flows.throughputBps[result.flows.name.indexOf(flow)] ?? NaN
}

function pausedShare(result: Result, series: string): number {
  const values = result.series.find((one) => one.name === series)?.values ?? []
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('PFC makes a victim', () => {
  it('holds a flow whose own path is free down to the share of one whose path is not', () => {
    const result = run('pfc-victim')
    // Max-min gives the victim two thirds of the link; SIGCOMM 2015, Fig. 4(b): it loses with PFC.
    expect(rateOf(result, 'victim')).toBeLessThan(0.4 * CAPACITY)
    expect(rateOf(result, 'victim') / rateOf(result, 'a')).toBeCloseTo(1, 1)
    expect(pausedShare(result, 'paused.far->near.c3')).toBeGreaterThan(0.25)
    expect(result.counters.packetsDropped).toBe(0)
  })

  it('does not if the victim has a class of its own', () => {
    const result = run('pfc-victim', 'workload[0].flows[3].class=2')
    expect(rateOf(result, 'victim')).toBeGreaterThan(0.6 * CAPACITY)
  })

  it('does with PAUSE even then: 802.3x stops the whole link', () => {
    const result = run('pfc-victim', 'fabric.flowControl.kind=pause', 'fabric.classes=1')
    expect(rateOf(result, 'victim')).toBeLessThan(0.4 * CAPACITY)
  })
})

describe('PFC is unfair', () => {
  it('shares by port: one flow on its own port has as much as three on another', () => {
    const result = run('pfc-unfair')
    const far = ['f1', 'f2', 'f3'].map((flow) => rateOf(result, flow))
    const sum = far.reduce((total, rate) => total + rate, 0)
    expect(rateOf(result, 'f4')).toBeGreaterThan(2.5 * Math.max(...far))
    expect(rateOf(result, 'f4') / sum).toBeCloseTo(1, 1)
    expect(result.summary.jain).toBeLessThan(0.8)
  })

  it('is not what decides once a scheme slows the senders down', () => {
    const result = run('pfc-unfair', 'scheme=dcqcn', 'run.until=20ms')
    const far = ['f1', 'f2', 'f3'].map((flow) => rateOf(result, flow))
    expect(rateOf(result, 'f4')).toBeLessThan(1.6 * Math.max(...far))
    expect(result.summary.jain).toBeGreaterThan(0.95)
  })
})

describe('PFC deadlocks', () => {
  it('when buffers wait for each other in a ring, and the result names the cycle', () => {
    const { ended, counters, flows } = run('pfc-deadlock')
    expect(ended.why).toBe('deadlock')
    if (ended.why !== 'deadlock') return
    expect([...ended.cycle].sort()).toEqual(['S0->S1', 'S1->S2', 'S2->S3', 'S3->S0'])
    expect(ended.sentence).toContain('waits for S1->S2')
    expect(flows.endPs.every((endPs) => Number.isNaN(endPs))).toBe(true)
    expect(flows.unfinished[0]).toContain('deadlock')
    expect(counters.packetsDropped).toBe(0)
  })

  it('with credits and buffers at the inputs too: the cycle is of buffers, not of frames', () => {
    const threeLinks = ['S0 S1 S2 S3', 'S1 S2 S3 S0', 'S2 S3 S0 S1', 'S3 S0 S1 S2'].map(
      (path, i) => {
        const switches = path.split(' ')
        const to = (switches.at(-1) as string).replace('S', 'H')
        const by = switches.join(', ')
        return `workload[0].flows[${i}]={from: H${i}, to: ${to}, path: [${by}], size: 1MB}`
      },
    )
    const fabric = 'fabric={switch: input-buffered, buffer: 20KB, flowControl: credits}'
    const { ended } = run('pfc-deadlock', fabric, ...threeLinks)
    expect(ended.why).toBe('deadlock')
    if (ended.why === 'deadlock') expect(ended.cycle).toHaveLength(4)
  })

  it('does not if one flow has a lane of its own, though PFC fires as before', () => {
    const { ended, counters, summary } = run('pfc-deadlock-lanes')
    expect(ended.why).toBe('completed')
    expect(counters.pauseFrames).toBeGreaterThan(100)
    expect(summary.flowsEnded).toBe(4)
    expect(counters.packetsDropped).toBe(0)
  })

  it('does not without flow control: packets are lost instead, and every flow ends', () => {
    const { ended, counters } = run(
      'pfc-deadlock',
      'fabric={buffer: 200KB, flowControl: none}',
      'workload[0].flows[0].size=500KB',
      'workload[0].flows[1].size=500KB',
      'workload[0].flows[2].size=500KB',
      'workload[0].flows[3].size=500KB',
      'run.until=100ms',
    )
    expect(counters.packetsDropped).toBeGreaterThan(0)
    expect(ended.why).toBe('completed')
  })
})
