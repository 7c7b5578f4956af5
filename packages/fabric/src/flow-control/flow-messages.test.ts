import { beforeEach, describe, expect, it } from 'vitest'
import type { Fabric } from '../fabric.ts'
import { FLOW_PAUSE } from '../kinds.ts'
import { FlowMessages } from './flow-messages.ts'

/** Link 5 goes from one node to another, and 4 back: messages about 5 take the delay of 4. */
const LINK = 5
const DELAY_PS = 300

let events: number[][]
let heard: string[]
let abroad: unknown[][]
let takes: boolean
let pauseFrames: Int32Array
let messages: FlowMessages

beforeEach(() => {
  events = []
  heard = []
  abroad = []
  takes = false
  pauseFrames = new Int32Array(6)
  const fabric = {
    ports: { count: 6, delayPs: Float64Array.of(1, 2, 3, 4, DELAY_PS, 6), pauseFrames },
    windows: { post: (...event: number[]) => events.push(event) },
    fromCell: Int32Array.of(10, 11, 12, 13, 14, 15),
    gate: {
      border: {
        sayOfFlow: (...what: unknown[]) => {
          if (takes) abroad.push(what)
          return takes
        },
      },
    },
  } as unknown as Fabric
  messages = new FlowMessages(fabric, {
    onFlow: (port, key, isOff, nowPs) =>
      heard.push(`${isOff ? 'off' : 'on'} ${key} at ${port}, ${nowPs}`),
  })
})

function onItsWay(port: number): string[] {
  const found: string[] = []
  messages.each(port, (key, isOff) => found.push(`${isOff ? 'off' : 'on'} ${key}`))
  return found
}

describe('what a node says of a flow', () => {
  it('is heard a delay later by whoever sends by the link, in order, with one event', () => {
    messages.say(LINK, 32, true, 1000)
    messages.say(LINK, 64, true, 1000)
    messages.say(LINK, 32, false, 1100)
    expect(onItsWay(LINK)).toEqual(['off 32', 'off 64', 'on 32'])
    expect([onItsWay(LINK - 1), onItsWay(0)]).toEqual([[], []])
    expect(events).toEqual([[1300, FLOW_PAUSE, LINK, 15]])
    messages.onDue(LINK, 1300)
    expect(heard).toEqual(['off 32 at 5, 1300', 'off 64 at 5, 1300'])
    expect(onItsWay(LINK)).toEqual(['on 32'])
    expect(events.slice(1)).toEqual([[1400, FLOW_PAUSE, LINK, 15]])
    messages.onDue(LINK, 1400)
    expect(heard[2]).toBe('on 32 at 5, 1400')
    expect([onItsWay(LINK), events.length]).toEqual([[], 2])
  })

  it('has an event again when nothing was on its way, and counts what stops a flow', () => {
    messages.say(LINK, 32, true, 0)
    messages.onDue(LINK, 300)
    messages.say(LINK, 32, false, 500)
    expect(events.slice(1)).toEqual([[800, FLOW_PAUSE, LINK, 15]])
    expect([...pauseFrames]).toEqual([0, 0, 0, 0, 0, 1])
  })

  it('may be about another flow or link before it is heard', () => {
    messages.say(LINK, 32, true, 0)
    messages.say(2, 32, true, 0)
    expect(events).toEqual([
      [300, FLOW_PAUSE, LINK, 15],
      [4, FLOW_PAUSE, 2, 12],
    ])
    messages.onDue(2, 4)
    expect([heard, onItsWay(LINK)]).toEqual([['off 32 at 2, 4'], ['off 32']])
  })

  it('goes to another thread where the sender is there, and waits for nothing here', () => {
    takes = true
    messages.say(LINK, 32, true, 1000)
    messages.say(LINK, 32, false, 1200)
    expect(abroad).toEqual([
      [LINK, 32, true, 1300],
      [LINK, 32, false, 1500],
    ])
    expect([events, onItsWay(LINK), pauseFrames[LINK]]).toEqual([[], [], 1])
  })

  it('is kept, however much is on its way, and its room is used again', () => {
    for (let round = 0; round < 3; round++) {
      heard = []
      for (let key = 0; key < 200; key++) messages.say(LINK, key, key % 3 === 0, key)
      for (let key = 0; key < 200; key++) messages.onDue(LINK, key + DELAY_PS)
      expect(heard).toHaveLength(200)
      for (const [key, words] of heard.entries()) {
        const said = key % 3 === 0 ? 'off' : 'on'
        expect(words).toBe(`${said} ${key} at 5, ${key + DELAY_PS}`)
      }
    }
  })
})
