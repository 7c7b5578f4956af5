import { describe, expect, it } from 'vitest'
import { Packets } from '../packets.ts'
import { InjectionFifo } from './injection-fifo.ts'

describe('an injection FIFO', () => {
  it('is first in, first out, for each host, and full at its size', () => {
    const packets = new Packets()
    const fifo = new InjectionFifo(2, 2)
    const [a, b, c] = [1, 2, 3].map(() => packets.allocate()) as [number, number, number]
    expect(fifo.first(1)).toBe(-1)
    fifo.push(1, a, packets)
    expect(fifo.isFull(1)).toBe(false)
    fifo.push(1, b, packets)
    expect(fifo.isFull(1)).toBe(true)
    expect(fifo.isFull(0)).toBe(false)
    expect(fifo.first(0)).toBe(-1)
    expect(fifo.first(1)).toBe(a)
    fifo.shift(1, packets)
    expect(fifo.isFull(1)).toBe(false)
    expect(fifo.first(1)).toBe(b)
    fifo.push(1, c, packets)
    fifo.shift(1, packets)
    expect(fifo.first(1)).toBe(c)
    fifo.shift(1, packets)
    expect(fifo.first(1)).toBe(-1)
    fifo.push(1, a, packets)
    expect(fifo.first(1)).toBe(a)
    fifo.shift(1, packets)
    expect(fifo.first(1)).toBe(-1)
  })
})
