import { beforeEach, describe, expect, it } from 'vitest'
import type { Fabric } from '../fabric.ts'
import { PAUSE_AGAIN, PAUSE_ENDS } from '../kinds.ts'
import { CLASSES } from '../ports.ts'
import type { IngressPause } from './ingress-pause.ts'
import { PauseTimes } from './pause-times.ts'

const PORTS = 6
const PORT = 5
const CLASS = 3
const LANE = PORT * CLASSES + CLASS

/** What is scheduled and undone. A port's own cell is its number, that of its far end 10 more. */
let events: number[][]
let paused: Set<number>
let wentOn: number[][]
let fabric: Fabric

beforeEach(() => {
  events = []
  wentOn = []
  paused = new Set([LANE])
  fabric = {
    ports: {
      count: PORTS,
      rateBps: new Float64Array(PORTS).fill(10e9),
      isPaused: (port: number, trafficClass: number) => paused.has(port * CLASSES + trafficClass),
    },
    windows: { post: (...event: number[]) => events.push(event) },
    fromCell: Int32Array.from({ length: PORTS }, (_, port) => port),
    toCell: Int32Array.from({ length: PORTS }, (_, port) => port + 10),
    setPaused: (port: number, trafficClass: number, isOff: boolean, nowPs: number) => {
      wentOn.push([port, trafficClass, isOff ? 1 : 0, nowPs])
    },
  } as unknown as Fabric
})

describe('a pause with a time', () => {
  it('ends by itself, at the port that was paused', () => {
    const times = new PauseTimes(fabric, 1000)
    times.onXoff(PORT, CLASS, 50)
    expect(events).toEqual([[1050, PAUSE_ENDS, LANE, PORT]])
    times.onEnd(LANE, 1050)
    expect(wentOn).toEqual([[PORT, CLASS, 0, 1050]])
  })

  it('lasts longer if it is renewed, with one event that looks again', () => {
    const times = new PauseTimes(fabric, 1000)
    times.onXoff(PORT, CLASS, 0)
    times.onXoff(PORT, CLASS, 500)
    expect(events).toHaveLength(1)
    times.onEnd(LANE, 1000)
    expect(wentOn).toEqual([])
    expect(events.at(-1)).toEqual([1500, PAUSE_ENDS, LANE, PORT])
    times.onEnd(LANE, 1500)
    expect(wentOn).toEqual([[PORT, CLASS, 0, 1500]])
  })

  it('is over with XON, and the next one has its whole time', () => {
    const times = new PauseTimes(fabric, 1000)
    times.onXoff(PORT, CLASS, 0)
    paused.clear()
    times.onEnd(LANE, 1000)
    expect([wentOn, events.length]).toEqual([[], 1])
    paused.add(LANE)
    times.onXoff(PORT, CLASS, 5000)
    expect(events.at(-1)).toEqual([6000, PAUSE_ENDS, LANE, PORT])
    times.onEnd(LANE, 6000)
    expect(wentOn).toEqual([[PORT, CLASS, 0, 6000]])
  })

  it('has at most the time that a frame can say: 65,535 quanta of 512 bits', () => {
    const times = new PauseTimes(fabric, 0)
    times.onXoff(PORT, CLASS, 0)
    // 51.2 ns each at 10 Gb/s.
    expect(events).toEqual([[65_535 * 51_200, PAUSE_ENDS, LANE, PORT]])
  })
})

describe('who has sent XOFF', () => {
  it('renews it at half of its time, at the far end of the link, as long as that counts', () => {
    const times = new PauseTimes(fabric, 1001)
    const renewed: number[][] = []
    const said: number[][] = []
    const owner = {
      renew: (...what: number[]) => renewed.push(what),
      say: (...what: number[]) => said.push(what),
    } as unknown as IngressPause
    times.renewLater(LANE, owner, 0)
    expect(events).toEqual([[501, PAUSE_AGAIN, LANE, PORT + 10]])
    // XON and XOFF since: the later one counts.
    times.renewLater(LANE, owner, 400)
    times.onRenewal(LANE, 501)
    expect(renewed).toEqual([])
    expect(events.at(-1)).toEqual([901, PAUSE_AGAIN, LANE, PORT + 10])
    times.onRenewal(LANE, 901)
    expect(renewed).toEqual([[LANE, 901]])
    times.sayAgain(LANE, 950)
    expect(said).toEqual([[LANE, 950]])
    times.sayAgain(LANE - 1, 950)
    expect(said).toHaveLength(1)
  })
})
