import { describe, expect, it } from 'vitest'
import { Ports } from '../ports.ts'
import { buildGraph } from '../topologies/index.ts'
import { roundRobin, strict, weightedRoundRobin } from './class-scheduler.ts'
import type { ClassScheduler } from './class-scheduler.ts'

const graph = buildGraph({ kind: 'star', hosts: 3, rateBps: 10e9, delayPs: 0 })
const PORT = 3
const PORTS = 2 * graph.links.length

/** Which classes are served, one packet after the other, if these have packets of these bytes. */
function served(
  scheduler: ClassScheduler,
  count: number,
  bytesOf: Readonly<Record<number, number>>,
  ports: Ports = new Ports(graph, 0),
  port: number = PORT,
): number[] {
  const eligible = Object.keys(bytesOf).reduce((bits, c) => bits | (1 << Number(c)), 0)
  return Array.from({ length: count }, () => {
    const trafficClass = scheduler.choose(ports, port, eligible)
    scheduler.charge(ports, port, trafficClass, bytesOf[trafficClass]!)
    return trafficClass
  })
}

function bytesByClass(
  classes: readonly number[],
  bytesOf: Readonly<Record<number, number>>,
): Record<number, number> {
  const sums: Record<number, number> = {}
  for (const c of classes) sums[c] = (sums[c] ?? 0) + bytesOf[c]!
  return sums
}

describe('strict priority', () => {
  it('serves the highest class, each time', () => {
    expect(served(strict, 3, { 0: 1, 2: 1, 5: 1 })).toEqual([5, 5, 5])
    expect(served(strict, 1, { 0: 1 })).toEqual([0])
    expect(served(strict, 1, { 7: 1, 6: 1 })).toEqual([7])
  })
})

describe('round robin', () => {
  it('goes upwards from the class that was served last, and round', () => {
    expect(served(roundRobin, 7, { 1: 1, 4: 1, 7: 1 })).toEqual([1, 4, 7, 1, 4, 7, 1])
  })

  it('comes back to the class served last if it is alone', () => {
    expect(served(roundRobin, 3, { 2: 1 })).toEqual([2, 2, 2])
  })

  it('leaves a turn where it is until the class is charged, and keeps ports apart', () => {
    const ports = new Ports(graph, 0)
    expect(roundRobin.choose(ports, 1, 0b110)).toBe(1)
    expect(roundRobin.choose(ports, 1, 0b110)).toBe(1)
    roundRobin.charge(ports, 1, 1, 100)
    expect(roundRobin.choose(ports, 1, 0b110)).toBe(2)
    expect(roundRobin.choose(ports, 2, 0b110)).toBe(1)
  })

  it('refuses to choose from nothing', () => {
    expect(() => roundRobin.choose(new Ports(graph, 0), 0, 0)).toThrow('no class is eligible')
  })
})

describe('weighted round robin', () => {
  it('gives a turn weight x 2,048 B, and takes what it overdraws off the next', () => {
    // Of 1,000 B packets three go in a turn of 2,048 B: 952 over, so that two make up the next.
    const order = served(weightedRoundRobin([1, 1], PORTS), 10, { 0: 1000, 1: 1000 })
    expect(order).toEqual([1, 1, 1, 0, 0, 0, 1, 1, 0, 0])
  })

  it('shares by weight, in bytes, whatever the packets', () => {
    const bytesOf = { 0: 1500, 1: 64, 2: 700 }
    const scheduler = weightedRoundRobin([3, 1, 2], PORTS)
    const sums = bytesByClass(served(scheduler, 40_000, bytesOf), bytesOf)
    expect(sums[0]! / sums[1]!).toBeCloseTo(3, 1)
    expect(sums[2]! / sums[1]!).toBeCloseTo(2, 1)
  })

  it('takes 1 for the weight of a class that has none', () => {
    const bytesOf = { 0: 1000, 6: 1000 }
    const sums = bytesByClass(served(weightedRoundRobin([2], PORTS), 3000, bytesOf), bytesOf)
    expect(sums[0]! / sums[6]!).toBeCloseTo(2, 1)
  })

  it('passes a class over until a packet longer than its quantum is paid for', () => {
    const bytesOf = { 0: 9000, 1: 1000 }
    const sums = bytesByClass(served(weightedRoundRobin([1, 1], PORTS), 5000, bytesOf), bytesOf)
    expect(sums[0]! / sums[1]!).toBeCloseTo(1, 1)
  })

  it('does not charge a class that is alone', () => {
    const ports = new Ports(graph, 0)
    const scheduler = weightedRoundRobin([1, 1], PORTS)
    expect(served(scheduler, 50, { 0: 1000 }, ports)).toEqual(new Array(50).fill(0))
    // Nothing is owed for those fifty: both get full turns, the newcomer first.
    const order = served(scheduler, 6, { 0: 1000, 1: 1000 }, ports)
    expect(order).toEqual([1, 1, 1, 0, 0, 0])
  })

  it('ends a turn in which its class became alone, and what was left of it is lost', () => {
    const ports = new Ports(graph, 0)
    const scheduler = weightedRoundRobin([1, 1], PORTS)
    expect(served(scheduler, 1, { 0: 1000, 1: 1000 }, ports)).toEqual([1])
    expect(served(scheduler, 1, { 1: 1000 }, ports)).toEqual([1])
    expect(served(scheduler, 7, { 0: 1000, 1: 1000 }, ports)).toEqual([0, 0, 0, 1, 1, 1, 0])
  })

  it('ends a turn whose class has nothing more, and what was left of it is lost', () => {
    const ports = new Ports(graph, 0)
    const scheduler = weightedRoundRobin([1, 1, 1], PORTS)
    expect(served(scheduler, 1, { 1: 1000, 2: 1000 }, ports)).toEqual([1])
    expect(served(scheduler, 3, { 0: 1000, 2: 1000 }, ports)).toEqual([2, 2, 2])
    expect(served(scheduler, 7, { 0: 1000, 1: 1000 }, ports)).toEqual([0, 0, 0, 1, 1, 1, 0])
  })

  it('keeps ports apart', () => {
    const ports = new Ports(graph, 0)
    const scheduler = weightedRoundRobin([1, 1], PORTS)
    served(scheduler, 2, { 0: 1000, 1: 1000 }, ports, 1)
    expect(served(scheduler, 4, { 0: 1000, 1: 1000 }, ports, 2)).toEqual([1, 1, 1, 0])
    expect(served(scheduler, 2, { 0: 1000, 1: 1000 }, ports, 1)).toEqual([1, 0])
  })
})
