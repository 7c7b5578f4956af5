import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'
import { nicOf } from './nic.ts'
import type { Nic, Service } from './nic.ts'

function flowOf(row: number, nstPs: number): Flow {
  const flow = new Flow({} as Hosts)
  flow.row = row
  flow.turn = row
  flow.nstPs = nstPs
  return flow
}

/** Serves the flow whose turn it is, if it is due; it is due again after `gapPs`. */
function serve(nic: Nic, nowPs: number, gapPs: number): number {
  const flow = nic.next(nowPs)
  if (flow === undefined || flow.nstPs > nowPs) return -1
  flow.nstPs = nowPs + gapPs
  nic.served(flow)
  nic.moved(flow)
  return flow.row
}

describe.each(['next-service-time', 'round-robin'] as const)('a NIC by %s', (service: Service) => {
  it('has no flow at first, and none after the last was removed', () => {
    const nic = nicOf(service)
    expect([nic.count, nic.duePs, nic.next(0)]).toEqual([0, Infinity, undefined])
    const flow = flowOf(3, 10)
    nic.add(flow)
    nic.add(flow)
    expect([nic.count, nic.duePs, nic.next(0)]).toEqual([1, 10, flow])
    nic.remove(flow)
    nic.remove(flow)
    expect([nic.count, nic.duePs, flow.place]).toEqual([0, Infinity, -1])
  })

  it('has been due since its flow was, also when it was asked for one', () => {
    const nic = nicOf(service)
    nic.add(flowOf(0, 10))
    nic.add(flowOf(1, 500))
    nic.next(100)
    expect(nic.duePs).toBe(10)
  })

  it('says which is due first if none is due, ties by row', () => {
    const nic = nicOf(service)
    for (const [row, nst] of [
      [2, 30],
      [1, 20],
      [0, 20],
    ] as const) {
      nic.add(flowOf(row, nst))
    }
    expect(nic.next(10)?.row).toBe(0)
    expect(nic.duePs).toBe(20)
  })

  it('serves equal flows in turn, whatever order they came in', () => {
    const nic = nicOf(service)
    for (const row of [2, 0, 1]) nic.add(flowOf(row, 0))
    const order = Array.from({ length: 6 }, (_, n) => serve(nic, n, 1))
    expect(order).toEqual([0, 1, 2, 0, 1, 2])
  })

  it('agrees with a list that is looked through, under any changes', () => {
    const random = new Random(5, 'nic')
    const nic = nicOf(service)
    const here = new Set<Flow>()
    const flows = Array.from({ length: 12 }, (_, row) => flowOf(row, 0))
    let last = -1
    for (let nowPs = 0; nowPs < 5000; nowPs++) {
      const flow = flows[random.below(flows.length)]!
      const action = random.below(4)
      if (action === 0 && !here.has(flow)) {
        here.add(flow)
        nic.add(flow)
      } else if (action === 1) {
        here.delete(flow)
        nic.remove(flow)
      } else if (action === 2) {
        flow.nstPs = nowPs + random.below(20) - 5
        nic.moved(flow)
      }
      const due = [...here].filter((one) => one.nstPs <= nowPs)
      const byRow = due.sort((a, b) => a.row - b.row)
      const byNst = [...due].sort((a, b) => a.nstPs - b.nstPs || a.row - b.row)
      const expected =
        service === 'round-robin' ? (byRow.find(({ row }) => row > last) ?? byRow[0]) : byNst[0]
      expect(nic.count).toBe(here.size)
      if (expected !== undefined) expect(nic.next(nowPs)).toBe(expected)
      const row = serve(nic, nowPs, random.below(30))
      expect(row).toBe(expected?.row ?? -1)
      if (row >= 0) last = row
    }
  })
})

it('by next service time goes to the flow that has waited longest, in turn to the next', () => {
  const order = (service: Service): number[] => {
    const nic = nicOf(service)
    // Row 1 was served last; then 0 became due, and after it 2.
    const flows = [flowOf(0, 10), flowOf(1, 0), flowOf(2, 20)]
    for (const flow of flows) nic.add(flow)
    const first = serve(nic, 5, 100)
    return [first, serve(nic, 30, 100), serve(nic, 31, 100)]
  }
  expect(order('next-service-time')).toEqual([1, 0, 2])
  expect(order('round-robin')).toEqual([1, 2, 0])
})

describe('a NIC by shortest-first', () => {
  function sized(row: number, packets: number): Flow {
    const flow = flowOf(row, 0)
    flow.mtuBytes = 1000
    flow.packetCount = packets
    flow.sizeBytes = packets * 1000
    return flow
  }

  it('serves the flow with the least left to send, of equals the one that began first', () => {
    const nic = nicOf('shortest-first')
    const flows = [sized(0, 5), sized(1, 3), sized(2, 3)]
    for (const flow of flows) nic.add(flow)
    expect(nic.next(0)?.row).toBe(1)
    flows[0]!.fresh = 3
    expect(nic.next(0)?.row).toBe(0)
    nic.remove(flows[0]!)
    nic.remove(flows[1]!)
    expect(nic.next(0)?.row).toBe(2)
    expect(nic.count).toBe(1)
  })

  it('serves flows without end last, and those whose time has not come not at all', () => {
    const nic = nicOf('shortest-first')
    const endless = flowOf(0, 0)
    const later = sized(1, 1)
    later.nstPs = 10
    nic.add(endless)
    nic.add(later)
    expect(nic.next(0)).toBe(endless)
    expect(nic.next(10)).toBe(later)
    nic.remove(later)
    const first = flowOf(-1, 11)
    nic.add(first)
    expect(nic.next(11)).toBe(first)
  })

  it('says which is due first if none is due, and serves a shorter one that comes later', () => {
    const nic = nicOf('shortest-first')
    expect([nic.count, nic.duePs, nic.next(0)]).toEqual([0, Infinity, undefined])
    const [long, short] = [sized(0, 9), sized(1, 2)]
    long.nstPs = 20
    short.nstPs = 30
    for (const flow of [short, long, long]) nic.add(flow)
    expect([nic.count, nic.duePs, nic.next(10)]).toEqual([2, 20, long])
    expect([nic.next(29), nic.next(30), nic.duePs <= 30]).toEqual([long, short, true])
  })

  it('agrees with a list that is looked through, under any changes', () => {
    const random = new Random(6, 'nic')
    const nic = nicOf('shortest-first')
    const here = new Set<Flow>()
    const flows = Array.from({ length: 12 }, (_, row) =>
      row < 10 ? sized(row, 6) : flowOf(row, 0),
    )
    const isBefore = (a: Flow, b: Flow): boolean =>
      a.unsentBytes < b.unsentBytes || (a.unsentBytes === b.unsentBytes && a.turn < b.turn)
    for (let nowPs = 0; nowPs < 5000; nowPs++) {
      const flow = flows[random.below(flows.length)]!
      const action = random.below(5)
      if (action === 0) {
        here.add(flow)
        nic.add(flow)
      } else if (action === 1) {
        here.delete(flow)
        nic.remove(flow)
        expect(flow.place).toBe(-1)
      } else if (action === 2) {
        flow.nstPs = nowPs + random.below(20) - 5
        nic.moved(flow)
      } else if (action === 3) flow.fresh = random.below(6)
      const due = [...here].filter((one) => one.nstPs <= nowPs)
      const expected = due.find((one) => due.every((other) => !isBefore(other, one)))
      const first = Math.min(...[...here].map((one) => one.nstPs))
      const next = nic.next(nowPs)
      if (expected !== undefined) expect(next).toBe(expected)
      else expect(next?.nstPs ?? Infinity).toBe(first)
      expect(nic.count).toBe(here.size)
      if (expected === undefined) expect(nic.duePs).toBe(first)
      else expect(nic.duePs).toBeLessThanOrEqual(nowPs)
    }
  })
})
