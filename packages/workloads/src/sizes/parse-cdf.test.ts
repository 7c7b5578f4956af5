import { describe, expect, it } from 'vitest'
import { cdf } from './cdf.ts'
import { parseCdf } from './parse-cdf.ts'

describe('parseCdf', () => {
  it('reads per cent and fractions alike', () => {
    const rows = [
      [0, 0],
      [4000, 0.25],
      [8000, 1],
    ]
    expect(parseCdf('0 0\n4000 25\n8000 100\n', 'a.txt')).toEqual(rows)
    expect(parseCdf('0 0\n4000 0.25\n8000 1\n', 'a.txt')).toEqual(rows)
  })

  it('reads a file without a last newline, with exponents, tabs, commas, comments and CRLF', () => {
    expect(parseCdf('\ufeff# sizes\r\n\r\n1e3\t2.5E-1\r\n 2.0e+3 , .5\r\n1E6 1', 'a.txt')).toEqual([
      [1000, 0.25],
      [2000, 0.5],
      [1_000_000, 1],
    ])
  })

  it('keeps a first row above 0, atoms and flat segments', () => {
    const rows = parseCdf('150 0.1\n300 0.12\n300 0.2\n600 0.2\n1000 1', 'a.txt')
    expect(rows).toHaveLength(5)
    expect(cdf('a.txt', rows).mean()).toBeCloseTo(15 + 4.5 + 24 + 640, 9)
  })

  it('reads a table of one row as a single size', () => {
    expect(cdf('a.txt', parseCdf('9000 100', 'a.txt')).mean()).toBe(9000)
  })

  it.each([
    ['', 'a.txt has no rows'],
    ['0 0\n100 0.97\n', 'a.txt, line 2: the distribution stops at 0.97, below 1;'],
    ['0 0\n100 97\n', 'a.txt, line 2: the distribution stops at 97, below 100 per cent;'],
    ['0 0\n100 101\n', 'a.txt, line 2: the cumulative 101 is above 100'],
    ['0 0\n100\n', "a.txt, line 2: '100' has a number of columns other than two;"],
    ['0 1 0\n', 'other than two; write the size in bytes and the cumulative'],
    ['0 0\n#\nfew 1', "a.txt, line 3: 'few' is not a number"],
    ['-1 0\n1 1', "'-1' is not a number of 0 or more"],
    ['200 0.5\n100 1', 'a.txt, line 2: the size 100 is below the 200 before it'],
    ['100 0.5\n200 0.4\n300 1', 'a.txt, line 2: the cumulative 0.4 is below the 0.5 before it'],
  ])('refuses %j with the place and the remedy', (text, message) => {
    expect(() => parseCdf(text, 'a.txt')).toThrow(message)
  })
})
