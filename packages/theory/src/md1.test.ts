import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { md1Waiting, md1WaitPs, mg1WaitPs } from './md1.ts'

/** Mean wait of a simulated queue, by Lindley's recursion. */
function simulatedWait(load: number, service: (random: Random) => number, mean: number): number {
  const random = new Random(1, 'lindley')
  const n = 400_000
  let wait = 0
  let sum = 0
  for (let i = 0; i < n; i++) {
    sum += wait
    wait = Math.max(0, wait + service(random) - random.exponential(mean / load))
  }
  return sum / n
}

describe('mean waits', () => {
  it('are half a service time at load 0.5 with packets of one size', () => {
    expect(md1WaitPs(0.5, 1000)).toBe(500)
    expect(md1Waiting(0.5)).toBe(0.25)
  })

  it('are twice as long with exponential service (M/M/1)', () => {
    expect(mg1WaitPs(0.8, 1000, 1000 ** 2)).toBeCloseTo(4000, 9)
    expect(md1WaitPs(0.8, 1000)).toBeCloseTo(2000, 9)
  })

  it('are nothing without load and without end at full load', () => {
    expect(md1WaitPs(0, 1000)).toBe(0)
    expect(md1WaitPs(1, 1000)).toBe(Infinity)
    expect(md1WaitPs(1.2, 1000)).toBe(Infinity)
    for (const load of [-0.1, NaN]) expect(() => md1WaitPs(load, 1000)).toThrow(`load of ${load}`)
  })

  it('agree with a simulated queue', () => {
    expect(simulatedWait(0.7, () => 1000, 1000) / md1WaitPs(0.7, 1000)).toBeCloseTo(1, 1)
    const bimodal = (random: Random): number => (random.uniform() < 0.5 ? 64 : 1500)
    const wait = mg1WaitPs(0.7, 782, 718 ** 2)
    expect(Math.abs(simulatedWait(0.7, bimodal, 782) / wait - 1)).toBeLessThan(0.03)
  })
})
