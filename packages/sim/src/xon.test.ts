/** When a shared memory under PFC lets an ingress go on, to the packet. */
import type { SharedMemory } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { audit, eachEvent, graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const PACKET = 1048
/** A packet at 10 Gb/s and at 100 Mb/s, and a link's delay, in us. */
const FAST_US = 0.8384
const SLOW_US = 83.84
const DELAY_US = 1
/** The ingress of h0, whose link is the first, in class 3. */
const INGRESS = 3

interface Held {
  readonly us: number
  readonly isOff: boolean
  readonly shared: number
  readonly headroom: number
}

/** From h0 at 10 Gb/s to h1 at 100 Mb/s and to h2 at 1 Mb/s. */
function runOf(flowControl: Tree, flows: readonly Tree[]): Run {
  const delay = `${DELAY_US}us`
  return createRun(
    specOf({
      topology: graphOf([
        { a: 'h0', b: 's0', rate: '10Gbps', delay },
        { a: 's0', b: 'h1', rate: '100Mbps', delay },
        { a: 's0', b: 'h2', rate: '1Mbps', delay },
      ]),
      fabric: {
        buffer: '1MB',
        flowControl: { kind: 'pfc', headroom: '20KB', ...flowControl },
      },
      hosts: { ack: 'none' },
      workload: [{ flows: flows.map((one) => ({ from: 'h0', to: 'h1', ...one })) }],
      run: { until: '3ms' },
    }),
  )
}

/** What h0's ingress holds, in packets, each time that it is another. */
function changesOf(run: Run): Held[] {
  const { switches, windows } = run.network
  const { headroomBytes, pauses, sharedBytes } = switches as SharedMemory
  const held: Held[] = []
  let last = ''
  const look = (): void => {
    const isOff = pauses.isOff[INGRESS] === 1
    const shared = sharedBytes[INGRESS]! / PACKET
    const headroom = headroomBytes[INGRESS]! / PACKET
    const now = [isOff, shared, headroom].join(' ')
    if (now !== last) held.push({ us: windows.nowPs / 1e6, isOff, shared, headroom })
    last = now
  }
  eachEvent(run, run.lastPs, look)
  audit(run)
  return held
}

describe('a shared memory under PFC', () => {
  const xoff = `${10 * PACKET}B`

  it('sends XON as soon as it may, by whichever output a packet leaves', () => {
    const flows = [
      { size: '10KB' },
      // The packet that finds the ingress full goes elsewhere, and leaves long afterwards.
      { to: 'h2', size: '1KB', start: '20us' },
    ]
    /** When so many packets have left for h1. */
    const afterUs = (packets: number): number => FAST_US + DELAY_US + packets * SLOW_US
    for (const gap of [0, 1, 2, 5]) {
      const changes = changesOf(runOf({ xoff, xonGap: `${gap * PACKET}B` }, flows))
      const off = changes.findIndex(({ isOff }) => isOff)
      expect(changes[off]).toMatchObject({ shared: 10, headroom: 1 })
      const on = changes.slice(off).find(({ isOff }) => !isOff)
      // One from the headroom, and then exactly the gap.
      expect(on).toMatchObject({ shared: 10 - gap, headroom: 0 })
      expect(on?.us).toBeCloseTo(afterUs(1 + gap), 6)
    }
  })

  it('frees the headroom first, a packet at a time, and none of the rest before', () => {
    const changes = changesOf(runOf({ xoff, xonGap: '0B' }, [{ size: '20KB' }]))
    const off = changes.filter(({ isOff }) => isOff)
    const most = Math.max(...off.map(({ headroom }) => headroom))
    expect(most).toBeGreaterThan(2)
    const falling = off.slice(off.findIndex(({ headroom }) => headroom === most))
    const wanted = Array.from({ length: most }, (_, i) => most - i)
    expect(falling.slice(0, most).map(({ headroom }) => headroom)).toEqual(wanted)
    expect(new Set(off.map(({ shared }) => shared))).toEqual(new Set([10]))
  })
})
