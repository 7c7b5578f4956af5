/** Numbers that stories say, held to what their pictures show. */
import { describe, expect, it } from 'vitest'
import { createRun } from '@weir/sim'
import { laneSpec } from '../model/experiment.ts'
import { momentsOf } from '../model/moments.ts'
import { storyExperiment, storyTold } from '../model/story-experiment.ts'
import { laneTheory } from '../model/theory.ts'
import { portByName } from '../scene/picture.ts'
import { meanIn, recordedLanes } from '../testing/recorded.ts'
import type { RecordedLane } from '../testing/recorded.ts'
import { gbps, saidIn, stepOf, totalOf } from '../testing/told.ts'
import { TOTALS } from '../worker/protocol.ts'
import { accurate } from './accurate.ts'
import { fluid } from './fluid.ts'
import { incast } from './incast.ts'
import { stories } from './index.ts'
import { infiniband } from './infiniband.ts'
import { pacc } from './pacc.ts'
import { pfc } from './pfc.ts'
import { tcpToHere } from './tcp-to-here.ts'

describe('what stories say', () => {
  it('of several lanes is of one, which they name: a phone shows that one', () => {
    for (const { name, steps } of stories) {
      for (const step of steps) {
        const { length } = storyExperiment(step).experiment.lanes
        const which = `${name}: ${step.title}`
        if (length < 2) expect(step.lane, which).toBeUndefined()
        else expect('ABC'.slice(0, length), which).toContain(step.lane)
      }
    }
  })

  it('of the victim: 7.8 Gb/s, and 17 and 15 with rates that are controlled', () => {
    const [alone, dcqcn, accurate] = recordedLanes(stepOf(pfc, 'Slow down at the source'))
    expect(saidIn(stepOf(pfc, 'The victim'))).toMatch(/7\.8 Gb\/s.*flow a gets 7\.7/)
    expect(gbps(alone!, 'victim', 400, 4000)).toBeCloseTo(7.75, 0.9)
    expect(gbps(alone!, 'a', 400, 4000)).toBeCloseTo(7.7, 0.9)
    expect(saidIn(stepOf(pfc, 'Slow down at the source'))).toMatch(/17 and 15.*6 Gb\/s.*8 to 9/)
    expect(Math.round(gbps(dcqcn!, 'victim', 800, 4000))).toBeGreaterThanOrEqual(17)
    expect(Math.round(gbps(dcqcn!, 'victim', 800, 4000))).toBeLessThanOrEqual(18)
    expect(Math.round(gbps(accurate!, 'victim', 800, 4000))).toBe(15)
    expect(Math.round(gbps(dcqcn!, 'a', 800, 4000))).toBe(6)
    for (const flow of ['b', 'c']) {
      expect(gbps(dcqcn!, flow, 800, 4000)).toBeGreaterThan(7.5)
      expect(gbps(dcqcn!, flow, 800, 4000)).toBeLessThan(9.5)
      expect(gbps(accurate!, flow, 800, 4000)).toBeCloseTo(gbps(accurate!, 'a', 800, 4000), 1)
    }
    expect(totalOf(dcqcn!, 2)).toBeGreaterThan(25)
    expect(totalOf(dcqcn!, 2)).toBeLessThan(35)
    expect(totalOf(accurate!, 2)).toBe(0)
  })

  it('of who is stopped first: those next door, those behind far, and then far', () => {
    const step = stepOf(pfc, 'Nothing is lost')
    expect(saidIn(step)).toMatch(/B and C after \*56 us.*A and V after \*66 us.*after \*109 us/)
    const { recording } = recordedLanes(step, ['run.until=400us'])[0]!
    const stoppedUs = (name: string): number => {
      const shares = Array.from(recording.pausedOf(portByName(recording, name)))
      const first = shares.findIndex((share) => (share ?? 0) > 0)
      return ((first + 1 - shares[first]!) * recording.intervalPs) / 1e6
    }
    for (const [name, us] of [
      ...[['B->near', 56] as const, ['C->near', 56] as const],
      ...[['A->far', 66] as const, ['V->far', 66] as const, ['far->near', 109] as const],
    ]) {
      expect(Math.abs(stoppedUs(name) - us), name).toBeLessThan(0.5)
    }
    // The tick stands where the words say, and leads to a picture that shows it.
    const tick = momentsOf(recording, undefined).find(({ kind }) => kind === 'pause')!
    expect(Math.abs(tick.ps / 1e6 - 56)).toBeLessThan(0.5)
    expect(tick.seenPs! - tick.ps).toBeLessThan(recording.intervalPs)
  })

  it('of DCQCN on its way to fair shares: two thirds of the link empty at first', () => {
    const step = stepOf(pfc, 'Fair to ports, not to flows')
    expect(saidIn(step)).toMatch(/at first it leaves two thirds of the link empty/)
    const [, dcqcn] = recordedLanes(step, ['run.until=2ms'])
    const port = portByName(dcqcn!.recording, 'near->R')
    const use = meanIn(dcqcn!.recording, dcqcn!.recording.utilisationOf(port), 600, 1600)
    expect(1 - use).toBeCloseTo(2 / 3, 1)
  })

  it('of a cycle that is broken: nothing for three flows until the fourth has ended', () => {
    const step = stepOf(pfc, 'Breaking the cycle')
    expect(saidIn(step)).toMatch(/served first.*24 Gb\/s.*starve.*1\.7 ms.*11 to 13 Gb\/s/)
    const [lane] = recordedLanes(step)
    const { recording } = lane!
    expect(recording.flows[recording.rowOf.get('f3')!]!.endPs / 1e9).toBeCloseTo(1.7, 1)
    expect(Math.round(gbps(lane!, 'f3', 200, 1600))).toBe(24)
    for (const flow of ['f0', 'f1', 'f2']) {
      expect(gbps(lane!, flow, 200, 1600)).toBeLessThan(0.1)
      expect(gbps(lane!, flow, 2200, 4200)).toBeGreaterThan(10.5)
      expect(gbps(lane!, flow, 2200, 4200)).toBeLessThan(13.5)
    }
    // It is the order of service that starves them, not the class of their own.
    const turns = ['fabric.scheduler=round-robin', 'run.until=1.5ms']
    const [inTurn] = recordedLanes(step, turns)
    for (const flow of ['f0', 'f1', 'f2', 'f3']) {
      expect(gbps(inTurn!, flow, 200, 1400)).toBeGreaterThan(10)
    }
  })

  it('of DCQCN in a burst: the first pause comes before the first CNP', () => {
    const step = stepOf(tcpToHere, '2015: DCQCN, marks for RDMA')
    expect(saidIn(step)).toMatch(/pause comes after \*25 us\*, the first CNP after \*47\*/u)
    const [, dcqcn] = recordedLanes(step, ['run.until=700us'])
    const tick = momentsOf(dcqcn!.recording, undefined).find(({ kind }) => kind === 'pause')!
    expect(Math.abs(tick.ps / 1e6 - 525)).toBeLessThan(0.5)
    // Pictures of 5 us cannot tell 47 from 50.
    const { experiment } = storyExperiment(step)
    const run = createRun(laneSpec(experiment, experiment.lanes[1]!, undefined))
    let us = 520
    const isCut = (): boolean =>
      run.network.hosts.flows.some((flow) => flow !== undefined && flow.reaction.rateBps < 24.9e9)
    while (us < 560 && !isCut()) run.step((us += 0.25) * 1e6)
    expect(Math.abs(us - 547)).toBeLessThan(0.6)
  })

  it('of a shorter timeout: 11 ms, with at least as much lost', () => {
    const step = stepOf(incast, 'A shorter timeout')
    expect(saidIn(step)).toContain('about 11 ms')
    const [short] = recordedLanes(step)
    const [long] = recordedLanes(stepOf(incast, 'Forty servers'))
    expect(Math.round(short!.recording.nowPs / 1e9)).toBe(11)
    expect(totalOf(short!, 0)).toBeGreaterThanOrEqual(totalOf(long!, 0))
  })

  it('of TIMELY in a burst: a queue as long as DCQCN’s', () => {
    const [dcqcn, timely] = recordedLanes(stepOf(tcpToHere, '2015: TIMELY, the delay itself'))
    const longest = ({ recording }: RecordedLane): number => recording.portsByQueue()[0]!.bytesMax
    expect(longest(timely!) / longest(dcqcn!)).toBeCloseTo(1, 1)
  })

  it('of PACC far away: a queue that runs from empty to 300 KB and back', () => {
    const step = stepOf(pacc, 'Too far away')
    expect(saidIn(step)).toContain('300 KB')
    const [lane] = recordedLanes(step)
    const { recording } = lane!
    const queue = [...recording.queueOf(portByName(recording, 'switch->h0'))]
    const late = queue.slice(Math.floor(queue.length / 2))
    expect(Math.min(...late)).toBeLessThan(2e3)
    expect(Math.max(...late)).toBeGreaterThan(290e3)
    expect(Math.max(...late)).toBeLessThan(340e3)
  })

  it('of forty servers: a hundred lost in two milliseconds, and two that wait', () => {
    const step = stepOf(incast, 'Forty servers')
    expect(saidIn(step)).toMatch(/more than a hundred.*first two milliseconds.*Two have lost/u)
    const [lane] = recordedLanes(step)
    const { recording } = lane!
    const lostBy = (us: number): number =>
      recording.totals[Math.floor((us * 1e6) / recording.intervalPs) * TOTALS]!
    expect(lostBy(1000)).toBeLessThan(100)
    expect(lostBy(2000)).toBeGreaterThan(100)
    const late = recording.flows.filter(({ endPs }) => endPs > 12e9).map(({ name }) => name)
    expect(late).toEqual(['part.0', 'part.39'])
  })

  it('of the first milliseconds: full for two, and nothing more of two servers after three', () => {
    const step = stepOf(incast, 'A closer look at the first milliseconds')
    expect(saidIn(step)).toMatch(
      /a fifth of a millisecond and stays so for two.*after 3\.3 ms nothing of part\.0/u,
    )
    const [lane] = recordedLanes(step)
    const { recording } = lane!
    const queue = [...recording.queueOf(portByName(recording, 'switch->h0'))]
    const fullAt = queue.flatMap((bytes, i) =>
      bytes > 151e3 ? [(i * recording.intervalPs) / 1e6] : [],
    )
    expect(fullAt[0]).toBeLessThan(250)
    const first = fullAt.filter((us) => us < 4000)
    expect(first.at(-1)! - first[0]!).toBeGreaterThan(1900)
    expect(first.at(-1)! - first[0]!).toBeLessThan(2300)
    for (const flow of recording.flows) {
      const isLate = flow.name === 'part.0' || flow.name === 'part.39'
      if (isLate) expect(gbps(lane!, flow.name, 3300, 10_000)).toBe(0)
      else expect(flow.endPs / 1e9, flow.name).toBeLessThan(9)
    }
  })

  it('of the link with the victim: kept from sending a third of the time', () => {
    const step = stepOf(pfc, 'The victim')
    expect(saidIn(step)).toContain('a third of the time')
    const [lane] = recordedLanes(step)
    const { recording } = lane!
    const kept = recording.pausedOf(portByName(recording, 'far->near'))
    expect(meanIn(recording, kept, 400, 4000)).toBeCloseTo(1 / 3, 1)
  })

  it('of the link to W: two thirds of it free, in both stories that say so', () => {
    for (const step of [stepOf(pfc, 'The victim'), stepOf(tcpToHere, 'RDMA: lose nothing')]) {
      const [note] = step.notes!
      expect(note).toMatchObject({ at: 'near->W', text: 'two thirds of this link stay free' })
      expect(`${saidIn(step)} ${note!.text}`).not.toMatch(/idle/u)
      const [{ recording }] = recordedLanes(step) as [RecordedLane]
      const use = recording.utilisationOf(portByName(recording, note!.at))
      expect(1 - meanIn(recording, use, 600, 4000)).toBeCloseTo(2 / 3, 1)
    }
  })

  it('of PACC with a larger beta2: packets near 310 KB, the fluid at 169', () => {
    const step = stepOf(pacc, 'A knob for the gains')
    expect(saidIn(step)).toMatch(/fluid at 169 KB, that of packets near \*310 KB\*/u)
    const [, stands] = recordedLanes(step)
    const { recording, result } = stands!
    const queue = recording.queueOf(portByName(recording, 'switch->h0'))
    expect(Math.abs(meanIn(recording, queue, 30e3, 60e3) / 1e3 - 310)).toBeLessThan(8)
    const facts = new Map(laneTheory(result.spec).facts)
    expect(facts.get('queue at rest')).toBe('169 KB')
  })

  it('of InfiniBand’s search while all of its flows run', () => {
    const step = stepOf(infiniband, 'Fewer steps, but larger')
    const { experiment } = storyExperiment(step)
    const { workload } = laneSpec(experiment, experiment.lanes[0]!, undefined)
    // The clock opens a moment before the last of them, and its text is of what follows.
    const starts = workload.flatMap((one) => ('flows' in one ? [...one.flows] : [])) as {
      startPs?: number
    }[]
    const lastPs = Math.max(...starts.map(({ startPs = 0 }) => startPs))
    expect(lastPs).toBe(40e9)
    expect(lastPs - storyTold(step).atPs).toBeLessThan(5e9)
  })

  it('of ACCurate: 3.1 and 6.2 Gb/s, 404 and 504 us', () => {
    const alone = stepOf(accurate, 'The case')
    expect(saidIn(alone)).toMatch(/3\.1 Gb\/s of payload.*6\.2 Gb\/s/u)
    const [lane] = recordedLanes(alone)
    for (const flow of ['f1', 'f4']) expect(gbps(lane!, flow, 400, 560)).toBeCloseTo(3.1, 1)
    // Of three thirds f4 has one, and leaves f1 two.
    expect(2 * gbps(lane!, 'f4', 400, 560)).toBeCloseTo(6.2, 1)
    const step = stepOf(accurate, 'A slower heart')
    expect(saidIn(step)).toMatch(/404 us in lane A, at 504 us in lane B/u)
    const rightAt = recordedLanes(step).map(({ recording }) => {
      const at = recording.scene.flowInternals.indexOf('rate')
      const rates = recording.internalOfFlow(recording.rowOf.get('f1')!, at)
      const i = [...rates].findIndex((rate) => rate !== null && Math.abs(rate / 1e9 - 6.33) < 0.01)
      return (i * recording.intervalPs) / 1e6
    })
    expect(rightAt[0]).toBeCloseTo(404, -0.7)
    expect(rightAt[1]).toBeCloseTo(504, -0.7)
  })

  it('of DCTCP as a fluid: packets swing every 0.6 ms between 80 and 101 KB', () => {
    const step = stepOf(fluid, 'Packets become rates')
    expect(saidIn(step)).toMatch(/80 and 101 KB.*97\.5 KB.*1\.2 ms.*0\.6/u)
    const [lane] = recordedLanes(step)
    const { recording } = lane!
    const queue = [...recording.queueOf(portByName(recording, 'switch->h0'))]
    const late = queue.slice(Math.floor(queue.length / 2))
    expect(Math.min(...late)).toBeGreaterThan(80e3)
    expect(Math.max(...late)).toBeLessThan(101e3)
    const middle = late.reduce((a, b) => a + b, 0) / late.length
    let [swings, isUp] = [0, false]
    for (const bytes of late) {
      if (!isUp && bytes > middle + 3e3) swings++
      isUp = isUp ? bytes > middle - 3e3 : bytes > middle + 3e3
    }
    expect((late.length * recording.intervalPs) / 1e9 / swings).toBeCloseTo(0.6, 1)
  })

  it('of RoCC when a flow comes: a burst of 250 KB, and much of the link empty for 5 ms', () => {
    const step = stepOf(fluid, 'What is fair at each moment')
    expect(saidIn(step)).toMatch(/90 KB.*250 KB.*for 5 ms.*8 to 17 Gb\/s.*21\.8 all the time/u)
    const [hpcc, rocc] = recordedLanes(step, ['run.until=20ms'])
    const total = ({ recording }: RecordedLane, ms: number): number =>
      meanIn(recording, recording.totalRates(), ms * 1e3, ms * 1e3 + 500) / 1e9
    for (let ms = 5; ms < 10; ms += 0.5) {
      expect(Math.round(total(rocc!, ms)), `${ms}`).toBeGreaterThanOrEqual(8)
      expect(Math.round(total(rocc!, ms)), `${ms}`).toBeLessThanOrEqual(17)
      expect(total(hpcc!, ms), `${ms}`).toBeCloseTo(21.8, 0)
    }
    expect(rocc!.recording.portsByQueue()[0]!.bytesMax / 1e3).toBeCloseTo(250, -1)
    const port = portByName(rocc!.recording, 'left->right')
    const queue = meanIn(rocc!.recording, rocc!.recording.queueOf(port), 12e3, 20e3)
    expect(queue / 1e3).toBeCloseTo(90, -1.3)
    for (const flow of ['f1', 'f2', 'f3']) expect(gbps(rocc!, flow, 12e3, 14.5e3)).toBeCloseTo(8, 0)
  })

  it('of InfiniBand: when F1 is back, how full the link is, how near F2 to F5 are', () => {
    const backAfterMs = ({ recording }: RecordedLane, joinMs: number): number => {
      const [rates] = recording.ratesOf([recording.rowOf.get('F1')!])
      const ms = recording.intervalPs / 1e9
      // A mean of a millisecond: single pictures are a few packets long.
      for (let at = joinMs + 1; at < 60; at += 0.5) {
        if (meanIn(recording, rates!, at * 1e3, (at + Math.max(1, ms)) * 1e3) > 12.5e9)
          return at - joinMs
      }
      return Infinity
    }
    const joins = [20, 30, 40]
    const [, table] = recordedLanes(stepOf(infiniband, 'Marks and an index'))
    expect(saidIn(stepOf(infiniband, 'Marks and an index'))).toContain('4, 6 and 10 ms later')
    const back = joins.map((ms) => backAfterMs(table!, ms))
    for (const [i, ms] of [4, 6, 10].entries()) expect(Math.abs(back[i]! - ms)).toBeLessThan(1.1)

    const large = stepOf(infiniband, 'Steps that are too large')
    expect(saidIn(large)).toMatch(/keeps about 12 Gb\/s.*70 % of it instead of 86/u)
    const use = ({ recording }: RecordedLane): number =>
      meanIn(recording, recording.utilisationOf(portByName(recording, 'S2->H5')), 20e3, 50e3)
    const [usual, leap] = recordedLanes(large)
    expect(use(usual!)).toBeCloseTo(0.86, 1.5)
    expect(use(leap!)).toBeCloseTo(0.7, 1.5)
    for (const ms of joins) expect(gbps(leap!, 'F1', ms * 1e3, ms * 1e3 + 1e4)).toBeCloseTo(12, 0)

    const search = stepOf(infiniband, 'Fewer steps, but larger')
    expect(saidIn(search)).toMatch(
      /after 3 ms.*after 2.*3\.2 to 3\.6.*2\.9 to 4\.8.*82 % instead of 86/u,
    )
    const [, best] = recordedLanes(search)
    for (const ms of joins) expect(backAfterMs(best!, ms)).toBeLessThan(3.6)
    const shares = ['F2', 'F3', 'F4', 'F5'].map((flow) => gbps(best!, flow, 41e3, 50e3))
    expect(Math.min(...shares)).toBeCloseTo(3.2, 0.9)
    expect(Math.max(...shares)).toBeCloseTo(3.6, 0.9)
    expect(use(best!)).toBeCloseTo(0.82, 1.5)
  }, 90_000)
})
