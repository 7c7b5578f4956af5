/** Connections that persist between requests: what the next request has from the one before. */
import { describe, expect, it } from 'vitest'
import { createRun, simulate } from '@weir/sim'
import { losing, specOf } from '@weir/sim/testing'
import { dctcp } from './dctcp.ts'
import { tcpReno } from './tcp-reno.ts'
import { ackOf, FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'

const MSS = 1000

interface Request {
  readonly at: string
  readonly size?: string
  readonly from?: string
  readonly to?: string
  readonly class?: number
}

/** Requests over a round trip of 10 ms, by default of 600 packets from h1 to h0. */
function specFor(tcp: object, requests: readonly Request[]): ReturnType<typeof specOf> {
  return specOf({
    topology: { kind: 'star', hosts: 3, rate: '10Gbps', delay: '2500us' },
    fabric: { flowControl: 'none', buffer: { size: '100MB', threshold: '50MB' } },
    hosts: { mtu: `${MSS}B`, header: '48B', tcp },
    workload: [
      {
        flows: requests.map(({ at, size = '600KB', from = 'h1', to = 'h0', ...rest }) => ({
          ...{ from, to, size, start: at },
          ...rest,
        })),
      },
    ],
    scheme: 'tcp-reno',
    run: { until: '10s' },
  })
}

/** Completion times in round trips of the empty fabric. */
function roundTrips(tcp: object, requests: readonly Request[]): number[] {
  const { flows } = simulate(specFor(tcp, requests))
  return Array.from(flows.fctPs, (fctPs) => Math.floor(fctPs / 10e9))
}

const persistent = { connection: 'persistent' }

describe('the second request between two hosts', () => {
  // 600 packets: 10 + 20 + 40 + 80 + 160 + 290. In the last round trip a window of 320 that is not
  // filled grows for k ACKs, until 320 + k >= 2 (290 - k) (RFC 7661): to 407, and then 407 + 193.
  it('starts with the window of the first', () => {
    const requests = [{ at: '0s' }, { at: '100ms' }]
    expect(roundTrips({}, requests)).toEqual([6, 6])
    expect(roundTrips(persistent, requests)).toEqual([6, 2])
    expect(roundTrips({ ...persistent, sack: true }, requests)).toEqual([6, 2])
    const sized = (size: string): Request[] => [{ at: '0s' }, { at: '100ms', size }]
    expect(roundTrips(persistent, sized('405KB'))).toEqual([6, 1])
    expect(roundTrips(persistent, sized('410KB'))).toEqual([6, 2])
  })

  it('starts over from the initial window after an idle time of more than an RTO', () => {
    // The first sends its last packet at about 50 ms, and its RTO is 200 ms.
    expect(roundTrips(persistent, [{ at: '0s' }, { at: '245ms' }])).toEqual([6, 2])
    expect(roundTrips(persistent, [{ at: '0s' }, { at: '255ms' }])).toEqual([6, 6])
    const never = { ...persistent, idleRestart: false }
    expect(roundTrips(never, [{ at: '0s' }, { at: '5s' }])).toEqual([6, 2])
  })

  it('shares nothing with one that is under way: as many connections as requests at once', () => {
    const both = [{ at: '0s' }, { at: '55ms' }]
    expect(roundTrips(persistent, both)).toEqual([6, 6])
    const later = [{ at: '130ms' }, { at: '130ms' }, { at: '130ms' }]
    expect(roundTrips(persistent, [...both, ...later])).toEqual([6, 6, 2, 2, 6])
  })

  it('is of the same source, target and class', () => {
    const others = [
      { at: '100ms', from: 'h2' },
      { at: '100ms', to: 'h2' },
      { at: '100ms', from: 'h0', to: 'h1' },
      { at: '100ms', class: 1 },
      { at: '100ms' },
    ]
    expect(roundTrips(persistent, [{ at: '0s' }, ...others])).toEqual([6, 6, 6, 6, 6, 2])
  })

  // The repeated packet has no RTT (Karn's rule), so that its connection keeps the doubled RTO.
  it.each([
    ['per-flow', 200],
    ['persistent', 400],
  ])('has the timer of the first, backed off: %s', (connection, secondRtoMs) => {
    const requests = ['0s', '300ms'].map((at) => ({ at, size: '1000B' }))
    const run = createRun(specFor({ connection }, requests))
    const losses = losing(run, (n) => n === 0 || n === 2)
    run.step(Infinity)
    expect(losses.lost).toBe(2)
    const [first, second] = Array.from(run.result().flows.fctPs, (ps) => Math.round(ps / 1e9))
    expect([first, second]).toEqual([210, secondRtoMs + 10])
  })
})

describe('what a connection keeps', () => {
  const renoOf = (): ReturnType<ReturnType<typeof tcpReno.create>['reaction']> =>
    tcpReno
      .create(valuesOf(tcpReno, { initialWindow: 10 }), fakeContext())
      .reaction(new FakeFlow(10e9, 20e6))

  it('is cwnd and ssthresh, and after a rest no more than the initial window', () => {
    const resumed = (kept: readonly number[], hasRested: boolean): number[] => {
      const reaction = renoOf()
      reaction.resume(kept, hasRested)
      return [reaction.windowBytes, reaction.observe(0), reaction.observe(1)]
    }
    expect(resumed([32_500, 20_000], false)).toEqual([32_000, 32_500, 20_000])
    expect(resumed([32_500, 20_000], true)).toEqual([10_000, 10_000, 20_000])
    expect(resumed([4000, 20_000], true)).toEqual([4000, 4000, 20_000])
    expect(resumed([], false)).toEqual([10_000, 10_000, 1e12])
  })

  it('of a flow that was stopped in recovery is not the inflated window', () => {
    const flow = new FakeFlow(10e9, 20e6)
    const values = valuesOf(tcpReno, { initialWindow: 20 })
    const reaction = tcpReno.create(values, fakeContext()).reaction(flow)
    flow.inflightBytes = 20 * MSS
    reaction.onLoss('fast-retransmit', 0)
    expect(reaction.windowBytes).toBe(13 * MSS)
    expect(reaction.keep()).toEqual([10 * MSS, 10 * MSS])
  })

  it("is DCTCP's alpha, too, with what its last window has counted", () => {
    const control = dctcp.create(valuesOf(dctcp, { initialWindow: 10 }), fakeContext())
    const reactionOf = (): ReturnType<typeof control.reaction> =>
      control.reaction(new FakeFlow(10e9, 20e6))
    // One flow of 25 packets, the 18th and 25th marked, or two of 20 and 5 by one connection.
    const whole = reactionOf()
    const [first, second] = [reactionOf(), reactionOf()]
    const full = { inflightBytes: 9000 }
    for (let i = 1; i <= 20; i++) {
      const ack = ackOf({ ...full, acked: i, next: Math.min(20, i + 9), marked: i === 18 })
      whole.onAck(ack, 0)
      first.onAck(ack, 0)
    }
    second.resume(first.keep(), false)
    for (let i = 1; i <= 5; i++) {
      whole.onAck(ackOf({ ...full, acked: 20 + i, next: 25, marked: i === 5 }), 0)
      second.onAck(ackOf({ ...full, acked: i, next: 5, marked: i === 5 }), 0)
    }
    const inside = [0, 1, 2].map((i) => second.observe(i))
    expect(inside).toEqual([0, 1, 2].map((i) => whole.observe(i)))
    expect(inside[2]).toBeLessThan(0.9)
  })
})
