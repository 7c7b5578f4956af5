/** ACCurate's three points by hand: what each says, when, and what it makes of an answer. */
import { Random } from '@weir/engine'
import type { ContentionPoint, Control, NodeAgent, NodeContext } from '@weir/fabric'
import type { PortContext, ReactionPoint } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { accurate } from '../accurate.ts'
import type { ParamValue } from '../param.ts'
import { FakeFlow, fakeContext, valuesOf } from '../testing/fake-flow.ts'
import { fakeReceiver } from '../testing/fake-receiver.ts'

const US = 1e6
const G = 1e9
const RRP = 20 * US
/** FRPs leave so long after the tick. */
const PHASE = 2 * US

const WORDS = ['', 'FRP', 'init', 'stop', 'response', 'short circuit']
const [FRP, INIT, STOP, RESPONSE, SHORT_CIRCUIT] = [1, 2, 3, 4, 5]
const LOST = -1

type Given = Partial<Record<string, ParamValue>>

function controlOf(given: Given = {}): Control {
  return accurate.create(valuesOf(accurate, given), fakeContext())
}

/** A flow that writes down what it says: the word, CR and DR in Gb/s. */
class HeardFlow extends FakeFlow {
  override readonly sizeBytes: number
  override unsentBytes: number = Infinity
  readonly said: (string | number)[][] = []
  /** What stands in front of its own link. */
  own: (code: number, a: number, b: number) => void = () => undefined

  constructor(sizeBytes: number = Infinity) {
    super(10 * G, 10 * US)
    this.sizeBytes = sizeBytes
  }

  override sendControl(code: number = 0, _bytes: number = 0, a: number = 0, b: number = 0): void {
    this.said.push([WORDS[code] as string, a / G, b / G])
    this.own(code, a, b)
  }
}

/** The agent of a node; each asked for is another. */
function agentOf(control: Control, name: string): NodeAgent {
  return control.agent!({ name } as NodeContext)!
}

function reactionOf(
  control: Control,
  flow: HeardFlow,
  agent: NodeAgent = agentOf(control, `h${flow.source}`),
): ReactionPoint {
  return control.reaction(Object.assign(flow, { agent }))
}

interface Hand {
  readonly flow: HeardFlow
  readonly reaction: ReactionPoint
}

function started(given: Given = {}, flow: HeardFlow = new HeardFlow()): Hand {
  const reaction = reactionOf(controlOf(given), flow)
  reaction.onStart(5 * US)
  return { flow, reaction }
}

describe('the reaction point of ACCurate', () => {
  it('announces itself, and from then on sends one FRP a period, a little after the tick', () => {
    const { flow, reaction } = started()
    expect(reaction.rateBps).toBe(10 * G)
    expect(flow.said).toEqual([['init', 10, 10]])
    for (let period = 1; period <= 3; period++) {
      expect(flow.timersPs[0]).toBe(period * RRP + PHASE)
      reaction.onTimer(0, period * RRP + PHASE)
      expect(flow.said).toHaveLength(1 + period)
      expect(flow.said.at(-1)).toEqual(['FRP', 10, 10])
    }
  })

  it('says nothing before its first FRP without flow-init', () => {
    const { flow, reaction } = started({ flowInit: false })
    expect(flow.said).toEqual([])
    reaction.onTimer(0, RRP + PHASE)
    expect(flow.said).toEqual([['FRP', 10, 10]])
  })

  it('takes CR, or DR where it is greater, and never less than its least rate', () => {
    const { flow, reaction } = started({ minRate: 1e6 })
    reaction.onControl(RESPONSE, 4 * G, 3 * G, 10 * US)
    expect([0, 1, 2].map((i) => reaction.observe(i) / G)).toEqual([4, 4, 3])
    reaction.onControl(RESPONSE, 2 * G, 6 * G, 10 * US)
    expect([0, 1, 2].map((i) => reaction.observe(i) / G)).toEqual([6, 2, 6])
    reaction.onTimer(0, RRP + PHASE)
    expect(flow.said.at(-1)).toEqual(['FRP', 6, 10])
    reaction.onControl(RESPONSE, 0, 0, 30 * US)
    expect(reaction.rateBps).toBe(1e6)
  })

  it('asks for no more than it has without the desired rate', () => {
    const { flow, reaction } = started({ desiredRate: false })
    reaction.onControl(RESPONSE, 4 * G, 4 * G, 10 * US)
    reaction.onTimer(0, RRP + PHASE)
    expect(flow.said.at(-1)).toEqual(['FRP', 4, 4])
  })

  it('lets a short circuit take away, but not give: the rest of the path has not spoken', () => {
    const { reaction } = started()
    reaction.onControl(SHORT_CIRCUIT, 4 * G, 10 * G, 10 * US)
    expect(reaction.rateBps).toBe(4 * G)
    reaction.onControl(SHORT_CIRCUIT, 6 * G, 10 * G, 11 * US)
    expect(reaction.rateBps).toBe(4 * G)
    // CR and DR that are shown are those of responses.
    expect([reaction.observe(1), reaction.observe(2)]).toEqual([10 * G, 10 * G])
  })

  it('is silent and without limit below the size of a small flow', () => {
    const { flow, reaction } = started({ smallFlow: 4000 }, new HeardFlow(3999))
    reaction.onControl(RESPONSE, 1 * G, 1 * G, 10 * US)
    reaction.onControl(SHORT_CIRCUIT, 1 * G, 1 * G, 10 * US)
    reaction.onFinished(11 * US)
    expect(flow.said).toEqual([])
    expect(flow.timersPs[0]).toBe(Infinity)
    expect(reaction.rateBps).toBe(10 * G)
    expect(started({ smallFlow: 4000 }, new HeardFlow(4000)).flow.said).toHaveLength(1)
  })

  it('takes its last word back when it ends in the same period, and is deaf after', () => {
    const { flow, reaction } = started()
    reaction.onTimer(0, RRP + PHASE)
    reaction.onControl(RESPONSE, 4 * G, 4 * G, RRP + 3 * US)
    reaction.onFinished(RRP + 4 * US)
    // By the CR that it was counted with.
    expect(flow.said.at(-1)).toEqual(['stop', 10, 10])
    expect(flow.timersPs[0]).toBe(Infinity)
    const words = flow.said.length
    reaction.onFinished(RRP + 5 * US)
    reaction.onTimer(0, 2 * RRP + PHASE)
    reaction.onControl(RESPONSE, 1 * G, 1 * G, 2 * RRP)
    expect(flow.said).toHaveLength(words)
    expect(reaction.rateBps).toBe(4 * G)
  })

  it('needs no flow-stop in a period that has not counted it, and sends none if told so', () => {
    const late = started()
    late.reaction.onFinished(RRP + 1 * US)
    expect(late.flow.said).toEqual([['init', 10, 10]])
    const mute = started({ flowStop: false })
    mute.reaction.onFinished(6 * US)
    expect(mute.flow.said).toEqual([['init', 10, 10]])
  })

  it('that was never counted needs no flow-stop, whatever the period', () => {
    const flow = new HeardFlow()
    const reaction = reactionOf(controlOf({ flowInit: false }), flow)
    for (let period = 0; period < 4; period++) reaction.onStart(period * RRP + 5 * US)
    reaction.onFinished(1 * RRP + 6 * US)
    expect(flow.said).toEqual([])
  })

  it('ticks by the clock of its own host', () => {
    const control = controlOf({ clockSkew: 10 * US })
    const dueAt = (source: number): number => {
      const flow = Object.assign(new HeardFlow(), { source })
      reactionOf(control, flow).onStart(15 * US)
      return flow.timersPs[0]! - PHASE
    }
    const [first, second] = [dueAt(0), dueAt(1)]
    expect(dueAt(0)).toBe(first)
    expect(second).not.toBe(first)
    for (const duePs of [first, second]) {
      expect(duePs).toBeGreaterThanOrEqual(RRP)
      expect(duePs).toBeLessThan(RRP + 10 * US)
    }
  })

  it('rides on data packets: an FRP waits for the next, and one per period is enough', () => {
    const { flow, reaction } = started({ encoding: 'piggyback' })
    reaction.onSent(1048, 6 * US)
    expect(flow.said).toEqual([['init', 10, 10]])
    reaction.onTimer(0, RRP + PHASE)
    expect(flow.said).toHaveLength(1)
    reaction.onSent(1048, RRP + 5 * US)
    reaction.onSent(1048, RRP + 6 * US)
    expect(flow.said.slice(1)).toEqual([['FRP', 10, 10]])
    // The packet for the FRP of period 2 comes in period 3, whose own timer is later.
    reaction.onTimer(0, 2 * RRP + PHASE)
    reaction.onSent(1048, 3 * RRP + 1 * US)
    reaction.onTimer(0, 3 * RRP + PHASE)
    reaction.onSent(1048, 3 * RRP + 5 * US)
    expect(flow.said.slice(2)).toEqual([['FRP', 10, 10]])
    reaction.onTimer(0, 4 * RRP + PHASE)
    reaction.onFinished(4 * RRP + 5 * US)
    reaction.onSent(1048, 4 * RRP + 6 * US)
    expect(flow.said).toHaveLength(3)
  })
})

describe('a transfer in pieces', () => {
  /** Packets of 1,000 B on the wire, one each 100 ns, of pieces of 10 KB. */
  function sent(packets: number, unsentBytes: number, given: Given = {}): [HeardFlow, number] {
    let reroutes = 0
    const flow = Object.assign(new HeardFlow(), { reroute: () => void reroutes++ })
    flow.unsentBytes = unsentBytes
    const { reaction } = started({ split: 10e3, ...given }, flow)
    for (let n = 0; n < packets; n++) reaction.onSent(1000, 6 * US + n * 0.1 * US)
    return [flow, reroutes]
  }

  it('leaves one path and begins on another after each', () => {
    const [flow, reroutes] = sent(20, 1e6)
    expect(reroutes).toBe(2)
    expect(flow.said.map(([word]) => word)).toEqual(['init', 'stop', 'init', 'stop', 'init'])
    expect(sent(9, 1e6)[1]).toBe(0)
    expect(sent(20, 1e6, { flowInit: false, flowStop: false })[0].said).toEqual([])
  })

  it('does not begin one that would be a small flow, nor any if it may not be split', () => {
    expect(sent(20, 3999)[1]).toBe(0)
    expect(sent(20, 4000)[1]).toBe(2)
    expect(sent(20, 1e6, { split: 0 })[1]).toBe(0)
  })

  it('goes on where routing has no other path', () => {
    const { flow, reaction } = started({ split: 10e3 })
    for (let n = 0; n < 20; n++) reaction.onSent(1000, 6 * US)
    expect(flow.said).toEqual([['init', 10, 10]])
  })
})

/** Control packets of a port, and what the port did with them. */
class FakePort {
  readonly rateBps: number = 10 * G
  readonly random: Random = new Random(1, 'fake-port')
  readonly packets: { code: number; a: number; b: number }[] = []
  readonly notified: (string | number)[][] = []
  timerPs: number = Infinity
  readonly name: string
  readonly atHost: boolean

  constructor(name: string, atHost: boolean) {
    this.name = name
    this.atHost = atHost
  }

  controlCode(packet: number): number {
    return this.packets[packet]!.code
  }
  controlA(packet: number): number {
    return this.packets[packet]!.a
  }
  controlB(packet: number): number {
    return this.packets[packet]!.b
  }
  setControl(packet: number, a: number, b: number): void {
    Object.assign(this.packets[packet]!, { a, b })
  }
  notifySource(_packet: number, code: number, bytes: number, a: number, b: number): void {
    this.notified.push([WORDS[code] as string, bytes, a / G, b / G])
  }
  setTimer(_which: number, atPs: number): void {
    this.timerPs = atPs
  }
}

interface PortHand {
  readonly port: FakePort
  readonly point: ContentionPoint
  /** Passes a control packet; CR and DR as they travel on. */
  pass(code: number, a: number, nowPs: number): number[]
}

function portOf(
  control: Control,
  port: FakePort = new FakePort('s0->h1', false),
  agent?: NodeAgent,
): PortHand {
  Object.assign(port, { agent: agent ?? agentOf(control, port.name.split('->')[0]!) })
  const point = control.contention(port as unknown as PortContext)!
  const pass = (code: number, a: number, nowPs: number): number[] => {
    const packet = port.packets.push({ code, a, b: 10 * G }) - 1
    point.onControl(packet, nowPs)
    return [port.packets[packet]!.a, port.packets[packet]!.b]
  }
  return { port, point, pass }
}

const FSR = 0
const M = 1

describe('the contention point of ACCurate at a port', () => {
  it('gives a flow that begins its share, and tells the source of a large cut at once', () => {
    const { port, pass } = portOf(controlOf({ alpha: 0 }))
    expect(pass(INIT, 10 * G, 1 * US)).toEqual([10 * G, 10 * G])
    expect(port.notified).toEqual([])
    expect(pass(INIT, 10 * G, 2 * US)).toEqual([5 * G, 5 * G])
    expect(port.notified).toEqual([['short circuit', 20, 5, 5]])
    expect(pass(FRP, 5.5 * G, 3 * US)).toEqual([5 * G, 5 * G])
    expect(port.notified).toHaveLength(1)
  })

  it('counts a flow out that stops', () => {
    const { point, pass } = portOf(controlOf())
    pass(INIT, 10 * G, 1 * US)
    pass(INIT, 10 * G, 2 * US)
    pass(STOP, 10 * G, 3 * US)
    expect(point.observe(M)).toBe(1)
  })

  it('ticks while flows pass, and rests once a period has left its share as it was', () => {
    const { port, point, pass } = portOf(controlOf({ alpha: 0 }))
    const tick = (): void => {
      const nowPs = port.timerPs
      port.timerPs = Infinity
      point.onTimer(0, nowPs)
    }
    for (const us of [1, 2]) pass(FRP, 10 * G, us * US)
    expect(port.timerPs).toBe(RRP)
    tick()
    expect([point.observe(FSR), port.timerPs]).toEqual([5 * G, 2 * RRP])
    // A period without flows gives all of it back; one more shows that nothing is left to change.
    tick()
    expect([point.observe(FSR), port.timerPs]).toEqual([10 * G, 3 * RRP])
    tick()
    expect(port.timerPs).toBe(Infinity)
    pass(FRP, 10 * G, 7 * RRP + 1 * US)
    expect(port.timerPs).toBe(8 * RRP)
  })

  it.each([
    ['at the share', [10, 10], 10],
    ['limited elsewhere', [2, 3], 10],
  ])('gives the link back when flows %s fall silent after steady periods', (_where, rates, all) => {
    const { port, point, pass } = portOf(controlOf({ alpha: 0 }))
    for (let period = 0; period < 3; period++) {
      for (const rate of rates) pass(FRP, rate * G, period * RRP + PHASE)
      expect(port.timerPs).toBe((period + 1) * RRP)
      point.onTimer(0, port.timerPs)
    }
    expect(point.observe(FSR)).toBeLessThan(all * G)
    expect(port.timerPs).toBe(4 * RRP)
    point.onTimer(0, port.timerPs)
    expect(point.observe(FSR)).toBe(all * G)
  })

  it('loses the share of FRPs that it is told to', () => {
    const { pass } = portOf(controlOf({ frpLoss: 0.3 }))
    let lost = 0
    for (let i = 0; i < 1000; i++) if (pass(FRP, 10 * G, 1 * US)[0] === LOST) lost++
    expect(lost).toBeGreaterThan(250)
    expect(lost).toBeLessThan(350)
    const all = portOf(controlOf({ frpLoss: 0 }))
    for (let i = 0; i < 100; i++) expect(all.pass(FRP, 10 * G, 1 * US)[0]).not.toBe(LOST)
  })

  it('reckons in whole steps of few bits if it is the circuit', () => {
    const exact = portOf(controlOf({ alpha: 0 }))
    const fixed = portOf(controlOf({ alpha: 0, arithmetic: 'fixed', rateBits: 4 }))
    for (const { pass, point } of [exact, fixed]) {
      for (let flow = 0; flow < 3; flow++) pass(FRP, 10 * G, 1 * US)
      point.onTimer(0, RRP)
    }
    expect(exact.point.observe(FSR)).toBeCloseTo((10 * G) / 3, 0)
    // A third of 15 steps is 5 of them, and a step is 2/3 Gb/s.
    expect(fixed.point.observe(FSR)).toBeCloseTo(5 * (10 / 15) * G, 0)
    for (const { pass, point } of [exact, fixed]) {
      for (let flow = 0; flow < 2; flow++) pass(FRP, 10 * G, RRP + 1 * US)
      point.onTimer(0, 2 * RRP)
    }
    // Half of 15 is 7.5 steps, and the half step is nobody's.
    expect(exact.point.observe(FSR)).toBe(5 * G)
    expect(fixed.point.observe(FSR)).toBeCloseTo(7 * (10 / 15) * G, 0)
  })

  it('holds rates in steps of the fastest link on its way: of the hosts, or its own', () => {
    const shareAt = (rateBps: number): number => {
      const port = Object.assign(new FakePort('s0->h1', false), { rateBps })
      const { pass, point } = portOf(controlOf({ alpha: 0, rates: 'linear8' }), port)
      for (let flow = 0; flow < 3; flow++) pass(FRP, rateBps, 1 * US)
      point.onTimer(0, RRP)
      return point.observe(FSR)
    }
    // Of hosts with 10 Gb/s a third of 5 is 42.5 steps of 10/255 Gb/s; of 40 it is 85 of 40/255.
    expect(shareAt(5 * G)).toBeCloseTo(42 * (10 / 255) * G, 0)
    expect(shareAt(40 * G)).toBeCloseTo(85 * (40 / 255) * G, 0)
  })

  it('marks an FRP that its link loses, which no port behind it counts', () => {
    const control = controlOf({ frpLoss: 1 })
    expect(portOf(control).pass(FRP, 10 * G, 1 * US)[0]).toBe(LOST)
    const behind = portOf(control, new FakePort('s1->h1', false))
    expect(behind.pass(FRP, LOST, 1 * US)).toEqual([LOST, 10 * G])
    expect([behind.point.observe(M), behind.port.timerPs]).toEqual([0, Infinity])
  })

  it("in a NIC tells the NIC's own flow at once and without a packet", () => {
    const control = controlOf({ alpha: 0 })
    const agent = agentOf(control, 'h0')
    const nic = portOf(control, new FakePort('h0->s0', true), agent)
    const flows = [new HeardFlow(), new HeardFlow()]
    const reactions = flows.map((flow) => {
      flow.own = (code, a) => void nic.pass(code, a, 1 * US)
      const reaction = reactionOf(control, flow, agent)
      reaction.onStart(1 * US)
      return reaction
    })
    expect(nic.port.notified).toEqual([])
    // The first began alone; the second hears of half the link, and the first in its next FRP.
    expect(reactions.map(({ rateBps }) => rateBps / G)).toEqual([10, 5])
    reactions[0]!.onTimer(0, 1 * US)
    expect(reactions[0]!.rateBps).toBe(5 * G)
  })
})

describe('the notification point of ACCurate', () => {
  function answers(code: number, a: number, given: Given = {}): (string | number)[][] {
    const said: (string | number)[][] = []
    const point = controlOf(given).notification(
      fakeReceiver({
        sendControl: (word, bytes, x, y) => void said.push([WORDS[word] as string, bytes, x, y]),
      }),
    )!
    point.onControl(code, a, 7, 1 * US)
    return said
  }

  it('turns FRPs and inits round as they came, but no stops and nothing that was lost', () => {
    expect(answers(FRP, 5)).toEqual([['response', 20, 5, 7]])
    expect(answers(INIT, 5, { encoding: 'piggyback' })).toEqual([['response', 3, 5, 7]])
    expect(answers(STOP, 5)).toEqual([])
    expect(answers(FRP, LOST)).toEqual([])
    expect(answers(FRP, 5, { frpLoss: 1 })).toEqual([])
  })
})
