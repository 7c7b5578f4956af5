import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatRate,
  formatSize,
  formatTime,
  parseRate,
  parseSize,
  parseTime,
  shortRate,
  shortSize,
  shortTime,
  txTimePs,
  UnitError,
} from './units.ts'

/** The message of the UnitError that reading a quantity ends in. */
function complaint(read: () => number): string {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(UnitError)
    return (error as Error).message
  }
  throw new Error('the text was accepted')
}

const whole = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(),
  fc.tuple(fc.nat(999), fc.nat(12)).map(([n, power]) => n * Number(`1e${power}`)),
  fc.tuple(fc.nat(1023), fc.nat(4)).map(([n, power]) => n * 1024 ** power),
)

describe('reading quantities', () => {
  it.each([
    ['1.5us', 1_500_000],
    ['1.5 us', 1_500_000],
    [' 200ns ', 200_000],
    ['1e3ps', 1000],
    ['2.5e-3ms', 2_500_000],
    ['.5ns', 500],
    ['3\u00b5s', 3_000_000],
    ['3\u03bcs', 3_000_000],
    ['1 s', 1e12],
    ['0', 0],
    ['9007.199254740991s', Number.MAX_SAFE_INTEGER],
  ])('takes %j as %d ps', (text, ps) => expect(parseTime(text)).toBe(ps))

  it.each([
    ['25Gbps', 25e9],
    ['400 Gb/s', 400e9],
    ['1.6Tbps', 1.6e12],
    ['10Mbit/s', 10e6],
    ['64kbps', 64e3],
    ['64Kbps', 64e3],
    ['9bps', 9],
  ])('takes %j as %d bit/s', (text, bps) => expect(parseRate(text)).toBe(bps))

  it.each([
    ['64KB', 64_000],
    ['64kB', 64_000],
    ['64KiB', 65_536],
    ['1.5 MiB', 1_572_864],
    ['12MB', 12_000_000],
    ['3GiB', 3 * 1024 ** 3],
    ['30GB', 30e9],
    ['1500B', 1500],
  ])('takes %j as %d bytes', (text, bytes) => expect(parseSize(text)).toBe(bytes))

  it('rounds from the digits, where a product of floats would miss', () => {
    // 1.0000000000005 s is half a picosecond above; 1.005 * 1000 is 1004.9999... as floats.
    expect(parseTime('1.0000000000005s')).toBe(1_000_000_000_001)
    expect(parseTime('1.0000000000004999s')).toBe(1_000_000_000_000)
    expect(parseSize('1.005KB')).toBe(1005)
    expect(parseTime('1234.567890123456s')).toBe(1_234_567_890_123_456)
  })

  it('refuses bytes for a rate, and says to multiply by eight', () => {
    expect(complaint(() => parseRate('25GB'))).toBe(
      "'25GB' counts bytes, and a rate is in bits per second; " +
        "multiply by 8 and write 'Gbps' instead of 'GB'.",
    )
    expect(complaint(() => parseRate('25GB/s'))).toContain('multiply by 8')
    expect(complaint(() => parseRate('25GBps'))).toContain('multiply by 8')
  })

  it('refuses bits for a size, and names the unit of bytes', () => {
    expect(complaint(() => parseSize('64Kb'))).toContain("write 'KB' instead of 'Kb'")
    expect(complaint(() => parseSize('1Gb'))).toContain("write 'GB' instead of 'Gb'")
    expect(complaint(() => parseSize('1Mib'))).toContain("write 'MiB' instead of 'Mib'")
  })

  it('refuses letters of the wrong case, and writes them out', () => {
    expect(complaint(() => parseTime('5US'))).toContain("write 'us'")
    expect(complaint(() => parseTime('5MS'))).toContain("write 'ms'")
    expect(complaint(() => parseRate('5gbps'))).toContain("write 'Gbps'")
    expect(complaint(() => parseSize('5mb'))).toContain("write 'MB'")
  })

  it('refuses what has no unit, an unknown one, no number, a sign, or no exact value', () => {
    expect(complaint(() => parseTime('5'))).toContain('has no unit; write one of ps, ns, us')
    expect(complaint(() => parseTime('5min'))).toContain('write ps, ns, us, ms or s')
    expect(complaint(() => parseTime(''))).toContain("such as '1.5us'")
    expect(complaint(() => parseTime('soon'))).toContain("such as '1.5us'")
    expect(complaint(() => parseTime('1.2.3us'))).toContain("such as '1.5us'")
    expect(complaint(() => parseSize('1,500B'))).toContain('is not')
    expect(complaint(() => parseTime('-5us'))).toContain('negative')
    expect(complaint(() => parseTime('9008s'))).toContain('9007.199254740992s')
    expect(complaint(() => parseTime('1e999s'))).toContain('too large')
  })

  it('refuses what is there and would round to nothing, but not nothing itself', () => {
    for (const text of ['0.4B', '1e-999B', '0.0001B']) {
      expect(() => parseSize(text)).toThrow('would be none at all')
    }
    expect(() => parseTime('0.1ps')).toThrow("'0.1ps' is less than half a picosecond")
    expect(() => parseRate('0.1bps')).toThrow('less than half a bit/s')
    expect(parseSize('0.5B')).toBe(1)
    expect(parseTime('0.0us')).toBe(0)
  })

  it('ends every message with one full stop', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(parseTime, parseRate, parseSize), (text, read) => {
        try {
          expect(Number.isSafeInteger(read(text))).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(UnitError)
          expect((error as Error).message).toMatch(/\.$/u)
        }
      }),
    )
  })
})

describe('writing quantities', () => {
  it('chooses a unit in which the number is short', () => {
    expect(formatTime(1_500_000)).toBe('1.5us')
    expect(formatTime(0)).toBe('0ps')
    expect(formatTime(999)).toBe('999ps')
    expect(formatTime(-1500)).toBe('-1.5ns')
    expect(formatTime(2e12)).toBe('2s')
    expect(formatRate(25e9)).toBe('25Gbps')
    expect(formatRate(1.6e12)).toBe('1.6Tbps')
    expect(formatSize(64_000)).toBe('64KB')
    expect(formatSize(65_536)).toBe('64KiB')
    expect(formatSize(12 * 1024 ** 2)).toBe('12MiB')
    expect(formatSize(1500)).toBe('1.5KB')
  })

  it('is read back to the same number, for every whole number up to 2^53', () => {
    fc.assert(
      fc.property(whole, (value) => {
        fc.pre(value <= Number.MAX_SAFE_INTEGER)
        expect(parseTime(formatTime(value))).toBe(value)
        expect(parseRate(formatRate(value))).toBe(value)
        expect(parseSize(formatSize(value))).toBe(value)
      }),
      { numRuns: 1000 },
    )
  })

  it('gives tables three digits, and carries into the next unit', () => {
    expect(shortTime(12_345_678)).toBe('12.3 us')
    expect(shortTime(999_600)).toBe('1 us')
    expect(shortTime(999_400)).toBe('999 ns')
    expect(shortRate(9.4149e9)).toBe('9.41 Gbps')
    expect(shortSize(65_536)).toBe('65.5 KB')
    expect(shortSize(0.3456)).toBe('0.346 B')
    expect(shortTime(NaN)).toBe('-')
    expect(shortTime(0)).toBe('0 ps')
  })
})

describe('txTimePs', () => {
  it('is a whole number of picoseconds a byte at the usual rates', () => {
    expect(txTimePs(1, 100e9)).toBe(80)
    expect(txTimePs(1, 400e9)).toBe(20)
    expect(txTimePs(1, 800e9)).toBe(10)
    expect(txTimePs(1, 1.6e12)).toBe(5)
    expect(txTimePs(1500, 10e9)).toBe(1_200_000)
    expect(txTimePs(1, 3e12)).toBe(3)
  })
})
