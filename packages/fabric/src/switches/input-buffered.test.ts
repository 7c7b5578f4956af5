/**
 * Switches with buffers at their inputs, with packets made by hand: h0 and h1 send over s0, to each
 * other and over s1 to h2, whose own link has half the rate.
 */
import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { ContentionPoint, DROP, KEEP } from '../contract/contention-point.ts'
import type { Routing } from '../contract/routing.ts'
import { Credits } from '../flow-control/credits.ts'
import { sameLanes } from '../lanes.ts'
import type { Links } from '../links.ts'
import { Marker } from '../marking/marker.ts'
import { ACK, CAPABLE, CLASS, FLAGS, MARKED, SEQ } from '../packets.ts'
import { contend, watchDepartures } from '../port-roles.ts'
import { CLASSES, HELD, HELD_MAX } from '../ports.ts'
import { FabricBench, H0_S0, H1_S0, S0_S1, S1_H2 } from '../testing.ts'
import type { Made } from '../testing.ts'
import { Forwarding } from './forwarding.ts'
import { InputBuffered } from './input-buffered.ts'
import type { InputBufferedParams } from './input-buffered.ts'

/** 1,000 B at 10 Gb/s, and a link; the last one has half the rate and twice the delay. */
const [SERVICE, LINK, LAST_SERVICE, LAST_LINK] = [0.8e6, 1e6, 1.6e6, 2e6]
const TO_S0 = SERVICE + LINK
const FROM_H1 = { path: [H1_S0, S0_S1, S1_H2] }
/** From h0 to h1 by s0 alone. */
const NEAR = { path: [H0_S0, H1_S0 ^ 1] }

interface Given extends Partial<InputBufferedParams> {
  readonly credits?: Credits
  readonly lanes?: Uint8Array
  readonly marksAt?: number
}

class Bench extends FabricBench {
  readonly inputs: InputBuffered

  constructor({ credits, lanes, marksAt, ...given }: Given = {}) {
    super({ credits })
    const { fabric, packets, paths } = this
    fabric.lanes = lanes
    const params: InputBufferedParams = {
      ...{ bufferBytes: 100e3, queue: 'fifo', outputBytes: 0, pfc: undefined },
      ...{ trimmed: { bytes: 64, class: 7 } },
      ...given,
    }
    const forwarding = new Forwarding(packets, paths, undefined as unknown as Routing, [], lanes)
    const marking = { kminBytes: marksAt!, kmaxBytes: marksAt!, pmax: 1, at: 'enqueue' } as const
    const marker =
      marksAt === undefined
        ? undefined
        : new Marker(packets, fabric.ports, marking, new Random(1, 'marks'))
    this.inputs = new InputBuffered(fabric, params, forwarding, Array(8).fill(marker))
    fabric.switches = this.inputs
    // Hosts pay for what they send as it leaves.
    if (credits !== undefined) for (const port of [H0_S0, H1_S0]) watchDepartures(fabric, port)
  }

  /** Packets that join the first port of their path in one go, numbered from `first` on. */
  all(first: number, made: readonly Made[]): this {
    made.forEach((one, i) => this.send({ seq: first + i, ...one }))
    return this
  }

  /** In which order, or when, packets have come to hosts. */
  order(): number[] {
    return this.run().came.map(({ packet }) => this.packets.int[packet + SEQ]!)
  }

  times(): [number, number][] {
    return this.run().came.map(({ packet, atPs }) => [this.packets.int[packet + SEQ]!, atPs])
  }

  held(port: number): number {
    return this.fabric.ports.int[(port << 5) + HELD]!
  }

  /** That have come by a link in a class and not left. */
  atInput(link: number, trafficClass: number = 0): number {
    return this.inputs.inputBytes[link * CLASSES + trafficClass]!
  }

  queued(): [number, number][] {
    const found: [number, number][] = []
    this.inputs.eachQueued((p, out) => found.push([this.packets.int[p + SEQ]!, out]))
    return found
  }
}

function threeEach(): Bench {
  return new Bench().all(0, Array<Made>(3).fill({})).all(10, Array<Made>(3).fill(FROM_H1))
}

describe('an output', () => {
  it('serves its inputs in turn, one packet after the other', () => {
    const bench = threeEach()
    expect(bench.times().map(([seq]) => seq)).toEqual([0, 10, 1, 11, 2, 12])
    const last = bench.came.at(-1)!.atPs
    // s0 sends one each 800 ns, and s1 one each 1,600.
    expect(last).toBe(TO_S0 + SERVICE + LINK + 6 * LAST_SERVICE + LAST_LINK)
    expect(bench.packets.held).toBe(6)
  })

  it('is given what wants it, and not what waits at another input for another', () => {
    const bench = new Bench()
    bench.fabric.setPaused(S0_S1, 0, true, 0)
    bench.all(10, [FROM_H1])
    bench.at(5e6, () => bench.all(0, [NEAR]))
    expect(bench.order()).toEqual([0])
    expect(bench.queued()).toEqual([[10, S0_S1]])
  })

  it('goes on with a second packet whichever record that has', () => {
    const bench = new Bench()
    // The very first record there is.
    const second = bench.make({ seq: 1 })
    bench.send({ seq: 0 })
    bench.fabric.join(H0_S0, second, 0)
    bench.fabric.setPaused(S0_S1, 0, true, 0)
    bench.at(20e6, () => bench.fabric.setPaused(S0_S1, 0, false, 20e6))
    expect(bench.order()).toEqual([0, 1])
  })

  it('knows which input it has served last', () => {
    const bench = threeEach()
    bench.run(TO_S0 + 1)
    const first = bench.inputs.servedLast(S0_S1)
    bench.run(TO_S0 + SERVICE + 1)
    const second = bench.inputs.servedLast(S0_S1)
    expect([first, second].sort()).toEqual([0, 1])
    bench.run(TO_S0 + 2 * SERVICE + 1)
    expect(bench.inputs.servedLast(S0_S1)).toBe(first)
  })

  it('serves classes by its scheduler, and each of those by inputs', () => {
    const bench = new Bench()
    bench.all(0, [{}, { class: 2 }, {}, { class: 2 }])
    bench.all(10, [{ ...FROM_H1, class: 1 }, FROM_H1])
    const order = bench.order()
    const of = (seqs: readonly number[]): number[] => order.filter((seq) => seqs.includes(seq))
    expect(of([1, 3])).toEqual([1, 3])
    expect(of([0, 2])).toEqual([0, 2])
    // A port of h0's sends class 2 before the rest of class 0.
    expect(order.indexOf(3)).toBeLessThan(order.indexOf(2))
    expect(bench.packets.held).toBe(6)
  })
})

describe('an input', () => {
  it('holds up what is behind its first packet, unless it has a queue for each output', () => {
    for (const queue of ['fifo', 'voq'] as const) {
      const bench = new Bench({ queue })
      bench.fabric.setPaused(S0_S1, 0, true, 0)
      bench.all(0, [{}, NEAR]).all(10, [{ ...FROM_H1, class: 1 }])
      bench.fabric.setPaused(S0_S1, 1, true, 0)
      bench.run(20e6)
      expect(bench.came.map(({ packet }) => bench.packets.int[packet + SEQ])).toEqual(
        queue === 'voq' ? [1] : [],
      )
      const left =
        queue === 'voq'
          ? [[0, S0_S1]]
          : [
              [0, S0_S1],
              [1, NEAR.path[1]],
            ]
      expect(bench.queued()).toEqual([...left, [10, S0_S1]])
      expect(bench.atInput(H0_S0)).toBe(1000 * left.length)
      const wanted: number[] = []
      bench.inputs.eachWanted(H0_S0, 0, (output) => wanted.push(output))
      bench.inputs.eachWanted(H0_S0, 1, (output) => wanted.push(output))
      expect(wanted).toEqual([S0_S1 * CLASSES])
      const heads: number[][] = []
      bench.inputs.eachQueue((input, first) => heads.push([input, bench.packets.int[first + SEQ]!]))
      expect(heads).toEqual([
        [H0_S0 * CLASSES, 0],
        [H1_S0 * CLASSES + 1, 10],
      ])
      for (const c of [0, 1]) {
        bench.at(20e6, () => bench.fabric.setPaused(S0_S1, c, false, 20e6))
      }
      bench.run()
      expect([bench.came.length - 1, bench.queued(), bench.atInput(H0_S0)]).toEqual([2, [], 0])
    }
  })

  it('has a queue for each output of its own, whatever other inputs have', () => {
    const bench = new Bench({ queue: 'voq' })
    const { fabric } = bench
    for (const port of fabric.portsOf[3]!) fabric.setPaused(port, 0, true, 0)
    const all = [NEAR, {}, { path: [H1_S0, H0_S0 ^ 1] }, FROM_H1]
    bench.all(0, all).run(20e6)
    const heads: number[][] = []
    bench.inputs.eachQueue((input, first) => heads.push([input, bench.packets.int[first + SEQ]!]))
    const [h0, h1] = [H0_S0 * CLASSES, H1_S0 * CLASSES]
    expect(heads).toEqual([
      ...[
        [h0, 0],
        [h0, 1],
      ],
      ...[
        [h1, 2],
        [h1, 3],
      ],
    ])
    const wanted = [H0_S0, H1_S0].map((link) => {
      const outputs: number[] = []
      bench.inputs.eachWanted(link, 0, (output) => outputs.push(output / CLASSES))
      return outputs
    })
    expect(wanted).toEqual([
      [H1_S0 ^ 1, S0_S1],
      [H0_S0 ^ 1, S0_S1],
    ])
  })

  it('lets the next packet go elsewhere as soon as the one before it begins', () => {
    const bench = new Bench()
    bench.all(0, [{}, NEAR])
    // The second is in 800 ns later, when the first is sent: it has not waited.
    expect(bench.times()[0]).toEqual([1, TO_S0 + SERVICE + SERVICE + LINK])
    const late = new Bench()
    late.all(10, [FROM_H1]).all(0, [{}, NEAR])
    // s0's link is taken for 800 ns, and then both go at once.
    expect(late.times()[0]).toEqual([1, TO_S0 + SERVICE + SERVICE + LINK])
  })

  it('holds classes apart, and a packet until its last bit has left', () => {
    const bench = new Bench()
    bench.fabric.setPaused(S0_S1, 0, true, 0)
    bench.all(0, [{}, { class: 2 }, {}])
    bench.run(20e6)
    expect([bench.atInput(H0_S0), bench.atInput(H0_S0, 2)]).toEqual([2000, 0])
    expect(bench.inputs.inputBytesMax[H0_S0 * CLASSES + 2]).toBe(1000)
    expect([bench.held(S0_S1), bench.fabric.ports.queuedBytes(S0_S1, 0)]).toEqual([2000, 2000])
    bench.at(20e6, () => bench.fabric.setPaused(S0_S1, 0, false, 20e6))
    bench.run(20e6 + SERVICE)
    expect(bench.atInput(H0_S0)).toBe(2000)
    bench.run(20e6 + SERVICE + 1)
    expect(bench.atInput(H0_S0)).toBe(1000)
    bench.run()
    expect([bench.atInput(H0_S0), bench.inputs.inputBytesMax[H0_S0 * CLASSES]]).toEqual([0, 2000])
    expect(bench.fabric.ports.int[(S0_S1 << 5) + HELD_MAX]).toBe(2000)
    // A later one, alone, changes no maximum.
    bench.send({ bytes: 100 })
    bench.run()
    expect(bench.inputs.inputBytesMax[H0_S0 * CLASSES]).toBe(2000)
    expect(bench.fabric.ports.int[(S0_S1 << 5) + HELD_MAX]).toBe(2000)
  })

  it('drops what there is no room for, to the byte', () => {
    const bench = new Bench({ bufferBytes: 2000 })
    bench.fabric.setPaused(S0_S1, 0, true, 0)
    bench.all(0, [{}, {}, { bytes: 64 }, { class: 1 }])
    bench.run(20e6)
    expect(bench.thrownAway.map((p) => bench.packets.int[p + SEQ])).toEqual([2])
    expect(Array.from(bench.fabric.ports.drops)).toEqual([0, 0, 0, 0, 1, 0, 0, 0])
    expect(bench.atInput(H0_S0)).toBe(2000)
  })
})

describe('a contention point and a marker', () => {
  class Judging extends ContentionPoint {
    readonly sees: ContentionPoint['sees']
    override readonly admits = true
    readonly seen: number[][] = []
    readonly #bench: Bench
    constructor(bench: Bench, sees: ContentionPoint['sees']) {
      super()
      this.#bench = bench
      this.sees = sees
    }
    override admit(p: number): typeof KEEP | typeof DROP {
      return this.#bench.packets.int[p + SEQ] === 1 ? DROP : KEEP
    }
    override onArrival(p: number, queueBytes: number, nowPs: number): void {
      this.seen.push([this.#bench.packets.int[p + SEQ]!, queueBytes, nowPs])
    }
  }

  it('see data that comes, before it counts; what is refused is dropped', () => {
    for (const sees of ['arrivals', 'departures'] as const) {
      const bench = new Bench()
      const point = new Judging(bench, sees)
      contend(bench.fabric, S0_S1, point)
      bench.all(0, [{}, {}, {}, { kind: ACK }])
      bench.all(10, [FROM_H1])
      expect(bench.run().came).toHaveLength(4)
      const [first, second] = [point.seen[0], point.seen[1]]
      if (sees === 'departures') expect(point.seen).toEqual([])
      else {
        expect([first![1], second![1]]).toEqual([0, 1000])
        expect(point.seen.map(([seq]) => seq).sort((a, b) => a! - b!)).toEqual([0, 2, 10])
        expect(point.seen.map(([, , atPs]) => atPs)).toEqual([TO_S0, TO_S0, TO_S0 + 2 * SERVICE])
      }
      expect(bench.thrownAway.map((p) => bench.packets.int[p + SEQ])).toEqual([1])
      expect(bench.fabric.ports.drops[S0_S1]).toBe(1)
    }
  })

  it('mark for what its class holds at the output already', () => {
    const bench = new Bench({ marksAt: 1500 })
    bench.fabric.setPaused(S0_S1, 3, true, 0)
    const made = { flags: CAPABLE, class: 3 }
    bench.all(0, [made, made, made, { flags: CAPABLE, class: 4 }])
    bench.at(20e6, () => bench.fabric.setPaused(S0_S1, 3, false, 20e6))
    const marked = bench
      .run()
      .came.filter(({ packet }) => bench.packets.int[packet + FLAGS]! & MARKED)
    expect(marked.map(({ packet }) => bench.packets.int[packet + SEQ])).toEqual([2])
    expect(bench.fabric.ports.marks[S0_S1]).toBe(1)
  })
})

describe('PFC', () => {
  const pfc = { xoffBytes: new Float64Array(8).fill(2000), xonGapBytes: 1000, frameBytes: 64 }

  it('stops a class of a link above its threshold, until it is below it by the gap', () => {
    const bench = new Bench({ pfc })
    const { fabric } = bench
    fabric.setPaused(S0_S1, 2, true, 0)
    bench.all(0, Array<Made>(5).fill({ class: 2 }))
    expect(bench.inputs.resumeBytes(H0_S0, 2)).toBe(Infinity)
    // Two packets are not above it, and the third is.
    bench.run(TO_S0 + 2 * SERVICE)
    expect(fabric.ports.pauseFrames[H0_S0]).toBe(0)
    bench.run(20e6)
    expect([fabric.ports.pauseFrames[H0_S0], fabric.ports.isPaused(H0_S0, 2)]).toEqual([1, true])
    expect(bench.inputs.resumeBytes(H0_S0, 2)).toBe(1000)
    expect(bench.inputs.resumeBytes(H0_S0, 1)).toBe(Infinity)
    const held = bench.atInput(H0_S0, 2)
    expect(held).toBeGreaterThan(2000)
    bench.at(20e6, () => fabric.setPaused(S0_S1, 2, false, 20e6))
    // XON goes once 1,000 B are left, and not before.
    const xonPs = 20e6 + (held / 1000 - 1) * SERVICE
    bench.run(xonPs + 51_200 + LINK)
    expect(fabric.ports.isPaused(H0_S0, 2)).toBe(true)
    bench.run(xonPs + 51_200 + LINK + 1)
    expect(fabric.ports.isPaused(H0_S0, 2)).toBe(false)
    expect(bench.order()).toEqual([0, 1, 2, 3, 4])
  })

  it('waits for an empty input if the gap is over the threshold, without PFC for none', () => {
    const bench = new Bench({ pfc: { ...pfc, xonGapBytes: 5000 } })
    bench.fabric.setPaused(S0_S1, 2, true, 0)
    bench.all(0, Array<Made>(3).fill({ ...FROM_H1, class: 2 })).run(20e6)
    const resume = [H0_S0, H1_S0].map((link) => bench.inputs.resumeBytes(link, 2))
    expect(resume).toEqual([Infinity, 0])
    const without = new Bench()
    without.fabric.setPaused(S0_S1, 2, true, 0)
    without.all(0, Array<Made>(9).fill({ class: 2 })).run(20e6)
    expect(without.fabric.ports.pauseFrames[H0_S0]).toBe(0)
    expect(without.inputs.isEager()).toBe(false)
  })
})

describe('credits', () => {
  /** Credits of h0's port after a time. */
  function after(outputBytes: number, untilPs: number): number {
    const credits = new Credits(8, 3000)
    const bench = new Bench({ credits, outputBytes })
    bench.send({ class: 2 })
    bench.run(untilPs)
    credits.collect(H0_S0, untilPs)
    return credits.available[H0_S0 * CLASSES + 2]!
  }

  it('come back once a packet has left, or crossed, and the link is crossed', () => {
    expect(after(0, 1)).toBe(2000)
    expect(after(0, TO_S0 + SERVICE + LINK - 1)).toBe(2000)
    expect(after(0, TO_S0 + SERVICE + LINK)).toBe(3000)
    expect(after(5000, TO_S0 + LINK - 1)).toBe(2000)
    expect(after(5000, TO_S0 + LINK)).toBe(3000)
  })

  it('let everything through in the end', () => {
    for (const outputBytes of [0, 2000]) {
      const credits = new Credits(8, 2000)
      const bench = new Bench({ credits, outputBytes })
      bench.all(0, Array<Made>(8).fill({})).all(10, Array<Made>(8).fill(FROM_H1))
      // Hosts take in at once.
      const { receive } = bench.fabric.hosts
      let least = Infinity
      const loses = (): boolean => {
        least = Math.min(least, ...credits.available)
        return false
      }
      bench.fabric.links = { loses } as unknown as Links
      bench.fabric.hosts.receive = (host, link, p, nowPs) => {
        bench.fabric.gate.returnCreditsFor(link, p, nowPs)
        receive(host, link, p, nowPs)
      }
      expect(bench.order()).toHaveLength(16)
      expect(least).toBe(0)
      expect(Array.from(bench.inputs.inputBytesMax).every((bytes) => bytes <= 2000)).toBe(true)
      expect([bench.atInput(H0_S0), bench.atInput(S0_S1)]).toEqual([0, 0])
    }
  })
})

describe('a FIFO behind the crossbar', () => {
  it('takes what there is room for, in turn, which leaves its input at once', () => {
    const bench = new Bench({ outputBytes: 2000 })
    expect(bench.inputs.outputBytes).toBe(2000)
    bench.fabric.setPaused(S0_S1, 2, true, 0)
    bench.all(0, Array<Made>(3).fill({ class: 2 }))
    bench.all(10, Array<Made>(3).fill({ ...FROM_H1, class: 2 }))
    bench.run(20e6)
    // One of each has crossed, and two wait at either input.
    const waiting = bench.fabric.inventory.waiting(S0_S1, 2)
    const seqs = waiting.map((p) => bench.packets.int[p + SEQ]!)
    expect(seqs.sort((a, b) => a - b)).toEqual([0, 10])
    expect([bench.atInput(H0_S0, 2), bench.atInput(H1_S0, 2)]).toEqual([2000, 2000])
    expect(bench.held(S0_S1)).toBe(6000)
    bench.at(20e6, () => bench.fabric.setPaused(S0_S1, 2, false, 20e6))
    const order = bench.order()
    expect(order.map((seq) => seq % 10)).toEqual([0, 0, 1, 1, 2, 2])
    expect([bench.atInput(H0_S0, 2), bench.queued()]).toEqual([0, []])
  })

  it('takes all that there is room for once a packet has left it', () => {
    const bench = new Bench({ outputBytes: 1000 })
    bench.fabric.setPaused(S0_S1, 2, true, 0)
    bench.all(0, [{ class: 2 }, { class: 2, bytes: 500 }, { class: 2, bytes: 500 }])
    bench.run(20e6)
    expect(bench.atInput(H0_S0, 2)).toBe(1000)
    bench.at(20e6, () => bench.fabric.setPaused(S0_S1, 2, false, 20e6))
    expect(bench.atInput(H0_S0, 2)).toBe(0)
    expect(bench.order()).toEqual([0, 1, 2])
  })

  it('holds up its own class only', () => {
    const bench = new Bench({ outputBytes: 1000 })
    bench.fabric.setPaused(S0_S1, 2, true, 0)
    bench.all(0, [{ class: 2 }, { class: 1 }, { class: 2 }, { class: 1 }])
    bench.run(30e6)
    expect(bench.came.map(({ packet }) => bench.packets.int[packet + SEQ])).toEqual([1, 3])
  })

  it('tells PFC that its input has room', () => {
    const xoffBytes = new Float64Array(8).fill(1500)
    const pfc = { xoffBytes, xonGapBytes: 1000, frameBytes: 64 }
    const bench = new Bench({ outputBytes: 1000, pfc })
    bench.fabric.setPaused(S0_S1, 2, true, 0)
    bench.all(0, Array<Made>(4).fill({ class: 2 }))
    bench.run(20e6)
    expect(bench.fabric.ports.isPaused(H0_S0, 2)).toBe(true)
    bench.at(20e6, () => bench.fabric.setPaused(S0_S1, 2, false, 20e6))
    expect(bench.order()).toEqual([0, 1, 2, 3])
    expect(bench.fabric.ports.isPaused(H0_S0, 2)).toBe(false)
  })

  it('does not count what the switch sends of its own', () => {
    const bench = new Bench({ outputBytes: 1000 })
    bench.send({ seq: 9, path: [S0_S1, S1_H2] })
    bench.fabric.setPaused(S0_S1, 0, true, 0)
    bench.all(0, [{}, {}]).run(20e6)
    expect(bench.atInput(H0_S0)).toBe(1000)
    bench.at(20e6, () => bench.fabric.setPaused(S0_S1, 0, false, 20e6))
    expect(bench.order()).toEqual([9, 0, 1])
  })

  it.each([1000, 0])('holds up what is behind a packet without credits (%d B)', (outputBytes) => {
    const credits = new Credits(8, 10e3)
    const bench = new Bench({ credits, outputBytes })
    credits.available[S0_S1 * CLASSES] = 500
    bench.all(0, [{}, { bytes: 400 }]).run(20e6)
    expect([bench.came.length, bench.atInput(H0_S0)]).toEqual([0, 1400 - outputBytes])
    bench.at(20e6, () => bench.fabric.gate.takeCredits(S0_S1, 0, 900, 20e6 + 1))
    expect(bench.order()).toEqual([0, 1])
  })
})

describe('where packets change their class', () => {
  /** Classes 0 and 1 go on from s0 to s1 in class 1. */
  function merging(): Uint8Array {
    const lanes = sameLanes(8)
    lanes[S0_S1 * CLASSES] = 1
    return lanes
  }

  it('they wait in the one that they came in, and lanes of an input take turns', () => {
    const bench = new Bench({ lanes: merging() })
    bench.fabric.setPaused(S0_S1, 1, true, 0)
    for (const [i, c] of [0, 0, 0, 1, 1, 1].entries()) bench.send({ seq: i, class: c })
    bench.run(20e6)
    expect([bench.atInput(H0_S0, 0), bench.atInput(H0_S0, 1)]).toEqual([3000, 3000])
    const wanted: number[] = []
    for (const c of [0, 1]) bench.inputs.eachWanted(H0_S0, c, (output) => wanted.push(output))
    expect(wanted).toEqual([S0_S1 * CLASSES + 1, S0_S1 * CLASSES + 1])
    bench.at(20e6, () => bench.fabric.setPaused(S0_S1, 1, false, 20e6))
    expect(bench.order()).toEqual([3, 0, 4, 1, 5, 2])
    expect([bench.atInput(H0_S0, 0), bench.atInput(H0_S0, 1)]).toEqual([0, 0])
    expect(bench.came.map(({ packet }) => bench.packets.int[packet + CLASS])).toEqual(
      Array(6).fill(1),
    )
  })

  it('one that may not go on keeps back no other lane of its input', () => {
    const elsewhere = new Bench({ lanes: merging() })
    elsewhere.fabric.lanes![NEAR.path[1]! * CLASSES + 2] = 1
    elsewhere.fabric.setPaused(S0_S1, 1, true, 0)
    // Lane 1 waits for s1, and lane 2 goes on to h1 in class 1.
    elsewhere.all(0, [{ class: 1 }, { ...NEAR, class: 2 }])
    expect(elsewhere.order()).toEqual([1])
    const paused = new Bench({ lanes: sameLanes(8) })
    paused.fabric.setPaused(NEAR.path[1]!, 1, true, 0)
    paused.all(
      0,
      [1, 2].map((c) => ({ ...NEAR, class: c })),
    )
    expect(paused.order()).toEqual([1])
  })

  it('their ingress has the room again in its own class', () => {
    const credits = new Credits(8, 2000)
    const bench = new Bench({ credits, lanes: merging() })
    bench.send({ class: 0 })
    bench.run(20e6)
    credits.collect(H0_S0, 20e6)
    expect([0, 1].map((c) => credits.available[H0_S0 * CLASSES + c])).toEqual([2000, 2000])
  })
})
