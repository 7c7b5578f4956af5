/** What rates are read against: fair shares, the link that most flows cross, and all together. */
import { fairRates } from '../model/fair-rates.ts'
import type { LaneRun } from '../model/lane-run.ts'
import type { Recording } from '../model/recording.ts'
import type { ChartLine } from './chart.ts'
import { largest } from './chart.ts'
import { banded } from './smooth.ts'

/** At most this many levels of fair rates are drawn. */
const FAIR_MAX = 3
/** A link that is so many times as fast as any flow would flatten them. */
const NEAR = 3.5
const FLOWS_MAX = 4000
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
  const total: ChartLine = { name: 'total', colour: 0, values, dash: [2, 3] }
  // Flows that share no link have a total that says nothing of any.
  const isOfLink = largest([total]) <= linkBps * OF_LINK
  return hasTotal === true || isOfLink ? [...guides, total] : guides
}

/** How full R2C2 makes a link: a part is left for flows that nobody has been told of. */
export function headroomGuides(
  { count }: Recording,
  result: LaneRun['result'],
): readonly ChartLine[] {
  const scheme = result?.spec.scheme
  const headroom = scheme?.name === 'r2c2' ? scheme.params['headroom'] : undefined
  if (typeof headroom !== 'number' || headroom <= 0) return []
  const values = Array.from({ length: count }, () => 1 - headroom)
  return [{ name: 'headroom', colour: 0, values }]
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

function fairGuides(recording: Recording, payloadShare: number): ChartLine[] {
  const rates = fairRates(recording)
  if (rates === null) return []
  const levels = Math.min(FAIR_MAX, Math.max(0, ...rates.map((list) => list.length)))
  return Array.from({ length: levels }, (_, level) => ({
    name: 'fair',
    colour: level,
    values: rates.map((list) => (list[level] === undefined ? null : list[level] * payloadShare)),
  }))
}
