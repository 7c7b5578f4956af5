import { describe, expect, it } from 'vitest'
import { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'
import { paceAgain, paceServed, paceWoken } from './pacing.ts'

const BYTES = 1000
/** A packet at 10 and at 1 Gb/s. */
const FAST_PS = 800_000
const SLOW_PS = 8_000_000

function flowAt(rateBps: number, duePs: number): Flow {
  const flow = new Flow({} as Hosts)
  flow.reaction = { rateBps } as Flow['reaction']
  flow.packetBytes = BYTES
  flow.nstPs = duePs
  flow.servedPs = duePs
  flow.servedBytes = BYTES
  flow.pacedBps = rateBps
  return flow
}

describe('a packet that is served late', () => {
  it('counts as served when it was due, if the wait was a turn and a packet at its rate', () => {
    const flow = flowAt(1e9, 0)
    paceServed(flow, BYTES, 3 * FAST_PS, 1, 3 * FAST_PS + SLOW_PS)
    expect(flow.nstPs).toBe(SLOW_PS)
  })

  it('loses what it was later than that', () => {
    const flow = flowAt(1e9, 0)
    paceServed(flow, BYTES, 3 * FAST_PS, 1, 3 * FAST_PS + SLOW_PS + 12_345)
    expect(flow.nstPs).toBe(SLOW_PS + 12_345)
  })

  it('pushes all later ones back if there is no burst: the letter of the paper', () => {
    const flow = flowAt(1e9, 0)
    paceServed(flow, BYTES, 3 * FAST_PS, 0, 5_000)
    expect(flow.nstPs).toBe(SLOW_PS + 5_000)
  })

  it('has its rate in the long run, whoever goes before it', () => {
    const flow = flowAt(1e9, 0)
    let nowPs = 0
    for (let n = 0; n < 1000; n++) {
      // Late by 0, 1, 2, 3 siblings in turn.
      nowPs = Math.max(nowPs, flow.nstPs) + (n % 4) * FAST_PS
      paceServed(flow, BYTES, 4 * FAST_PS, 1, nowPs)
    }
    expect(flow.nstPs).toBe(1000 * SLOW_PS)
  })
})

describe('a flow that back-pressure held', () => {
  it.each([0, 1, 2])('sends at once one packet and %i more, whatever it has waited', (burst) => {
    const flow = flowAt(1e9, 0)
    const nowPs = 1_000 * SLOW_PS
    let sent = 0
    for (; flow.nstPs <= nowPs; sent++) paceServed(flow, BYTES, FAST_PS, burst, nowPs)
    expect(sent).toBe(1 + burst)
    // The turn is kept: it makes the next one come a little sooner.
    expect(flow.nstPs).toBe(nowPs + SLOW_PS - (burst === 0 ? 0 : FAST_PS))
  })
})

describe('a flow without a limit', () => {
  it('goes behind those that have waited longer', () => {
    const flow = flowAt(Infinity, 0)
    paceServed(flow, BYTES, 3 * FAST_PS, 1, 7_000)
    expect(flow.nstPs).toBe(7_000)
  })
})

describe('an idle flow', () => {
  it.each([0, 1, 2])('has saved nothing, however long it was idle (burst %i)', (burst) => {
    const flow = flowAt(1e9, 0)
    const nowPs = 1_000 * SLOW_PS
    paceWoken(flow, burst, nowPs)
    let sent = 0
    for (; flow.nstPs <= nowPs; sent++) paceServed(flow, BYTES, FAST_PS, burst, nowPs)
    expect(sent).toBe(1)
    expect(flow.nstPs).toBe(nowPs + SLOW_PS)
  })

  it('without a limit keeps its place: it was served longest ago', () => {
    const flow = flowAt(Infinity, 100)
    paceWoken(flow, 1, 5_000)
    expect(flow.nstPs).toBe(100)
  })

  it('is not let go before its time', () => {
    const flow = flowAt(1e9, 9_000)
    paceWoken(flow, 1, 5_000)
    expect(flow.nstPs).toBe(9_000)
  })
})

describe('a change of rate', () => {
  const changed = (flow: Flow, rateBps: number, burst: number, nowPs: number): number => {
    flow.reaction.rateBps = rateBps
    paceAgain(flow, burst, nowPs)
    expect(flow.pacedBps).toBe(rateBps)
    return flow.nstPs
  }
  const servedAt0 = (rateBps: number): Flow => {
    const flow = flowAt(rateBps, 0)
    paceServed(flow, BYTES, FAST_PS, 1, 0)
    return flow
  }

  it('counts from the last packet on, upward and downward', () => {
    expect(changed(servedAt0(1e9), 2e9, 1, 1_000_000)).toBe(SLOW_PS / 2)
    expect(changed(servedAt0(2e9), 1e9, 1, 1_000_000)).toBe(SLOW_PS)
  })

  it('makes a flow due now, not in the past: it has waited for nobody', () => {
    expect(changed(servedAt0(1e9), 10e9, 1, 5_000_000)).toBe(5_000_000)
    expect(changed(servedAt0(1e9), 10e9, 0, 5_000_000)).toBe(FAST_PS)
  })

  it('leaves a flow that is late as late as it was', () => {
    expect(changed(servedAt0(2e9), 10e9, 1, 5_000_000)).toBe(SLOW_PS / 2)
  })

  it('holds a flow that is late back if its rate falls far enough', () => {
    expect(changed(servedAt0(2e9), 1e9, 1, 5_000_000)).toBe(SLOW_PS)
  })

  it('to none at all lets the flow go at once', () => {
    expect(changed(servedAt0(1e9), Infinity, 1, 3_000)).toBe(3_000)
  })
})

describe('a flow that has something to send again', () => {
  it('is due now if it keeps up with a rate, and not before where its time has not come', () => {
    for (const [duePs, nstPs] of [
      [3000, 5000],
      [8000, 8000],
    ] as const) {
      const flow = flowAt(1e9, duePs)
      paceWoken(flow, 1, 5000)
      expect(flow.nstPs).toBe(nstPs)
    }
  })

  it('keeps its place without a burst, as the letter of the paper has it', () => {
    const flow = flowAt(1e9, 3000)
    paceWoken(flow, 0, 5000)
    expect(flow.nstPs).toBe(3000)
  })
})

describe('the time of a packet', () => {
  it('is that of the link at its rate, to the nearest ps, and else no less', () => {
    // 1,000 B at 6 Gb/s are 1,333,333 and a third.
    for (const [lineRateBps, gapPs] of [
      [6e9, 1_333_333],
      [10e9, 1_333_334],
    ] as const) {
      const flow = flowAt(6e9, 0)
      flow.lineRateBps = lineRateBps
      paceServed(flow, BYTES, 0, 1, 0)
      expect(flow.nstPs).toBe(gapPs)
    }
  })
})
