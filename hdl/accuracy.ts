/**
 * How far rates of few bits lie from exact max-min: contention points alone, in lockstep, over
 * random sets of flows and links, as max-min.test.ts has them for floating point.
 */
import { Random } from '@weir/engine'
import { AccurateContentionPoint, exactRates, FixedContentionPoint } from '@weir/schemes'
import type { Frp } from '@weir/schemes'
import { maxMin } from '@weir/theory'

const CAPACITY_BPS = 10e9
const ALPHA = 0.05
const PERIODS = 80
/** Off by more than this is not a matter of bits: the rates have not settled. */
const UNSETTLED = 0.2

/** What reckons: floating point where there are no bits. */
export interface Reckoning {
  readonly rateBits: number | undefined
  readonly countBits: number
  /** Both amendments, or the letter of the paper. */
  readonly isAmended: boolean
}

export interface Accuracy {
  /** |rate / max-min - 1| over all flows of all sets. */
  readonly meanOff: number
  readonly mostOff: number
  /** Of a share of a third of the link, ACCurate's Fig. 3. */
  readonly thirdOff: number
  /** Sets in which a flow is off by more than a fifth. */
  readonly unsettled: number
}

export function accuracyOf(reckoning: Reckoning, sets: number): Accuracy {
  let [sum, count, mostOff, unsettled] = [0, 0, 0, 0]
  for (let seed = 0; seed < sets; seed++) {
    const offs = offsOf(seed, reckoning)
    for (const off of offs) sum += off
    count += offs.length
    const most = Math.max(...offs)
    mostOff = Math.max(mostOff, most)
    if (most > UNSETTLED) unsettled++
  }
  const thirds = settled(1, [[0], [0], [0]], reckoning)
  const thirdOff = Math.max(...thirds.map((rate) => Math.abs((rate * 3) / (1 - ALPHA) - 1)))
  return { meanOff: sum / count, mostOff, thirdOff, unsettled }
}

/** Of one random set: a few shared links, two to thirty flows over some of them each. */
function offsOf(seed: number, reckoning: Reckoning): number[] {
  const random = new Random(seed, 'hdl.accuracy')
  const links = 2 + random.below(14)
  const paths = Array.from({ length: 2 + random.below(30) }, () => {
    const all = random.shuffle(Array.from({ length: links }, (_, i) => i))
    return all.slice(0, 1 + random.below(Math.min(links, 5)))
  })
  const { ratesBps } = maxMin(new Float64Array(links).fill(1 - ALPHA), paths)
  const rates = settled(links, paths, reckoning)
  return rates.map((rate, f) => Math.abs(rate / (ratesBps[f] ?? NaN) - 1))
}

/** Rates after some periods, as fractions of the link. */
function settled(
  links: number,
  paths: readonly (readonly number[])[],
  reckoning: Reckoning,
): number[] {
  const points = Array.from({ length: links }, () => pointOf(reckoning))
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

function pointOf({
  rateBits,
  countBits,
  isAmended,
}: Reckoning): AccurateContentionPoint | FixedContentionPoint {
  const settings = {
    capacityBps: CAPACITY_BPS,
    alpha: ALPHA,
    shortCircuitFraction: 1,
    remembers: isAmended,
    floors: isAmended,
    code: exactRates,
  }
  if (rateBits === undefined) return new AccurateContentionPoint(settings)
  return new FixedContentionPoint({ ...settings, rateBits, countBits, topBps: CAPACITY_BPS })
}
