/** Every number that the story of the flow that joins says is what its pictures show. */
import { describe, expect, it } from 'vitest'
import { broadcastWords } from '../scene/broadcasts.ts'
import type { ClosePicture } from '../scene/picture.ts'
import { portByName } from '../scene/picture.ts'
import { channelsAt } from '../scene/ribbons.ts'
import { meanIn, recordedLanes } from '../testing/recorded.ts'
import { START } from '../worker/protocol.ts'
import { r2c2 } from './r2c2.ts'
import type { StoryStep } from './story.ts'

const step = (title: string): StoryStep => r2c2.steps.find((one) => one.title === title)!
const saidIn = ({ text, ask }: StoryStep): string =>
  [...text, ask?.question, ask?.guesses[ask.right]].join(' ')
const FULL = 'n1.1->n2.1'
const [{ recording }] = recordedLanes(step('Sixteen bytes for everyone')) as [
  ReturnType<typeof recordedLanes>[number],
]
const rateOf = (name: string): (number | null)[] =>
  recording.internalOfFlow(recording.rowOf.get(name)!, 0)
const use = (name: string, from: number, to: number): number =>
  meanIn(recording, recording.utilisationOf(portByName(recording, name)), from, to)

describe('the story of a flow that joins a rack', () => {
  it('gives f1 and f2 6.33 Gb/s, and fills their link to 95 %', () => {
    expect(saidIn(step('Half of a flow'))).toMatch(/6\.33 Gb\/s/)
    const rows = ['f1', 'f2'].map((name) => recording.rowOf.get(name)!)
    const got = recording.ratesOf(rows)
    for (const [i, name] of ['f1', 'f2'].entries()) {
      expect(meanIn(recording, rateOf(name), 30, 499) / 1e9).toBeCloseTo(6.33, 2)
      expect(meanIn(recording, got[i]!, 420, 500) / 1e9).toBeCloseTo(6.33, 0)
    }
    expect(use(FULL, 420, 500)).toBeCloseTo(0.95, 1)
    // All of f1 and half of f2: one ribbon is twice as wide as the other.
    let [f1, f2] = [0, 0]
    const port = portByName(recording, FULL)
    for (let frame = recording.frameAt(420e6); frame < recording.frameAt(500e6); frame++) {
      for (const { row, share } of channelsAt(recording, frame)[port]!.ribbons) {
        if (row === rows[0]) f1 += share
        else f2 += share
      }
    }
    expect(f1 / f2).toBeCloseTo(2, 0)
  })

  it('tells all sixteen of f4 within 474 ns, over 15 links', () => {
    const seen = { recording, playheadPs: 501e6 } as ClosePicture
    expect(broadcastWords(seen, 0)).toEqual(['f4 begins: all 16 nodes know, 474 ns later'])
    const early = { recording, playheadPs: 500.25e6 } as ClosePicture
    expect(broadcastWords(early, 0)[0]).toMatch(/^f4 begins: \d+ of 16 nodes know$/)
    const said = saidIn(step('Sixteen bytes for everyone'))
    expect(said).toMatch(/474 ns/)
    expect(said).toMatch(/crosses 15 links/)
    let links = 0
    const { scene } = recording
    for (const port of recording.packets.ports) {
      const isInner = [scene.from, scene.to].every(
        (ends) => scene.nodes[ends[port]!]!.kind === 'switch',
      )
      recording.packets.each(port, 500e6, 510e6, ({ kind }) => {
        if (kind === START && isInner) links++
      })
    }
    expect(links).toBe(15)
  })

  it('lets three senders set 4.75 Gb/s in one moment, at 520 us', () => {
    expect(saidIn(step('Everyone computes, and nobody asks'))).toMatch(/4\.75 Gb\/s.*6\.33.*20/)
    const moments = ['f1', 'f2', 'f4'].map((name) => {
      const values = rateOf(name)
      const at = recording.frameAt(520e6)
      expect((values[at] ?? 0) / 1e9).toBeCloseTo(name === 'f4' ? 20 : 6.33, 2)
      expect((values[at + 1] ?? 0) / 1e9).toBeCloseTo(4.75, 2)
      return values.findIndex((value, i) => i >= at && value !== values[at])
    })
    expect(new Set(moments).size).toBe(1)
  })

  it('fills both links to the line, and gives f3 9.5 Gb/s', () => {
    expect(saidIn(step('The water rises'))).toMatch(/0\.95.*9\.5 Gb\/s/)
    expect(meanIn(recording, rateOf('f3'), 860, 1000) / 1e9).toBeCloseTo(9.5, 2)
    for (const port of [FULL, 'n2.2->n3.2']) expect(use(port, 860, 1000)).toBeCloseTo(0.95, 1)
  })

  it('empties 23 KB in some 300 us by the headroom', () => {
    expect(saidIn(step('What the headroom is for'))).toMatch(/23 KB.*300 us/)
    const queue = recording.queueOf(portByName(recording, FULL))
    const [from, to] = [recording.frameAt(500e6), recording.frameAt(545e6)]
    expect(Math.abs(Math.max(...queue.slice(from, to)) / 1e3 - 23)).toBeLessThan(1)
    const gone = queue.findIndex((bytes, i) => i > to && bytes < 1500)
    expect((gone * recording.intervalPs) / 1e6 - 520).toBeGreaterThan(260)
    expect((gone * recording.intervalPs) / 1e6 - 520).toBeLessThan(340)
    expect(use(FULL, 530, 800)).toBeGreaterThan(0.985)
  })

  it('lets the queue grow by 116 KB with a period of 100 us', () => {
    const longer = step('A longer period')
    expect(saidIn(longer)).toMatch(/116 KB.*22\..*101 KB/)
    const [a, b] = recordedLanes(longer).map((lane) => {
      const queue = lane.recording.queueOf(portByName(lane.recording, FULL))
      // From the picture in which it begins.
      const [from, to] = [lane.recording.frameAt(500e6) + 1, lane.recording.frameAt(640e6)]
      return { first: queue[from]! / 1e3, most: Math.max(...queue.slice(from, to)) / 1e3 }
    })
    expect(Math.abs(a!.most - a!.first - 22)).toBeLessThan(1)
    expect(Math.abs(b!.most - b!.first - 116)).toBeLessThan(1)
    expect(Math.abs(b!.first - 101)).toBeLessThan(1)
  })
})
