import { describe, expect, it } from 'vitest'
import type { Ports } from '../ports.ts'
import { bdpBytes, windowOfPath } from './window.ts'

const ports = { rateBps: Float64Array.of(10e9, 40e9, 5e9, 1e9) } as unknown as Ports
const RTT_PS = 16e6

describe("a host's own window", () => {
  it('is so many products of delay and the bandwidth of the slowest link of the path', () => {
    // 5 Gb/s for 16 us are 10 KB.
    expect(bdpBytes(ports, [1, 2, 0], RTT_PS)).toBe(10_000)
    expect(bdpBytes(ports, [0, 1], RTT_PS)).toBe(20_000)
    const window = { bytes: 0, bdps: 1.5, followsRate: false }
    expect(windowOfPath(window, ports, [0, 1, 2], RTT_PS)).toBe(15_000)
  })

  it('is so many bytes, whatever the path, if they are given', () => {
    const window = { bytes: 7000, bdps: 1.5, followsRate: false }
    expect(windowOfPath(window, ports, [3], RTT_PS)).toBe(7000)
  })

  it('is no bound where there is none', () => {
    expect(windowOfPath(undefined, ports, [3], RTT_PS)).toBe(Infinity)
  })
})
