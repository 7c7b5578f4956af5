/**
 * Contention points alone, in lockstep: every period each flow's FRP crosses its links and the
 * source takes the answer before the next. What remains is the algorithm, without packets or time.
 */
import { Random } from '@weir/engine'
import { maxMin } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { AccurateContentionPoint, exactRates } from './contention-point.ts'
import type { FrpType } from './contention-point.ts'

const CAPACITY_BPS = 10e9
const ALPHA = 0.05

interface FlowSet {
  readonly links: number
  /** Links of each flow, in any order: worse than any real network's routes. */
  readonly paths: readonly (readonly number[])[]
}

function flowSet(seed: number): FlowSet {
  const random = new Random(seed, 'accurate.flow-set')
  const shared = 2 + random.below(14)
  const count = 2 + random.below(30)
  const paths = Array.from({ length: count }, (_, f) => {
    const length = 1 + random.below(Math.min(shared, 5))
    const links = random.shuffle(Array.from({ length: shared }, (_unused, i) => i))
    return [shared + f, ...links.slice(0, length)]
  })
  return { links: shared + count, paths }
}

/** Periods until all rates stay within 1% of max-min; NaN: not within `periodsMax`. */
function periodsToSettle({ links, paths }: FlowSet, isOurs: boolean, periodsMax: number): number {
  const points = Array.from(
    { length: links },
    () =>
      new AccurateContentionPoint({
        capacityBps: CAPACITY_BPS,
        alpha: ALPHA,
        shortCircuitFraction: 1,
        remembers: isOurs,
        floors: isOurs,
        code: exactRates,
      }),
  )
  const shareable = new Float64Array(links).fill(CAPACITY_BPS * (1 - ALPHA))
  const { ratesBps: targets } = maxMin(shareable, paths)
  let rates: number[] = paths.map(() => CAPACITY_BPS)
  const send = (f: number, type: FrpType): number => {
    const frp = { type, currentBps: rates[f] ?? 0, desiredBps: CAPACITY_BPS }
    for (const link of paths[f] ?? []) points[link]?.receive(frp)
    return Math.max(frp.currentBps, frp.desiredBps)
  }
  rates = paths.map((_, f) => send(f, 'flow-init'))
  let last = 0
  for (let period = 1; period <= periodsMax; period++) {
    for (const point of points) point.tick()
    rates = paths.map((_, f) => send(f, 'frp'))
    const isThere = rates.every((rate, f) => Math.abs(rate / (targets[f] ?? NaN) - 1) <= 0.01)
    if (!isThere) last = period
  }
  return last === periodsMax ? NaN : last
}

/** Sets that without the floor go round in a cycle, or settle only after 276 periods. */
const HARD = [612, 3940, 5583]

describe("ACCurate's algorithm", () => {
  it('finds the max-min rates of random flow sets in a few periods, and stays there', () => {
    const periods: number[] = []
    for (let seed = 0; seed < 1000; seed++) periods.push(periodsToSettle(flowSet(seed), true, 50))
    expect(periods.filter((one) => one !== one)).toEqual([])
    periods.sort((a, b) => a - b)
    expect(periods[500]).toBeLessThanOrEqual(5)
    expect(periods[999]).toBeLessThanOrEqual(20)
  })

  it.each(HARD)('settles flow set %i, which went round in a cycle before', (seed) => {
    expect(periodsToSettle(flowSet(seed), true, 50)).toBeLessThanOrEqual(20)
  })

  it('by the letter of the paper leaves one set in twelve or so unsettled', () => {
    let failed = 0
    for (let seed = 0; seed < 300; seed++) {
      const periods = periodsToSettle(flowSet(seed), false, 200)
      if (periods !== periods) failed++
    }
    expect(failed / 300).toBeGreaterThan(0.03)
    expect(failed / 300).toBeLessThan(0.15)
  })
})
