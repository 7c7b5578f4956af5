import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { CAPABLE, FLAGS, MARKED, Packets } from '../packets.ts'
import { Ports } from '../ports.ts'
import { buildGraph } from '../topologies/index.ts'
import { Marker } from './marker.ts'

const graph = buildGraph({ kind: 'star', hosts: 2, rateBps: 10e9, delayPs: 0 })

/** How many of so many packets are marked at a queue of this length. */
function marked(
  marking: { kminBytes: number; kmaxBytes: number; pmax: number },
  queueBytes: number,
  trials: number,
  flags: number = CAPABLE,
): number {
  const packets = new Packets()
  const ports = new Ports(graph, 0)
  const marker = new Marker(packets, ports, { ...marking, at: 'enqueue' }, new Random(1, 'marks'))
  const p = packets.allocate()
  let count = 0
  for (let i = 0; i < trials; i++) {
    packets.int[p + FLAGS] = flags
    marker.consider(0, p, queueBytes)
    if (packets.int[p + FLAGS]! & MARKED) count++
  }
  expect(ports.marks[0]).toBe(count)
  return count
}

describe('a marker', () => {
  const threshold = { kminBytes: 30_000, kmaxBytes: 30_000, pmax: 1 }
  const red = { kminBytes: 10_000, kmaxBytes: 50_000, pmax: 0.2 }

  it('marks by a threshold every packet above it, and none at or below it', () => {
    expect(marked(threshold, 30_000, 100)).toBe(0)
    expect(marked(threshold, 30_001, 100)).toBe(100)
  })

  it('marks no packet that is not ECN-capable', () => {
    expect(marked(threshold, 1e6, 100, 0)).toBe(0)
    expect(marked(red, 1e6, 100, 0)).toBe(0)
  })

  it('marks by RED with a probability that grows from 0 at kmin to pmax at kmax', () => {
    const trials = 40_000
    expect(marked(red, 10_000, trials)).toBe(0)
    expect(marked(red, 50_001, trials)).toBe(trials)
    for (const [queueBytes, probability] of [
      [12_000, 0.01],
      [30_000, 0.1],
      [50_000, 0.2],
    ] as const) {
      const sigma = Math.sqrt(trials * probability * (1 - probability))
      const count = marked(red, queueBytes, trials)
      expect(Math.abs(count - trials * probability)).toBeLessThan(4 * sigma)
    }
  })
})
