import { beforeEach, expect, it } from 'vitest'
import { FlowStops } from './flow-stops.ts'

let said: string[]
let stops: FlowStops

beforeEach(() => {
  said = []
  stops = new FlowStops(4, {
    say: (link, key, isOff) => said.push(`${isOff ? 'off' : 'on'} ${key} by ${link}`),
  })
})

it('tells each link once that a flow comes by, and all of them when it goes on', () => {
  stops.onArrival(2, 16, 7, 0)
  expect(said).toEqual([])
  stops.onFull(2, 16)
  for (const link of [7, 9, 7, 9]) stops.onArrival(2, 16, link, 0)
  expect(said).toEqual(['off 16 by 7', 'off 16 by 9'])
  stops.onRoom(2, 16, 0)
  expect(said.slice(2).sort()).toEqual(['on 16 by 7', 'on 16 by 9'])
  expect([stops.count, stops.offCount[2]]).toEqual([0, 0])
})

it('goes on only when none of the queues of the flow is full', () => {
  stops.onFull(2, 16)
  stops.onFull(2, 16)
  stops.onArrival(2, 16, 7, 0)
  stops.onRoom(2, 16, 0)
  expect(said).toEqual(['off 16 by 7'])
  stops.onRoom(2, 16, 0)
  expect(said).toEqual(['off 16 by 7', 'on 16 by 7'])
})

it('keeps flows and nodes apart', () => {
  stops.onFull(2, 16)
  stops.onArrival(2, 32, 7, 0)
  stops.onArrival(3, 16, 7, 0)
  expect(said).toEqual([])
})

it('keeps as many flows as there are, and whom it has told of each', () => {
  const keys = Array.from({ length: 300 }, (_, i) => i * 16)
  for (const key of keys) {
    stops.onFull(1, key)
    for (const link of [key % 7, 9]) stops.onArrival(1, key, link, 0)
  }
  expect([stops.count, stops.offCount[1]]).toEqual([300, 300])
  const found = new Map<number, unknown>()
  stops.each((node, key, fullQueues, told) => {
    found.set(key, [node, fullQueues, [...told].sort()])
  })
  for (const key of keys) expect(found.get(key)).toEqual([1, 1, [key % 7, 9]])
  said = []
  for (const key of keys) stops.onRoom(1, key, 0)
  expect(said).toHaveLength(600)
  for (const key of keys) {
    for (const link of [key % 7, 9]) expect(said).toContain(`on ${key} by ${link}`)
  }
})

it('uses records again', () => {
  for (let round = 0; round < 1000; round++) {
    for (let key = 0; key < 200; key += 16) {
      stops.onFull(1, key)
      stops.onArrival(1, key, 3, 0)
    }
    for (let key = 0; key < 200; key += 16) stops.onRoom(1, key, 0)
  }
  expect(stops.count).toBe(0)
  expect(said).toHaveLength(1000 * 13 * 2)
})
