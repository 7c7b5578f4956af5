import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { Deadline } from '../deadline.ts'
import { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'

/** A flow of five packets, the last of 300 B, whose hosts write down what they are asked for. */
function flowOf(): { flow: Flow; asked: string[] } {
  const asked: string[] = []
  const hosts = {
    params: { longestRttPs: () => 77 },
    agentAt: (host: number) => ({ host }),
    setFlowTimer: (_: Flow, which: number, atPs: number) => asked.push(`timer ${which} ${atPs}`),
    control: {
      forward: (_: Flow, ...what: number[]) => asked.push(`control ${what.join()}`),
    },
    reroute: () => asked.push('reroute'),
    wake: () => asked.push('wake'),
    stream: (name: string) => {
      asked.push(name)
      return new Random(1, name)
    },
  }
  const flow = new Flow(hosts as unknown as Hosts)
  flow.mtuBytes = 1000
  flow.lastPayload = 300
  flow.packetCount = 5
  flow.sizeBytes = 4300
  return { flow, asked }
}

describe('a flow', () => {
  it('has in flight what was sent and is not acknowledged, a shorter last packet as it is', () => {
    const { flow } = flowOf()
    const between = (unacked: number, next: number): number => {
      Object.assign(flow, { unacked, next })
      return flow.flightBytes
    }
    expect([between(0, 0), between(1, 4), between(1, 5), between(5, 5)]).toEqual([0, 3000, 3300, 0])
    expect([3, 4].map((seq) => flow.payloadOf(seq))).toEqual([1000, 300])
  })

  it('has left to send what was never sent, and nothing once it is stopped', () => {
    const { flow } = flowOf()
    const left = [0, 4, 5].map((fresh) => Object.assign(flow, { fresh }).unsentBytes)
    expect(left).toEqual([4300, 300, 0])
    expect(Object.assign(flow, { fresh: 0, isStopped: true }).unsentBytes).toBe(0)
  })

  it("may have in flight what its scheme's window and the host's own allow", () => {
    const { flow } = flowOf()
    flow.lineRateBps = 10e9
    const window = (windowBytes: number, rateBps: number, own: number, follows = false): number => {
      flow.reaction = { windowBytes, rateBps } as Flow['reaction']
      flow.ownWindowBytes = own
      flow.followsRate = follows
      return flow.windowBytes
    }
    expect(window(0.5, 5e9, Infinity)).toBe(0.5)
    expect(window(9000, 5e9, 4000)).toBe(4000)
    expect(window(3000, 5e9, 4000)).toBe(3000)
    // It follows the rate, up to the line's and down to a byte.
    expect(window(9000, 5e9, 4000, true)).toBe(2000)
    expect(window(9000, 20e9, 4000, true)).toBe(4000)
    expect(window(9000, 1, 4000, true)).toBe(1)
  })

  it('counts what it hears, and asks its hosts for a path, a turn and its own chance, once', () => {
    const { flow, asked } = flowOf()
    const heard: number[][] = []
    const onControl = (...what: number[]): void => void heard.push(what)
    flow.reaction = { onControl } as unknown as Flow['reaction']
    flow.hear(1, 20, 3, 400)
    flow.hear(2, 0, 0, 500)
    expect([flow.notifications, heard]).toEqual([
      2,
      [
        [1, 20, 3, 400],
        [2, 0, 0, 500],
      ],
    ])
    flow.key = 'a.7'
    flow.reroute()
    flow.wake()
    flow.setTimer(2, 900)
    flow.sendControl(3, 64, 10, 20)
    flow.source = 6
    expect([flow.longestRttPs, flow.agent]).toEqual([77, { host: 6 }])
    expect(flow.random).toBe(flow.random)
    expect(asked).toEqual(['reroute', 'wake', 'timer 2 900', 'control 3,64,10,20', 'flow.a.7'])
  })

  it('stops a timer that was set, and needs none for that', () => {
    const { flow } = flowOf()
    flow.cancelTimer(2)
    const timer = (flow.timers[1] = new Deadline())
    timer.duePs = 70
    flow.cancelTimer(2)
    expect(timer.duePs).toBe(70)
    flow.cancelTimer(1)
    expect(timer.duePs).toBe(Infinity)
  })

  it('is nobody yet, before its hosts make it', () => {
    const { followsRate, isDone, isPathGiven, key, ownWindowBytes } = new Flow({} as Hosts)
    expect([followsRate, isDone, isPathGiven]).toEqual([false, false, false])
    expect([key, ownWindowBytes]).toEqual(['', Infinity])
    const { flow, path, row, source, target, timers } = new Flow({} as Hosts)
    expect([flow, path, row, source, target]).toEqual([-1, -1, -1, -1, -1])
    expect(timers).toEqual([undefined, undefined, undefined, undefined])
  })
})
