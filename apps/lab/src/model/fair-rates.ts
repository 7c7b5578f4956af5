/**
 * The max-min fair rates of the flows that run, over time: what a plot of rates is read against.
 * Flows are taken as greedy, and ports as carrying nothing else.
 */
import { maxMin } from '@weir/theory/max-min'
import type { Recording } from './recording.ts'

const FLOWS_MAX = 64
const SETS_MAX = 60

/** By picture: the distinct fair rates of its flows, the largest first; null: too many to say. */
export function fairRates(recording: Recording, payloadShare: number): number[][] | null {
  const known = new Map<string, number[]>()
  const all: number[][] = []
  const capacities = Array.from(recording.scene.rateBps, (rate) => rate * payloadShare)
  for (let frame = 0; frame < recording.count; frame++) {
    const { rows } = recording.flowsAt(frame)
    if (rows.length > FLOWS_MAX) return null
    const key = rows.join()
    let rates = known.get(key)
    if (rates === undefined) {
      if (known.size >= SETS_MAX) return null
      const paths = Array.from(rows, (row) => recording.flows[row]?.path ?? [])
      if (paths.some((path) => path.length === 0)) return null
      const { ratesBps } = maxMin(capacities, paths)
      rates = [...new Set(Array.from(ratesBps, (rate) => Number(rate.toPrecision(3))))]
      rates.sort((a, b) => b - a)
      known.set(key, rates)
    }
    all.push(rates)
  }
  return all
}
