import { Windows } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { DELAYED_ACK, FLOW_TIMER, RECEIVER_TIMER, TIMEOUT } from '../kinds.ts'
import { FlowTimers } from './flow-timers.ts'
import { ReceiverFlow } from './receiver-flow.ts'
import { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'

/** Timers of flow 5, in a cell of their own. */
function bench(): {
  windows: Windows
  timers: FlowTimers
  flow: Flow
  receiver: ReceiverFlow
} {
  const windows = new Windows(1)
  const flow = new Flow(undefined as unknown as Hosts)
  flow.flow = 5
  const receiver = new ReceiverFlow(flow, undefined as unknown as Hosts)
  return { windows, timers: new FlowTimers({ windows, cellOfHost: () => 0 }), flow, receiver }
}

/** The next event as [time, kind, target]; undefined if there is none. */
function next(windows: Windows): [number, number, number] | undefined {
  windows.open(Infinity)
  return windows.pop() ? [windows.nowPs, windows.kind, windows.target] : undefined
}

describe("a reaction point's timer", () => {
  it('fires when it is set to, each of the four by itself', () => {
    const { windows, timers, flow } = bench()
    timers.set(flow, 3, 300)
    timers.set(flow, 1, 100)
    expect(next(windows)).toEqual([100, FLOW_TIMER, 21])
    expect(timers.isDue(flow, 1, 100)).toBe(true)
    expect(flow.timers[1]?.duePs).toBe(Infinity)
    expect(next(windows)).toEqual([300, FLOW_TIMER, 23])
    expect(timers.isDue(flow, 3, 300)).toBe(true)
    expect(next(windows)).toBeUndefined()
  })

  it('costs no event when it is set back, and is then due at its new time', () => {
    const { windows, timers, flow } = bench()
    timers.set(flow, 0, 100)
    timers.set(flow, 0, 150)
    timers.set(flow, 0, 200)
    expect(windows.pending).toBe(1)
    expect(next(windows)?.[0]).toBe(100)
    expect(timers.isDue(flow, 0, 100)).toBe(false)
    expect(next(windows)).toEqual([200, FLOW_TIMER, 20])
    expect(timers.isDue(flow, 0, 200)).toBe(true)
    expect(next(windows)).toBeUndefined()
  })

  it('fires sooner when it is set to an earlier time', () => {
    const { windows, timers, flow } = bench()
    timers.set(flow, 0, 100)
    timers.set(flow, 0, 40)
    expect(next(windows)?.[0]).toBe(40)
    expect(timers.isDue(flow, 0, 40)).toBe(true)
    expect(next(windows)).toBeUndefined()
  })

  it('does not fire once it is cancelled, and can be set again', () => {
    const { windows, timers, flow } = bench()
    timers.set(flow, 2, 100)
    flow.cancelTimer(2)
    expect(next(windows)?.[0]).toBe(100)
    expect(timers.isDue(flow, 2, 100)).toBe(false)
    expect(next(windows)).toBeUndefined()
    timers.set(flow, 2, 300)
    expect(next(windows)).toEqual([300, FLOW_TIMER, 22])
    expect(timers.isDue(flow, 2, 300)).toBe(true)
  })
})

describe("the transport's timeout", () => {
  it('costs no event when it is renewed', () => {
    const { windows, timers, flow } = bench()
    for (const atPs of [100, 150, 180]) timers.armTimeout(flow, atPs)
    expect(windows.pending).toBe(1)
    expect(next(windows)).toEqual([100, TIMEOUT, 5])
    expect(timers.isTimeoutDue(flow, 100)).toBe(false)
    expect(next(windows)).toEqual([180, TIMEOUT, 5])
    expect(timers.isTimeoutDue(flow, 180)).toBe(true)
    expect(flow.timeout).toMatchObject({ duePs: Infinity, handle: -1 })
    expect(next(windows)).toBeUndefined()
  })

  it('comes sooner when it is set to an earlier time', () => {
    const { windows, timers, flow } = bench()
    timers.armTimeout(flow, 100)
    timers.armTimeout(flow, 60)
    expect(next(windows)?.[0]).toBe(60)
    expect(timers.isTimeoutDue(flow, 60)).toBe(true)
    expect(next(windows)).toBeUndefined()
  })

  it('is stopped by a time that never comes', () => {
    const { windows, timers, flow } = bench()
    timers.armTimeout(flow, Infinity)
    expect(windows.pending).toBe(0)
    timers.armTimeout(flow, 100)
    timers.armTimeout(flow, Infinity)
    expect(next(windows)?.[0]).toBe(100)
    expect(timers.isTimeoutDue(flow, 100)).toBe(false)
    expect(next(windows)).toBeUndefined()
  })
})

describe('a delayed ACK', () => {
  it('is due for the first packet that waits, however many follow', () => {
    const { windows, timers, receiver: flow } = bench()
    flow.sinceAck = 1
    timers.armDelayedAck(flow, 100)
    flow.sinceAck = 2
    timers.armDelayedAck(flow, 130)
    expect(flow.delayedAckPs).toBe(100)
    expect(windows.pending).toBe(1)
    expect(next(windows)).toEqual([100, DELAYED_ACK, 5])
  })

  it('moves on with the next packet that waits, by the event that is there', () => {
    const { windows, timers, receiver: flow } = bench()
    flow.sinceAck = 1
    timers.armDelayedAck(flow, 100)
    timers.armDelayedAck(flow, 170)
    expect(flow.delayedAckPs).toBe(170)
    expect(windows.pending).toBe(1)
    expect(next(windows)?.[0]).toBe(100)
  })
})

describe("a notification point's timer", () => {
  it('fires when it is set to, and later when it is set back', () => {
    const { windows, timers, receiver } = bench()
    timers.setReceiver(receiver, 100)
    timers.setReceiver(receiver, 250)
    expect(next(windows)).toEqual([100, RECEIVER_TIMER, 5])
    expect(timers.isReceiverDue(receiver, 100)).toBe(false)
    expect(next(windows)).toEqual([250, RECEIVER_TIMER, 5])
    expect(timers.isReceiverDue(receiver, 250)).toBe(true)
    expect(next(windows)).toBeUndefined()
  })
})

describe('a flow that has ended', () => {
  it('has nothing to stop of timers that were never set', () => {
    const { windows, timers, flow } = bench()
    timers.set(flow, 3, 300)
    timers.cancelAll(flow)
    expect(next(windows)).toBeUndefined()
  })

  it('fires nothing any more at its source', () => {
    const { windows, timers, flow } = bench()
    for (let which = 0; which < 4; which++) timers.set(flow, which, 100 + which)
    timers.armTimeout(flow, 50)
    timers.cancelAll(flow)
    expect(next(windows)).toBeUndefined()
    expect(flow.timers.map((timer) => timer?.handle)).toEqual([-1, -1, -1, -1])
    expect(flow.timeout.handle).toBe(-1)
    timers.cancelAll(flow)
    expect(next(windows)).toBeUndefined()
  })
})
