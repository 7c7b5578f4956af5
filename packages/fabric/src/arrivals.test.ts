import type { Inbox, Windows } from '@weir/engine'
import { Random } from '@weir/engine'
import { beforeEach, describe, expect, it } from 'vitest'
import { Arrivals, severalPerWindow } from './arrivals.ts'
import { LINK } from './kinds.ts'
import { Packets } from './packets.ts'
import type { Ports } from './ports.ts'
import { ARRIVES, AWAITED, PACKET, RING, TAIL, TAKEN, Wires, entryOf } from './wires.ts'

/** Twenty wires into cell 0, one into cell 1 and one that has events; none into cell 2. */
const TO_CELL = Int32Array.from({ length: 22 }, (_, port) => (port < 20 ? 0 : 1))
const WITH_EVENTS = 21

let wires: Wires
let arrivals: Arrivals
/** What windows were told: when a cell has something; how often nothing is expected any more. */
let expected: number[][]
let givenUp: number
let registered: unknown

beforeEach(() => {
  expected = []
  givenUp = 0
  wires = new Wires(TO_CELL.length)
  for (let port = 0; port < TO_CELL.length; port++) {
    wires.ends[(port << 2) + RING] = wires.resize(wires.ends[(port << 2) + RING]!, 5, 0, 0)
  }
  const windows = {
    cells: 3,
    expect: (cell: number, atPs: number) => expected.push([cell, atPs]),
    expectNone: () => givenUp++,
    takeFrom: (inputs: unknown) => (registered = inputs),
  } as unknown as Windows
  const isTaken = (port: number): boolean => port !== WITH_EVENTS
  arrivals = new Arrivals(windows, wires, new Packets(), TO_CELL, isTaken)
})

/** Packet 16 n is put on a wire; the first one there is expected. */
function commit(port: number, n: number, arrivePs: number): void {
  const e = port << 2
  const tail = wires.ends[e + TAIL]!
  const entry = entryOf(wires.ends[e + RING]!, tail)
  wires.int[(entry << 3) + PACKET] = 16 * n
  wires.float[(entry << 2) + ARRIVES] = arrivePs
  wires.ends[e + TAIL] = tail + 1
  if (wires.ends[e + AWAITED] !== 0) return
  wires.ends[e + AWAITED] = 1
  arrivals.expect(port, arrivePs)
}

/** What a cell takes up to a time, as `[when, port, packet]`, and when there is more. */
function take(cell: number, endPs: number): { taken: number[][]; laterPs: number } {
  const taken: number[][] = []
  const inbox = {
    add: (...what: number[]) => taken.push([what[0]!, what[1]!, what[2]! / 16]),
  } as unknown as Inbox
  return { laterPs: arrivals.take(cell, endPs, inbox), taken }
}

describe('what is on wires between cells', () => {
  it('is taken window by window, of all wires but those that have events', () => {
    expect([registered, arrivals.kind]).toEqual([arrivals, LINK])
    const takes = [...TO_CELL].map((_, port) => arrivals.takes(port))
    expect(takes).toEqual([...TO_CELL].map((_, port) => port !== WITH_EVENTS))
  })

  it('is taken up to the end of a window, of each wire in order, and said to be there', () => {
    commit(3, 1, 100)
    commit(3, 2, 150)
    commit(3, 3, 200)
    commit(19, 4, 120)
    commit(20, 5, 110)
    expect(expected).toEqual([
      [0, 100],
      [0, 120],
      [1, 110],
    ])
    expect(take(0, 100)).toEqual({ taken: [], laterPs: 100 })
    expect(take(0, 200)).toEqual({
      taken: [
        [100, 3, 1],
        [150, 3, 2],
        [120, 19, 4],
      ],
      laterPs: 200,
    })
    const ends = (port: number): number[] =>
      [TAKEN, AWAITED].map((lane) => wires.ends[(port << 2) + lane]!)
    expect([ends(3), ends(19), givenUp]).toEqual([[2, 1], [1, 0], 1])
    expect(take(1, 1000)).toEqual({ taken: [[110, 20, 5]], laterPs: Infinity })
    expect(take(2, 1000)).toEqual({ taken: [], laterPs: Infinity })
    expect(take(0, 201)).toEqual({ taken: [[200, 3, 3]], laterPs: Infinity })
    expect(givenUp).toBe(3)
  })

  it('is taken no more when it has been taken back', () => {
    commit(3, 1, 100)
    commit(4, 2, 300)
    wires.ends[(3 << 2) + TAIL] = 0
    wires.ends[(3 << 2) + AWAITED] = 0
    arrivals.expectNone(3)
    expect(givenUp).toBe(1)
    expect(take(0, 200)).toEqual({ taken: [], laterPs: 300 })
    commit(3, 7, 250)
    expect(take(0, 301).taken).toEqual([
      [250, 3, 7],
      [300, 4, 2],
    ])
  })

  it('is what a list of all that is under way says, whatever is sent when', () => {
    const random = new Random(3, 'wires')
    const onWire = TO_CELL.map(() => 0)
    let list: number[][] = []
    for (let n = 0, endPs = 50; endPs < 20_000; endPs += 50) {
      for (let more = random.below(12); more > 0; more--) {
        const port = random.below(20)
        const atPs = Math.max(onWire[port]! + 1, endPs + random.below(400))
        onWire[port] = atPs
        if (list.filter((one) => one[1] === port).length > 30) continue
        list.push([atPs, port, n])
        commit(port, n++, atPs)
      }
      const { taken, laterPs } = take(0, endPs)
      const byPort = (a: number[], b: number[]): number => a[1]! - b[1]! || a[0]! - b[0]!
      expect(taken).toEqual(list.filter(([atPs]) => atPs! < endPs).sort(byPort))
      list = list.filter(([atPs]) => atPs! >= endPs)
      expect(laterPs).toBe(Math.min(...list.map(([atPs]) => atPs!)))
    }
  })
})

it('wires are taken from between cells, if a full packet takes less than a window', () => {
  // A window is as long as the shortest link between cells, 500 ps; one of 10 ps is within a cell.
  const ports = {
    delayPs: Float64Array.of(500, 800, 10, 900, 900),
    psPerByte: Float64Array.of(1, 4, 1, 5, 6),
  } as unknown as Ports
  const fromCell = Int32Array.of(0, 0, 1, 1, 1)
  const toCell = Int32Array.of(1, 1, 1, 0, 0)
  const isTaken = severalPerWindow(ports, fromCell, toCell, 100)
  expect([0, 1, 2, 3, 4].map((port) => isTaken(port))).toEqual([true, true, false, false, false])
})
