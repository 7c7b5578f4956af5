import { beforeEach, describe, expect, it } from 'vitest'
import { BYTES, CLASS, DATA, FLOW, KIND, Packets } from '../packets.ts'
import { FlowQueues, keyOf } from './flow-queues.ts'

const PORT = 5
let packets: Packets
let queues: FlowQueues

beforeEach(() => {
  packets = new Packets()
  queues = new FlowQueues(packets, 8, 1000)
})

function add(flow: number, bytes: number, trafficClass = 0): number {
  const p = packets.allocate()
  packets.int[p + KIND] = DATA
  packets.int[p + FLOW] = flow
  packets.int[p + BYTES] = bytes
  packets.int[p + CLASS] = trafficClass
  const key = keyOf(packets, p)
  queues.add(PORT, key, p)
  return key
}

/** Flows in the order in which they are served, as far as they may be. */
function serve(count = Infinity, trafficClass = 0): number[] {
  const served: number[] = []
  while (served.length < count && (queues.ready(PORT) >> trafficClass) & 1) {
    const q = queues.choose(PORT, trafficClass)
    served.push(packets.int[queues.take(q) + FLOW])
    queues.close(q)
  }
  return served
}

describe('flows of one output', () => {
  it('are served in turn, each in its own order, and a new one behind those that are there', () => {
    for (const flow of [1, 1, 1, 2, 2, 3]) add(flow, 1000)
    expect(serve(2)).toEqual([1, 2])
    add(4, 1000)
    expect(serve()).toEqual([3, 1, 4, 2, 1])
    expect(queues.count).toBe(0)
  })

  it('get equal bytes, not equal packets', () => {
    for (let i = 0; i < 40; i++) add(1, 250)
    for (let i = 0; i < 10; i++) add(2, 1000)
    const served = serve(25)
    expect(served.filter((flow) => flow === 1).length).toBe(20)
    expect(served.filter((flow) => flow === 2).length).toBe(5)
  })

  it('save what a turn leaves: 700 of 1000 bytes come to ten packets in seven turns', () => {
    for (let i = 0; i < 30; i++) {
      add(1, 700)
      add(2, 1000)
    }
    const served = serve(17)
    expect(served.filter((flow) => flow === 1).length).toBe(10)
  })

  it('have lists of their own in each class', () => {
    add(1, 1000, 0)
    add(1, 1000, 3)
    expect(queues.ready(PORT)).toBe(0b1001)
    expect(serve(Infinity, 3)).toEqual([1])
    expect(queues.ready(PORT)).toBe(0b0001)
    expect(queues.count).toBe(1)
  })

  it('are ready class by class, whichever of the classes is stopped', () => {
    for (const trafficClass of [0, 3, 7]) add(1, 1000, trafficClass)
    const key = (trafficClass: number): number => (1 << 5) | (trafficClass << 1)
    queues.stop(PORT, key(0))
    expect(queues.ready(PORT)).toBe(0b10001000)
    queues.stop(PORT, key(3))
    expect(queues.ready(PORT)).toBe(0b10000000)
    queues.goOn(PORT, key(0))
    queues.stop(PORT, key(7))
    expect(queues.ready(PORT)).toBe(0b00000001)
  })

  it('are as many as there are, each with what waits of it', () => {
    const flows = Array.from({ length: 300 }, (_, flow) => flow)
    for (const flow of flows) add(flow, 1000)
    for (const flow of flows) add(flow, 500)
    expect(queues.count).toBe(300)
    queues.each(({ bytes, port }) => expect([bytes, port]).toEqual([1500, PORT]))
    expect(serve(300)).toEqual(flows)
    expect(serve()).toEqual(flows)
  })
})

describe('an output that is clear for a flow', () => {
  it('has nobody waiting, whoever it is, at this port', () => {
    expect(queues.isClear(PORT, 1 << 5)).toBe(true)
    add(2, 1000)
    expect(queues.isClear(PORT, 1 << 5)).toBe(false)
    expect(queues.isClear(PORT + 1, 1 << 5)).toBe(true)
    serve()
    expect(queues.isClear(PORT, 1 << 5)).toBe(true)
  })

  it('and nothing that says that this one must, though others go by', () => {
    queues.stop(PORT, 1 << 5)
    expect(queues.isClear(PORT, 1 << 5)).toBe(false)
    expect(queues.isClear(PORT, 2 << 5)).toBe(true)
    queues.goOn(PORT, 1 << 5)
    expect(queues.isClear(PORT, 1 << 5)).toBe(true)
  })
})

describe('a flow that is stopped', () => {
  it('is passed over, and others are served', () => {
    for (const flow of [1, 2, 1, 2]) add(flow, 1000)
    queues.stop(PORT, 1 << 5)
    expect(serve()).toEqual([2, 2])
    expect(queues.ready(PORT)).toBe(0)
    expect(queues.goOn(PORT, 1 << 5)).toBe(true)
    expect(serve()).toEqual([1, 1])
  })

  it('waits with what comes after, and keeps its place if it goes on before its turn', () => {
    for (const flow of [1, 2, 3]) add(flow, 1000)
    queues.stop(PORT, 2 << 5)
    queues.goOn(PORT, 2 << 5)
    expect(serve()).toEqual([1, 2, 3])
  })

  it('is known although nothing of it waits, until it may go on', () => {
    queues.stop(PORT, 7 << 5)
    expect(queues.count).toBe(1)
    add(7, 1000)
    expect(serve()).toEqual([])
    queues.goOn(PORT, 7 << 5)
    expect(serve()).toEqual([7])
    queues.stop(PORT, 7 << 5)
    expect(queues.goOn(PORT, 7 << 5)).toBe(false)
    expect(queues.goOn(PORT, 7 << 5)).toBe(false)
    expect(queues.count).toBe(0)
  })

  it('leaves a record to the next flow', () => {
    for (let flow = 0; flow < 10_000; flow++) {
      add(flow, 1000)
      expect(serve()).toEqual([flow])
    }
    expect(queues.count).toBe(0)
  })
})
