import { Windows } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { CREDIT } from '../kinds.ts'
import { BYTES, CLASS, Packets } from '../packets.ts'
import { CLASSES, Ports, QUEUES } from '../ports.ts'
import { WaitQueues } from '../queues/wait-queues.ts'
import { buildGraph } from '../topologies/index.ts'
import { Credits } from './credits.ts'
import { Gate } from './gate.ts'

const graph = buildGraph({ kind: 'star', hosts: 2, rateBps: 10e9, delayPs: 50 })

/** A gate with what stands around it; `bytes` of credits a port and class, or none at all. */
class Bench {
  readonly packets: Packets = new Packets()
  readonly ports: Ports = new Ports(graph, 7)
  readonly windows: Windows = new Windows(1)
  readonly waits: WaitQueues = new WaitQueues(this.ports, this.packets)
  readonly credits: Credits | undefined
  readonly gate: Gate

  constructor(bytes?: number) {
    this.credits = bytes === undefined ? undefined : new Credits(this.ports.count, bytes)
    this.gate = new Gate(
      this.ports,
      this.packets,
      this.windows,
      new Int32Array(this.ports.count),
      this.credits,
    )
  }

  packet(trafficClass: number, bytes: number): number {
    const p = this.packets.allocate()
    this.packets.int[p + CLASS] = trafficClass
    this.packets.int[p + BYTES] = bytes
    return p
  }

  wait(port: number, trafficClass: number, bytes: number): void {
    this.waits.add(port, trafficClass, this.packet(trafficClass, bytes))
  }

  /** Events, in order. */
  events(): { timePs: number; kind: number; target: number }[] {
    const events = []
    this.windows.open(Infinity)
    while (this.windows.pop()) {
      const { nowPs: timePs, kind, target } = this.windows
      events.push({ timePs, kind, target })
    }
    return events
  }
}

describe('a gate without credits', () => {
  it('blocks the classes that are paused, and no others', () => {
    const { gate, ports } = new Bench()
    ports.paused[1] = 0b100
    expect([0, 1, 2, 3].map((c) => gate.isBlocked(1, c, 9000, 0))).toEqual([
      false,
      false,
      true,
      false,
    ])
    expect([0, 1, 2, 3].map((c) => gate.isShut(1, c, 9000, 0))).toEqual([false, false, true, false])
    expect(gate.isBlocked(0, 2, 9000, 0)).toBe(false)
  })

  it('lets go what waits and is not paused', () => {
    const bench = new Bench()
    bench.wait(1, 0, 1000)
    bench.wait(1, 2, 1000)
    bench.wait(1, 3, 1000)
    bench.ports.paused[1] = 0b101
    expect(bench.gate.eligible(1, 0)).toBe(0b1000)
    expect(bench.gate.eligible(0, 0)).toBe(0)
  })

  it('has nothing to give back', () => {
    const bench = new Bench()
    bench.gate.returnCreditsFor(0, bench.packet(0, 1000), 0)
    expect(bench.windows.pending).toBe(0)
  })
})

describe('a gate with credits', () => {
  it('lets a packet go that fits to the byte, and no longer one', () => {
    const { gate, credits } = new Bench(1000)
    expect(gate.isBlocked(0, 1, 1000, 0)).toBe(false)
    expect(credits!.starved[0]).toBe(0)
    expect(gate.isBlocked(0, 1, 1001, 0)).toBe(true)
    expect(credits!.starved[0]).toBe(1)
    expect(credits!.starved[1]).toBe(0)
  })

  it('is shut by a pause whatever its credits', () => {
    const { gate, ports } = new Bench(1000)
    ports.paused[0] = 0b10
    expect(gate.isBlocked(0, 1, 1, 0)).toBe(true)
    expect(gate.isShut(0, 1, 1, 0)).toBe(true)
    expect(gate.isShut(0, 0, 1, 0)).toBe(false)
  })

  it('collects what is due before it says no', () => {
    const { gate } = new Bench(0)
    gate.returnCredits(0, 1, 1000, 70)
    expect(gate.isShut(0, 1, 1000, 69)).toBe(true)
    expect(gate.isShut(0, 1, 1000, 70)).toBe(false)
    expect(gate.isShut(0, 1, 1001, 70)).toBe(true)
    expect(gate.isShut(0, 0, 1, 70)).toBe(true)
  })

  it('wakes a port that was refused when its next credits are due, once', () => {
    const bench = new Bench(0)
    const { gate, credits } = bench
    gate.returnCredits(1, 0, 500, 70)
    expect(bench.windows.pending).toBe(0)
    expect(gate.isBlocked(1, 0, 500, 10)).toBe(true)
    expect(gate.isBlocked(1, 0, 500, 10)).toBe(true)
    expect(bench.events()).toEqual([{ timePs: 70, kind: CREDIT, target: 1 }])
    gate.onCredits(1, 70)
    expect(credits!.available[CLASSES]).toBe(500)
    expect(credits!.starved[1]).toBe(0)
    expect(credits!.awaitedPs[1]).toBe(Infinity)
    expect(gate.isBlocked(1, 0, 500, 70)).toBe(false)
  })

  it('wakes nobody for an answer to a port that does not want to send', () => {
    const bench = new Bench(0)
    bench.gate.returnCredits(1, 0, 500, 70)
    expect(bench.gate.isShut(1, 0, 500, 10)).toBe(true)
    expect(bench.credits!.starved[1]).toBe(0)
    expect(bench.windows.pending).toBe(0)
  })

  it('wakes a port by credits sent back after it was refused, sooner by earlier ones', () => {
    const bench = new Bench(0)
    const { gate } = bench
    expect(gate.isBlocked(1, 0, 500, 10)).toBe(true)
    expect(bench.windows.pending).toBe(0)
    gate.returnCredits(1, 0, 100, 90)
    gate.returnCredits(1, 0, 100, 95)
    gate.returnCredits(1, 0, 100, 60)
    // One event, for the first of them: a port that is refused again waits anew.
    expect(bench.events().map(({ timePs }) => timePs)).toEqual([60])
  })

  it("gives a packet's bytes back over its own link, a link's delay later", () => {
    const bench = new Bench(0)
    // Link 0 leads from a host to the switch, whose own delay is on the way there and not back.
    bench.gate.returnCreditsFor(0, bench.packet(3, 800), 1000)
    expect(bench.credits!.nextPs(0)).toBe(1000 + 50)
    expect(bench.credits!.pendingBytes(0, 3)).toBe(800)
    bench.gate.returnCreditsFor(1, bench.packet(2, 70), 1000)
    expect(bench.credits!.nextPs(1)).toBe(1000 + 57)
    expect(bench.credits!.pendingBytes(1, 2)).toBe(70)
  })

  it('lets go each class whose first packet has credits', () => {
    const bench = new Bench(1000)
    bench.wait(0, 0, 1000)
    bench.wait(0, 1, 1001)
    bench.wait(0, 4, 64)
    // Not the first of its class, so that its length is not asked for.
    bench.wait(0, 4, 9000)
    expect(bench.gate.eligible(0, 0)).toBe(0b10001)
    bench.ports.paused[0] = 1
    expect(bench.gate.eligible(0, 0)).toBe(0b10000)
    expect(bench.credits!.starved[0]).toBe(1)
  })

  it('does not ask for credits for a class that is paused', () => {
    const bench = new Bench(1000)
    bench.wait(0, 1, 1001)
    bench.ports.paused[0] = 0b10
    expect(bench.gate.eligible(0, 0)).toBe(0)
    expect(bench.credits!.starved[0]).toBe(0)
  })
})

describe('a port that waits for credits', () => {
  it('counts for how long, from its first wish to the credits that it waited for', () => {
    const { credits, gate, ...bench } = new Bench(1000)
    const port = 2
    bench.waits.add(port, 0, bench.packets.allocate())
    bench.packets.int[bench.ports.waitHead[port * QUEUES]! + BYTES] = 1500
    for (const nowPs of [100, 300]) expect(gate.eligible(port, nowPs)).toBe(0)
    gate.onCredits(port, 700)
    expect(credits!.starvedPs[port]).toBe(600)
    gate.eligible(port, 1000)
    gate.onCredits(port, 1500)
    expect(credits!.starvedPs[port]).toBe(1100)
  })

  it('may send of each class what there are credits for', () => {
    const bench = new Bench(1000)
    bench.wait(2, 1, 500)
    bench.wait(2, 4, 1001)
    bench.wait(2, 5, 1000)
    expect(bench.gate.eligible(2, 0)).toBe(0b100010)
  })
})
