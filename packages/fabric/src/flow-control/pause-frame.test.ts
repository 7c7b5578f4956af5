import { describe, expect, it } from 'vitest'
import { FIELD_A, BYTES, CLASS, CODE, FLAGS, FLOW, INGRESS, KIND, NEXT, PAUSE } from '../packets.ts'
import { PATH, PAYLOAD, Packets, TELEMETRY } from '../packets.ts'
import { CLASSES } from '../ports.ts'
import { pauseFrame } from './pause-frame.ts'

describe('a PAUSE frame', () => {
  it("is of no flow and in nobody's buffer, whatever its record held before", () => {
    const packets = new Packets()
    packets.free(packets.allocate())
    packets.int.fill(77)
    packets.cold.fill(77)
    // The free list is one record long.
    packets.int[NEXT] = -1
    const p = pauseFrame(packets, 5, 3, true, 64)
    const { cold, int } = packets
    expect([int[p + PATH], int[p + FLOW], int[p + INGRESS], cold[(p >> 1) + TELEMETRY]]).toEqual([
      -1, -1, -1, -1,
    ])
    expect([int[p + KIND], int[p + BYTES]]).toEqual([PAUSE, 64])
    // All of it is overhead, and it goes ahead of every class.
    expect([int[p + PAYLOAD], int[p + FLAGS], int[p + CLASS]]).toEqual([0, 0, CLASSES - 1])
  })

  it('names a class, and says whether to stop it or to let it go on', () => {
    const packets = new Packets()
    for (const [trafficClass, isOff] of [
      [3, true],
      [0, false],
    ] as const) {
      const p = pauseFrame(packets, 5, trafficClass, isOff, 64)
      expect(packets.cold[(p >> 1) + CODE]).toBe(trafficClass)
      expect(packets.cold[(p >> 1) + FIELD_A]).toBe(isOff ? 1 : 0)
    }
  })
})
