import { describe, expect, it } from 'vitest'
import { headroomBytes } from './headroom.ts'
import type { HeadroomLink } from './headroom.ts'

const US = 1e6
const link: HeadroomLink = {
  ...{ rateBps: 10e9, delayPs: 1 * US, packetBytes: 1000, frameBytes: 64, frames: 1 },
}

describe('the headroom of PFC', () => {
  it('is two packets and what comes while a frame waits, is sent and crosses the link', () => {
    // 0.8 us for a packet, 51.2 ns for the frame, 1 us each way: 2.8512 us are 3,564 B.
    expect(headroomBytes(link, link)).toBe(2000 + 3564)
  })

  it('waits by the way back, a frame for each class, and fills the way there', () => {
    const back = { rateBps: 40e9, delayPs: 0.5 * US, packetBytes: 2000, frameBytes: 64, frames: 3 }
    // 0.4 us for a packet, 12.8 ns for each frame, 1.5 us: 1.9384 us at 10 Gb/s are 2,423 B.
    expect(headroomBytes(link, back)).toBe(2000 + 2423)
    // And the other way round: 0.8 us, 51.2 ns and 1.5 us at 40 Gb/s are 11,756 B.
    expect(headroomBytes(back, link)).toBe(4000 + 11_756)
  })
})
