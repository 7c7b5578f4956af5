/**
 * Who is on which channel at a moment: a link's payload, as it was carried, divided among the
 * flows whose way it is, in proportion to what was delivered of each, and of those that go many
 * ways to the part that is meant for this one. Means of a short window that ends at the moment: a
 * single picture is a few packets long, and nothing is seen before it happens.
 */
import type { Recording } from '../model/recording.ts'
import type { Deadlock, Picture } from './picture.ts'

export interface Ribbon {
  readonly row: number
  /** Of the link's capacity. */
  readonly share: number
}

export interface Channel {
  readonly ribbons: readonly Ribbon[]
  /** Of the link's time: ACKs, headers, heartbeats, pauses. */
  readonly control: number
  /** Of the time, it was kept from sending. */
  readonly paused: number
  /** Flows under way whose way it is, moving or not. */
  readonly waiting: readonly number[]
}

/** Pictures in a window. */
const WINDOW = 5

const NONE: Channel = { ribbons: [], control: 0, paused: 0, waiting: [] }

/** Channels of a picture; once a deadlock is seen, of what came after it: nothing moves. */
export function channelsNow(
  { recording, frame, playheadPs }: Pick<Picture, 'recording' | 'frame' | 'playheadPs'>,
  deadlock: Deadlock | undefined,
): Channel[] {
  const isStuck = deadlock !== undefined && playheadPs >= deadlock.seenPs
  return channelsAt(recording, frame, isStuck ? deadlock.sincePs / recording.intervalPs : 0)
}

/** `from`: nothing before this picture counts. */
export function channelsAt(recording: Recording, frame: number, from: number = 0): Channel[] {
  const { ports } = recording
  if (frame < 0) return new Array<Channel>(ports).fill(NONE)
  const last = Math.min(recording.count - 1, frame)
  const first = Math.min(last, Math.max(from, frame - WINDOW + 1))
  const rates = ratesIn(recording, first, last)
  const onPort: { row: number; rate: number }[][] = Array.from({ length: ports }, () => [])
  for (const row of [...rates.keys()].sort((a, b) => a - b)) {
    const { ports: own, parts } = recording.waysOf(row, frame)
    own.forEach((port, k) => onPort[port]!.push({ row, rate: rates.get(row)! * (parts?.[k] ?? 1) }))
  }
  return onPort.map((flows, port) => {
    let [use, control, paused] = [0, 0, 0]
    for (let at = first; at <= last; at++) {
      use += recording.utilisation[at * ports + port]! / 255
      control += recording.close?.controlShare(at, port) ?? 0
      paused += recording.paused[at * ports + port]! / 255
    }
    const count = last - first + 1
    const payload = Math.max(0, use - control) / count
    const total = flows.reduce((sum, { rate }) => sum + rate, 0)
    const even = flows.length > 0 ? 1 / flows.length : 0
    const ribbons = flows.map(({ row, rate }) => ({
      row,
      share: payload * (total > 0 ? rate / total : even),
    }))
    const waiting = flows.map(({ row }) => row)
    return { ribbons, control: control / count, paused: paused / count, waiting }
  })
}

/** Delivered, summed over pictures, of the flows that run in any of them. */
function ratesIn(recording: Recording, first: number, last: number): Map<number, number> {
  const rates = new Map<number, number>()
  for (let at = first; at <= last; at++) {
    const { rows, rates: here } = recording.flowsAt(at)
    rows.forEach((row, k) => rates.set(row, (rates.get(row) ?? 0) + here[k]!))
  }
  return rates
}
