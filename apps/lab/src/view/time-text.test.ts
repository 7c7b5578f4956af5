/** Times on axes: equal steps have equal numbers. */
import { shortTime } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { tickTexts } from './time-text.ts'

const texts = (fromUs: number, stepUs: number, count: number): string[] => {
  const ticks = Array.from({ length: count }, (_, i) => (fromUs + i * stepUs) * 1e6)
  const brief = ticks.map((ps) => (ps === 0 ? '0' : shortTime(ps)))
  return tickTexts(ticks, brief)
}

describe('ticks of time', () => {
  it('that three digits would round have as many as they need, in one unit', () => {
    expect(texts(995, 2.5, 4)).toEqual(['995.0 us', '997.5 us', '1000.0 us', '1002.5 us'])
    expect(texts(1000, 2, 3)).toEqual(['1.000 ms', '1.002 ms', '1.004 ms'])
  })

  it('that are said exactly by three are as brief as they can be', () => {
    expect(texts(0, 500, 4)).toEqual(['0', '500 us', '1 ms', '1.5 ms'])
    expect(texts(980, 20, 3)).toEqual(['980 us', '1 ms', '1.02 ms'])
  })
})
