import type { Windows } from '@weir/engine'
import { beforeEach, expect, it } from 'vitest'
import { Deadline } from './deadline.ts'

/** Event n comes at `times[n]`. */
let times: number[]
let cancelled: number[]
let windows: Windows
let deadline: Deadline

/** Sets it anew, and schedules an event if one is asked for; true: one was. */
function move(atPs: number): boolean {
  const isAsked = deadline.move(windows, atPs)
  if (isAsked) deadline.handle = times.push(atPs) - 1
  return isAsked
}

beforeEach(() => {
  times = []
  cancelled = []
  windows = {
    timeOf: (handle: number) => times[handle],
    cancel: (handle: number) => cancelled.push(handle),
  } as unknown as Windows
  deadline = new Deadline()
})

it('that moves back leaves its event where it is, and is looked at then', () => {
  expect([move(10), move(30), move(10), move(20)]).toEqual([true, false, false, false])
  expect([deadline.isDue(10), deadline.duePs, deadline.handle]).toEqual([false, 20, -1])
  expect(move(20)).toBe(true)
  expect([deadline.isDue(20), deadline.duePs, deadline.handle]).toEqual([true, Infinity, -1])
  expect(cancelled).toEqual([])
})

it('that moves forward has another event, and no other', () => {
  expect([move(10), move(5)]).toEqual([true, true])
  expect([cancelled, times[deadline.handle]]).toEqual([[0], 5])
})

it('that is put off for ever asks for no event, and does not come with the one it had', () => {
  expect(move(Infinity)).toBe(false)
  expect([move(10), move(Infinity)]).toEqual([true, false])
  expect([deadline.isDue(10), deadline.handle]).toEqual([false, -1])
})

it('that is cancelled takes its event along, if it has one', () => {
  move(10)
  deadline.cancel(windows)
  expect([cancelled, deadline.duePs, deadline.handle]).toEqual([[0], Infinity, -1])
  deadline.cancel(windows)
  expect(cancelled).toEqual([0])
  expect(move(10)).toBe(true)
})
