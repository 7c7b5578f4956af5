import type { Marking, ReactionPoint } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { conforms } from '@weir/sim/testing'
import { dcqcn } from './dcqcn.ts'
import type { ParamValue } from './param.ts'
import { ackOf, FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'
import { fakeReceiver } from './testing/fake-receiver.ts'

// Rates of flows in the fluid model's fixed point are equal (Zhu et al., CoNEXT 2016, section 3);
// the bounds leave room for the swings of a few flows with coarse marks.
conforms(dcqcn, {
  until: '40ms',
  bounds: {
    utilisation: 0.85,
    jain: 0.85,
    source: 'SIGCOMM 2015, Figs. 8 and 17: fair, full link; CoNEXT 2016, section 3',
  },
  recovered: 0.6,
})

const US = 1e6
const LINE = 40e9
const G = 1 / 256

interface Hand {
  readonly flow: FakeFlow
  readonly reaction: ReactionPoint
}

function byHand(given: Partial<Record<string, ParamValue>> = {}, preset = ''): Hand {
  const flow = new FakeFlow(LINE, 10 * US)
  const control = dcqcn.create(valuesOf(dcqcn, given, preset), fakeContext())
  return { flow, reaction: control.reaction(flow) }
}

const cnp = ({ reaction }: Hand, atPs: number): void => reaction.onControl(1, 0, 0, atPs)
const rate = ({ reaction }: Hand): number => reaction.observe(0)
const target = ({ reaction }: Hand): number => reaction.observe(1)
const alpha = ({ reaction }: Hand): number => reaction.observe(2)

/** Lets a timer go off when it is due. */
function expire({ flow, reaction }: Hand, which: number): number {
  const atPs = flow.timersPs[which]!
  flow.timersPs[which] = Infinity
  reaction.onTimer(which, atPs)
  return atPs
}

describe('the reaction point of dcqcn', () => {
  it('halves the rate at the first CNP, and keeps the old one as target (Eq. 1)', () => {
    const hand = byHand()
    expect(rate(hand)).toBe(LINE)
    cnp(hand, 0)
    expect([rate(hand), target(hand), alpha(hand)]).toEqual([LINE / 2, LINE, 1])
    cnp(hand, 50 * US)
    expect([rate(hand), target(hand)]).toEqual([LINE / 4, LINE / 2])
  })

  it('lets alpha fall by (1 - g) each 55 us without a CNP, then raises it by g (Eqs. 1, 2)', () => {
    const hand = byHand()
    cnp(hand, 0)
    const before = rate(hand)
    cnp(hand, 3.5 * 55 * US)
    const fallen = (1 - G) ** 3
    expect(rate(hand)).toBeCloseTo(before * (1 - fallen / 2), 0)
    expect(alpha(hand)).toBeCloseTo((1 - G) * fallen + G, 12)
  })

  it('counts the intervals from the last CNP, whenever that was', () => {
    const hand = byHand()
    for (const atPs of [1000 * US, 1100 * US, 1210 * US]) cnp(hand, atPs)
    // One interval passes, then two.
    const second = (1 - G) * (1 - G) + G
    expect(alpha(hand)).toBeCloseTo((1 - G) * second * (1 - G) ** 2 + G, 12)
  })

  it('goes half the way to the target five times, then adds R_AI each time (Eqs. 3, 4)', () => {
    const hand = byHand()
    cnp(hand, 0)
    cnp(hand, US)
    const goal = target(hand)
    let gap = goal - rate(hand)
    for (let i = 1; i <= 5; i++) {
      expect(expire(hand, 0)).toBe(US + i * 55 * US)
      gap /= 2
      expect(target(hand)).toBe(goal)
      expect(rate(hand)).toBeCloseTo(goal - gap, 0)
    }
    for (let i = 1; i <= 3; i++) {
      expire(hand, 0)
      expect(target(hand)).toBeCloseTo(goal + i * 40e6, 0)
    }
  })

  it('adds R_HAI when both the timer and the byte counter are past fast recovery', () => {
    const hand = byHand()
    cnp(hand, 0)
    cnp(hand, US)
    const goal = target(hand)
    for (let i = 0; i < 6; i++) expire(hand, 0)
    expect(target(hand)).toBeCloseTo(goal + 40e6, 0)
    for (let i = 0; i < 5; i++) hand.reaction.onSent(10e6, 400 * US)
    // Five events of bytes, each of which is an additive one since the timer is past five.
    expect(target(hand)).toBeCloseTo(goal + 6 * 40e6, 0)
    hand.reaction.onSent(10e6 - 1, 400 * US)
    expect(target(hand)).toBeCloseTo(goal + 6 * 40e6, 0)
    hand.reaction.onSent(1, 400 * US)
    expect(target(hand)).toBeCloseTo(goal + 6 * 40e6 + 400e6, 0)
  })

  it('starts over with fast recovery at each CNP', () => {
    const hand = byHand()
    cnp(hand, 0)
    for (let i = 0; i < 7; i++) expire(hand, 0)
    cnp(hand, 400 * US)
    const goal = target(hand)
    expire(hand, 0)
    expect(target(hand)).toBe(goal)
  })

  it('comes back to line rate, stops its timer there, and forgets congestion meanwhile', () => {
    const hand = byHand()
    cnp(hand, 0)
    let atPs = 0
    for (let i = 0; i < 100 && hand.flow.timersPs[0]! < Infinity; i++) atPs = expire(hand, 0)
    expect(rate(hand)).toBe(LINE)
    expect(atPs).toBeLessThan(100 * 55 * US)
    cnp(hand, 1000 * 55 * US)
    const fallen = (1 - G) ** 1000
    expect(rate(hand) / LINE).toBeCloseTo(1 - fallen / 2, 9)
  })

  it('never falls below its least rate', () => {
    const hand = byHand()
    for (let i = 0; i < 50; i++) cnp(hand, i * 50 * US)
    expect(rate(hand)).toBe(10e6)
  })

  it('is back at line rate by bytes alone, with its target there and its timer stopped', () => {
    const hand = byHand({ rateAi: 1e9 })
    cnp(hand, 0)
    for (let i = 0; i < 100 && rate(hand) < LINE; i++) {
      hand.reaction.onSent(10e6, US)
      // Additive steps lead beyond the line, the target does not.
      expect(target(hand)).toBe(LINE)
    }
    expect(rate(hand)).toBe(LINE)
    expect(hand.flow.timersPs[0]).toBe(Infinity)
  })

  it('takes its target anew after an increase by bytes, if only increases move it', () => {
    const hand = byHand({ clampTarget: false })
    cnp(hand, 0)
    cnp(hand, US)
    expect(target(hand)).toBe(LINE)
    hand.reaction.onSent(10e6, 2 * US)
    const before = rate(hand)
    cnp(hand, 3 * US)
    expect(target(hand)).toBe(before)
  })

  it('hears no other control packet than a CNP', () => {
    const hand = byHand()
    hand.reaction.onControl(2, 0, 0, US)
    expect([rate(hand), hand.flow.timersPs[0]]).toEqual([LINE, Infinity])
  })

  it('does not hear marks in ACKs, unless they are its feedback', () => {
    const hand = byHand()
    hand.reaction.onAck(ackOf({ marked: true }), US)
    expect(rate(hand)).toBe(LINE)
    const echoed = byHand({ feedback: 'ack' })
    echoed.reaction.onAck(ackOf({ marked: false }), US)
    expect(rate(echoed)).toBe(LINE)
    echoed.reaction.onAck(ackOf({ marked: true }), US)
    expect(rate(echoed)).toBe(LINE / 2)
  })
})

describe('dcqcn without a byte counter', () => {
  it('goes through fast recovery, one additive step and hyper increase by its timer alone', () => {
    const hand = byHand({ byteCounter: 0, fastRecovery: 2 })
    cnp(hand, 0)
    cnp(hand, US)
    const goal = target(hand)
    const steps = [0, 0, 40e6, 400e6, 400e6].map((step) => {
      const before = target(hand)
      hand.reaction.onSent(1e9, US)
      expire(hand, 0)
      return [step, target(hand) - before] as const
    })
    for (const [step, moved] of steps) expect(moved).toBeCloseTo(step, 0)
    expect(target(hand)).toBeCloseTo(goal + 840e6, 0)
  })
})

describe('the firmware preset of dcqcn', () => {
  const mark = ({ reaction }: Hand, atPs: number): void =>
    reaction.onAck(ackOf({ marked: true }), atPs)

  it('acts on its first mark when the first period of 4 us ends', () => {
    const hand = byHand({}, 'firmware')
    mark(hand, 100 * US)
    expect(rate(hand)).toBe(LINE)
    expect(expire(hand, 1)).toBe(104 * US)
    // The first mark is none in alpha's first interval: alpha fell in each of the four.
    const fallen = (1 - G) ** 4
    expect(alpha(hand)).toBeCloseTo(fallen, 12)
    expect(rate(hand) / LINE).toBeCloseTo(1 - fallen / 2, 12)
  })

  it('cuts once on a grid of 4 us, however many marks came', () => {
    const hand = byHand({}, 'firmware')
    for (let i = 0; i <= 10; i++) mark(hand, 100 * US + i * 0.3 * US)
    expect(expire(hand, 1)).toBe(104 * US)
    const once = rate(hand)
    expect(once).toBeGreaterThan(0.49 * LINE)
    for (let i = 0; i <= 10; i++) mark(hand, 109 * US + i * 0.3 * US)
    expect(rate(hand)).toBe(once)
    expect(expire(hand, 1)).toBe(112 * US)
    expect(rate(hand)).toBeLessThan(0.52 * once)
    expect(hand.flow.timersPs[1]).toBe(Infinity)
  })

  it('moves alpha each 1 us: up if a mark came in it, else down', () => {
    const hand = byHand({}, 'firmware')
    mark(hand, 0)
    mark(hand, 1.5 * US)
    mark(hand, 1.6 * US)
    // 0..1 us had only the first mark of all, 1..2 us had marks, 2..4 us none.
    expire(hand, 1)
    const fallen = ((1 - G) * (1 - G) + G) * (1 - G) ** 2
    expect(alpha(hand)).toBeCloseTo(fallen, 12)
    // A mark counts in its own interval only: 4..6 us had none, 6..7 us had one, 7..8 us none.
    mark(hand, 6.5 * US)
    expire(hand, 1)
    expect(alpha(hand)).toBeCloseTo((fallen * (1 - G) ** 3 + G) * (1 - G), 12)
  })

  it('keeps the target over cuts in a row, and takes it anew after an increase', () => {
    const hand = byHand({}, 'firmware')
    mark(hand, 0)
    expire(hand, 1)
    mark(hand, 5 * US)
    expire(hand, 1)
    expect(target(hand)).toBe(LINE)
    expire(hand, 0)
    const before = rate(hand)
    mark(hand, 400 * US)
    expire(hand, 1)
    expect(target(hand)).toBe(before)
  })

  it('adds 5 and 50 Mb/s for each 25 Gb/s of the NIC, as run.py does', () => {
    const hand = byHand({}, 'firmware')
    mark(hand, 0)
    for (let i = 0; i < 2; i++) {
      expire(hand, 1)
      expire(hand, 0)
      mark(hand, 1000 * (i + 1) * US)
    }
    expire(hand, 1)
    const goal = target(hand)
    expire(hand, 0)
    expect(target(hand)).toBe(goal)
    expire(hand, 0)
    expect(target(hand) - goal).toBeCloseTo((5e6 * LINE) / 25e9, 0)
    expire(hand, 0)
    expect(target(hand) - goal).toBeCloseTo((55e6 * LINE) / 25e9, 0)
  })
})

describe('the notification point of dcqcn', () => {
  it('sends at most one CNP in 50 us for a flow, and none for unmarked packets', () => {
    let cnps = 0
    const control = dcqcn.create(valuesOf(dcqcn), fakeContext())
    const point = control.notification(fakeReceiver({ sendControl: () => void cnps++ }))!
    for (let us = 0; us < 500; us++) point.onData(us % 2 === 0, 1048, us * US)
    expect(cnps).toBe(10)
    for (let us = 600; us < 700; us++) point.onData(false, 1048, us * US)
    expect(cnps).toBe(10)
  })

  it('is not there if marks are echoed in ACKs', () => {
    const control = dcqcn.create(valuesOf(dcqcn, {}, 'firmware'), fakeContext())
    expect(control.notification(fakeReceiver())).toBeUndefined()
  })
})

describe('the marking of dcqcn', () => {
  const markingOf = (preset: string, rateBps: number): Marking | undefined =>
    dcqcn.create(valuesOf(dcqcn, {}, preset), fakeContext()).marking(rateBps)

  it('is 5 KB, 200 KB and 1% at 40 Gb/s, as in the paper', () => {
    expect(markingOf('paper', 40e9)).toMatchObject({ kminBytes: 5e3, kmaxBytes: 200e3, pmax: 0.01 })
  })

  it('is by the queue that a packet finds, and in the firmware by what it leaves behind', () => {
    expect(markingOf('paper', 40e9)).toMatchObject({ at: 'enqueue' })
    expect(markingOf('firmware', 25e9)).toMatchObject({ at: 'dequeue' })
  })

  it('is 100 KB, 400 KB and 20% at 25 Gb/s in production, and scales with the rate', () => {
    const at = (rateBps: number, scale: number): void =>
      expect(markingOf('production', rateBps)).toMatchObject({
        kminBytes: 100e3 * scale,
        kmaxBytes: 400e3 * scale,
        pmax: 0.2,
      })
    at(25e9, 1)
    at(100e9, 4)
    at(10e9, 0.4)
    const same = dcqcn.create(valuesOf(dcqcn, { kmin: 7e3, referenceRate: 0 }), fakeContext())
    expect(same.marking(100e9)).toMatchObject({ kminBytes: 7e3 })
  })
})
