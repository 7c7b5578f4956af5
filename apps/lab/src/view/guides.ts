/** What rates are read against: fair shares, the link that most flows cross, and all together. */
import { fairRates } from '../model/fair-rates.ts'
import type { FairRate } from '../model/fair-rates.ts'
import type { Recording } from '../model/recording.ts'
import type { ChartLine } from './chart.ts'
import { largest } from './chart.ts'
import { banded } from './smooth.ts'

/** At most this many levels of fair rates are drawn. */
const FAIR_MAX = 3
/** A link that is so many times as fast as any flow would flatten them. */
const NEAR = 3.5
const FLOWS_MAX = 4000
/** So many flows are named beside what is fair for them. */
const OWNERS_MAX = 3
const OF_LINK = 1.1

export interface GuidesAsked {
  /** Of a packet, what is payload. */
  readonly payloadShare: number
  /** Part of the run that rates are means of. */
  readonly part: number
  /** Whether the link and the total are wanted; undefined: where they fit. */
  readonly hasTotal: boolean | undefined
}

export function guidesOf(
  recording: Recording,
  lines: readonly ChartLine[],
  { payloadShare, part, hasTotal }: GuidesAsked,
): ChartLine[] {
  const fair = fairGuides(recording, payloadShare)
  const linkBps = sharedLinkBps(recording) * payloadShare
  const isNear = linkBps <= NEAR * largest(lines)
  if (recording.count === 0 || linkBps <= 0 || !(hasTotal ?? isNear)) return fair
  const link = Array.from({ length: recording.count }, () => linkBps)
  const guides = [...fair, { name: 'link', colour: 0, values: link, dash: [] }]
  const values = banded(recording.totalRates(), part).values
  const total: ChartLine = { name: 'total', colour: 0, values, dash: [8, 4] }
  // Flows that share no link have a total that says nothing of any.
  const isOfLink = largest([total]) <= linkBps * OF_LINK
  return hasTotal === true || isOfLink ? [...guides, total] : guides
}

/** How full the scheme makes a link: what is above it is left free. */
export function headroomGuides({ count, scene }: Recording): readonly ChartLine[] {
  if (scene.given >= 1) return []
  const values = Array.from({ length: count }, () => scene.given)
  return [{ name: 'filled to', colour: 0, values, isComputed: true }]
}

/** The rate of the port that most flows cross; of several, of the slowest. */
function sharedLinkBps({ flows, scene, ports }: Recording): number {
  const crossed = new Int32Array(ports)
  for (const flow of flows.slice(0, FLOWS_MAX))
    for (const port of flow?.path ?? []) crossed[port]!++
  let best = 0
  crossed.forEach((count, port) => {
    const isMore = count > crossed[best]!
    const isSlower = count === crossed[best]! && scene.rateBps[port]! < scene.rateBps[best]!
    if (isMore || isSlower) best = port
  })
  return crossed[best]! > 0 ? scene.rateBps[best]! : 0
}

/** A scheme that leaves headroom shares out a part of each link. */
function fairName({ scene }: Recording): string {
  return scene.given < 1 ? `fair of ${Number((100 * scene.given).toPrecision(3))}%` : 'fair'
}

function fairGuides(recording: Recording, payloadShare: number): ChartLine[] {
  const rates = fairRates(recording)
  if (rates === null) return []
  const levels = Math.min(FAIR_MAX, Math.max(0, ...rates.map((list) => list.length)))
  return Array.from({ length: levels }, (_, level) => ({
    name: fairName(recording),
    ...whose(recording, rates, level),
    colour: level,
    isComputed: true,
    values: rates.map((list) =>
      list[level] === undefined ? null : list[level].bps * payloadShare,
    ),
  }))
}

/**
 * Of several fair rates, for which flows the one is: said if they are few, and theirs is this one
 * wherever there are several.
 */
function whose(
  { flows }: Recording,
  rates: readonly (readonly FairRate[])[],
  level: number,
): { readonly of?: string } {
  const isSeveral = (list: readonly FairRate[]): boolean => list.length > 1
  const last = rates.findLast((list) => isSeveral(list) && list[level] !== undefined)
  const rows = last?.[level]?.rows ?? []
  if (rows.length === 0 || rows.length > OWNERS_MAX) return {}
  // Pictures with the same flows have one list.
  const isTheirs = [...new Set(rates)].every(
    (list) =>
      !isSeveral(list) ||
      list.every((rate, at) => at === level || rate.rows.every((row) => !rows.includes(row))),
  )
  return isTheirs ? { of: rows.map((row) => flows[row]?.name ?? '').join(', ') } : {}
}
