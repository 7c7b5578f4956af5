import { Random } from '@weir/engine'
import type { ContentionPoint, PortContext } from '@weir/fabric'
import { loadSpec, simulate } from '@weir/sim'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { qcn, quantizedFeedback, sampleInterval } from './qcn.ts'
import { FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'
import { conforms, onDumbbell } from '@weir/sim/testing'

conforms(qcn, {
  // Hyper-active increase begins after six cycles of the timer, 82.5 ms.
  until: '150ms',
  bounds: {
    utilisation: 0.95,
    jain: 0.5,
    queueBytes: 80e3,
    source:
      'Allerton 2008, section V: a full link, the queue at Q_eq; Hayashi et al., ICDCS workshops ' +
      '2011: which flow is sampled is chance, and shares stay unequal for long',
  },
})

const CNM = 1

describe('the congestion point of qcn', () => {
  it('says nothing of a queue at or below its set point that does not grow', () => {
    expect(quantizedFeedback(33e3, 33e3, 33e3, 2)).toBe(0)
    expect(quantizedFeedback(20e3, 30e3, 33e3, 2)).toBe(0)
  })

  it('warns of a queue below its set point that grows fast', () => {
    // 20,000 - 33,000 + 2 x 20,000 = 27,000 of 165,000, in 63 steps.
    expect(quantizedFeedback(20e3, 0, 33e3, 2)).toBe(10)
  })

  it('keeps its feedback within six bits, and rising with the queue', () => {
    const queues = fc.integer({ min: 0, max: 5_000_000 })
    fc.assert(
      fc.property(queues, queues, queues, (first, second, old) => {
        const less = quantizedFeedback(Math.min(first, second), old, 33e3, 2)
        const more = quantizedFeedback(Math.max(first, second), old, 33e3, 2)
        expect(less).toBeGreaterThanOrEqual(0)
        expect(more).toBeLessThanOrEqual(63)
        expect(less).toBeLessThanOrEqual(more)
      }),
    )
  })

  it('samples eight times as often under the worst congestion', () => {
    expect(sampleInterval(0, 150e3)).toBe(150e3)
    expect(sampleInterval(8, 150e3)).toBe(75e3)
    expect(sampleInterval(63, 150e3)).toBe(18_750)
  })

  it('sends a message for the sampled frame only, and only under congestion', () => {
    const { point, messages } = congestionPoint()
    for (let packet = 0; packet < 149; packet++) point.onArrival(packet, 100e3, 0)
    expect(messages).toEqual([])
    point.onArrival(149, 100e3, 0)
    expect(messages).toEqual([{ packet: 149, feedback: 63 }])
    // The queue falls: its offset still counts, its change speaks against.
    for (let packet = 150; packet < 400; packet++) point.onArrival(packet, 30e3, 0)
    expect(messages).toHaveLength(1)
  })

  it('draws the bytes between two samples from within its jitter of the mean', () => {
    const { point, messages } = congestionPoint(0.3)
    for (let packet = 0; packet < 20_000; packet++) point.onArrival(packet, 1e6 + packet, 0)
    const gaps = messages.slice(1).map(({ packet }, i) => packet - messages[i]!.packet)
    // The worst congestion: a sample each 18,750 B of packets of 1,000 B, 30% more or less.
    expect(Math.min(...gaps)).toBe(14)
    expect(Math.max(...gaps)).toBe(25)
    expect(gaps.reduce((a, b) => a + b) / gaps.length).toBeCloseTo(19.25, 0)
  })

  it('sees what arrives, and shows its latest feedback', () => {
    const { point } = congestionPoint()
    expect(point.sees).toBe('arrivals')
    expect(point.observe(0)).toBe(0)
    for (let packet = 0; packet < 150; packet++) point.onArrival(packet, 20e3, 0)
    // As above: 10 of 63 for 20,000 B in a queue that was empty.
    expect(point.observe(0)).toBe(10)
  })

  it('holds a faster link to a set point that is in proportion', () => {
    // 33,000 B at 10 Gb/s are 132,000 at 40: 70,000 - 132,000 + 2 x 70,000 = 78,000 of 660,000.
    const { point, messages } = congestionPoint(0, { rateBps: 40e9, referenceRate: 10e9 })
    for (let packet = 0; packet < 150; packet++) point.onArrival(packet, 70e3, 0)
    expect(messages).toEqual([{ packet: 149, feedback: 7 }])
    // And all to one where it is to be none: 70,000 - 33,000 + 140,000 is more than 165,000.
    const same = congestionPoint(0, { rateBps: 40e9, referenceRate: 0 })
    for (let packet = 0; packet < 150; packet++) same.point.onArrival(packet, 70e3, 0)
    expect(same.messages).toEqual([{ packet: 149, feedback: 63 }])
  })

  it('does not sit at hosts', () => {
    const control = qcn.create(valuesOf(qcn), fakeContext())
    expect(control.contention({ atHost: true } as PortContext)).toBeUndefined()
  })
})

describe('the reaction point of qcn', () => {
  const reactionOf = (flow: FakeFlow): ReturnType<ReturnType<typeof qcn.create>['reaction']> =>
    qcn.create(valuesOf(qcn, { jitter: 0 }), fakeContext()).reaction(flow)

  it('cuts by the feedback over 128, and by no more than a half', () => {
    const reaction = reactionOf(new FakeFlow(10e9, 10e6))
    reaction.onControl(CNM, 32, 0, 0)
    expect(reaction.rateBps).toBe(7.5e9)
    expect([reaction.observe(0), reaction.observe(1)]).toEqual([7.5e9, 10e9])
    reaction.onControl(CNM, 63, 0, 0)
    expect(reaction.rateBps).toBeCloseTo(7.5e9 * (1 - 63 / 128), 0)
  })

  it('is half way back after one byte-counter cycle, and back after five', () => {
    const reaction = reactionOf(new FakeFlow(10e9, 10e6))
    reaction.onControl(CNM, 32, 0, 0)
    for (let sent = 0; sent < 150; sent++) reaction.onSent(1000, 0)
    expect(reaction.rateBps).toBe(8.75e9)
    for (let sent = 0; sent < 4 * 150; sent++) reaction.onSent(1000, 0)
    expect(reaction.rateBps).toBeCloseTo(10e9 - 2.5e9 / 32, -3)
  })

  it('recovers by the timer alone when it is too slow to count bytes', () => {
    const flow = new FakeFlow(10e9, 10e6)
    const reaction = reactionOf(flow)
    reaction.onControl(CNM, 32, 0, 1000)
    expect(flow.timersPs[0]).toBe(15e9 + 1000)
    reaction.onTimer(0, 15e9 + 1000)
    expect(reaction.rateBps).toBe(8.75e9)
    expect(flow.timersPs[0]).toBe(30e9 + 1000)
  })

  it('aims at the rate from before a burst of messages, not at the last one', () => {
    const reaction = reactionOf(new FakeFlow(10e9, 10e6))
    for (let message = 0; message < 3; message++) reaction.onControl(CNM, 16, 0, 0)
    expect(reaction.observe(1)).toBe(10e9)
  })

  it('raises its target by R_AI after fast recovery, by R_HAI once both counters agree', () => {
    const reaction = reactionOf(new FakeFlow(10e9, 10e6))
    // A cycle between two messages makes the second one aim at 8.75 Gb/s.
    reaction.onControl(CNM, 32, 0, 0)
    for (let sent = 0; sent < 150; sent++) reaction.onSent(1000, 0)
    reaction.onControl(CNM, 32, 0, 0)
    expect(reaction.observe(1)).toBe(8.75e9)
    for (let sent = 0; sent < 150 * 5 + 75; sent++) reaction.onSent(1000, 0)
    expect(reaction.observe(1)).toBe(8.755e9)
    // Five cycles of the timer in its own fast recovery, then the lesser count is one past it.
    for (let cycle = 0; cycle < 5; cycle++) reaction.onTimer(0, 0)
    expect(reaction.observe(1)).toBe(8.78e9)
    for (let cycle = 0; cycle < 2; cycle++) reaction.onTimer(0, 0)
    expect(reaction.observe(1)).toBe(8.88e9)
    for (let sent = 0; sent < 75; sent++) reaction.onSent(1000, 0)
    expect(reaction.observe(1)).toBe(8.98e9)
  })

  it('takes steps that are in proportion to its line, if they are given for another', () => {
    const stepsAt = (lineBps: number): number[] => {
      const values = valuesOf(qcn, { jitter: 0, referenceRate: 10e9 })
      const reaction = qcn.create(values, fakeContext()).reaction(new FakeFlow(lineBps, 10e6))
      for (let message = 0; message < 2; message++) {
        reaction.onControl(CNM, 32, 0, 0)
        if (message === 0) for (let sent = 0; sent < 150; sent++) reaction.onSent(1000, 0)
      }
      const targets: number[] = []
      for (let cycle = 0; cycle < 7; cycle++) {
        for (let sent = 0; sent < 150; sent++) reaction.onSent(1000, 0)
        reaction.onTimer(0, 0)
        targets.push(reaction.observe(1))
      }
      return targets.slice(1).map((target, i) => target - targets[i]!)
    }
    const steps = stepsAt(10e9)
    expect(steps.some((step) => step > 40e6)).toBe(true)
    expect(stepsAt(40e9)).toEqual(steps.map((step) => 4 * step))
  })

  it('brings a target far above its rate down by eight, once, as recovery begins', () => {
    const reaction = reactionOf(new FakeFlow(10e9, 10e6))
    for (let message = 0; message < 4; message++) reaction.onControl(CNM, 63, 0, 0)
    const low = 10e9 * (1 - 63 / 128) ** 4
    reaction.onTimer(0, 0)
    expect(reaction.observe(1)).toBe(1.25e9)
    expect(reaction.rateBps).toBeCloseTo((1.25e9 + low) / 2, 0)
    reaction.onTimer(0, 0)
    expect(reaction.observe(1)).toBe(1.25e9)
  })

  it('brings it down too where bytes are counted out before the timer', () => {
    const reaction = reactionOf(new FakeFlow(10e9, 10e6))
    for (let message = 0; message < 4; message++) reaction.onControl(CNM, 63, 0, 0)
    for (let sent = 0; sent < 150; sent++) reaction.onSent(1000, 0)
    expect(reaction.observe(1)).toBe(1.25e9)
  })

  it('halves the period of its timer after fast recovery', () => {
    const flow = new FakeFlow(10e9, 10e6)
    const reaction = reactionOf(flow)
    reaction.onControl(CNM, 63, 0, 0)
    const periods: number[] = []
    for (let cycle = 0; cycle < 7; cycle++) {
      const dueAt = flow.timersPs[0]!
      reaction.onTimer(0, dueAt)
      periods.push((flow.timersPs[0]! - dueAt) / 1e9)
    }
    expect(periods).toEqual([15, 15, 15, 15, 7.5, 7.5, 7.5])
  })

  it('draws the bytes of its counter from within its jitter of the mean', () => {
    const flow = new FakeFlow(10e9, 10e6)
    const control = qcn.create(valuesOf(qcn, { jitter: 0.3 }), fakeContext())
    const cycles = Array.from({ length: 200 }, () => {
      const reaction = control.reaction(flow)
      reaction.onControl(CNM, 63, 0, 0)
      const cut = reaction.rateBps
      let packets = 0
      for (; reaction.rateBps === cut && packets < 1000; packets++) reaction.onSent(1000, 0)
      return packets
    })
    // 150,000 B, 30% more or less, in packets of 1,000 B.
    expect(Math.min(...cycles)).toBeGreaterThanOrEqual(106)
    expect(Math.min(...cycles)).toBeLessThan(110)
    expect(Math.max(...cycles)).toBeGreaterThan(190)
    expect(Math.max(...cycles)).toBeLessThanOrEqual(195)
  })

  it('goes no lower than its least rate, and ignores messages that are none', () => {
    const flow = new FakeFlow(10e9, 10e6)
    const reaction = reactionOf(flow)
    reaction.onControl(CNM + 1, 32, 0, 0)
    reaction.onControl(CNM, 0, 0, 0)
    expect(reaction.rateBps).toBe(10e9)
    expect(flow.timersPs[0]).toBe(Infinity)
    for (let message = 0; message < 60; message++) reaction.onControl(CNM, 63, 0, 0)
    expect(reaction.rateBps).toBe(Number(valuesOf(qcn).minRate))
    const values = valuesOf(qcn, { referenceRate: 10e9 })
    const fast = qcn.create(values, fakeContext()).reaction(new FakeFlow(40e9, 10e6))
    for (let message = 0; message < 60; message++) fast.onControl(CNM, 63, 0, 0)
    expect(fast.rateBps).toBe(4 * Number(values.minRate))
  })

  it('gives its limiter back within a part in a million of the line, and its timer with it', () => {
    const flow = new FakeFlow(10e9, 10e6)
    const reaction = reactionOf(flow)
    reaction.onTimer(0, 0)
    reaction.onSent(1e9, 0)
    expect(reaction.rateBps).toBe(10e9)
    reaction.onControl(CNM, 32, 0, 0)
    let cycles = 0
    while (flow.timersPs[0]! < Infinity) {
      reaction.onTimer(0, 0)
      cycles++
    }
    // A quarter below, halved at each cycle: 2^-18 of it is less than 1e-6 of the line.
    expect(cycles).toBe(18)
    expect(reaction.rateBps).toBe(10e9)
    expect(reaction.observe(1)).toBe(10e9)
  })
})

describe('qcn on a fabric', () => {
  it('holds the queue at its set point and the link busy, for 2 and for 16 flows', () => {
    // Allerton 2008, Fig. 8: the queue settles at Q_eq with the link full.
    for (const flows of [2, 16]) {
      const run = onDumbbell('qcn', flows, { until: '15ms', rate: '10Gbps' })
      expect(run.utilisation).toBeGreaterThan(0.97)
      expect(run.queueBytesMean).toBeGreaterThan(20e3)
      expect(run.queueBytesMean).toBeLessThan(70e3)
      expect(run.jain).toBeGreaterThan(0.7)
      expect(run.result.counters.packetsDropped).toBe(0)
    }
  })

  it('works with buffers at the inputs too', () => {
    const spec = loadSpec({
      text: `
topology: {kind: dumbbell, left: 2, right: 2, rate: 10Gbps, bottleneckRate: 10Gbps}
fabric: {switch: input-buffered, buffer: 500KB}
workload: [flows: [{from: l0, to: r0}, {from: l1, to: r1}]]
scheme: qcn
run: {until: 10ms}`,
      sourceName: 'inputs',
      files: () => undefined,
      settings: [],
    })
    const { counters, summary } = simulate(spec)
    expect(counters.notifications).toBeGreaterThan(10)
    // The start overshoots, then the queue is held: far from the 500 KB that back-pressure fills.
    expect(summary.queueBytesP99).toBeLessThan(120e3)
    expect(summary.goodputBps).toBeGreaterThan(0.9 * 10e9 * (1000 / 1048))
  })
})

function congestionPoint(
  jitter: number = 0,
  { rateBps = 10e9, referenceRate = Number(valuesOf(qcn).referenceRate) } = {},
): {
  point: ContentionPoint
  messages: { packet: number; feedback: number }[]
} {
  const messages: { packet: number; feedback: number }[] = []
  const port = {
    atHost: false,
    rateBps,
    random: new Random(1, 'qcn.test'),
    packetClass: () => 3,
    packetBytes: () => 1000,
    notifySource: (packet: number, _code: number, _bytes: number, a: number) =>
      messages.push({ packet, feedback: a }),
  } as unknown as PortContext
  const control = qcn.create(valuesOf(qcn, { jitter, referenceRate }), fakeContext())
  return { point: control.contention(port) as ContentionPoint, messages }
}
