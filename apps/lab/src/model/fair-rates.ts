/**
 * The max-min fair rates of the flows that run, over time: what a plot of rates is read against.
 * Flows are taken as greedy, and ports as carrying nothing else; of each port is shared out what
 * the scheme gives to flows.
 */
import { waterFill } from '@weir/theory/water-filling'
import type { Recording, Ways } from './recording.ts'

const FLOWS_MAX = 64
const SETS_MAX = 60

/** What is fair for some of the flows; rows ascend. */
export interface FairRate {
  readonly bps: number
  readonly rows: readonly number[]
}

/** Of a recording that goes on: pictures that were looked at are not looked at again. */
interface Known {
  intervalPs: number
  /** By the set of flows that run. */
  readonly bySet: Map<string, readonly FairRate[]>
  readonly byFrame: (readonly FairRate[])[]
  hasTooMany: boolean
}

const known = new WeakMap<Recording, Known>()

/**
 * By picture: the distinct fair rates of its flows as bits of the wire, the largest first; null:
 * too many to say.
 */
export function fairRates(recording: Recording): readonly (readonly FairRate[])[] | null {
  const { intervalPs } = recording
  const fresh = { intervalPs, bySet: new Map(), byFrame: [], hasTooMany: false }
  const of: Known = known.get(recording) ?? fresh
  known.set(recording, of)
  // When pairs of pictures have become one, all are looked at again.
  if (of.intervalPs !== intervalPs) of.byFrame.length = 0
  of.intervalPs = intervalPs
  while (!of.hasTooMany && of.byFrame.length < recording.count) {
    const rates = ratesAt(recording, of.byFrame.length, of.bySet)
    if (rates === null) of.hasTooMany = true
    else of.byFrame.push(rates)
  }
  return of.hasTooMany ? null : of.byFrame
}

/** Which of its ways a flow takes; -1: its only one. */
function placeOf({ flows }: Recording, row: number, ways: Ways): number {
  return flows[row]?.spreads.findIndex((spread) => spread === ways) ?? -1
}

function ratesAt(
  recording: Recording,
  frame: number,
  bySet: Known['bySet'],
): readonly FairRate[] | null {
  const { rows } = recording.flowsAt(frame)
  if (rows.length > FLOWS_MAX) return null
  const ways = Array.from(rows, (row) => recording.waysOf(row, frame))
  const key = Array.from(rows, (row, i) => `${row}:${placeOf(recording, row, ways[i]!)}`).join()
  const seen = bySet.get(key)
  if (seen !== undefined) return seen
  if (bySet.size >= SETS_MAX) return null
  if (ways.some(({ ports }) => ports.length === 0)) return null
  const flows = ways.map(({ ports, parts }) => ({
    links: ports,
    ...(parts !== undefined && { fractions: parts }),
  }))
  const { rateBps, given } = recording.scene
  const { ratesBps } = waterFill(
    rateBps.map((rate) => rate * given),
    flows,
  )
  const byRate = new Map<number, number[]>()
  ratesBps.forEach((rate, i) => {
    const bps = Number(rate.toPrecision(3))
    byRate.set(bps, [...(byRate.get(bps) ?? []), rows[i]!])
  })
  const rates = [...byRate].map(([bps, of]) => ({ bps, rows: of.sort((a, b) => a - b) }))
  rates.sort((a, b) => b.bps - a.bps)
  bySet.set(key, rates)
  return rates
}
