/**
 * How far rates of few bits lie from exact max-min: contention points alone, in lockstep, over
 * random sets of flows and links, as max-min.test.ts has them for floating point.
 */
import { Random } from '@weir/engine'
import { exactRates, FixedContentionPoint } from '@weir/schemes'
import type { Frp } from '@weir/schemes'
import { maxMin } from '@weir/theory'

const CAPACITY_BPS = 10e9
const ALPHA = 0.05
const PERIODS = 80

export interface Accuracy {
  /** |rate / max-min - 1| over all flows of all sets. */
  readonly meanOff: number
  readonly mostOff: number
  /** Of a share of a third of the link, document A's Fig. 3. */
  readonly thirdOff: number
}

export function accuracyOf(rateBits: number, sets: number): Accuracy {
  let [sum, count, mostOff] = [0, 0, 0]
  for (let seed = 0; seed < sets; seed++) {
    for (const off of offsOf(seed, rateBits)) {
      sum += off
      count++
      mostOff = Math.max(mostOff, off)
    }
  }
  const third = Array.from({ length: 3 }, () => [0])
  const thirds = settled(1, third, rateBits).map((rate) => Math.abs((rate * 3) / (1 - ALPHA) - 1))
  return { meanOff: sum / count, mostOff, thirdOff: Math.max(...thirds) }
}

/** Of one random set: a few shared links, two to thirty flows over some of them each. */
function offsOf(seed: number, rateBits: number): number[] {
  const random = new Random(seed, 'hdl.accuracy')
  const links = 2 + random.below(14)
  const paths = Array.from({ length: 2 + random.below(30) }, () => {
    const all = random.shuffle(Array.from({ length: links }, (_, i) => i))
    return all.slice(0, 1 + random.below(Math.min(links, 5)))
  })
  const { ratesBps } = maxMin(new Float64Array(links).fill(1 - ALPHA), paths)
  const rates = settled(links, paths, rateBits)
  return rates.map((rate, f) => Math.abs(rate / (ratesBps[f] ?? NaN) - 1))
}

/** Rates after some periods, as fractions of the link. */
function settled(links: number, paths: readonly (readonly number[])[], rateBits: number): number[] {
  const points = Array.from(
    { length: links },
    () =>
      new FixedContentionPoint({
        capacityBps: CAPACITY_BPS,
        alpha: ALPHA,
        shortCircuitFraction: 1,
        remembers: true,
        floors: true,
        rateBits,
        countBits: 7,
        topBps: CAPACITY_BPS,
        code: exactRates,
      }),
  )
  let rates = paths.map(() => CAPACITY_BPS)
  for (let period = 0; period < PERIODS; period++) {
    rates = paths.map((path, f) => {
      const frp: Frp = { type: 'frp', currentBps: rates[f] ?? 0, desiredBps: CAPACITY_BPS }
      for (const link of path) points[link]?.receive(frp)
      return Math.max(frp.currentBps, frp.desiredBps)
    })
    for (const point of points) point.tick()
  }
  return rates.map((rate) => rate / CAPACITY_BPS)
}
