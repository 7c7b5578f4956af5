import { Calendar } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { DELAYED_ACK, FLOW_TIMER, TIMEOUT } from '../kinds.ts'
import { FlowTimers } from './flow-timers.ts'
import { ReceiverFlow } from './receiver-flow.ts'
import { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'

/** Timers of flow 5, on a calendar of their own. */
function bench(): {
  calendar: Calendar
  timers: FlowTimers
  flow: Flow
  receiver: ReceiverFlow
} {
  const calendar = new Calendar()
  const flow = new Flow(undefined as unknown as Hosts)
  flow.flow = 5
  const receiver = new ReceiverFlow(flow, undefined as unknown as Hosts)
  return { calendar, timers: new FlowTimers(calendar), flow, receiver }
}

/** The next event as [time, kind, target]; undefined if there is none. */
function next(calendar: Calendar): [number, number, number] | undefined {
  return calendar.pop() ? [calendar.nowPs, calendar.kind, calendar.target] : undefined
}

describe("a reaction point's timer", () => {
  it('fires when it is set to, each of the four by itself', () => {
    const { calendar, timers, flow } = bench()
    timers.set(flow, 3, 300)
    timers.set(flow, 1, 100)
    expect(next(calendar)).toEqual([100, FLOW_TIMER, 21])
    expect(timers.isDue(flow, 1, 100)).toBe(true)
    expect(flow.timerPs[1]).toBe(Infinity)
    expect(next(calendar)).toEqual([300, FLOW_TIMER, 23])
    expect(timers.isDue(flow, 3, 300)).toBe(true)
    expect(next(calendar)).toBeUndefined()
  })

  it('costs no event when it is set back, and is then due at its new time', () => {
    const { calendar, timers, flow } = bench()
    timers.set(flow, 0, 100)
    timers.set(flow, 0, 150)
    timers.set(flow, 0, 200)
    expect(calendar.pending).toBe(1)
    expect(next(calendar)?.[0]).toBe(100)
    expect(timers.isDue(flow, 0, 100)).toBe(false)
    expect(next(calendar)).toEqual([200, FLOW_TIMER, 20])
    expect(timers.isDue(flow, 0, 200)).toBe(true)
    expect(next(calendar)).toBeUndefined()
  })

  it('fires sooner when it is set to an earlier time', () => {
    const { calendar, timers, flow } = bench()
    timers.set(flow, 0, 100)
    timers.set(flow, 0, 40)
    expect(next(calendar)?.[0]).toBe(40)
    expect(timers.isDue(flow, 0, 40)).toBe(true)
    expect(next(calendar)).toBeUndefined()
  })

  it('does not fire once it is cancelled, and can be set again', () => {
    const { calendar, timers, flow } = bench()
    timers.set(flow, 2, 100)
    flow.cancelTimer(2)
    expect(next(calendar)?.[0]).toBe(100)
    expect(timers.isDue(flow, 2, 100)).toBe(false)
    expect(next(calendar)).toBeUndefined()
    timers.set(flow, 2, 300)
    expect(next(calendar)).toEqual([300, FLOW_TIMER, 22])
    expect(timers.isDue(flow, 2, 300)).toBe(true)
  })
})

describe("the transport's timeout", () => {
  it('costs no event when it is renewed', () => {
    const { calendar, timers, flow } = bench()
    for (const atPs of [100, 150, 180]) timers.armTimeout(flow, atPs)
    expect(calendar.pending).toBe(1)
    expect(next(calendar)).toEqual([100, TIMEOUT, 5])
    expect(timers.isTimeoutDue(flow, 100)).toBe(false)
    expect(next(calendar)).toEqual([180, TIMEOUT, 5])
    expect(timers.isTimeoutDue(flow, 180)).toBe(true)
    expect(flow.timeoutPs).toBe(Infinity)
    expect(flow.timeoutHandle).toBe(-1)
    expect(next(calendar)).toBeUndefined()
  })

  it('comes sooner when it is set to an earlier time', () => {
    const { calendar, timers, flow } = bench()
    timers.armTimeout(flow, 100)
    timers.armTimeout(flow, 60)
    expect(next(calendar)?.[0]).toBe(60)
    expect(timers.isTimeoutDue(flow, 60)).toBe(true)
    expect(next(calendar)).toBeUndefined()
  })

  it('is stopped by a time that never comes', () => {
    const { calendar, timers, flow } = bench()
    timers.armTimeout(flow, Infinity)
    expect(calendar.pending).toBe(0)
    timers.armTimeout(flow, 100)
    timers.armTimeout(flow, Infinity)
    expect(next(calendar)?.[0]).toBe(100)
    expect(timers.isTimeoutDue(flow, 100)).toBe(false)
    expect(next(calendar)).toBeUndefined()
  })
})

describe('a delayed ACK', () => {
  it('is due for the first packet that waits, however many follow', () => {
    const { calendar, timers, receiver: flow } = bench()
    flow.sinceAck = 1
    timers.armDelayedAck(flow, 100)
    flow.sinceAck = 2
    timers.armDelayedAck(flow, 130)
    expect(flow.delayedAckPs).toBe(100)
    expect(calendar.pending).toBe(1)
    expect(next(calendar)).toEqual([100, DELAYED_ACK, 5])
  })

  it('moves on with the next packet that waits, by the event that is there', () => {
    const { calendar, timers, receiver: flow } = bench()
    flow.sinceAck = 1
    timers.armDelayedAck(flow, 100)
    timers.armDelayedAck(flow, 170)
    expect(flow.delayedAckPs).toBe(170)
    expect(calendar.pending).toBe(1)
    expect(next(calendar)?.[0]).toBe(100)
  })
})

describe('a flow that has ended', () => {
  it('fires nothing any more at its source', () => {
    const { calendar, timers, flow } = bench()
    for (let which = 0; which < 4; which++) timers.set(flow, which, 100 + which)
    timers.armTimeout(flow, 50)
    timers.cancelAll(flow)
    expect(next(calendar)).toBeUndefined()
    expect(Array.from(flow.timerHandle)).toEqual([-1, -1, -1, -1])
    expect(flow.timeoutHandle).toBe(-1)
    timers.cancelAll(flow)
    expect(next(calendar)).toBeUndefined()
  })
})
