import { describe, expect, it } from 'vitest'
import { pauseFrame } from '../flow-control/pause-frame.ts'
import { FIELD_A, CODE, Packets, SEQ } from '../packets.ts'
import { FRAMES, Ports, QUEUES } from '../ports.ts'
import { buildGraph } from '../topologies/index.ts'
import { WaitQueues } from './wait-queues.ts'

const graph = buildGraph({ kind: 'star', hosts: 3, rateBps: 10e9, delayPs: 0 })

function bench(): { packets: Packets; ports: Ports; waits: WaitQueues } {
  const packets = new Packets()
  const ports = new Ports(graph, 0)
  return { packets, ports, waits: new WaitQueues(ports, packets) }
}

describe('wait queues', () => {
  it('are first in, first out, one per class', () => {
    const { packets, ports, waits } = bench()
    const [a, b, c, other] = [1, 2, 3, 4].map(() => packets.allocate())
    waits.add(2, 0, a!)
    waits.add(2, 5, other!)
    waits.add(2, 0, b!)
    expect(ports.waiting[2]).toBe(0b100001)
    expect(ports.waitHead[2 * QUEUES]).toBe(a)
    expect(waits.take(2, 0)).toBe(a)
    waits.add(2, 0, c!)
    expect(waits.take(2, 0)).toBe(b)
    expect(waits.take(2, 0)).toBe(c)
    expect(ports.waiting[2]).toBe(0b100000)
    expect(waits.take(2, 5)).toBe(other)
    expect(ports.waiting[2]).toBe(0)
    expect(ports.waitHead.every((head) => head === -1)).toBe(true)
  })

  it('wait as long as one is left, be it the very first record', () => {
    const { packets, ports, waits } = bench()
    const [first, a] = [packets.allocate(), packets.allocate()]
    waits.add(1, 3, a)
    waits.add(1, 3, first)
    expect(first).toBe(0)
    expect(waits.take(1, 3)).toBe(a)
    expect(ports.waiting[1]).toBe(0b1000)
    expect(waits.take(1, 3)).toBe(first)
    expect(ports.waiting[1]).toBe(0)
  })

  it('take a packet anew after they were empty', () => {
    const { packets, ports, waits } = bench()
    const [a, b] = [packets.allocate(), packets.allocate()]
    waits.add(0, 3, a)
    expect(waits.take(0, 3)).toBe(a)
    waits.add(0, 3, b)
    expect(ports.waiting[0]).toBe(0b1000)
    expect(waits.take(0, 3)).toBe(b)
    expect(ports.waiting[0]).toBe(0)
  })

  it('forget what a packet was chained to before', () => {
    const { packets, waits } = bench()
    const [a, b] = [packets.allocate(), packets.allocate()]
    waits.add(0, 0, a)
    waits.add(0, 0, b)
    waits.take(0, 0)
    waits.take(0, 0)
    waits.add(0, 1, a)
    expect(waits.take(0, 1)).toBe(a)
    expect(waits.take(0, 1)).toBe(-1)
  })

  it('let a frame that still waits say what holds now', () => {
    const { packets, waits } = bench()
    const back = 3
    const link = back ^ 1
    const frames = [1, 4].map((c) => pauseFrame(packets, link, c, true, 64))
    frames.forEach((p) => waits.add(back, FRAMES, p))
    expect(waits.renewFrame(back, 2, false)).toBe(false)
    expect(waits.renewFrame(back ^ 1, 4, false)).toBe(false)
    expect(frames.map((p) => packets.cold[(p >> 1) + FIELD_A])).toEqual([1, 1])

    const [, frame] = frames
    expect(waits.renewFrame(back, 4, false)).toBe(true)
    const fresh = pauseFrame(packets, link, 4, false, 64)
    expect(packets.cold[(frame! >> 1) + FIELD_A]).toBe(0)
    expect(packets.int[frame! + SEQ]).toBe(packets.int[fresh + SEQ])
    expect(frames.map((p) => packets.cold[(p >> 1) + CODE])).toEqual([1, 4])
    expect(packets.cold[(frames[0]! >> 1) + FIELD_A]).toBe(1)

    expect(waits.renewFrame(back, 4, true)).toBe(true)
    const off = pauseFrame(packets, link, 4, true, 64)
    expect(packets.cold[(frame! >> 1) + FIELD_A]).toBe(1)
    expect(packets.int[frame! + SEQ]).toBe(packets.int[off + SEQ])
    expect(packets.int[off + SEQ]).not.toBe(packets.int[fresh + SEQ])
  })
})
