import { Windows } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import type { Fabric } from '../fabric.ts'
import { TAKE_IN } from '../kinds.ts'
import { BYTES, CLASS, CONTROL, DATA, FIELD_B, KIND, Packets, PAYLOAD } from '../packets.ts'
import { Intake } from './intake.ts'
import type { IntakeParams } from './intake.ts'

/** A host's intake at 8 Gb/s, which is 1 ns a byte, and a fabric that notes what is asked of it. */
class Bench {
  readonly packets: Packets = new Packets()
  readonly windows: Windows = new Windows(1)
  readonly pauses: { link: number; class: number; isOff: boolean; bytes: number }[] = []
  readonly credits: { link: number; packet: number }[] = []
  readonly intake: Intake

  constructor(given: Partial<IntakeParams> = {}) {
    const fabric = {
      packets: this.packets,
      windows: this.windows,
      cellOfHost: () => 0,
      hostNodes: [0, 1, 2],
      hostOf: [0, 1, 2],
      // What comes by link 6 is for host 1.
      ports: { count: 8, to: Int32Array.of(0, 0, 0, 0, 0, 0, 1, 0) },
      gate: {
        returnCreditsFor: (link: number, packet: number) => this.credits.push({ link, packet }),
      },
      sendPause: (link: number, c: number, isOff: boolean, bytes: number) =>
        this.pauses.push({ link, class: c, isOff, bytes }),
    }
    this.intake = new Intake(fabric as unknown as Fabric, {
      takeCapBps: 8e9,
      capsPayload: false,
      takeInXoffBytes: 0,
      pauseFrameBytes: 64,
      ...given,
    })
  }

  add(nowPs: number, bytes: number, trafficClass = 0, host = 1, kind = DATA): number {
    const p = this.packets.allocate()
    this.packets.int[p + BYTES] = bytes
    this.packets.int[p + PAYLOAD] = bytes - 100
    this.packets.int[p + CLASS] = trafficClass
    this.packets.int[p + KIND] = kind
    this.intake.add(host, 6, p, nowPs)
    return p
  }

  /** The next packet that is taken in, and when. */
  take(): { packet: number; atPs: number; host: number } {
    this.windows.open(Infinity)
    expect(this.windows.pop()).toBe(true)
    expect(this.windows.kind).toBe(TAKE_IN)
    const { nowPs: atPs, target: host } = this.windows
    return { packet: this.intake.take(host, atPs), atPs, host }
  }

  held(): [number, number][] {
    const held: [number, number][] = []
    this.intake.eachHeld((packet, host) => held.push([packet, host]))
    return held
  }
}

describe("a capped host's intake", () => {
  it('adds to each packet how long the host takes it in, but to control packets nothing', () => {
    const bench = new Bench()
    bench.packets.allocate()
    const { cold } = bench.packets
    const [a, b] = [bench.add(1000, 1000), bench.add(500_000, 200)]
    // The second waits for the first, until 1,001 ns.
    expect([a, b].map((p) => cold[(p >> 1) + FIELD_B])).toEqual([1_000_000, 701_000])
    expect(bench.take().packet).toBe(a)
    expect(bench.take().packet).toBe(b)
    bench.packets.free(b)
    cold[(b >> 1) + FIELD_B] = 77
    expect(bench.add(2_000_000, 300, 0, 1, CONTROL)).toBe(b)
    expect(cold[(b >> 1) + FIELD_B]).toBe(77)
    bench.take()
    bench.packets.free(b)
    expect(bench.add(3_000_000, 300)).toBe(b)
    expect(cold[(b >> 1) + FIELD_B]).toBe(77 + 300_000)
  })

  it('takes packets in one after the other, at its own rate', () => {
    const bench = new Bench()
    const a = bench.add(0, 1000)
    const b = bench.add(500_000, 200)
    expect(bench.held()).toEqual([
      [a, 1],
      [b, 1],
    ])
    expect(bench.take()).toEqual({ packet: a, atPs: 1_000_000, host: 1 })
    expect(bench.held()).toEqual([[b, 1]])
    expect(bench.take()).toEqual({ packet: b, atPs: 1_200_000, host: 1 })
    const c = bench.add(3_000_000, 10)
    expect(bench.take()).toEqual({ packet: c, atPs: 3_010_000, host: 1 })
    expect(bench.windows.pending).toBe(0)
  })

  it('counts payload only, where its cap is one of payload', () => {
    const bench = new Bench({ capsPayload: true })
    bench.add(0, 1000)
    expect(bench.take().atPs).toBe(900_000)
  })

  it('is one for each host', () => {
    const bench = new Bench()
    const a = bench.add(0, 1000, 0, 0)
    const b = bench.add(0, 400, 0, 2)
    expect(bench.take()).toEqual({ packet: b, atPs: 400_000, host: 2 })
    expect(bench.take()).toEqual({ packet: a, atPs: 1_000_000, host: 0 })
  })

  it('gives the credits of a packet back when it is taken in, and not before', () => {
    const bench = new Bench()
    const packet = bench.add(0, 1000)
    expect(bench.credits).toEqual([])
    bench.take()
    expect(bench.credits).toEqual([{ link: 6, packet }])
  })

  it('pauses a class above its threshold, once, and lets it go on at half of it', () => {
    const bench = new Bench({ takeInXoffBytes: 2000 })
    bench.add(0, 1000, 3)
    bench.add(0, 900, 4)
    bench.add(0, 1000, 3)
    expect(bench.pauses).toEqual([])
    bench.add(0, 1, 3)
    expect(bench.pauses).toEqual([{ link: 6, class: 3, isOff: true, bytes: 64 }])
    bench.add(0, 500, 3)
    expect(bench.pauses).toHaveLength(1)
    // 2,501 B of class 3: after the first two of them 501 are left, and class 4 does not count.
    bench.take()
    bench.take()
    expect(bench.pauses).toHaveLength(1)
    bench.take()
    expect(bench.pauses.slice(1)).toEqual([{ link: 6, class: 3, isOff: false, bytes: 64 }])
    bench.take()
    expect(bench.pauses).toHaveLength(2)
  })

  it('goes on at exactly half, and pauses again', () => {
    const bench = new Bench({ takeInXoffBytes: 2000 })
    bench.add(0, 1001)
    bench.add(0, 1000)
    bench.take()
    expect(bench.pauses.map(({ isOff }) => isOff)).toEqual([true, false])
    bench.add(0, 1001)
    expect(bench.pauses.map(({ isOff }) => isOff)).toEqual([true, false, true])
  })

  it('never pauses without a threshold', () => {
    const bench = new Bench()
    for (let i = 0; i < 50; i++) bench.add(0, 9000)
    bench.take()
    expect(bench.pauses).toEqual([])
  })
})
