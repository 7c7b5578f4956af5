import { describe, expect, it } from 'vitest'
import { ContentionPoint, DROP, KEEP, MARK, NotificationPoint, ReactionPoint } from '@weir/fabric'
import { TRIM } from '@weir/fabric'
import type {
  FlowContext,
  NodeContext,
  PortContext,
  Received,
  ReceiverContext,
  Verdict,
} from '@weir/fabric'
import type { Control, Shared } from '@weir/fabric'
import { FakeFlow, ackOf, fakeContext, valuesOf } from '../testing/fake-flow.ts'
import { none } from '../none.ts'
import type { Scheme } from '../scheme.ts'
import { guarded } from './guarded.ts'
import { OwnSchemeError, schemesIn } from './own-scheme.ts'

/** A scheme whose reaction point sets what a test says, when an ACK comes. */
function setting(change: (point: ReactionPoint, flow: FlowContext) => void): Scheme {
  class Setting extends ReactionPoint {
    readonly #flow: FlowContext
    constructor(flow: FlowContext) {
      super()
      this.#flow = flow
    }
    override onAck(): void {
      change(this, this.#flow)
    }
  }
  const control = none.create(valuesOf(none), fakeContext())
  const create = (): typeof control => ({ ...control, reaction: (flow) => new Setting(flow) })
  return { ...none, name: 'mine', create }
}

function afterAck(scheme: Scheme): ReactionPoint {
  const control = guarded(scheme).create(valuesOf(scheme), fakeContext())
  const point = control.reaction(new FakeFlow(10e9, 20e6))
  point.onAck(ackOf({}), 1e6)
  return point
}

describe('the border to a scheme of one own', () => {
  const wrong: [string, (point: ReactionPoint, flow: FlowContext) => void, RegExp][] = [
    ['a rate of NaN', (p) => (p.rateBps = NaN), /'mine': rateBps is set to NaN: a rate is above 0/],
    ['a negative rate', (p) => (p.rateBps -= Infinity), /rateBps is set to NaN/],
    ['a rate below 0', (p) => (p.rateBps = -1), /rateBps is set to -1/],
    ['no rate at all', (p) => (p.rateBps = 0), /rateBps is set to 0/],
    ['a text', (p) => (p.rateBps = '5' as never), /rateBps is set to 5/],
    ['a window of NaN', (p) => (p.windowBytes = NaN), /windowBytes is set to NaN/],
    ['a quota below 0', (p) => (p.quota = -1), /quota is set to -1: a quota is 0 packets/],
    ['a class that is not', (p) => (p.packetClass = 16), /packetClass is set to 16: a class is 0/],
    ['half a class', (p) => (p.packetClass = 0.5), /packetClass is set to 0.5/],
    ['a header of NaN', (p) => (p.header = NaN), /header is set to NaN: a header is a number/],
    ['a class below that of the flow', (p) => (p.packetClass = -2), /packetClass is set to -2/],
    ['a timer at NaN', (_, flow) => flow.setTimer(1, NaN), /timer 1 is set to NaN ps/],
  ]
  for (const [what, change, sentence] of wrong) {
    it(`refuses ${what}`, () => {
      expect(() => afterAck(setting(change))).toThrow(sentence)
      expect(() => afterAck(setting(change))).toThrow(OwnSchemeError)
    })
  }

  it('refuses a timer that holds the clock at one time', () => {
    const again = setting((_, flow) => {
      for (let i = 0; i < 1_100_000; i++) flow.setTimer(2, 5e6)
    })
    expect(() => afterAck(again)).toThrow(/'mine': timer 2 was set to 5000000 ps a million times/)
    const renewed = setting((_, flow) => {
      for (let i = 0; i < 1_100_000; i++) flow.setTimer(2, 5e6 + i)
    })
    expect(() => afterAck(renewed)).not.toThrow()
  })

  it('names in its stack the line that set it', () => {
    const change = (point: ReactionPoint): void => {
      point.rateBps = NaN
    }
    try {
      afterAck(setting(change))
      expect.unreachable()
    } catch (error) {
      expect((error as Error).stack?.split('\n').slice(1, 6).join()).toContain('guarded.test.ts')
    }
  })

  it('passes on what can be', () => {
    const point = afterAck(setting((p) => (p.rateBps = 5e9)))
    expect([point.rateBps, point.windowBytes]).toEqual([5e9, Infinity])
    expect(afterAck(setting((p) => (p.windowBytes = 0))).windowBytes).toBe(0)
  })

  it('lets a person read what was set, and see it among the numbers of the point', () => {
    const point = afterAck(setting((p) => (p.packetClass = -1)))
    expect(Object.keys(point)).toEqual(expect.arrayContaining(['rateBps', 'packetClass']))
    expect(point.packetClass).toBe(-1)
  })

  it('looks after agents and managers, and makes none where there is none', () => {
    const control = none.create(valuesOf(none), fakeContext())
    const asked: unknown[] = []
    const made = (more: Partial<Control>): Control =>
      guarded({ ...none, name: 'mine', create: () => ({ ...control, ...more }) }).create(
        {},
        fakeContext(),
      )
    expect([made({}).agent, made({}).manage]).toEqual([undefined, undefined])
    const mine = made({
      agent: (node) => void asked.push(node),
      manage: (...change) => void asked.push(change),
    })
    const node = { setTimer: () => undefined } as unknown as NodeContext
    expect(mine.agent!(node)).toBeUndefined()
    mine.manage!('a change' as never, 7)
    expect(asked).toEqual([node, ['a change', 7]])
    expect(() => node.setTimer(0, -1)).toThrow(/'mine': timer 0 is set to -1 ps/)
    // A context may be given to two schemes in a row.
    expect(mine.agent!(node)).toBeUndefined()
    const receiver = Object.create({ setTimer: () => undefined }) as ReceiverContext
    for (let i = 0; i < 2; i++) mine.notification(receiver)
    expect(() => receiver.setTimer(-1)).toThrow(/'mine': the timer is set to -1 ps/)
  })

  it('lets a receiver write a number into a header', () => {
    const control = none.create(valuesOf(none), fakeContext())
    class Writer extends NotificationPoint {
      override onReceived(packet: Received): void {
        packet.header = 5
      }
    }
    const own = { ...none, create: () => ({ ...control, notification: () => new Writer() }) }
    const receiver = { setTimer: () => undefined } as unknown as ReceiverContext
    const writer = guarded(own).create({}, fakeContext()).notification(receiver)!
    const packet = { seq: 0, payloadBytes: 1, newBytes: 1, isTrimmed: false, class: 0, header: 0 }
    writer.onReceived(packet, 0)
    expect(packet.header).toBe(5)
  })

  it('refuses a verdict that is none, and what a receiver cannot write or wait for', () => {
    const control = none.create(valuesOf(none), fakeContext())
    class Judge extends ContentionPoint {
      readonly sees = 'nothing'
      override readonly admits = true
      override admit = (packet: number): Verdict => packet as Verdict
    }
    class Writer extends NotificationPoint {
      override onReceived(packet: Received): void {
        packet.header /= 0
      }
    }
    const own: Scheme = {
      ...none,
      name: 'mine',
      needs: ['verdicts'],
      create: () => ({
        ...control,
        trimmedBytes: 64,
        contention: () => new Judge(),
        notification: () => new Writer(),
      }),
    }
    const mine = guarded(own).create({}, fakeContext())
    const port = { setTimer: () => undefined } as unknown as PortContext
    const judge = mine.contention(port)!
    expect([KEEP, MARK, TRIM, DROP].map((verdict) => judge.admit(verdict, 0, 0))).toEqual([
      KEEP,
      MARK,
      TRIM,
      DROP,
    ])
    expect(() => judge.admit(7, 0, 0)).toThrow(/'mine': admit answers 7: a verdict is KEEP, MARK/)
    const undeclared = guarded({ ...own, needs: [] }).create({}, fakeContext())
    expect(() => undeclared.contention(port)).toThrow(/'mine': .* needs does not name 'verdicts'/)
    const bare = guarded({ ...own, create: () => ({ ...control, contention: () => new Judge() }) })
    const cuts = bare.create({}, fakeContext()).contention(port)!
    expect(() => cuts.admit(TRIM, 0, 0)).toThrow(
      /'mine': admit answers TRIM, and trimmedBytes is 0/,
    )
    expect(cuts.admit(KEEP, 0, 0)).toBe(KEEP)
    const receiver = { setTimer: () => undefined } as unknown as ReceiverContext
    const writer = mine.notification(receiver)!
    const packet = { seq: 0, payloadBytes: 1, newBytes: 1, isTrimmed: false, class: 0, header: 0 }
    expect(() => writer.onReceived(packet, 0)).toThrow(/'mine': header is set to NaN/)
    expect(() => receiver.setTimer(NaN)).toThrow(/'mine': the timer is set to NaN ps/)
  })

  it('refuses shared state of no words, or that is never published', () => {
    const control = none.create(valuesOf(none), fakeContext())
    const made = (shared: Shared): Control =>
      guarded({ ...none, name: 'mine', create: () => ({ ...control, shared }) }).create(
        {},
        fakeContext(),
      )
    expect(made({ words: 2, everyPs: 1e6 }).shared).toEqual({ words: 2, everyPs: 1e6 })
    expect(() => made({ words: 0, everyPs: 1e6 })).toThrow(/'mine': shared.words is 0: whole/)
    for (const everyPs of [0, NaN, Infinity, 0.5]) {
      expect(() => made({ words: 1, everyPs })).toThrow(`shared.everyPs is ${everyPs}: whole`)
    }
  })

  it('refuses a rate of NaN to begin with, and marking that cannot be', () => {
    const control = none.create(valuesOf(none), fakeContext())
    class Nowhere extends ReactionPoint {
      override rateBps = NaN
    }
    const scheme = (more: object): Scheme => {
      return guarded({ ...none, name: 'mine', create: () => ({ ...control, ...more }) })
    }
    const made = (more: object): typeof control => scheme(more).create({}, fakeContext())
    const flow = new FakeFlow(10e9, 20e6)
    expect(() => made({ reaction: () => new Nowhere() }).reaction(flow)).toThrow(/NaN/)
    const marking = { kminBytes: 5, kmaxBytes: NaN, pmax: 1, at: 'enqueue' }
    expect(() => made({ marking: () => marking }).marking(1e9)).toThrow(/kmaxBytes NaN/)
    const pmax = { ...marking, kmaxBytes: 6, pmax: 2 }
    expect(() => made({ marking: () => pmax }).marking(1e9)).toThrow(/pmax 2/)
    const less = { ...pmax, pmax: -0.1 }
    expect(() => made({ marking: () => less }).marking(1e9)).toThrow(/pmax -0.1, not a probability/)
    for (const right of [0, 0.5, 1]) {
      const mark = { ...pmax, pmax: right }
      expect(made({ marking: () => mark }).marking(1e9)).toBe(mark)
    }
    expect(() => made({ dataHeaderBytes: -4 })).toThrow(/dataHeaderBytes is -4/)
  })

  it('takes thresholds that are bytes in their order, or no marking, and refuses others', () => {
    const control = none.create(valuesOf(none), fakeContext())
    const markingOf = (marking: object | undefined): unknown => {
      const create = (): Control => ({ ...control, marking: () => marking as never })
      const own = guarded({ ...none, name: 'mine', create }).create({}, fakeContext())
      return own.marking(1e9)
    }
    expect(markingOf(undefined)).toBeUndefined()
    const right = { kminBytes: 7, kmaxBytes: 7, pmax: 1, at: 'enqueue' }
    expect(markingOf(right)).toBe(right)
    for (const wrong of [
      { kminBytes: 8 },
      { kminBytes: -1 },
      { kminBytes: -Infinity },
      { kminBytes: NaN, kmaxBytes: 9 },
      { kmaxBytes: Infinity },
    ]) {
      expect(() => markingOf({ ...right, ...wrong })).toThrow(
        /numbers of bytes, the first not above/,
      )
    }
  })

  it('lets timers be set for time 0, and contention points be none', () => {
    const control = none.create(valuesOf(none), fakeContext())
    const own = guarded({ ...none, name: 'mine', create: () => control }).create({}, fakeContext())
    const set: number[][] = []
    const context = { setTimer: (...what: number[]) => void set.push(what) }
    expect(own.contention(context as unknown as PortContext)).toBeUndefined()
    ;(context as unknown as FlowContext).setTimer(3, 0)
    const receiver = { setTimer: (atPs: number) => void set.push([atPs]) }
    own.notification(receiver as unknown as ReceiverContext)
    receiver.setTimer(0)
    expect(set).toEqual([[3, 0], [0]])
    const change = (point: ReactionPoint): void => {
      point.windowBytes = -1
    }
    expect(() => afterAck(setting(change))).toThrow(/a window is 0 bytes or more/)
    expect(afterAck(setting((point) => (point.quota = 0))).quota).toBe(0)
    const ofClass = (point: ReactionPoint): void => {
      point.packetClass = 99
    }
    expect(() => afterAck(setting(ofClass))).toThrow(/a class is 0 to 15, or -1/)
  })
})

describe('a module of one own', () => {
  it('is searched for schemes, and refused without', () => {
    expect(schemesIn({ a: 1, mine: none, again: none })).toEqual([none])
    expect(() => schemesIn({ mine: { name: 'mine' } })).toThrow(/no export of the module is a/)
  })

  it.each<[string, object]>([
    ['no name', { name: undefined }],
    ['a number for a name', { name: 7 }],
    ['a name of two words', { name: 'my scheme' }],
    ['no title', { title: undefined }],
    ['no needs', { needs: undefined }],
    ['no parameters', { params: undefined }],
    ['no presets', { presets: undefined }],
    ['nothing that makes it', { create: undefined }],
  ])('has no scheme in an export with %s', (_, more) => {
    const search = (): unknown => schemesIn({ mine: { ...none, ...more }, nothing: null })
    expect(search).toThrow(OwnSchemeError)
    // What a scheme has is said in full.
    expect(search).toThrow(/\{ name, title, cite, needs, params, presets, create \}/)
  })
})
