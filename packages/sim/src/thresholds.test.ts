/** What a lossy shared memory lets in: by output or by input, static or dynamic, to the packet. */
import { CLASSES } from '@weir/fabric'
import type { SharedMemory } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { graphOf, runAudited, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const PACKET = 1048
/** A memory that the last packet fills to the byte. */
const BUFFER = 190 * PACKET
/** Ports: from h0 and h1 into the switch, and from it to h2 and h3. */
const INS = [0, 2]
const OUTS = [4, 6]

/** Two links into a switch, and two by which nothing gets away while the test lasts. */
function pileUp(buffer: Tree, flows: readonly Tree[]): Run {
  const slow = { a: 's0', rate: '1Mbps' }
  const run = createRun(
    specOf({
      topology: graphOf(['h0 s0', 'h1 s0', { ...slow, b: 'h2' }, { ...slow, b: 'h3' }]),
      fabric: { flowControl: 'none', ecn: 'none', buffer: { size: `${BUFFER}B`, ...buffer } },
      hosts: { ack: 'none', reliability: 'none' },
      workload: [{ flows: flows.map((one) => ({ size: '400KB', ...one })) }],
      run: { until: '1ms' },
    }),
  )
  runAudited(run, 50)
  return run
}

/** Packets of a class that the switch holds for h2 and for h3. */
function heldByOutput(run: Run, trafficClass = 3): number[] {
  const { inventory } = run.network.fabric
  return OUTS.map((port) => inventory.queuedBytes(port, trafficClass) / PACKET)
}

/** Packets that it holds from h0 and from h1. */
function heldByInput(run: Run): number[] {
  const { sharedBytes } = run.network.switches as SharedMemory
  return INS.map((link) => sharedBytes[link * CLASSES + 3]! / PACKET)
}

function heldMax(run: Run): number {
  const { switches, graph } = run.network
  const node = graph.nodes.findIndex(({ name }) => name === 's0')
  return (switches as SharedMemory).usedBytesMax[node]! / PACKET
}

const everyPair = ['h0', 'h1'].flatMap((from) => ['h2', 'h3'].map((to) => ({ from, to })))

describe('a static threshold', () => {
  const threshold = `${20 * PACKET}B`

  it('is what each output may hold, to the byte, by whichever input it comes', () => {
    for (const flows of [everyPair, everyPair.slice(0, 2)]) {
      const run = pileUp({ threshold }, flows)
      expect(heldByOutput(run)).toEqual([20, 20])
      expect(heldMax(run)).toBe(40)
    }
    const less = pileUp({ threshold: `${20 * PACKET - 1}B` }, everyPair)
    expect(heldByOutput(less)).toEqual([19, 19])
  })

  it('is what each input may hold where switches drop there, for whichever output it is', () => {
    const run = pileUp({ threshold, dropAt: 'inputs' }, everyPair)
    expect(heldByInput(run)).toEqual([20, 20])
    const one = pileUp({ threshold, dropAt: 'inputs' }, everyPair.slice(0, 2))
    expect(heldByInput(one)).toEqual([20, 0])
    expect(heldByOutput(one).reduce((sum, held) => sum + held, 0)).toBe(20)
  })

  it('is for each class by itself', () => {
    const run = pileUp({ threshold }, [
      { from: 'h0', to: 'h2' },
      { from: 'h1', to: 'h2', class: 2 },
    ])
    expect([heldByOutput(run, 3)[0], heldByOutput(run, 2)[0]]).toEqual([20, 20])
  })

  it('of all the memory leaves the memory as the bound, and what does not fit is dropped', () => {
    const run = pileUp({ threshold: `${BUFFER}B` }, everyPair)
    const held = BUFFER / PACKET
    expect(heldByOutput(run)[0]! + heldByOutput(run)[1]!).toBe(held)
    expect(heldMax(run)).toBe(held)
    const { ports } = run.network.fabric
    expect(INS.map((port) => ports.drops[port])).toEqual([0, 0])
    const dropped = ports.drops[OUTS[0]!]! + ports.drops[OUTS[1]!]!
    expect(run.result().counters.packetsDropped).toBe(dropped)
    expect(dropped).toBe(4 * 400 - held)
  })
})

describe('a dynamic threshold', () => {
  const [firstOnly] = everyPair

  it.each([1 / 4, 1, 4])('of %d times what is free is what each output may hold', (alpha) => {
    for (const flows of [[firstOnly!], everyPair]) {
      const held = heldByOutput(pileUp({ threshold: { kind: 'dynamic', alpha } }, flows))
      const free = BUFFER / PACKET - held[0]! - held[1]!
      const used = held.slice(0, flows.length)
      // There is no room for one more; there was for the one that came last.
      for (const packets of used) expect(packets + 1).toBeGreaterThan(alpha * free)
      expect(Math.min(...used)).toBeLessThanOrEqual(alpha * (free + 1))
      expect(held[1]! > 0).toBe(flows.length > 1)
    }
  })
})
