/** What rates are read against: fair shares, the link that most flows cross, and all together. */
import { fairRates } from '../model/fair-rates.ts'
import type { FairRate } from '../model/fair-rates.ts'
import type { Recording } from '../model/recording.ts'
import { levelsOf } from '../scene/tanks.ts'
import type { Level } from '../scene/tanks.ts'
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
const MOSTLY = 0.95
const OTHERS = 'others'
const OF_LINK = 1.1
/** A mark is drawn if it is at most so many times as high as the longest queue. */
const QUEUE_NEAR = 1.15

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
  // Flows that go many ways meet in no one link: of those that most cross, one is their host's.
  const isNear = linkBps <= NEAR * largest(lines) && !goManyWays(recording)
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

function goManyWays({ flows }: Recording): boolean {
  return flows.slice(0, FLOWS_MAX).some((flow) => (flow?.spreads.length ?? 0) > 0)
}

/**
 * What the queues of some ports are read against: where marks begin and end, what is full, and what
 * a story names. Of ports that differ no level is that of all.
 */
export function queueGuides(
  recording: Recording,
  ports: readonly number[],
  { most, told = [] }: { readonly most: number; readonly told?: readonly Level[] },
): ChartLine[] {
  const [first = -1, ...others] = ports
  const isOfAll = ({ name, bytes }: Level): boolean =>
    others.every((port) =>
      levelsOf(recording, port).some((one) => one.name === name && one.bytes === bytes),
    )
  const own = first < 0 ? [] : levelsOf(recording, first).filter(isOfAll)
  // The others are an input's, and queues are outputs'; what is far above would flatten them.
  const shown = own.filter(({ name }) => OF_OUTPUTS.includes(name))
  return [...shown, ...told]
    .filter(({ bytes }) => bytes <= QUEUE_NEAR * most)
    .map(({ name, bytes }, colour) => {
      const values = Array.from({ length: recording.count }, () => bytes)
      return { name, colour, values, dash: [] }
    })
}

const OF_OUTPUTS: readonly string[] = ['K', 'Kmin', 'Kmax', 'limit']

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
 * Of several fair rates, for which flows the one is, if they are few; of the last: for all others,
 * if no rate above it is without a name.
 */
function whose(
  { flows }: Recording,
  rates: readonly (readonly FairRate[])[],
  level: number,
): { readonly of?: string } {
  const levels = Math.max(0, ...rates.map((list) => list.length))
  const owners = ownersOf(rates, levels)
  const named = owners.map((rows) =>
    rows.length > OWNERS_MAX ? '' : rows.map((row) => flows[row]?.name ?? '').join(', '),
  )
  const own = named[level] ?? ''
  if (own !== '') return { of: own }
  const isLast = level > 0 && level === levels - 1 && owners[level]!.length > 0
  return isLast && named.slice(0, level).every((of) => of !== '') ? { of: OTHERS } : {}
}

/** By level: the flows whose rate it nearly always is when there are several. */
function ownersOf(rates: readonly (readonly FairRate[])[], levels: number): number[][] {
  const all = new Map<number, Int32Array>()
  for (const list of rates) {
    if (list.length < 2) continue
    list.forEach(({ rows }, level) => {
      for (const row of rows) {
        const times = all.get(row) ?? new Int32Array(levels)
        times[level]!++
        all.set(row, times)
      }
    })
  }
  const rows = [...all.keys()].sort((a, b) => a - b)
  return Array.from({ length: levels }, (_, level) =>
    rows.filter((row) => {
      const times = all.get(row)!
      return times[level]! >= MOSTLY * times.reduce((a, b) => a + b, 0)
    }),
  )
}
