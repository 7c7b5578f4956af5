import { expect, it } from 'vitest'
import { beforeStart } from './fluid-and-packets.ts'

it('ends its axis where the later part is seen, and says what is beyond', () => {
  const from = (start: number, later: number): number[] =>
    Array.from({ length: 100 }, (_, i) => (i < 10 ? start : later))
  // DCQCN, 64 flows: 37 MB at the start and 0.4 MB later.
  expect(beforeStart({ packets: from(36.6e6, 0.35e6), fluid: from(41.04e6, 0.38e6) })).toEqual({
    endBytes: 0.76e6,
    beyond: '; beyond the axis: 36,600 KB at the start, the fluid 41,000 KB',
  })
  // Nine times as high is seen with the rest.
  expect(beforeStart({ packets: from(0.9e6, 0.1e6), fluid: from(0, 0.1e6) })).toEqual({
    endBytes: Infinity,
    beyond: '',
  })
})
