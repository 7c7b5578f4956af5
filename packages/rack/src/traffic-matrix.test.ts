/** What is told of single flows; `parts.test.ts` has the table as a whole. */
import { describe, expect, it } from 'vitest'
import { TrafficMatrix } from './traffic-matrix.ts'
import { TYPE_START } from './wire/packet.ts'
import type { Announcement } from './wire/announcement.ts'

const start: Announcement = {
  ...{ type: TYPE_START, priority: 3, tree: 0, protocol: 5, source: 1, target: 2, flow: 3 },
  ...{ demandKbps: 7, weightCode: 200, sequence: 0 },
}

describe('a flow that is known', () => {
  it('has all that was said of it, and another protocol alone once it is rerouted', () => {
    const matrix = new TrafficMatrix(8)
    matrix.apply(start, 1, 9)
    const { priority, protocol, source, target, flow, demandKbps, weightCode } = start
    const known = { priority, protocol, source, target, flow, demandKbps, weightCode, sincePs: 9 }
    expect(matrix.all()).toEqual([known])
    matrix.reroute(1, 3, 4)
    expect(matrix.all()).toEqual([{ ...known, protocol: 4 }])
  })

  it('is as old after a snapshot of its source as before, and gone if it is not in that', () => {
    // Numbers of flows say where they are in a table of 64: one of these is at its end.
    for (let flow = 0; flow < 256; flow++) {
      const matrix = new TrafficMatrix(8)
      matrix.apply({ ...start, flow }, 1, 5)
      matrix.replace(
        1,
        [
          { ...start, flow },
          { ...start, flow: 1000 },
        ],
        2,
        100,
      )
      expect(matrix.all().map(({ sincePs }) => sincePs)).toEqual([5, 100])
      matrix.replace(1, [], 3, 200)
      expect(matrix.all()).toEqual([])
    }
  })

  it('is found while others of its time go, whose places it may have wanted', () => {
    const matrix = new TrafficMatrix(8)
    for (const source of [1, 2]) {
      for (let flow = 0; flow < 23; flow++) matrix.apply({ ...start, source, flow }, 1, 0)
    }
    matrix.forget(1)
    for (let flow = 0; flow < 23; flow++) expect(matrix.get(2, flow), `flow ${flow}`).toBeDefined()
  })
})
