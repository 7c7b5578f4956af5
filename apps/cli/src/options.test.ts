import { describe, expect, it } from 'vitest'
import { wholeThreads } from './options.ts'

describe('--threads', () => {
  it.each([
    ['1', 1],
    ['2', 2],
    ['64', 64],
  ])('takes %s', (value, threads) => {
    expect(wholeThreads(value)).toBe(threads)
  })

  it.each(['0', '65', '-1', '1.5', '2x', '0x2', '1e1', ' 2', '', 'all'])(
    'refuses %j with what to write',
    (value) => {
      expect(() => wholeThreads(value)).toThrow('write a whole number from 1 to 64.')
    },
  )
})
