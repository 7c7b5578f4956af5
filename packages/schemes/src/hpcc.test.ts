import type { ReactionPoint } from '@weir/fabric'
import { Telemetry } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { hpcc } from './hpcc.ts'
import type { ParamValue } from './param.ts'
import { FakeFlow, ackOf, fakeContext, valuesOf } from './testing/fake-flow.ts'
import { conforms, onDumbbell } from '@weir/sim/testing'

conforms(hpcc, {
  bounds: {
    utilisation: 0.92,
    jain: 0.95,
    queueBytes: 10e3,
    source: 'SIGCOMM 2019, sections 3.3 and 5.3: eta = 95%, queues near zero, fair by W_AI',
  },
})

const US = 1e6
const LINE = 100e9
/** T is 10 us: 125,000 B at 100 Gb/s. */
const WINDOW = 125e3

/** One link of 100 Gb/s that is observed at every ACK, and the flow that crosses it. */
class OneLink {
  readonly reaction: ReactionPoint
  readonly #telemetry: Telemetry = new Telemetry()
  #sentBytes: number = 0
  #nowPs: number = 0

  constructor(given: Partial<Record<string, ParamValue>> = {}, preset = '') {
    const context = fakeContext(this.#telemetry)
    const control = hpcc.create(valuesOf(hpcc, given, preset), context)
    this.reaction = control.reaction(new FakeFlow(LINE, 10 * US))
  }

  /** `spanPs` later the link has carried this share of its capacity, and holds this queue. */
  ack(share: number, queueBytes: number, acked: number, next: number, spanPs = 10 * US): void {
    this.#nowPs += spanPs
    this.#sentBytes += (share * LINE * spanPs) / 8e12
    const row = this.#telemetry.allocate()
    this.#telemetry.stamp(row, queueBytes, this.#sentBytes, LINE, this.#nowPs)
    this.reaction.onAck(ackOf({ acked, next, telemetry: row }), this.#nowPs)
    this.#telemetry.release(row)
  }

  get window(): number {
    return this.reaction.observe(1)
  }
}

describe('hpcc', () => {
  it('starts at line rate with one bandwidth-delay product', () => {
    const { reaction } = new OneLink()
    expect(reaction.rateBps).toBe(LINE)
    expect(reaction.observe(1)).toBe(WINDOW)
    // The transport counts payload: 1,000 of 1,048 B.
    expect(reaction.windowBytes).toBeCloseTo((WINDOW * 1000) / 1048, 3)
  })

  it('takes T as it is given, or else the longest round trip of the fabric', () => {
    const windows = (given: Partial<Record<string, ParamValue>>): number[] => {
      const control = hpcc.create(valuesOf(hpcc, given), fakeContext())
      return [10, 20, 15].map((us) => {
        const flow = new FakeFlow(LINE, us * US)
        flow.longestRttPs = 20 * US
        return control.reaction(flow).observe(1)
      })
    }
    expect(windows({ baseRtt: 0 })).toEqual([2 * WINDOW, 2 * WINDOW, 2 * WINDOW])
    expect(windows({ baseRtt: 10 * US })).toEqual([WINDOW, WINDOW, WINDOW])
  })

  it('halves its window when the link is asked for twice what it should carry', () => {
    const link = new OneLink({ rateAi: 0 })
    // U = full throughput and a queue of 0.9 products: 1.9, twice eta.
    link.ack(1, 0.9 * WINDOW, 1, 10)
    link.ack(1, 0.9 * WINDOW, 11, 20)
    expect(link.window).toBeCloseTo(WINDOW / 2, 3)
    expect(link.reaction.rateBps).toBeCloseTo(LINE / 2, 3)
  })

  it('takes the smaller of two queues: one that has just built up does not count yet', () => {
    const link = new OneLink({ rateAi: 0 })
    link.ack(0.95, 0, 1, 10)
    link.ack(0.95, WINDOW, 11, 20)
    expect(link.window).toBeCloseTo(WINDOW, 3)
  })

  it('does not overreact: ACKs of one round trip all start from the same reference window', () => {
    const link = new OneLink({ rateAi: 0 })
    link.ack(1, 0.9 * WINDOW, 1, 10)
    link.ack(1, 0.9 * WINDOW, 11, 20)
    for (let acked = 12; acked <= 20; acked++) link.ack(1, 0.9 * WINDOW, acked, acked + 9)
    expect(link.window).toBeCloseTo(WINDOW / 4, 3)
    link.ack(1, 0.9 * WINDOW, 21, 30)
    expect(link.window).toBeCloseTo(WINDOW / 4, 3)
    link.ack(1, 0.9 * WINDOW, 31, 40)
    expect(link.window).toBeCloseTo(WINDOW / 8, 3)
  })

  it('reacts only once a round trip if told so', () => {
    const link = new OneLink({ rateAi: 0, perAck: false })
    link.ack(1, 0.9 * WINDOW, 1, 10)
    link.ack(1, 0.9 * WINDOW, 11, 20)
    link.ack(1, 0.9 * WINDOW, 12, 21)
    expect(link.window).toBeCloseTo(WINDOW / 2, 3)
  })

  it('adds W_AI for maxStage round trips below eta, then takes what is free at once', () => {
    const link = new OneLink({ rateAi: 100e6 })
    link.ack(1, 0.9 * WINDOW, 1, 10)
    link.ack(1, 0.9 * WINDOW, 11, 20)
    const after = link.window
    for (let round = 2; round < 7; round++) link.ack(0.475, 0, round * 10 + 1, round * 10 + 10)
    // 100 Mb/s for 10 us are 125 B.
    expect(link.window).toBeCloseTo(after + 5 * 125, 3)
    link.ack(0.475, 0, 71, 80)
    expect(link.window).toBeCloseTo(Math.min(WINDOW, 2 * (after + 5 * 125) + 125), 3)
  })

  it('computes W_AI from the number of flows if it is given', () => {
    const link = new OneLink({ flowsPerLink: 10 })
    link.ack(1, 0.9 * WINDOW, 1, 10)
    link.ack(1, 0.9 * WINDOW, 11, 20)
    expect(link.window).toBeCloseTo(WINDOW / 2 + (WINDOW * 0.05) / 10, 3)
  })

  it('counts payload alone against its window if told so', () => {
    const { reaction } = new OneLink({ windowOf: 'payload' })
    expect(reaction.observe(1)).toBe(WINDOW)
    expect(reaction.windowBytes).toBe(WINDOW)
  })

  it('has no additive stages and 40 Mb/s of increase at 100 Gb/s in the artifact', () => {
    const link = new OneLink({}, 'hpcc-artifact')
    link.ack(1, 0.9 * WINDOW, 1, 10)
    link.ack(1, 0.9 * WINDOW, 11, 20)
    // 40 Mb/s for 10 us are 50 B.
    expect(link.window).toBeCloseTo(WINDOW / 2 + 50, 3)
    link.ack(0.475, 0, 21, 30)
    expect(link.window).toBeCloseTo(WINDOW, 3)
    for (let round = 3; round < 40; round++) link.ack(1, WINDOW, round * 10 + 1, round * 10 + 10)
    // 1 Gb/s of 100 at least.
    expect(link.window).toBeCloseTo(WINDOW / 100, 3)
    expect(link.reaction.windowBytes).toBeCloseTo(WINDOW / 100, 3)
  })

  it('starts its measure anew when a record runs backwards', () => {
    const link = new OneLink()
    link.ack(1, WINDOW, 1, 10)
    link.ack(-1, WINDOW, 11, 20)
    expect(link.window).toBeCloseTo(WINDOW, 3)
  })

  it('lets a record count for the share of T that it covers, and for no more than all', () => {
    const link = new OneLink({ rateAi: 0 })
    link.ack(1, 0, 1, 10)
    // U begins at 1; a fifth of T at half the rate, then another: 0.9, and 0.8 x 0.9 + 0.2 x 0.5.
    link.ack(0.5, 0, 2, 11, 2 * US)
    expect(link.reaction.observe(2)).toBeCloseTo(0.9, 9)
    link.ack(0.5, 0, 3, 12, 2 * US)
    expect(link.reaction.observe(2)).toBeCloseTo(0.82, 9)
    link.ack(0.25, 0, 4, 13, 30 * US)
    expect(link.reaction.observe(2)).toBeCloseTo(0.25, 9)
  })

  it('goes by the queue alone where a link has sent nothing', () => {
    const link = new OneLink({ rateAi: 0 })
    link.ack(1, 0.5 * WINDOW, 1, 10)
    link.ack(0, 0.5 * WINDOW, 2, 11)
    expect(link.reaction.observe(2)).toBeCloseTo(0.5, 9)
  })

  it('goes by the busiest link of the way, wherever that is', () => {
    for (const busiest of [0, 1, 2]) {
      const telemetry = new Telemetry()
      const reaction = hpcc
        .create(valuesOf(hpcc), fakeContext(telemetry))
        .reaction(new FakeFlow(LINE, 10 * US))
      for (const round of [1, 2]) {
        const row = telemetry.allocate()
        for (const hop of [0, 1, 2]) {
          const share = hop === busiest ? 0.8 : 0.1
          telemetry.stamp(row, 0, share * WINDOW * round, LINE, round * 10 * US)
        }
        reaction.onAck(ackOf({ acked: round, next: 10, telemetry: row }), round * 10 * US)
        telemetry.release(row)
      }
      expect(reaction.observe(2)).toBeCloseTo(0.8, 9)
    }
  })

  it('lets be what an ACK cannot tell: without a record, of no links, or of no time', () => {
    const link = new OneLink({ rateAi: 100e6 })
    link.ack(1, 0.9 * WINDOW, 1, 10)
    link.reaction.onAck(ackOf({ acked: 11, next: 20, telemetry: -1 }), 0)
    link.ack(1, 0.9 * WINDOW, 12, 21, 0)
    expect([link.window, link.reaction.observe(2)]).toEqual([WINDOW, 1])
    // And the next record is held against the last that there was.
    link.reaction.onAck(ackOf({ acked: 13, next: 22, telemetry: -1 }), 0)
    link.ack(0.5, 0, 14, 23)
    expect(link.reaction.observe(2)).toBeCloseTo(0.5, 9)

    const telemetry = new Telemetry()
    const control = hpcc.create(valuesOf(hpcc, { rateAi: 100e6 }), fakeContext(telemetry))
    const reaction = control.reaction(new FakeFlow(LINE, 10 * US))
    for (let acked = 1; acked < 5; acked++) {
      const row = telemetry.allocate()
      reaction.onAck(ackOf({ acked, next: acked, telemetry: row }), 0)
      telemetry.release(row)
    }
    expect(reaction.observe(1)).toBe(WINDOW)
  })

  it('keeps a link 95% busy with next to no queue, fairly, from 2 to 16 flows', () => {
    // SIGCOMM 2019, section 5.3: eta = 95% with queues near zero.
    for (const flows of [2, 4, 16]) {
      const run = onDumbbell('hpcc', flows, { until: '10ms', rate: '25Gbps' })
      expect(run.utilisation).toBeGreaterThan(0.92)
      expect(run.utilisation).toBeLessThan(0.98)
      expect(run.queueBytesMean).toBeLessThan(10e3)
      expect(run.jain).toBeGreaterThan(0.95)
      expect(run.result.counters.packetsDropped).toBe(0)
    }
  })
})
