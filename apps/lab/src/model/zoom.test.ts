import { describe, expect, it } from 'vitest'
import { zoomedAbout, zoomedBy } from './zoom.ts'

describe('the part of time that is shown', () => {
  it('is halved about the playhead, and never leaves the run', () => {
    expect(zoomedBy(undefined, 1000, 2, 500)).toEqual([250, 750])
    expect(zoomedBy([250, 750], 1000, 2, 0)).toEqual([0, 250])
    expect(zoomedBy([250, 750], 1000, 0.5, 400)).toBeUndefined()
  })

  it('keeps what is between two fingers where it is, and moves with them', () => {
    const zoomed = zoomedAbout([0, 1000], 1000, 2, 250, 0)!
    expect((250 - zoomed[0]) / (zoomed[1] - zoomed[0])).toBeCloseTo(0.25)
    expect(zoomedAbout([200, 400], 1000, 1, 300, 100)).toEqual([300, 500])
    expect(zoomedAbout([200, 400], 1000, 1, 300, 900)).toEqual([800, 1000])
  })
})
