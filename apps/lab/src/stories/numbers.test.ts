/** Numbers that stories say, held to what their pictures show. */
import { describe, expect, it } from 'vitest'
import { portByName } from '../scene/picture.ts'
import { meanIn, recordedLanes } from '../testing/recorded.ts'
import type { RecordedLane } from '../testing/recorded.ts'
import { TOTALS } from '../worker/protocol.ts'
import { incast } from './incast.ts'
import { pacc } from './pacc.ts'
import { pfc } from './pfc.ts'
import type { Story, StoryStep } from './story.ts'
import { tcpToHere } from './tcp-to-here.ts'

const stepOf = ({ steps }: Story, title: string): StoryStep =>
  steps.find((step) => step.title === title)!
const saidIn = ({ text }: StoryStep): string => text.join(' ')

/** Mean of what arrives of a flow, in Gb/s. */
function gbps({ recording }: RecordedLane, flow: string, fromUs: number, toUs: number): number {
  const [rates] = recording.ratesOf([recording.rowOf.get(flow)!])
  return meanIn(recording, rates!, fromUs, toUs) / 1e9
}

const totalOf = ({ recording }: RecordedLane, which: number): number =>
  recording.totals[(recording.count - 1) * TOTALS + which]!

describe('what stories say', () => {
  it('of the victim: 7.8 Gb/s, and 17 and 15 with rates that are controlled', () => {
    const [alone, dcqcn, accurate] = recordedLanes(stepOf(pfc, 'Slow down at the source'))
    expect(saidIn(stepOf(pfc, 'The victim'))).toMatch(/7\.8 Gb\/s.*flow a gets 7\.7/)
    expect(gbps(alone!, 'victim', 400, 4000)).toBeCloseTo(7.75, 0.9)
    expect(gbps(alone!, 'a', 400, 4000)).toBeCloseTo(7.7, 0.9)
    expect(saidIn(stepOf(pfc, 'Slow down at the source'))).toMatch(/17 and 15.*6 Gb\/s.*8 to 9/)
    expect(Math.round(gbps(dcqcn!, 'victim', 800, 4000))).toBeGreaterThanOrEqual(17)
    expect(Math.round(gbps(dcqcn!, 'victim', 800, 4000))).toBeLessThanOrEqual(18)
    expect(Math.round(gbps(accurate!, 'victim', 800, 4000))).toBe(15)
    expect(Math.round(gbps(dcqcn!, 'a', 800, 4000))).toBe(6)
    for (const flow of ['b', 'c']) {
      expect(gbps(dcqcn!, flow, 800, 4000)).toBeGreaterThan(7.5)
      expect(gbps(dcqcn!, flow, 800, 4000)).toBeLessThan(9.5)
      expect(gbps(accurate!, flow, 800, 4000)).toBeCloseTo(gbps(accurate!, 'a', 800, 4000), 1)
    }
    expect(totalOf(dcqcn!, 2)).toBeGreaterThan(25)
    expect(totalOf(dcqcn!, 2)).toBeLessThan(35)
    expect(totalOf(accurate!, 2)).toBe(0)
  })

  it('of a cycle that is broken: nothing for three flows until the fourth has ended', () => {
    const step = stepOf(pfc, 'Breaking the cycle')
    expect(saidIn(step)).toMatch(/24 Gb\/s.*1\.7 ms, nothing.*11 to 13 Gb\/s/)
    const [lane] = recordedLanes(step)
    const { recording } = lane!
    expect(recording.flows[recording.rowOf.get('f3')!]!.endPs / 1e9).toBeCloseTo(1.7, 1)
    expect(Math.round(gbps(lane!, 'f3', 200, 1600))).toBe(24)
    for (const flow of ['f0', 'f1', 'f2']) {
      expect(gbps(lane!, flow, 200, 1600)).toBeLessThan(0.1)
      expect(gbps(lane!, flow, 2200, 4200)).toBeGreaterThan(10.5)
      expect(gbps(lane!, flow, 2200, 4200)).toBeLessThan(13.5)
    }
  })

  it('of a shorter timeout: 11 ms, with at least as much lost', () => {
    const step = stepOf(incast, 'A shorter timeout')
    expect(saidIn(step)).toContain('about 11 ms')
    const [short] = recordedLanes(step)
    const [long] = recordedLanes(stepOf(incast, 'Forty servers'))
    expect(Math.round(short!.recording.nowPs / 1e9)).toBe(11)
    expect(totalOf(short!, 0)).toBeGreaterThanOrEqual(totalOf(long!, 0))
  })

  it('of TIMELY in a burst: a queue as long as DCQCN’s, and a flow that is far from back', () => {
    const [dcqcn, timely] = recordedLanes(stepOf(tcpToHere, '2015: TIMELY, the delay itself'))
    const longest = ({ recording }: RecordedLane): number => recording.portsByQueue()[0]!.bytesMax
    expect(longest(timely!) / longest(dcqcn!)).toBeCloseTo(1, 1)
    expect(gbps(timely!, 'shares-receiver', 3000, 4000)).toBeLessThan(0.5)
  })

  it('of PACC far away: a queue that runs from empty to 300 KB and back', () => {
    const step = stepOf(pacc, 'Too far away')
    expect(saidIn(step)).toContain('300 KB')
    const [lane] = recordedLanes(step)
    const { recording } = lane!
    const queue = [...recording.queueOf(portByName(recording, 'switch->h0'))]
    const late = queue.slice(Math.floor(queue.length / 2))
    expect(Math.min(...late)).toBeLessThan(2e3)
    expect(Math.max(...late)).toBeGreaterThan(290e3)
    expect(Math.max(...late)).toBeLessThan(340e3)
  })
})
