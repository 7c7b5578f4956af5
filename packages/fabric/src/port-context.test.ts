/** A contention point's port, with packets made by hand. */
import { beforeEach, describe, expect, it } from 'vitest'
import { inertControl } from './contract/control.ts'
import type { Routing } from './contract/routing.ts'
import { Credits } from './flow-control/credits.ts'
import { ControlSender } from './hosts/control-sender.ts'
import type { Hosts } from './hosts/hosts.ts'
import { PORT_TIMER } from './kinds.ts'
import { sameLanes } from './lanes.ts'
import { ACK, AGENT, BACKWARD, BYTES, CAPABLE, CLASS, CODE, CONTROL, DATA } from './packets.ts'
import {
  FIELD_A,
  FIELD_B,
  FLAGS,
  FLOW,
  HOP,
  KIND,
  MARKED,
  NACK,
  PATH,
  SOURCE,
  TARGET,
} from './packets.ts'
import { CLASSES } from './ports.ts'
import { PORT_TIMERS, PortView } from './port-context.ts'
import { FabricBench, H0_S0, S0_S1, S1_H2 } from './testing.ts'

const CONTROL_CLASS = 7
const S0 = 3

let bench: FabricBench
let control: ControlSender
let told: unknown[][]

/** A routing hop by hop, which writes down what it is asked. */
const routing = {
  next: (node: number, target: number, random: unknown) => {
    told.push(['next', node, target, random === view(S0_S1).random || random])
    return H0_S0 ^ 1
  },
} as unknown as Routing

const views = new Map<number, PortView>()

function view(port: number): PortView {
  const { fabric, paths } = bench
  const hosts = {
    control,
    tellReaction: (...heard: unknown[]) => told.push(heard),
  } as unknown as Hosts
  const known = views.get(port) ?? new PortView(fabric, hosts, paths, routing, port, 1)
  views.set(port, known)
  return known
}

function begin(given: ConstructorParameters<typeof FabricBench>[0] = {}): void {
  bench = new FabricBench(given)
  const hostPort = Int32Array.of(0, 2, 7)
  const params = { ...inertControl, controlBytesMax: 100 }
  control = new ControlSender(bench.fabric, params, hostPort, CONTROL_CLASS)
  told = []
  views.clear()
}

beforeEach(() => begin())

describe('of its place', () => {
  it('has a name, a link, and what can feed it', () => {
    const of = (port: number): unknown[] => {
      const { atHost, delayPs, inputs, name, rateBps, toHost } = view(port)
      return [name, rateBps, delayPs, atHost, toHost, inputs]
    }
    expect(of(H0_S0)).toEqual(['h0->s0', 10e9, 1e6, true, false, 0])
    expect(of(S0_S1)).toEqual(['s0->s1', 10e9, 1e6, false, false, 2])
    expect(of(S1_H2)).toEqual(['s1->h2', 5e9, 2e6, false, true, 1])
  })

  it("has its node's agent, and a stream of random numbers of its own", () => {
    const agents = bench.fabric.graph.nodes.map(() => ({}))
    Object.assign(bench.fabric.agents, { of: agents })
    expect(view(S0_S1).agent).toBe(agents[S0])
    const draw = (port: number): number => view(port).random.uint32()
    const [first, second] = [draw(S0_S1), draw(S0_S1)]
    expect(draw(S1_H2)).not.toBe(first)
    views.clear()
    expect([draw(S0_S1), draw(S0_S1)]).toEqual([first, second])
  })
})

describe('of a packet', () => {
  it('says what is written in it', () => {
    bench.make()
    const p = bench.make({ bytes: 777, flow: 12, class: 5, source: 1, target: 2 })
    const { cold } = bench.packets
    cold.set([31, 32, 33], (p >> 1) + FIELD_A)
    const at = view(S0_S1)
    expect([at.packetBytes(p), at.packetFlow(p), at.packetClass(p)]).toEqual([777, 12, 5])
    expect([at.packetSource(p), at.packetTarget(p)]).toEqual([1, 2])
    expect([at.controlA(p), at.controlB(p), at.controlCode(p)]).toEqual([31, 32, 33])
    at.setControl(p, 41, 42)
    expect([at.controlA(p), at.controlB(p), at.controlCode(p)]).toEqual([41, 42, 33])
  })

  it('knows data from what answers it and from control packets', () => {
    const at = view(S0_S1)
    const isData = (kind: number): boolean => at.isData(bench.make({ kind }))
    expect([DATA, ACK, NACK, CONTROL, AGENT].map(isData)).toEqual([true, ...Array(4).fill(false)])
  })

  it('adds a mark to its flags, and counts it at its own port', () => {
    bench.make()
    const p = bench.make({ flags: CAPABLE })
    view(S0_S1).mark(p)
    expect(bench.packets.int[p + FLAGS]).toBe(CAPABLE | MARKED)
    expect(Array.from(bench.fabric.ports.marks)).toEqual([0, 0, 0, 0, 1, 0, 0, 0])
  })
})

describe('of its port', () => {
  it('holds what is to leave by it, as of now', () => {
    bench.send({ bytes: 1000 })
    bench.send({ bytes: 500 })
    // 1,000 B take 800 ns.
    bench.at(0.8e6 - 1, () => {
      expect([view(H0_S0).queueBytes(0), view(H0_S0).queueBytesAll()]).toEqual([1500, 1500])
      expect(view(H0_S0).sentBytes()).toBe(0)
    })
    bench.at(0.8e6, () => expect(view(H0_S0).queueBytes(0)).toBe(500))
    bench.at(1.2e6, () => expect(view(H0_S0).queueBytesAll()).toBe(0))
    expect([view(H0_S0).queueBytes(1), view(H0_S0).sentBytes()]).toEqual([0, 1500])
  })

  it('is blocked in a class that its far end has paused', () => {
    bench.fabric.setPaused(S0_S1, 3, true, 0)
    const at = view(S0_S1)
    expect([2, 3, 4].map((c) => at.isBlocked(c, 64))).toEqual([false, true, false])
    expect(view(S1_H2).isBlocked(3, 64)).toBe(false)
  })

  it('is blocked for what it has no credits for, until they are there', () => {
    begin({ credits: new Credits(8, 1000) })
    const { gate } = bench.fabric
    bench.fabric.credits!.available[S0_S1 * CLASSES + 3] = 99
    gate.takeCredits(S0_S1, 3, 500, 10)
    const at = view(S0_S1)
    expect([at.isBlocked(3, 99), at.isBlocked(3, 100), at.isBlocked(2, 100)]).toEqual([
      ...[false, true, false],
    ])
    bench.at(10, () => expect([at.isBlocked(3, 599), at.isBlocked(3, 600)]).toEqual([false, true]))
  })
})

describe('a word for the source', () => {
  /** What has come to h0 besides, one packet after the other. */
  function heard(): number[][] {
    bench.run()
    const { cold, int } = bench.packets
    return bench.came.map(({ packet: p, host, atPs }) => [
      ...[host, atPs, int[p + FLOW]!, int[p + CLASS]!, int[p + FLAGS]! & BACKWARD, int[p + BYTES]!],
      ...[cold[(p >> 1) + CODE]!, cold[(p >> 1) + FIELD_A]!, cold[(p >> 1) + FIELD_B]!],
    ])
  }

  /** A packet of a flow that has come so many hops along its path. */
  function after(hops: number, flow: number = 3): number {
    const p = bench.make({ flow, class: 2 })
    bench.packets.int[p + HOP] = hops
    return p
  }

  // 64 B at 10 Gb/s, and a link.
  const HOP_PS = 51_200 + 1e6

  it.each([
    ['the first switch', S0_S1, 1],
    ['the second', S1_H2, 2],
  ])('goes back from %s by the way that its packet came', (_, port, hops) => {
    bench.make()
    view(port).notifySource(after(hops), 5, 64, 77, 88)
    expect(heard()).toEqual([[0, hops * HOP_PS, 3, CONTROL_CLASS, BACKWARD, 64, 5, 77, 88]])
    const { packet } = bench.came[0]!
    expect(bench.packets.int[packet + KIND]).toBe(CONTROL)
    // It has come from no host.
    expect(bench.packets.cold[(packet >> 1) + SOURCE]).toBe(-1)
    expect([told, control.made]).toEqual([[], 1])
  })

  it('finds its way hop by hop where packets do', () => {
    bench.make()
    const p = after(0)
    bench.packets.int[p + PATH] = -1
    view(S0_S1).notifySource(p, 5, 64, 77, 88)
    expect(told).toEqual([['next', S0, 0, true]])
    expect(heard().map(([host, atPs]) => [host, atPs])).toEqual([[0, HOP_PS]])
    const { packet } = bench.came[0]!
    expect([bench.packets.int[packet + PATH], bench.packets.int[packet + HOP]]).toEqual([-1, 0])
  })

  it('travels in the lane that lanes have on its way', () => {
    bench.fabric.lanes = sameLanes(8)
    bench.fabric.lanes[(H0_S0 ^ 1) * CLASSES + CONTROL_CLASS] = 1
    view(S0_S1).notifySource(after(1), 5, 64, 77, 88)
    expect(heard().map((one) => one[3])).toEqual([1])
  })

  it('needs no packet at its own host', () => {
    bench.run(1000)
    view(H0_S0).notifySource(after(0, 9), 5, 64, 77, 88)
    expect([told, control.made]).toEqual([[[9, 5, 77, 88, bench.windows.nowPs]], 0])
  })

  it('is in the class of the data that it is about for a scheme that has it so', () => {
    const params = { ...inertControl, controlBytesMax: 100, isControlInDataClass: true }
    control = new ControlSender(bench.fabric, params, new Int32Array(3), CONTROL_CLASS)
    const p = bench.make({ class: 2, source: 1, path: [2, S0_S1, S1_H2] })
    bench.packets.int[p + HOP] = 1
    view(S0_S1).notifySource(p, 5, 64, 77, 88)
    expect(heard().map((one) => [one[0], one[3]])).toEqual([[1, 2]])
    expect(bench.packets.cold[(bench.came[0]!.packet >> 1) + TARGET]).toBe(1)
  })

  it('reaches a flow that was remembered, by the way of its latest packet', () => {
    const at = view(S0_S1)
    expect(at.notifyFlow(3, 5, 64, 1, 2)).toBe(false)
    bench.make()
    const first = after(1)
    at.remember(first)
    // The same flow from h1 by another way, say after a change of routes.
    const second = bench.make({ flow: 3, source: 1, path: [2, S0_S1, S1_H2] })
    bench.packets.int[second + HOP] = 1
    expect(at.notifyFlow(3, 5, 64, 1, 2)).toBe(true)
    at.remember(second)
    at.remember(second)
    expect([at.notifyFlow(3, 6, 64, 1, 2), at.notifyFlow(4, 6, 64, 1, 2)]).toEqual([true, false])
    expect(heard().map((one) => [one[0], one[6]])).toEqual([
      [0, 5],
      [1, 6],
    ])
  })

  it('reaches any of the 4,096 flows that were remembered last', () => {
    const at = view(H0_S0)
    for (let flow = 0; flow < 4096; flow++) at.remember(after(0, flow))
    // One of them once more, by its way and by another, takes no other's place.
    at.remember(after(0, 7))
    at.remember(bench.make({ flow: 7, path: [H0_S0, 3] }))
    expect([0, 1, 4095].map((flow) => at.notifyFlow(flow, 5, 64, 1, 2))).toEqual([true, true, true])
    at.remember(after(0, 4096))
    expect([0, 1, 4096].map((flow) => at.notifyFlow(flow, 5, 64, 1, 2))).toEqual([
      ...[false, true, true],
    ])
  })
})

describe('its timers', () => {
  const own = S0_S1 * PORT_TIMERS
  const OTHERS = 99
  let fired: number[][]

  /** What fires, and when; `then` is called after each. */
  function run(then: () => void = () => undefined): number[][] {
    fired = []
    bench.run(Infinity, (kind, target) => {
      expect(kind).toBe(PORT_TIMER)
      fired.push([target, bench.windows.nowPs])
      if (target !== OTHERS) view(S0_S1).timerFired(target - own)
      then()
    })
    return fired
  }

  it('are two, each of which fires once, at the latest time that was said', () => {
    for (const atPs of [500, 300]) view(S0_S1).setTimer(0, atPs)
    view(S0_S1).setTimer(1, 400)
    expect(run()).toEqual([
      [own, 300],
      [own + 1, 400],
    ])
  })

  it("may be set again, and leave others' events alone", () => {
    for (const atPs of [1000, 2000]) bench.windows.schedule(atPs, PORT_TIMER, OTHERS, 0)
    view(S0_S1).setTimer(0, 300)
    run(() => {
      if (fired.length !== 1) return
      // The engine's name for what has fired is free now, and goes to the next.
      bench.windows.schedule(600, PORT_TIMER, OTHERS, 0)
      view(S0_S1).setTimer(0, 700)
    })
    expect(fired).toEqual([
      ...[
        [own, 300],
        [OTHERS, 600],
        [own, 700],
      ],
      ...[
        [OTHERS, 1000],
        [OTHERS, 2000],
      ],
    ])
  })
})
