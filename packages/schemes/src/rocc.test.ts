import { Random } from '@weir/engine'
import type { ContentionPoint, PortContext, ReactionPoint } from '@weir/fabric'
import { conforms } from '@weir/sim/testing'
import { describe, expect, it } from 'vitest'
import { rocc } from './rocc.ts'
import type { ParamValue } from './param.ts'
import { FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'

conforms(rocc, {
  bounds: {
    utilisation: 0.95,
    jain: 0.98,
    queueBytes: 60e3,
    source: 'CoNEXT 2020: fair, a full link, the queue at its reference (37.5 KB at 10 Gb/s)',
  },
  recovered: 0.9,
})

const US = 1e6
const T = 40 * US

interface Port {
  readonly point: ContentionPoint
  queue: number
  readonly told: { readonly flow: number; readonly rate: number }[]
  /** When its timer is due; NaN: it has none. */
  readonly duePs: number
  tick(): number
}

/** A port in whose queue flows 1 and 2 have a packet each. */
function portOf(rateBps: number = 40e9, given: Record<string, ParamValue> = {}): Port {
  let timerPs = NaN
  const told: { flow: number; rate: number }[] = []
  const port = {
    port: 7,
    atHost: false,
    rateBps,
    random: new Random(1, 'port'),
    queueBytesAll: () => self.queue,
    packetFlow: (packet: number) => packet,
    setTimer: (_which: number, atPs: number) => (timerPs = atPs),
    remember: () => undefined,
    notifyFlow: (flow: number, _code: number, _bytes: number, rate: number) => {
      told.push({ flow, rate })
      return true
    },
  } as unknown as PortContext
  const self: Port = {
    point: rocc.create(valuesOf(rocc, given), fakeContext()).contention(port)!,
    queue: 0,
    told,
    get duePs() {
      return timerPs
    },
    tick: () => {
      const atPs = timerPs
      timerPs = NaN
      self.point.onTimer(0, atPs)
      return timerPs - atPs
    },
  }
  self.point.onArrival(1, 0, 0)
  self.point.onArrival(2, 0, 0)
  return self
}

describe('the contention point of rocc', () => {
  it('moves the rate by 0.3 steps for each 600 B of offset, and 1.5 for each of growth', () => {
    const port = portOf()
    port.queue = 156e3
    expect(port.tick()).toBe(T)
    // 0.3 x 10 + 1.5 x 260 = 393 steps, the queue having been empty.
    expect(port.point.observe(0)).toBeCloseTo(40e9 - 393 * 10e6, 0)
    port.tick()
    expect(port.point.observe(0)).toBeCloseTo(40e9 - 396 * 10e6, 0)
  })

  it('tells every flow in its queue, and those that have left no more', () => {
    const port = portOf()
    port.queue = 156e3
    port.tick()
    expect(port.told.map(({ flow }) => flow)).toEqual([1, 2])
    port.point.onDeparture(1, 0, 0)
    port.tick()
    expect(port.told.map(({ flow }) => flow)).toEqual([1, 2, 2])
  })

  it('tells a flow until the last of its packets has left', () => {
    const port = portOf()
    port.queue = 156e3
    port.point.onArrival(1, 0, 0)
    port.point.onArrival(1, 0, 0)
    expect(port.point.observe(1)).toBe(2)
    port.point.onDeparture(1, 0, 0)
    port.point.onDeparture(1, 0, 0)
    port.tick()
    expect(port.told.map(({ flow }) => flow)).toEqual([1, 2])
    port.point.onDeparture(1, 0, 0)
    expect(port.point.observe(1)).toBe(1)
  })

  it('keeps its clock while packets come, from a moment within the first period on', () => {
    const port = portOf()
    const firstPs = port.duePs
    expect(firstPs).toBeGreaterThan(US)
    expect(firstPs).toBeLessThan(T)
    port.point.onArrival(1, 0, 5 * US)
    expect(port.duePs).toBe(firstPs)
  })

  it('ticks on with a queue at full rate, and without one below it', () => {
    const held = portOf()
    held.queue = 1000
    expect(held.tick()).toBe(T)
    expect(held.point.observe(0)).toBe(40e9)
    const slow = portOf()
    slow.queue = 360e3
    slow.tick()
    slow.queue = 0
    expect(slow.tick()).toBe(T)
  })

  it('starts again with the next packet after a rest', () => {
    const port = portOf()
    expect(port.tick()).toBeNaN()
    port.point.onArrival(1, 0, 500 * US)
    expect(port.duePs).toBeGreaterThanOrEqual(500 * US)
    expect(port.duePs).toBeLessThan(500 * US + T)
  })

  it('has thresholds of 40 Gb/s on any link if there is no reference', () => {
    const port = portOf(10e9, { referenceRate: 0 })
    port.queue = 150e3
    port.tick()
    // 1.5 x 250 steps of growth, and no offset.
    const held = port.point.observe(0)
    expect(held).toBeCloseTo(10e9 - 375 * 10e6, 0)
    port.tick()
    expect(port.point.observe(0)).toBe(held)
  })

  it('names what it can show', () => {
    const { flowInternals, portInternals } = rocc.create(valuesOf(rocc), fakeContext())
    expect([flowInternals, portInternals]).toEqual([['rate'], ['fair', 'flows']])
    expect(portOf().point.sees).toBe('both')
  })

  it('goes to its least with a queue of qmax, and to half with a growth of qmid', () => {
    const full = portOf()
    full.queue = 360e3
    full.tick()
    expect(full.point.observe(0)).toBe(100e6)
    const grown = portOf()
    grown.queue = 310e3
    grown.tick()
    expect(grown.point.observe(0)).toBe(20e9)
  })

  it('takes neither step a byte before its threshold', () => {
    const below = portOf()
    below.queue = 300e3 - 1
    below.tick()
    // 0.3 x 250 + 1.5 x 500 steps, less a byte: no half.
    expect(below.point.observe(0)).toBeCloseTo(40e9 - 825 * 10e6, -6)
    below.queue = 360e3 - 1
    below.tick()
    expect(below.point.observe(0)).toBeGreaterThan(20e9)
    below.queue = 360e3
    below.tick()
    expect(below.point.observe(0)).toBe(100e6)
  })

  it('has the values of section 6, for 40 and for 100 Gb/s', () => {
    const of = (preset: string): unknown[] => {
      const values = valuesOf(rocc, {}, preset)
      return ['interval', 'alpha', 'beta', 'qref', 'qmid', 'qmax', 'referenceRate', 'minRate'].map(
        (name) => values[name],
      )
    }
    expect(of('paper')).toEqual([T, 0.3, 1.5, 150e3, 300e3, 360e3, 40e9, 100e6])
    expect(of('paper-100g')).toEqual([T, 0.45, 2.25, 300e3, 600e3, 660e3, 100e9, 100e6])
  })

  it('has thresholds in proportion to its link', () => {
    const port = portOf(10e9)
    // 37.5 KB are the reference, and 90 KB are qmax.
    port.queue = 37.5e3
    port.tick()
    // 1.5 x 62.5 steps of growth, and no offset.
    const held = port.point.observe(0)
    expect(held).toBeCloseTo(10e9 - 93.75 * 10e6, 0)
    port.tick()
    expect(port.point.observe(0)).toBe(held)
    // A growth of 75 KB halves the rate; the queue was 10 KB.
    port.queue = 10e3
    for (let i = 0; i < 20; i++) port.tick()
    expect(port.point.observe(0)).toBe(10e9)
    port.queue = 85e3
    port.tick()
    expect(port.point.observe(0)).toBe(5e9)
    port.queue = 90e3
    port.tick()
    expect(port.point.observe(0)).toBe(100e6)
  })

  it('takes its steps above an eighth of the line only', () => {
    const port = portOf()
    port.queue = 360e3
    port.tick()
    port.queue = 720e3
    port.tick()
    // At its least already: the controller goes on, and is held there.
    expect(port.point.observe(0)).toBe(100e6)
    port.queue = 0
    for (let i = 0; i < 400 && port.point.observe(0) < 4.9e9; i++) port.tick()
    const before = port.point.observe(0)
    expect(before).toBeLessThan(5e9)
    port.queue = 360e3
    port.tick()
    // Below 40 / 8 Gb/s: an eighth of 0.3 x 350 + 1.5 x 600 steps, and no fall to the least.
    expect(before - port.point.observe(0)).toBeCloseTo(((105 + 900) / 8) * 10e6, 0)
    port.queue = 0
    for (let i = 0; i < 400 && port.point.observe(0) <= 5e9; i++) port.tick()
    expect(port.point.observe(0)).toBeLessThan(10e9)
    port.queue = 360e3
    port.tick()
    expect(port.point.observe(0)).toBe(100e6)
  })

  it('has gains that fall with the rate, down to a 32nd', () => {
    const port = portOf()
    port.queue = 360e3
    port.tick()
    port.queue = 90e3
    const before = port.point.observe(0)
    port.tick()
    // -0.3 x 100 - 1.5 x 450 = -705 steps, a 32nd of it.
    expect(port.point.observe(0) - before).toBeCloseTo((705 / 32) * 10e6, 0)
  })

  it('never offers more than its link, and rests when it is idle', () => {
    const port = portOf()
    port.queue = 0
    expect(port.tick()).toBeNaN()
    expect(port.point.observe(0)).toBe(40e9)
  })
})

describe('the reaction point of rocc', () => {
  const of = (): { flow: FakeFlow; reaction: ReactionPoint } => {
    const flow = new FakeFlow(40e9, 10 * US)
    return { flow, reaction: rocc.create(valuesOf(rocc), fakeContext()).reaction(flow) }
  }

  it('follows one output up and down, and another only down', () => {
    const { reaction } = of()
    reaction.onControl(1, 10e9, 3, 0)
    reaction.onControl(1, 12e9, 3, 0)
    expect(reaction.rateBps).toBe(12e9)
    reaction.onControl(1, 15e9, 4, 0)
    expect(reaction.rateBps).toBe(12e9)
    reaction.onControl(1, 5e9, 4, 0)
    expect(reaction.rateBps).toBe(5e9)
    reaction.onControl(1, 6e9, 3, 0)
    expect(reaction.rateBps).toBe(5e9)
  })

  it('follows another output that tells the same rate (Algorithm 2, line 4)', () => {
    const { reaction } = of()
    reaction.onControl(1, 10e9, 3, 0)
    reaction.onControl(1, 10e9, 4, 0)
    reaction.onControl(1, 12e9, 4, 0)
    expect(reaction.rateBps).toBe(12e9)
  })

  it('follows the first output of a fabric, number 0, as any other', () => {
    const { flow, reaction } = of()
    reaction.onControl(1, 10e9, 0, 0)
    reaction.onControl(1, 15e9, 4, 0)
    expect(reaction.rateBps).toBe(10e9)
    reaction.onTimer(0, flow.timersPs[0]!)
    expect(reaction.observe(0)).toBe(20e9)
  })

  it('takes nothing else for a rate, and does not rise where it follows nobody', () => {
    const { flow, reaction } = of()
    reaction.onControl(2, 10e9, 3, 0)
    reaction.onTimer(0, 0)
    expect(reaction.rateBps).toBe(40e9)
    expect(flow.timersPs[0]).toBe(Infinity)
  })

  it('doubles without news, until the rate is the line and nobody is followed', () => {
    const { flow, reaction } = of()
    reaction.onControl(1, 15e9, 3, 0)
    expect(flow.timersPs[0]).toBe(100 * US)
    reaction.onTimer(0, 100 * US)
    expect(reaction.rateBps).toBe(30e9)
    reaction.onTimer(0, 200 * US)
    expect(reaction.rateBps).toBe(40e9)
    expect(flow.timersPs[0]).toBe(Infinity)
    reaction.onControl(1, 20e9, 4, 0)
    expect(reaction.rateBps).toBe(20e9)
  })
})
