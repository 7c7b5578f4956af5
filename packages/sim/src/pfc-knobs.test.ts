/** How a shared memory is divided under PFC: reserve, alpha and headroom by link, lossy classes. */
import { CLASSES } from '@weir/fabric'
import type { SharedMemory } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { eachEvent, graphOf, runAudited, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const PACKET = 1048

/** Two fast links and a slow one out: h0 at 10 Gb/s and h2 at 40, to h1 at 1 Mb/s. */
function pileUp(flowControl: Tree, more: Tree = {}, flows: readonly Tree[] = [{}]): Run {
  const run = createRun(
    specOf({
      topology: graphOf([
        { a: 'h0', b: 's0', rate: '10Gbps', delay: '1us' },
        { a: 'h2', b: 's0', rate: '40Gbps', delay: '1us' },
        { a: 's0', b: 'h1', rate: '1Mbps', delay: '1us' },
      ]),
      fabric: {
        buffer: '200KB',
        flowControl: { kind: 'pfc', xonGap: '0B', ...flowControl },
        ...more,
      },
      hosts: { ack: 'none' },
      workload: [{ flows: flows.map((one) => ({ from: 'h0', to: 'h1', size: '400KB', ...one })) }],
      run: { until: '1ms' },
    }),
  )
  runAudited(run, 50)
  return run
}

/** What an ingress holds under XOFF, its reserve included. */
function heldBy(run: Run, host: string, trafficClass = 3): number {
  const { fabric, graph, switches } = run.network
  const node = graph.nodes.findIndex(({ name }) => name === host)
  const link = fabric.portsOf[node]![0]!
  return (switches as SharedMemory).sharedBytes[link * CLASSES + trafficClass]!
}

const packetsIn = (bytes: number): number => Math.floor(bytes / PACKET) * PACKET

describe('PFC', () => {
  it('stops an ingress that much later as it has in reserve', () => {
    expect(heldBy(pileUp({ xoff: '20KB' }), 'h0')).toBe(packetsIn(20e3))
    expect(heldBy(pileUp({ xoff: '20KB', reserve: '4KiB' }), 'h0')).toBe(packetsIn(20e3 + 4096))
  })

  it('takes reserve out of what is shared: a dynamic threshold falls by its part of it', () => {
    const headroom = { headroom: '20KB', lossless: [3] }
    // Three links come into the switch; alone, q = alpha (pool - q), so q = pool / 9.
    const held = (reserve: number): number =>
      heldBy(pileUp({ ...headroom, reserve: `${reserve}B` }), 'h0')
    expect(held(0)).toBe(packetsIn((200e3 - 3 * 20e3) / 9))
    expect(held(10_000)).toBe(packetsIn((200e3 - 3 * 30e3) / 9 + 10_000))
  })

  it('sets headroom and reserve aside for each class that it stops', () => {
    const knobs = { headroom: '20KB', reserve: '2KB', lossless: [2, 3] }
    const run = pileUp(knobs, {}, [{}, { class: 2, start: '50us' }])
    const pool = 200e3 - 3 * 2 * 22e3
    // The first one alone, q = alpha (pool - q); then the other in what it leaves.
    const first = packetsIn(pool / 9 + 2e3)
    expect(heldBy(run, 'h0')).toBe(first)
    expect(heldBy(run, 'h0', 2)).toBe(packetsIn((pool - (first - 2e3)) / 9 + 2e3))
  })

  it('fills what is shared to the byte where two ingresses may hold more', () => {
    const shared = 20 * PACKET
    const buffer = `${3 * 20e3 + shared}B`
    const knobs = { xoff: `${15 * PACKET}B`, headroom: '20KB', lossless: [3] }
    const run = pileUp(knobs, { buffer }, [{}, { from: 'h2' }])
    expect(heldBy(run, 'h0') + heldBy(run, 'h2')).toBe(shared)
    expect(run.result().counters.packetsDropped).toBe(0)
  })

  it('goes on where an ingress holds nothing, though the gap is more than its level', () => {
    const run = createRun(
      specOf({
        topology: graphOf(['h0 s0', { a: 's0', b: 'h1', rate: '1Gbps' }]),
        // 8 KB are shared: alone, an ingress may hold an eighth of them.
        fabric: {
          buffer: '48KB',
          flowControl: { kind: 'pfc', xonGap: '3KB', headroom: '20KB', lossless: [3] },
        },
        hosts: { ack: 'none' },
        workload: [{ flows: [{ from: 'h0', to: 'h1', size: '100KB' }] }],
        run: { until: '10ms' },
      }),
    )
    runAudited(run, 50)
    const { counters, ended } = run.result()
    expect([ended.why, counters.packetsDropped]).toEqual(['completed', 0])
    expect(counters.pauseFrames).toBeGreaterThan(1)
  })

  it('stops an ingress at one level again and again, and lets it go on a gap below it', () => {
    /** Bytes that h0's ingress holds beside its headroom each time that it stops and goes on. */
    const heldAt = (flowControl: Tree): { off: number[]; on: number[] } => {
      const run = createRun(
        specOf({
          topology: graphOf(['h0 s0', { a: 's0', b: 'h1', rate: '1Gbps' }]),
          fabric: {
            buffer: '80KB',
            flowControl: { kind: 'pfc', headroom: '20KB', lossless: [3], ...flowControl },
          },
          hosts: { ack: 'none' },
          workload: [{ flows: [{ from: 'h0', to: 'h1', size: '300KB' }] }],
          run: { until: '10ms' },
        }),
      )
      const { pauses, sharedBytes } = run.network.switches as SharedMemory
      const held = { off: [] as number[], on: [] as number[] }
      let isOff = 0
      eachEvent(run, run.lastPs, () => {
        if (pauses.isOff[3] !== isOff) held[isOff === 0 ? 'off' : 'on'].push(sharedBytes[3]!)
        isOff = pauses.isOff[3]!
      })
      expect(held.on.length).toBeGreaterThan(5)
      return held
    }
    // Alone and with alpha 1, q = 40 KB - q.
    for (const flowControl of [{ xoff: '20KB' }, { xoff: { kind: 'dynamic', alpha: 1 } }]) {
      const { off, on } = heldAt({ ...flowControl, xonGap: '5KB' })
      expect(new Set(off)).toEqual(new Set([packetsIn(20e3)]))
      const isStatic = typeof flowControl.xoff === 'string'
      // As q falls, a dynamic level rises.
      for (const bytes of on) {
        const level = (isStatic ? 20e3 : 40e3 - bytes) - 5e3
        const before = (isStatic ? 20e3 : 40e3 - bytes - PACKET) - 5e3
        expect(bytes).toBeLessThanOrEqual(level)
        expect(bytes + PACKET).toBeGreaterThan(before)
      }
    }
  })

  it('gives a link of four times the reference rate four times the alpha, at most 1', () => {
    const shares = (more: Tree): number[] =>
      ['h0', 'h2'].map((from) =>
        heldBy(pileUp({ headroom: '20KB', lossless: [3], ...more }, {}, [{ from }]), from),
      )
    // Alone, q = alpha (pool - q).
    const near = (found: number[], alphas: number[]): void =>
      found.forEach((bytes, i) => {
        const wanted = ((200e3 - 3 * 20e3) * alphas[i]!) / (1 + alphas[i]!)
        expect(Math.abs(bytes - wanted)).toBeLessThan(PACKET)
      })
    near(shares({}), [1 / 8, 1 / 8])
    near(shares({ referenceRate: '10Gbps' }), [1 / 8, 1 / 2])
    near(shares({ referenceRate: '12Gbps' }), [1 / 8, 1 / 2])
    near(shares({ referenceRate: '1Gbps' }), [1, 1])
  })

  it('has headroom of so many link delays, and loses packets where that is too little', () => {
    const drops = (headroomDelays: number): number =>
      pileUp({ xoff: '20KB', headroomDelays }).result().counters.packetsDropped
    // 1,250 B a delay; two delays, a packet each way and the frame come after XOFF.
    expect([drops(3) > 0, drops(10)]).toEqual([true, 0])
    const memory = pileUp({ xoff: '20KB', headroomDelays: 3 }).network.switches as SharedMemory
    expect([0, 2].map((link) => memory.headroomOf(link))).toEqual([3750, 15_000])
  })

  it('drops what is in a class that it leaves out, and stops the others', () => {
    const lossy = [{}, { from: 'h2', class: 2 }]
    const counters = (flowControl: Tree): { drops: boolean; pauses: boolean } => {
      const more = { buffer: { size: '200KB', threshold: '30KB' } }
      const { packetsDropped, pauseFrames } = pileUp(flowControl, more, lossy).result().counters
      return { drops: packetsDropped > 0, pauses: pauseFrames > 0 }
    }
    expect(counters({ xoff: '20KB' })).toEqual({ drops: false, pauses: true })
    expect(counters({ xoff: '20KB', lossless: [3] })).toEqual({ drops: true, pauses: true })
    const only2 = pileUp({ xoff: '20KB', lossless: [3] }, {}, [{ class: 2 }]).result().counters
    expect([only2.packetsDropped > 0, only2.pauseFrames]).toEqual([true, 0])
  })

  it('gives hosts a timeout where their class may lose packets', () => {
    const spec = (flowControl: Tree): number =>
      specOf({
        topology: { kind: 'star', hosts: 2 },
        fabric: { flowControl: { kind: 'pfc', ...flowControl } },
        workload: [{ flows: [{ from: 'h0', to: 'h1' }] }],
      }).hosts.rtoPs
    expect([spec({}), spec({ lossless: [2] }), spec({ headroomDelays: 3 })]).toEqual([0, 1e9, 1e9])
  })
})
