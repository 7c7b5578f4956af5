import { describe, expect, it } from 'vitest'
import { ReactionPoint } from '../contract/reaction-point.ts'
import { Connections } from './connections.ts'
import { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'
import { tcpRecovery } from './tcp-recovery.ts'
import { measure } from './tcp-timer.ts'
import type { RoundTrip } from './tcp-timer.ts'

const MS = 1e9
const tcp = tcpRecovery({
  rtoMinPs: MS,
  rtoMaxPs: 60_000 * MS,
  granularityPs: 0,
  receiveWindowBytes: 0,
})

class Remembering extends ReactionPoint {
  readonly name: number
  resumed: [former: number, hasRested: boolean] | undefined = undefined

  constructor(name: number) {
    super()
    this.name = name
  }

  override keep(): readonly number[] {
    return [this.name]
  }

  override resume([former]: readonly number[], hasRested: boolean): void {
    this.resumed = [former ?? NaN, hasRested]
  }
}

interface Started {
  readonly flow: Flow
  readonly resumed: [number, boolean] | undefined
}

/** Flow `name` over a round trip of 1 ms; where it goes, and when. */
function start(
  connections: Connections,
  name: number,
  nowPs: number,
  [source, target, trafficClass]: readonly [number, number, number] = [0, 1, 3],
): Started {
  const flow = new Flow(undefined as unknown as Hosts)
  Object.assign(flow, { source, target, class: trafficClass, servedPs: nowPs, baseRttPs: MS })
  tcp.onStart(flow)
  const reaction = new Remembering(name)
  flow.reaction = reaction
  connections.resume(flow, nowPs)
  return { flow, resumed: reaction.resumed }
}

describe('connections', () => {
  it('carry SRTT, RTTVAR and the RTO, as measured and backed off', () => {
    const connections = new Connections({ idleRestart: true }, 8)
    const { flow: first } = start(connections, 1, 0)
    expect(first.rtoPs).toBe(3 * MS)
    measure(first.reliable as RoundTrip, 9 * MS)
    first.rtoPs = 22 * MS
    connections.release(first)
    const { flow: second } = start(connections, 2, 0)
    expect(second.reliable).toMatchObject({ srttPs: 2 * MS, rttvarPs: 2.375 * MS })
    expect(second.rtoPs).toBe(22 * MS)
    // Its own state from here on: the next one's is not the first's.
    measure(second.reliable as RoundTrip, 2 * MS)
    connections.release(second)
    const { flow: third } = start(connections, 3, 0)
    expect((third.reliable as RoundTrip).rttvarPs).toBeCloseTo(0.75 * 2.375 * MS)
  })

  it('have rested if nothing was sent for more than an RTO, and idle restart is on', () => {
    const resumedAfter = (nowPs: number, idleRestart: boolean): boolean | undefined => {
      const connections = new Connections({ idleRestart }, 8)
      const { flow } = start(connections, 1, 0)
      flow.servedPs = 5 * MS
      connections.release(flow)
      return start(connections, 2, nowPs).resumed?.[1]
    }
    expect(resumedAfter(8 * MS, true)).toBe(false)
    expect(resumedAfter(8 * MS + 1, true)).toBe(true)
    expect(resumedAfter(1e6 * MS, false)).toBe(false)
  })

  it('carry one flow at a time, the one that ended last first', () => {
    const connections = new Connections({ idleRestart: false }, 8)
    const flows = [1, 2, 3].map((name) => start(connections, name, 0))
    expect(flows.map(({ resumed }) => resumed)).toEqual([undefined, undefined, undefined])
    for (const i of [1, 0]) connections.release(flows[i]!.flow)
    const later = [4, 5, 6].map((name) => start(connections, name, MS).resumed?.[0])
    expect(later).toEqual([1, 2, undefined])
  })

  it('are of one source, target and class', () => {
    const connections = new Connections({ idleRestart: false }, 8)
    for (let source = 0; source < 8; source++) {
      for (let target = 0; target < 8; target++) {
        for (let c = 0; c < 8; c++) {
          const { flow, resumed } = start(connections, 0, 0, [source, target, c])
          expect(resumed).toBeUndefined()
          connections.release(flow)
        }
      }
    }
    expect(start(connections, 0, 0, [7, 7, 7]).resumed).toEqual([0, false])
  })
})
