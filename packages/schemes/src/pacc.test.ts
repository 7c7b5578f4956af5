import { Random } from '@weir/engine'
import type { ContentionPoint, PortContext } from '@weir/fabric'
import { simulate, validateSpec } from '@weir/sim'
import { conforms } from '@weir/sim/testing'
import { describe, expect, it } from 'vitest'
import { pacc } from './pacc.ts'
import type { ParamValue } from './param.ts'
import { FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'

conforms(pacc, {
  until: '30ms',
  bounds: {
    utilisation: 0.93,
    jain: 0.95,
    queueBytes: 450e3,
    source: 'PACC, section V-B: fair; at rest the queue is N / beta1 KB above T C / 2 (rounding)',
  },
  recovered: 0.5,
})

const US = 1e6
const T = 80 * US

interface Port {
  readonly point: ContentionPoint
  readonly timers: number[]
  /** Flow and time of each CNP. */
  readonly cnps: { readonly flow: number; readonly atPs: number }[]
  queue: number
  nowPs: number
  /** Lets time pass up to and with `toPs`. */
  pass(toPs: number): void
  /** A packet of 1,000 B of flow and pair `id` arrives. */
  arrive(id: number): void
}

/** A port of 25 Gb/s and 1 us with a stream of its own; flow n goes from host n to host 0. */
function portOf(
  given: Partial<Record<string, ParamValue>> = {},
  {
    rateBps = 25e9,
    stream = 'port',
    sourceOf = (packet: number): number => packet,
    targetOf = (_packet: number): number => 0,
  } = {},
): Port {
  const control = pacc.create(valuesOf(pacc, given), fakeContext())
  const timers = [Infinity, Infinity]
  const cnps: { flow: number; atPs: number }[] = []
  const port = {
    atHost: false,
    rateBps,
    delayPs: US,
    random: new Random(1, stream),
    queueBytesAll: () => self.queue,
    packetBytes: () => 1000,
    packetFlow: (packet: number) => packet,
    packetSource: sourceOf,
    packetTarget: targetOf,
    remember: () => undefined,
    setTimer: (which: number, atPs: number) => (timers[which] = atPs),
    notifyFlow: (flow: number) => {
      cnps.push({ flow, atPs: self.nowPs })
      return true
    },
  } as unknown as PortContext
  const self: Port = {
    point: control.contention(port)!,
    timers,
    cnps,
    queue: 0,
    nowPs: 0,
    pass(toPs) {
      for (;;) {
        const which = timers[0]! <= timers[1]! ? 0 : 1
        const atPs = timers[which]!
        if (atPs > toPs) break
        timers[which] = Infinity
        self.nowPs = atPs
        self.point.onTimer(which, atPs)
      }
      self.nowPs = toPs
    },
    arrive(id) {
      self.point.onArrival(id, self.queue, self.nowPs)
    },
  }
  return self
}

/** Traffic of two flows with a queue of so many bytes in every period; ends after `periods`. */
function under(port: Port, queue: number, periods: number): void {
  port.queue = queue
  for (let i = 0; i < periods * 8; i++) {
    port.arrive(1)
    port.arrive(2)
    port.pass(port.nowPs + T / 8)
  }
}

describe('the contention point of pacc', () => {
  it('reckons CNPs from the queue above T C / 2 and from its growth (line 12)', () => {
    const port = portOf()
    under(port, 225e3, 1)
    // 0.05 x (225 - 125) + 0.1 x 225, the queue having been empty: 27.5 for two flows.
    expect(port.point.observe(0)).toBeCloseTo(27.5, 9)
    under(port, 225e3, 2)
    expect(port.point.observe(0)).toBeCloseTo(5, 9)
  })

  it('shares them, rounded down, and sends each flow one in 4 us', () => {
    const port = portOf()
    under(port, 225e3, 2)
    port.cnps.length = 0
    const tickPs = port.timers[0]!
    under(port, 225e3, 1)
    port.pass(tickPs + T / 2)
    const [one, two] = [1, 2].map((id) => port.cnps.filter(({ flow }) => flow === id))
    // Five for two flows: two each, and the fifth is rounded away.
    expect([one!.length, two!.length]).toEqual([2, 2])
    expect(one!.map(({ atPs }) => atPs - tickPs)).toEqual([0, 4 * US])
  })

  it('sends at most 20 to a flow in a period, whatever the queue', () => {
    const port = portOf()
    under(port, 5e6, 1)
    const tickPs = port.timers[0]! - T
    port.pass(tickPs + T - 1)
    expect(port.cnps.filter(({ flow }) => flow === 1)).toHaveLength(20)
    // What there was no room for is dropped, and not sent later.
    port.queue = 0
    port.pass(tickPs + 5 * T)
    expect(port.cnps.filter(({ flow }) => flow === 1)).toHaveLength(20)
  })

  it('says nothing of a queue at its reference, nor of one that falls to it', () => {
    const port = portOf()
    under(port, 125e3, 3)
    port.cnps.length = 0
    under(port, 125e3, 3)
    expect(port.cnps).toEqual([])
    under(port, 200e3, 2)
    port.cnps.length = 0
    // 0.05 x 5 + 0.1 x -70 is below zero.
    under(port, 130e3, 1)
    expect(port.cnps).toEqual([])
  })

  it('has for a hop what a link sends in its delay, and a packet more', () => {
    // 3,125 B in 1 us at 25 Gb/s, and a packet of 1,048 B.
    const answered = (queue: number): boolean => {
      const port = portOf({ weight: 1, reference: 1000, beta1: 5 })
      under(port, queue, 3)
      return port.cnps.length > 0
    }
    expect([3200, 4173, 4174].map(answered)).toEqual([false, false, true])
  })

  it('does not answer a microburst: the average is below a hop', () => {
    // Reference 0 would be derived: one byte, so that any queue counts as congestion.
    const quiet = portOf({ reference: 1, weight: 0.1 })
    under(quiet, 30e3, 1)
    expect(quiet.point.observe(0)).toBeGreaterThan(1)
    expect(quiet.point.observe(1)).toBeLessThan(4173)
    expect(quiet.cnps).toEqual([])
    const heard = portOf({ reference: 1, weight: 0.9 })
    under(heard, 30e3, 1)
    expect(heard.cnps.length).toBeGreaterThan(0)
  })

  it('averages the queue with w = 0.9 in every period (line 24)', () => {
    const port = portOf()
    under(port, 100e3, 1)
    expect(port.point.observe(1)).toBeCloseTo(90e3, 6)
    under(port, 50e3, 1)
    expect(port.point.observe(1)).toBeCloseTo(0.9 * 50e3 + 0.1 * 90e3, 6)
  })

  it('forgets flows that sent less than a hop in a period', () => {
    const port = portOf()
    under(port, 10e3, 1)
    port.arrive(3)
    expect(port.point.observe(2)).toBe(3)
    under(port, 10e3, 2)
    expect(port.point.observe(2)).toBe(2)
  })

  it('stops its clock when nothing is left, and finds its phase again', () => {
    const port = portOf()
    under(port, 50e3, 2)
    const phasePs = port.timers[0]! % T
    port.queue = 0
    port.pass(port.nowPs + 10 * T)
    expect(port.timers[0]).toBe(Infinity)
    port.arrive(1)
    expect(port.timers[0]! % T).toBe(phasePs)
    expect(port.timers[0]!).toBeGreaterThan(port.nowPs)
    // Eight empty periods have been missed: of the average nothing is left.
    port.pass(port.timers[0]!)
    expect(port.point.observe(1)).toBeLessThan(1)
  })

  it('counts the empty periods that it has slept through into the average', () => {
    const port = portOf({ weight: 0.5 })
    under(port, 50e3, 2)
    port.queue = 0
    while (port.timers[0]! < Infinity) port.pass(port.timers[0]!)
    const atRest = port.point.observe(1)
    expect(atRest).toBeGreaterThan(1000)
    // Five periods are missed, and the sixth is computed with an empty queue.
    const sleptPs = port.nowPs
    port.pass(sleptPs + 5.5 * T)
    port.arrive(1)
    expect(port.timers[0]).toBe(sleptPs + 6 * T)
    port.pass(sleptPs + 6 * T)
    expect(port.point.observe(1)).toBeCloseTo(atRest / 2 ** 6, 6)
  })

  it('ticks on while there is a queue, or a flow that it knows', () => {
    const port = portOf()
    under(port, 50e3, 1)
    // Nobody sends a hop's worth any more: the table is empty at the second tick, the queue is not.
    for (let i = 0; i < 4; i++) port.pass(port.timers[0]!)
    expect(port.point.observe(2)).toBe(0)
    expect(port.timers[0]).toBe(port.nowPs + T)
    // Five packets are more than a hop: its entry outlives one tick, and the clock with it.
    const busy = portOf()
    for (let i = 0; i < 5; i++) busy.arrive(1)
    busy.pass(busy.timers[0]!)
    expect([busy.point.observe(2), busy.timers[0]]).toEqual([1, busy.nowPs + T])
    busy.pass(busy.timers[0]!)
    expect([busy.point.observe(2), busy.timers[0]]).toEqual([0, Infinity])
  })

  it('names what it can show', () => {
    const { flowInternals, portInternals } = pacc.create(valuesOf(pacc), fakeContext())
    expect(flowInternals).toEqual(['rate', 'target', 'alpha'])
    expect(portInternals).toEqual(['cnps', 'average', 'entries'])
    expect(portOf().point.sees).toBe('arrivals')
  })

  it('draws its phase from its own stream, anywhere within the first period', () => {
    const phases = Array.from({ length: 64 }, (_, i) => {
      const port = portOf({}, { stream: `port ${i}` })
      port.arrive(1)
      return port.timers[0]!
    })
    expect(Math.min(...phases)).toBeGreaterThanOrEqual(0)
    expect(Math.min(...phases)).toBeLessThan(0.1 * T)
    expect(Math.max(...phases)).toBeGreaterThan(0.9 * T)
    expect(Math.max(...phases)).toBeLessThan(T)
  })

  it('has thresholds of its own rate: at 100 Gb/s Q_th is 500 KB', () => {
    const port = portOf({}, { rateBps: 100e9 })
    under(port, 500e3, 3)
    // The queue stands at the reference: neither term has anything to say.
    expect(port.point.observe(0)).toBe(0)
    under(port, 520e3, 2)
    expect(port.point.observe(0)).toBeCloseTo(1, 9)
  })

  it('tells 900 packets in T from 300 no more than from 255: N_cong has eight bits', () => {
    // 1,000 packets of 1 KB pass in 80 us at 100 Gb/s.
    const sharesOf = (first: number, second: number): number[] => {
      const port = portOf({}, { rateBps: 100e9 })
      under(port, 700e3, 1)
      // The CNPs of the queue's growth are over half a period after they were due.
      port.pass(port.timers[0]! + T / 2)
      port.cnps.length = 0
      for (let i = 0; i < first; i++) port.arrive(1)
      for (let i = 0; i < second; i++) port.arrive(2)
      port.pass(port.timers[0]! + T - 1)
      return [1, 2].map((id) => port.cnps.filter(({ flow }) => flow === id).length)
    }
    // 0.05 x 200 KB are ten CNPs: five each, though one flow sent three times as much.
    expect(sharesOf(900, 300)).toEqual([5, 5])
    expect(sharesOf(240, 80)).toEqual([7, 2])
  })

  it('tells only those whose packets met more than Q_th (line 30)', () => {
    const port = portOf()
    port.queue = 125e3
    for (let i = 0; i < 20; i++) port.arrive(1)
    port.queue = 325e3
    for (let i = 0; i < 20; i++) port.arrive(2)
    port.pass(port.timers[0]! + T / 2)
    expect(new Set(port.cnps.map(({ flow }) => flow))).toEqual(new Set([2]))
  })

  it('keeps pairs apart by their target too', () => {
    const port = portOf({}, { sourceOf: () => 7, targetOf: (packet) => 100 + packet })
    port.arrive(1)
    port.arrive(2)
    expect(port.point.observe(2)).toBe(2)
  })

  it('does not sit at hosts, and neither marks nor asks receivers', () => {
    const control = pacc.create(valuesOf(pacc), fakeContext())
    expect(control.contention({ atHost: true } as PortContext)).toBeUndefined()
    expect(control.marking(25e9)).toBeUndefined()
  })
})

describe('the reaction point of pacc', () => {
  it("is DCQCN's, with alpha falling each 1 us and the rate rising each 300 us", () => {
    const flow = new FakeFlow(25e9, 10 * US)
    const reaction = pacc.create(valuesOf(pacc, {}, 'printed'), fakeContext()).reaction(flow)
    reaction.onControl(1, 0, 0, 0)
    expect(reaction.observe(0)).toBe(12.5e9)
    expect(flow.timersPs[0]).toBe(300 * US)
    reaction.onControl(1, 0, 0, 80 * US)
    const alpha = (255 / 256) ** 80
    expect(reaction.observe(0)).toBeCloseTo(12.5e9 * (1 - alpha / 2), 0)
    expect(reaction.observe(1)).toBe(12.5e9)
  })

  it('keeps the target through a burst of CNPs, unless it is to be as Eq. 1 has it', () => {
    const burst = (preset: string): number => {
      const flow = new FakeFlow(25e9, 10 * US)
      const reaction = pacc.create(valuesOf(pacc, {}, preset), fakeContext()).reaction(flow)
      for (let i = 0; i < 5; i++) {
        reaction.onControl(1, 0, 0, i * 4 * US)
        if (flow.timersPs[1]! < Infinity) reaction.onTimer(1, flow.timersPs[1]!)
      }
      expect(reaction.observe(0)).toBeLessThan(2e9)
      return reaction.observe(1)
    }
    expect(burst('paper')).toBe(25e9)
    expect(burst('printed')).toBeLessThan(2e9)
  })
})

describe('pacc on a fabric', () => {
  it('holds the queue a dead zone above its reference: N / beta1 KB, for CNPs are whole', () => {
    const spec = validateSpec({
      name: 'pacc',
      topology: { kind: 'star', hosts: 5, rate: '25Gbps', delay: '1us' },
      fabric: { flowControl: 'none', buffer: '100MB' },
      workload: [{ flows: [1, 2, 3, 4].map((i) => ({ name: `f${i}`, from: `h${i}`, to: 'h0' })) }],
      scheme: 'pacc',
      run: { until: '30ms' },
      metrics: { interval: '50us', series: ['queue.switch->h0.*', 'utilisation.switch->h0'] },
    })
    const { series, counters } = simulate(spec)
    const later = (prefix: string): number => {
      const { values } = series.find(({ name }) => name.startsWith(prefix))!
      const half = values.slice(values.length / 2)
      return half.reduce((sum, value) => sum + value, 0) / half.length
    }
    expect(later('utilisation')).toBeGreaterThan(0.995)
    expect(later('queue')).toBeGreaterThan(125e3 + 60e3)
    expect(later('queue')).toBeLessThan(125e3 + 95e3)
    expect(counters.packetsMarked).toBe(0)
  })

  it('has one entry for two flows of a pair, and tells nobody of a flow that has ended', () => {
    const spec = validateSpec({
      name: 'pacc',
      topology: { kind: 'star', hosts: 3, rate: '25Gbps', delay: '1us' },
      fabric: { flowControl: 'none', buffer: '100MB' },
      workload: [
        {
          flows: [
            { name: 'a', from: 'h1', to: 'h0', size: '400KB' },
            { name: 'b', from: 'h1', to: 'h0', size: '100KB' },
            { name: 'c', from: 'h2', to: 'h0', size: '400KB' },
            // They take the places of those that are over, in another direction: none of their own.
            ...[1, 2, 3].map((i) => ({
              ...{ name: `later${i}`, from: 'h0', to: 'h1', size: '100KB' },
              start: `${400 + i}us`,
            })),
          ],
        },
      ],
      scheme: { name: 'pacc', params: { beta1: 2, minRate: '1Gbps' } },
      run: { until: '3ms' },
      metrics: { interval: '10us', series: ['pacc.entries.switch->h0'] },
    })
    const { series, flows } = simulate(spec)
    const entries = series.find(({ name }) => name.startsWith('pacc.entries'))!.values
    expect(Math.max(...entries)).toBe(2)
    const heard = (name: string): number => flows.notifications[flows.name.indexOf(name)]!
    expect(heard('a') + heard('b')).toBeGreaterThan(0)
    expect(heard('c')).toBeGreaterThan(0)
    for (const i of [1, 2, 3]) expect(heard(`later${i}`)).toBe(0)
  })
})
