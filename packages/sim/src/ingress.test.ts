/** What switches count at an ingress, and when they say XOFF and XON. */
import { InputBuffered } from '@weir/fabric'
import type { SharedMemory } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { eachEvent, graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const PACKET = 1048

/** From h0 at 10 Gb/s to h1 at 1 Gb/s, h2 at 5 Gb/s and h3 at 10 Gb/s; all in class 0. */
function runOf(fabric: Tree, flows: readonly Tree[], slow: string = '1Gbps'): Run {
  return createRun(
    specOf({
      topology: graphOf([
        'h0 s0',
        { a: 's0', b: 'h1', rate: slow, delay: '1us' },
        { a: 's0', b: 'h2', rate: '5Gbps', delay: '1us' },
        's0 h3',
      ]),
      fabric: { classes: 1, ...fabric },
      hosts: { ack: 'none' },
      workload: [{ flows: flows.map((flow) => ({ from: 'h0', ...flow })) }],
      run: { until: '2ms' },
    }),
  )
}

/** Of the link from h0: what its ingress holds, above XOFF and in all, and whether it is off. */
function ingressOf({ network }: Run): { shared: number; headroom: number; isOff: boolean } {
  const { switches } = network
  const isOff = (switches as SharedMemory).pauses.isOff[0] === 1
  if (switches instanceof InputBuffered) {
    return { shared: switches.inputBytes[0]!, headroom: 0, isOff }
  }
  const { sharedBytes, headroomBytes } = switches as SharedMemory
  return { shared: sharedBytes[0]!, headroom: headroomBytes[0]!, isOff }
}

const XOFF = 10 * PACKET
const pfc = { flowControl: { kind: 'pfc', xoff: `${XOFF}B`, xonGap: '0B', headroom: '20KB' } }

describe('an ingress under PFC', () => {
  it.each([
    ['shared memory', pfc],
    ['input buffers', { ...pfc, switch: 'input-buffered', buffer: '64KB' }],
  ])('sends XOFF once, with the first packet above its threshold (%s)', (_name, fabric) => {
    const run = runOf(fabric, [{ to: 'h1' }])
    let before = ingressOf(run)
    let turns = 0
    eachEvent(run, 300e6, () => {
      const now = ingressOf(run)
      if (!before.isOff && now.isOff) {
        turns++
        expect(before.shared).toBe(XOFF)
        expect(now.shared + now.headroom).toBe(XOFF + PACKET)
      }
      before = now
    })
    expect(turns).toBeGreaterThan(2)
    expect(run.network.fabric.ports.pauseFrames[0]).toBe(turns)
  })

  it('frees the headroom first, packet by packet, and then what is shared', () => {
    const flowControl = { ...pfc.flowControl, xonGap: '5KB' }
    const run = runOf({ flowControl }, [{ to: 'h1' }])
    let before = ingressOf(run)
    const left = new Set<string>()
    eachEvent(run, 300e6, () => {
      const now = ingressOf(run)
      const change = [now.shared - before.shared, now.headroom - before.headroom]
      const isHeadroomUsed = before.headroom > 0
      before = now
      if (change[0]! + change[1]! >= 0) return
      expect(change).toEqual(isHeadroomUsed ? [0, -PACKET] : [-PACKET, 0])
      left.add(isHeadroomUsed ? 'headroom' : 'shared')
    })
    expect([...left].sort()).toEqual(['headroom', 'shared'])
  })

  it('sends XON as soon as bytes leave by any output, not only by that of the last to come', () => {
    // Nineteen packets for h2 just fit; one for h1, which takes 8 ms to leave, does not.
    const fitting = { to: 'h2', size: '19KB' }
    const last = { to: 'h1', size: '1KB', start: '15.9us' }
    const frames = (flows: readonly Tree[]): number[] => {
      const run = runOf(pfc, flows, '1Mbps')
      run.step(1e9)
      const { ports } = run.network.fabric
      return [ports.pauseFrames[0]!, ports.pausedForPs(0, 0, 1e9) / 1e6]
    }
    expect(frames([fitting])).toEqual([0, 0])
    const [count, pausedUs] = frames([fitting, last])
    expect(count).toBe(1)
    // Until one of the packets for h2 has left, 1.7 us each.
    expect(pausedUs).toBeGreaterThan(0)
    expect(pausedUs).toBeLessThan(4)
  })

  it('sends XON too when what leaves is the packet that drew XOFF', () => {
    // Two packets that stay for 8 ms each fill it to XOFF; the third, for h3, goes at once.
    const flowControl = { ...pfc.flowControl, xoff: `${2 * PACKET}B` }
    const run = runOf(
      { flowControl },
      [
        { to: 'h1', size: '2KB' },
        { to: 'h3', size: '1KB', start: '3us' },
      ],
      '1Mbps',
    )
    run.step(1e9)
    const { pauseFrames, pausedPs } = run.network.fabric.ports
    expect(pauseFrames[0]).toBe(1)
    expect(pausedPs[0]! / 1e6).toBeGreaterThan(0)
    expect(pausedPs[0]! / 1e6).toBeLessThan(2)
  })

  it('changes its mind about a frame that has not left, and sends no second one', () => {
    const run = runOf(pfc, [{ to: 'h1', size: '1KB' }])
    const { fabric, windows } = run.network
    for (const isOff of [true, false, true]) fabric.sendPause(0, 0, isOff, 64, windows.nowPs)
    run.step(100e6)
    expect([fabric.ports.pauseFrames[0], fabric.ports.paused[0]]).toEqual([1, 1])
  })

  it('has the same dynamic threshold after any number of packets have passed', () => {
    const dynamic = {
      buffer: '60KB',
      flowControl: { ...pfc.flowControl, xoff: { kind: 'dynamic', alpha: '1' }, headroom: '8KB' },
    }
    const held = (flows: readonly Tree[]): number => {
      const run = runOf(dynamic, flows, '1Mbps')
      run.step(1.9e9)
      return ingressOf(run).shared
    }
    const pileUp = { to: 'h1', start: '1ms' }
    const alone = held([pileUp])
    // 60 KB less four times 8 KB, and alone at alpha = 1 half of it.
    expect(alone).toBe(Math.floor(14_000 / PACKET) * PACKET)
    expect(held([{ to: 'h3', size: '500KB' }, pileUp])).toBe(alone)
  })
})
