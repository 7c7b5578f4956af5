import { Cube } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { newCounters, rackConfig } from './config.ts'
import type { RackConfig } from './config.ts'
import { ControlPlane, nextDuePs } from './control-plane.ts'
import { TrafficMatrix } from './traffic-matrix.ts'
import { TYPE_DIGEST, TYPE_FINISH, TYPE_START } from './wire/packet.ts'
import type { Announcement, AnnouncementType } from './wire/announcement.ts'

const US = 1e6

describe('periodic work', () => {
  it('is due at the next of its times, however many have gone by', () => {
    const due = [10, 13, 14, 21, 22].map((nowPs) => nextDuePs(10, 4, nowPs))
    expect(due).toEqual([14, 14, 18, 22, 26])
  })
})

/** Node 0 of four, and what it asks of the others. */
function planeOf(changes: Partial<RackConfig> = {}): {
  plane: ControlPlane
  matrix: TrafficMatrix
  said: AnnouncementType[]
  asked: number[]
} {
  const matrix = new TrafficMatrix(4)
  const [said, asked]: [AnnouncementType[], number[]] = [[], []]
  const host = {
    broadcast: ({ type }: Announcement) => said.push(type),
    request: (source: number) => asked.push(source),
    ...{
      broadcastRoutes: () => {},
      flood: () => {},
      snapshot: () => {},
      topologyChanged: () => {},
    },
  }
  const view = { isReachable: () => true, downOutputs: () => 0, setDownOutputs: () => false }
  const config = rackConfig(new Cube([4]), changes)
  return {
    plane: new ControlPlane(0, config, matrix, view, host, newCounters()),
    matrix,
    said,
    asked,
  }
}

/** The announcement of this number that node 1 makes, of a flow that has the number too. */
function nth(number: number, type: AnnouncementType = TYPE_START): Announcement {
  return {
    ...{ type, priority: 0, tree: 0, protocol: 0, source: 1, target: 2, flow: number },
    ...{ demandKbps: Infinity, weightCode: 128, sequence: number & 255 },
  }
}

describe('a digest', () => {
  it('is said when it is due, not before and not later', () => {
    const { plane, said } = planeOf({ digestPs: 100 * US })
    // Those of four nodes are spread over the period.
    for (const nowPs of [0, 1 * US, 25 * US - 1]) plane.tick(nowPs)
    expect([said, plane.nextPs()]).toEqual([[], 25 * US])
    plane.tick(25 * US)
    expect([said, plane.nextPs()]).toEqual([[TYPE_DIGEST], 125 * US])
  })

  it('that differs is asked about, unless up to 128 announcements have overtaken it', () => {
    const isAsked = (behind: number): boolean => {
      const { plane, asked } = planeOf()
      for (let number = 1; number <= 300; number++) plane.hear(nth(number), 0)
      const number = 300 - behind
      const digest = { ...nth(number, TYPE_DIGEST), flow: number >> 8 }
      plane.hear({ ...digest, target: 299, demandKbps: 1 }, 1)
      return asked.length > 0
    }
    expect([-1, 0, 1, 2, 127, 128, 129, 200].map((behind) => isAsked(behind))).toEqual([
      ...[true, true, false, false, false, false, true, true],
    ])
  })
})

describe('an end', () => {
  it('is remembered for its time against a start that it overtook, and no longer', () => {
    const { plane, matrix } = planeOf({ digestPs: 100 * US, endPs: 250 * US })
    const end = { ...nth(2, TYPE_FINISH), flow: 7 }
    const late = { ...nth(1), flow: 7 }
    plane.hear(end, 10 * US)
    // What is over is thrown away with digests, here at 25, 125, 225 and 325 us.
    for (const nowPs of [25, 125, 225]) {
      plane.tick(nowPs * US)
      plane.hear(late, nowPs * US + 1)
      expect(matrix.all()).toEqual([])
    }
    plane.tick(325 * US)
    plane.hear(late, 325 * US + 1)
    expect(matrix.all()).toHaveLength(1)
  })
})

describe('a gap', () => {
  it('is asked about when it is old enough, each at its own time', () => {
    const { plane, asked } = planeOf({ digestPs: 1000 * US, gapPs: 50 * US, requestPs: 100 * US })
    plane.hear(nth(2), 0)
    plane.hear({ ...nth(2), source: 2 }, 20 * US)
    expect(plane.nextPs()).toBe(50 * US)
    plane.tick(50 * US)
    expect([asked, plane.nextPs()]).toEqual([[1], 70 * US])
    plane.tick(70 * US)
    // The first has not answered, and is asked again after a round trip.
    expect([asked, plane.nextPs()]).toEqual([[1, 2], 150 * US])
  })
})
