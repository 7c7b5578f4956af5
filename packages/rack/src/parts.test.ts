import { Random } from '@weir/engine'
import { Channels, Cube } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { AnnouncementsHeard, LatestHeard } from './announcements-heard.ts'
import { newCounters, rackConfig } from './config.ts'
import { ControlPlane } from './control-plane.ts'
import { DemandEstimator } from './demand-estimator.ts'
import { ReorderBuffer } from './reorder-buffer.ts'
import { SharedRates } from './shared-rates.ts'
import { Snapshots, snapshotPayloads } from './snapshots.ts'
import { TokenBucket } from './token-bucket.ts'
import { TopologyView } from './topology-view.ts'
import { TrafficMatrix } from './traffic-matrix.ts'
import { TYPE_FINISH, TYPE_START } from './wire/packet.ts'
import type { Announcement } from './wire/announcement.ts'
import type { RouteChoices } from './wire/route-choices.ts'

const start: Announcement = {
  ...{ type: TYPE_START, priority: 0, tree: 0, protocol: 0, source: 1, target: 2, flow: 3 },
  ...{ demandKbps: Infinity, weightCode: 128, sequence: 0 },
}

describe('a token bucket', () => {
  it('lets a depth pass at once and then its rate, to the byte', () => {
    const bucket = new TokenBucket(8e9, 3000, 0)
    expect([bucket.take(1500, 0), bucket.take(1500, 0), bucket.take(1500, 0)]).toEqual([
      true,
      true,
      false,
    ])
    // A byte per nanosecond.
    expect(bucket.readyPs(1500, 0)).toBe(1_500_000)
    expect(bucket.take(1500, 1_499_000)).toBe(false)
    expect(bucket.take(1500, 1_500_000)).toBe(true)
    bucket.setRate(0, 1_500_000)
    expect(bucket.readyPs(1, 1_500_000)).toBe(Infinity)
  })
})

describe('a reorder buffer', () => {
  it('gives packets out in order, once each, and counts how many waited', () => {
    const buffer = new ReorderBuffer()
    const take = (n: number): number[] => buffer.take(n, Uint8Array.of(n), 0).map((p) => p[0]!)
    expect([take(1), take(2), take(0), take(1), take(4), take(3)]).toEqual([
      [],
      [],
      [0, 1, 2],
      [],
      [],
      [3, 4],
    ])
    expect(buffer.packetsMax).toBe(2)
  })

  it('gives up on a packet that does not come', () => {
    const buffer = new ReorderBuffer(3)
    for (const n of [1, 2, 3]) expect(buffer.take(n, Uint8Array.of(n), 0)).toEqual([])
    expect(buffer.take(4, Uint8Array.of(4), 0)).toHaveLength(4)
    expect(buffer.lost).toBe(1)
    expect(buffer.take(0, Uint8Array.of(0), 0)).toEqual([])
  })

  const of = (byte: number): Uint8Array => Uint8Array.of(byte)

  it('gives up what is missing when its flow is silent, and hands on what has come', () => {
    const buffer = new ReorderBuffer()
    expect(buffer.take(0, of(0), 1)).toHaveLength(1)
    for (const number of [2, 3, 7]) expect(buffer.take(number, of(number), 2)).toEqual([])
    expect(buffer.giveUp().map(([first]) => first)).toEqual([2, 3, 7])
    expect([buffer.lost, buffer.heardPs]).toEqual([4, 2])
    expect(buffer.take(8, of(8), 3)).toHaveLength(1)
    expect(buffer.giveUp()).toEqual([])
  })

  it('goes on where numbers of packets go round', () => {
    const buffer = new ReorderBuffer(1)
    // Those between are given up: two wait, of which one may.
    buffer.take(2 ** 31 - 1, of(1), 0)
    buffer.take(2 ** 31 - 2, of(2), 0)
    buffer.take(2 ** 32 - 3, of(3), 0)
    expect(buffer.take(2 ** 32 - 2, of(4), 0)).toHaveLength(2)
    expect(buffer.take(0, of(6), 0)).toEqual([])
    expect(buffer.take(2 ** 32 - 1, of(5), 0).map(([first]) => first)).toEqual([5, 6])
    expect(buffer.take(1, of(7), 0)).toHaveLength(1)
    expect(buffer.take(2 ** 32 - 1, of(5), 0)).toEqual([])
  })
})

describe('demand', () => {
  it('is the allocation and what waits over the period (Eq. 1), smoothed', () => {
    const estimator = new DemandEstimator(0.5)
    expect(estimator.estimateBps).toBe(Infinity)
    // 1 Gb/s for 1 ms, and 125,000 B that wait: as much again.
    expect(estimator.observe(1e9, 125_000, 125_000, 1e9)).toBe(2e9)
    expect(estimator.observe(1e9, 12_500, 0, 1e9)).toBe(0.5 * (2e9 + 0.1e9))
  })
})

describe('announcements that have been heard', () => {
  it('tell a gap from what is late, and go on past 255', () => {
    const heard = new AnnouncementsHeard(new LatestHeard(4))
    expect(heard.hear(2, 1, 10)).toBe(1)
    expect(heard.missingSincePs(2)).toBe(Infinity)
    expect(heard.hear(2, 3, 20)).toBe(3)
    expect(heard.missingSincePs(2)).toBe(20)
    expect(heard.hear(2, 2, 30)).toBe(2)
    expect(heard.missingSincePs(2)).toBe(Infinity)
    for (let n = 4; n < 600; n++) expect(heard.hear(2, n & 255, 40)).toBe(n)
    heard.hear(2, 605 & 255, 50)
    expect(heard.missingSincePs(2)).toBe(50)
    heard.caughtUp(2, 700)
    expect([heard.missingSincePs(2), heard.latest(2), heard.latest(1)]).toEqual([Infinity, 700, 0])
  })
})

describe('a traffic matrix', () => {
  it('believes the latest announcement of a flow, in whatever order they come', () => {
    const matrix = new TrafficMatrix(4)
    matrix.apply({ ...start, type: TYPE_FINISH }, 2, 0)
    matrix.apply(start, 1, 5)
    expect(matrix.all()).toEqual([])
    matrix.apply(start, 3, 10)
    matrix.apply({ ...start, demandKbps: 7 }, 300, 20)
    expect(matrix.get(1, 3)).toMatchObject({ demandKbps: 7, sincePs: 10 })
    matrix.apply({ ...start, type: TYPE_FINISH }, 301, 30)
    expect(matrix.digestOf(1)).toEqual({ count: 0, hash: 0 })
    matrix.forgetEnds(31)
    matrix.apply(start, 1, 40)
    expect(matrix.of(1)).toHaveLength(1)
  })

  it('has a digest that does not depend on the order and sees every change', () => {
    const [a, b] = [new TrafficMatrix(4), new TrafficMatrix(4)]
    a.apply(start, 1, 0)
    a.apply({ ...start, flow: 4 }, 2, 0)
    b.apply({ ...start, flow: 4 }, 2, 0)
    b.apply(start, 1, 0)
    expect(a.digestOf(1)).toEqual(b.digestOf(1))
    b.reroute(1, 4, 1)
    expect(a.digestOf(1)).not.toEqual(b.digestOf(1))
    expect(b.reroute(1, 9, 1)).toBe(false)
  })
})

it('more chosen routes than a packet holds are announced in several', () => {
  const nothing = (): void => undefined
  const told: RouteChoices[] = []
  const host = {
    ...{ broadcast: nothing, flood: nothing, request: nothing, snapshot: nothing },
    ...{ topologyChanged: nothing, broadcastRoutes: (routes: RouteChoices) => told.push(routes) },
  }
  const view = { isReachable: () => true, downOutputs: () => 0, setDownOutputs: () => false }
  const config = rackConfig(new Cube([2]))
  const node = new ControlPlane(0, config, new TrafficMatrix(2), view, host, newCounters())
  const choices = Array.from({ length: 700 }, (_, flow) => ({ source: 1, flow, protocol: 1 }))
  node.announceRoutes(choices)
  expect(told.map((routes) => routes.choices.length)).toEqual([298, 298, 104])
  expect(told.flatMap((routes) => routes.choices)).toEqual(choices)
})

describe('numbers of announcements', () => {
  const end: Announcement = { ...start, type: TYPE_FINISH }

  it('go round: a flow that began before ends after, and what is older says nothing', () => {
    const matrix = new TrafficMatrix(8)
    matrix.apply(start, 0xffffff, 0)
    matrix.apply(end, 2 ** 24 - 3, 0)
    expect(matrix.all()).toHaveLength(1)
    matrix.apply(end, 1, 0)
    matrix.apply({ ...start, demandKbps: 7 }, 0, 0)
    expect(matrix.all()).toEqual([])
    // Whole, as nodes count what they hear, or 24 bits, as digests have it.
    matrix.apply({ ...start, demandKbps: 9 }, 2 ** 24 + 2, 0)
    matrix.apply({ ...start, demandKbps: 8 }, 1, 0)
    expect(matrix.get(1, 3)!.demandKbps).toBe(9)
  })

  it('may be below those that a new node has heard, and the flow is known all the same', () => {
    const heard = new AnnouncementsHeard(new LatestHeard(8))
    const matrix = new TrafficMatrix(8)
    for (const low of [255, 250]) {
      matrix.apply({ ...start, flow: low }, heard.hear(1, low, 0), 0)
      expect(matrix.get(1, low)).toBeDefined()
    }
    expect(matrix.digestOf(1).count).toBe(2)
    matrix.apply({ ...end, flow: 250 }, heard.hear(1, 0, 0), 0)
    matrix.apply({ ...end, flow: 255 }, heard.hear(1, 1, 0), 0)
    expect(matrix.digestOf(1)).toEqual({ count: 0, hash: 0 })
  })

  it('of a node go round in what it knows of its own flows, too', () => {
    const matrix = new TrafficMatrix(2)
    const nothing = (): void => undefined
    const host = {
      ...{ broadcast: nothing, broadcastRoutes: nothing, flood: nothing, request: nothing },
      ...{ snapshot: nothing, topologyChanged: nothing },
    }
    const view = { isReachable: () => true, downOutputs: () => 0, setDownOutputs: () => false }
    const config = rackConfig(new Cube([2]))
    const node = new ControlPlane(0, config, matrix, view, host, newCounters(), 0xffff)
    const flow = { ...start, target: 1 }
    node.announceStart({ ...flow, flow: 0 }, 0)
    for (let one = 1; one <= 300; one++) {
      node.announceStart({ ...flow, flow: one }, 0)
      node.announceFinish({ ...flow, flow: one }, 0)
    }
    node.announceFinish({ ...flow, flow: 0 }, 0)
    expect(matrix.all()).toEqual([])
  })
})

describe('a view of the topology', () => {
  /** A node with so many links, and one node at the end of each. */
  const star = (leaves: number): Channels => {
    const ends = Array.from({ length: leaves }, (_, i) => i + 1)
    return new Channels(leaves + 1, [
      ...ends.map((leaf) => [0, leaf] as const),
      ...ends.map((leaf) => [leaf, 0] as const),
    ])
  }

  it('loses whoever was at the end of a link, of 32 links too', () => {
    const view = new TopologyView(star(32), 0)
    for (const output of [0, 4, 31]) {
      expect(view.setDownOutputs(0, 1 << output)).toBe(true)
      expect(view.setDownOutputs(0, 1 << output)).toBe(false)
      const lost = Array.from({ length: 33 }, (_, node) => node).filter(
        (node) => !view.isReachable(node),
      )
      expect(lost).toEqual([output + 1])
    }
    expect(view.setDownOutputs(0, 0)).toBe(true)
    expect(view.isReachable(32)).toBe(true)
    expect(view.version).toBe(4)
  })

  it('takes a link for dead if either end says so, and only that one', () => {
    const view = new TopologyView(star(3), 2)
    view.setDownOutputs(3, 1)
    expect([0, 1, 2, 3].map((node) => view.isReachable(node))).toEqual([true, true, true, false])
  })

  it('is refused where a node has more links than a word on them has bits', () => {
    expect(() => new TopologyView(star(33), 0)).toThrow('33 links')
  })
})

describe('snapshots', () => {
  it('are not whole after a part or two of more than a byte can count', () => {
    const flows = Array.from({ length: 23_100 }, () => start)
    const parts = snapshotPayloads(flows, 7)
    expect(parts).toHaveLength(257)
    const snapshots = new Snapshots(4)
    expect(snapshots.take(1, parts[0]!, 4)).toBe('waiting')
    expect(snapshots.take(1, parts[256]!, 4)).toBe('waiting')
  })

  it('are put together from parts in any order', () => {
    const flows = Array.from({ length: 200 }, (_, flow) => ({ ...start, flow }))
    const parts = snapshotPayloads(flows, 70_000)
    expect(parts).toHaveLength(3)
    const snapshots = new Snapshots(4)
    expect(snapshots.take(1, parts[2]!, 4)).toBe('waiting')
    expect(snapshots.take(1, parts[0]!, 4)).toBe('waiting')
    const whole = snapshots.take(1, parts[1]!, 4)
    if (typeof whole === 'string') throw new Error(whole)
    expect(whole.number).toBe(70_000)
    expect(new Set(whole.flows.map(({ flow }) => flow)).size).toBe(200)
    expect(snapshots.take(2, parts[1]!, 4)).toBe('malformed')
    expect(snapshots.take(1, parts[1]!.subarray(1), 4)).toBe('malformed')
  })
})

describe('the table of a traffic matrix', () => {
  /** What it must do, with a Map for each source. */
  class Naive {
    readonly flows = new Map<string, { number: number; demandKbps: number; isOver: boolean }>()

    apply(a: Announcement, number: number): void {
      const key = `${a.source}/${a.flow}`
      const before = this.flows.get(key)
      if (before !== undefined && number <= before.number) return
      const isOver = a.type === TYPE_FINISH
      this.flows.set(key, { number, demandKbps: a.demandKbps, isOver })
    }

    toString(): string {
      return [...this.flows]
        .filter(([, { isOver }]) => !isOver)
        .map(([key, { demandKbps }]) => `${key} ${demandKbps}`)
        .sort()
        .join('\n')
    }
  }

  it('holds what a map would, through growth, ends, replacements and what is forgotten', () => {
    const random = new Random(1, 'traffic-matrix')
    const matrix = new TrafficMatrix(8)
    const naive = new Naive()
    for (let step = 1; step <= 6000; step++) {
      const source = random.below(8)
      const flow = random.below(400)
      const demandKbps = 1 + random.below(5)
      const type = random.below(3) === 0 ? TYPE_FINISH : TYPE_START
      const a = { ...start, source, flow, demandKbps, type } as const
      // Some come late.
      const number = Math.max(1, step - random.below(20))
      matrix.apply(a, number, step)
      naive.apply(a, number)
      if (step % 1000 === 0) {
        const flows = [1, 2, 3].map((own) => ({ ...start, source: 5, flow: own, demandKbps: 9 }))
        matrix.replace(5, flows, step, step)
        for (const key of naive.flows.keys()) if (key.startsWith('5/')) naive.flows.delete(key)
        for (const one of flows) naive.apply(one, step)
      }
      if (step % 500 !== 0) continue
      const held = matrix.all().map((f) => `${f.source}/${f.flow} ${f.demandKbps}`)
      expect(held.sort().join('\n')).toBe(naive.toString())
      const digests = Array.from({ length: 8 }, (_, s) => matrix.digestOf(s))
      const fresh = new TrafficMatrix(8)
      for (const known of matrix.all()) fresh.apply({ ...start, ...known }, 1, 0)
      expect(Array.from({ length: 8 }, (_, s) => fresh.digestOf(s))).toEqual(digests)
    }
    const before = matrix.toString()
    matrix.forgetEnds(1e9)
    expect(matrix.toString()).toBe(before)
  })
})

describe('rates that nodes share', () => {
  const fractionsOf = () => ({ links: Int32Array.of(0), fractions: Float64Array.of(1) })
  const topology = {}

  it('ask for the ways of a flow by its protocol, its source and its target', () => {
    const rates = new SharedRates(Float64Array.of(10e9), 0.05)
    const matrix = new TrafficMatrix(8)
    matrix.apply({ ...start, protocol: 4, source: 6, target: 5 }, 1, 0)
    const asked: number[][] = []
    rates.of(matrix, 0, topology, (...of) => {
      asked.push(of)
      return fractionsOf()
    })
    expect(asked).toEqual([[4, 6, 5]])
  })

  it('are worked out once for one set of flows, in whatever order it was heard of', () => {
    const rates = new SharedRates(Float64Array.of(10e9), 0.05)
    const [a, b] = [new TrafficMatrix(4), new TrafficMatrix(4)]
    a.apply(start, 1, 0)
    a.apply({ ...start, flow: 4 }, 2, 0)
    b.apply({ ...start, flow: 4 }, 2, 0)
    b.apply(start, 1, 0)
    const first = rates.of(a, 0, topology, fractionsOf)
    expect(rates.of(b, 0, topology, fractionsOf)).toBe(first)
    expect([...first.values()]).toEqual([4.75e9, 4.75e9])
    expect([rates.asked, rates.computed]).toEqual([2, 1])
  })

  it('are others where a field, the topology or the age of flows is another', () => {
    const rates = new SharedRates(Float64Array.of(10e9), 0.05)
    const matrix = new TrafficMatrix(4)
    matrix.apply(start, 1, 0)
    matrix.apply({ ...start, flow: 4 }, 2, 50)
    const all = rates.of(matrix, 50, topology, fractionsOf)
    expect(rates.of(matrix, 50, {}, fractionsOf)).not.toBe(all)
    expect([...rates.of(matrix, 10, topology, fractionsOf).values()]).toEqual([9.5e9])
    matrix.apply({ ...start, flow: 4, demandKbps: 1e6 }, 3, 60)
    expect([...rates.of(matrix, 60, topology, fractionsOf).values()]).toEqual([8.5e9, 1e9])
  })
})
