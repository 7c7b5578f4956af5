import { beforeEach, describe, expect, it } from 'vitest'
import { ReactionPoint } from '../contract/reaction-point.ts'
import type { Ack } from '../contract/reaction-point.ts'
import { ACK, CODE, ECHO, ENTROPY, FIELD_A, FIELD_B, FLAGS, KIND, MARKED } from '../packets.ts'
import { NACK, Packets, SENT, SEQ, TELEMETRY, TRIMMED } from '../packets.ts'
import { AckArrival } from './ack-arrival.ts'
import type { FlowTimers } from './flow-timers.ts'
import { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'
import type { PacketWays } from './packet-ways.ts'
import type { AckOutcome, Reliability } from './reliability.ts'
import type { Sender } from './sender.ts'

/** What all whom an ACK concerns were told, in order; and what a test has them say. */
let told: string[]
let heard: Ack[]
let says: Partial<AckOutcome>
let isComplete: boolean
let flow: Flow

class Hearing extends ReactionPoint {
  override onAck(ack: Readonly<Ack>): void {
    heard.push({ ...ack })
  }
  override onLoss(cause: string, nowPs: number): void {
    told.push(`loss ${cause} at ${nowPs}`)
  }
}

const reliability = {
  onAck(of: Flow, seq: number, isNack: boolean, info: number, outcome: AckOutcome, rttPs: number) {
    told.push(`${isNack ? 'NACK' : 'ACK'} ${seq} of ${info} after ${rttPs}`)
    expect([outcome.duplicates, outcome.recovery, outcome.restartsTimer]).toEqual([0, 'none', true])
    outcome.bytes = 0
    outcome.loss = 'none'
    Object.assign(outcome, says)
    of.inflightBytes = says.bytes === 3000 ? 0 : 500
  },
  onTrimmed: (_of: Flow, seq: number) => told.push(`trimmed ${seq}`),
} as unknown as Reliability

const timers = {
  armTimeout: (_of: Flow, atPs: number) => told.push(`timeout at ${atPs}`),
} as unknown as FlowTimers
const sender = {
  afterReaction: (_of: Flow, nowPs: number) => told.push(`sends at ${nowPs}`),
} as unknown as Sender

beforeEach(() => {
  told = []
  heard = []
  says = {}
  isComplete = false
  flow = new Flow(undefined as unknown as Hosts)
  flow.reaction = new Hearing()
  flow.unacked = 7
  flow.next = 9
  flow.ways = {
    onAck: (entropy: number, isMarked: boolean, nowPs: number) =>
      told.push(`way ${entropy}${isMarked ? ' marked' : ''} at ${nowPs}`),
  } as unknown as PacketWays
})

/** An ACK comes at 1000 ps of a packet that was sent at 400. */
function arrive(
  flags: number,
  kind: number = ACK,
  ackEcn: 'heard' | 'ignored' = 'heard',
  protocol: Reliability = reliability,
): void {
  const packets = new Packets()
  const ender = {
    endIfComplete: (of: Flow) => {
      told.push('ends?')
      of.isDone = isComplete
    },
  }
  packets.allocate()
  const p = packets.allocate()
  packets.int[p + KIND] = kind
  packets.int[p + FLAGS] = flags
  packets.int[p + SEQ] = 5
  packets.int[p + ENTROPY] = 12
  const values = { [SENT]: 400, [FIELD_A]: 6, [FIELD_B]: 77, [TELEMETRY]: 3, [CODE]: 99 }
  for (const [lane, value] of Object.entries(values)) packets.cold[(p >> 1) + Number(lane)] = value
  const params = { reliability: protocol, ackEcn }
  new AckArrival(packets, params, timers, sender, ender).onAck(flow, p, 1000)
}

describe('an ACK that has come home', () => {
  it('is told to the reliability, the way it took, the flow and the sender, in this order', () => {
    says = { bytes: 1000 }
    arrive(0)
    expect(told).toEqual(['ACK 5 of 6 after 600', 'way 12 at 1000', 'ends?', 'sends at 1000'])
    arrive(0, NACK)
    expect(told[4]).toBe('NACK 5 of 6 after 600')
  })

  it('says to the reaction point what it was like', () => {
    says = { bytes: 1000, duplicates: 2, recovery: 'partial' }
    arrive(0)
    expect(heard).toEqual([
      {
        bytes: 1000,
        acked: 7,
        next: 9,
        marked: false,
        rttPs: 600,
        hostDelayPs: 77,
        inflightBytes: 500,
        telemetry: 3,
        header: 99,
        duplicates: 2,
        recovery: 'partial',
      },
    ])
    expect(told).not.toContain('loss none at 1000')
    says = { loss: 'fast-retransmit' }
    arrive(0)
    expect(told).toContain('loss fast-retransmit at 1000')
  })

  it('is marked by what it echoes, and by what it has met itself only where that is heard', () => {
    arrive(ECHO)
    arrive(MARKED)
    arrive(ECHO, ACK, 'ignored')
    arrive(MARKED, ACK, 'ignored')
    expect(heard.map(({ marked }) => marked)).toEqual([true, true, true, false])
    expect(told.filter((line) => line.startsWith('way'))).toEqual([
      'way 12 marked at 1000',
      'way 12 marked at 1000',
      'way 12 marked at 1000',
      'way 12 at 1000',
    ])
  })

  it('of a header says which packet was trimmed, by a way that is as good as marked', () => {
    arrive(TRIMMED, NACK)
    expect(told.slice(0, 3)).toEqual([
      'ACK 5 of -1 after 600',
      'trimmed 6',
      'way 12 marked at 1000',
    ])
    expect(heard[0]!.marked).toBe(false)
  })

  it('concerns no way where none of a packet listens, and no protocol without trimming', () => {
    const { onTrimmed: _, ...other } = reliability
    for (const ways of [undefined, {} as unknown as PacketWays]) {
      told = []
      flow.ways = ways
      arrive(TRIMMED, ACK, 'heard', other)
      expect(told).toEqual(['ACK 5 of -1 after 600', 'ends?', 'sends at 1000'])
    }
  })

  it('starts the timer anew if it is of new data, and the reliability does not forbid it', () => {
    const timeout = (more: Partial<AckOutcome>, rtoPs = 50): string | undefined => {
      told = []
      says = more
      flow.rtoPs = rtoPs
      arrive(0)
      return told.find((line) => line.startsWith('timeout'))
    }
    expect(timeout({ bytes: 1000 })).toBe('timeout at 1050')
    // Nothing is in flight any more.
    expect(timeout({ bytes: 3000 })).toBe('timeout at Infinity')
    expect(timeout({ bytes: 1000, restartsTimer: false })).toBeUndefined()
    expect(timeout({ bytes: 0 })).toBeUndefined()
    expect(timeout({ bytes: 1000 }, 0)).toBeUndefined()
  })

  it('asks nothing more of a flow that it ends', () => {
    isComplete = true
    flow.rtoPs = 50
    says = { bytes: 1000 }
    arrive(0)
    expect(told.at(-1)).toBe('ends?')
  })
})
