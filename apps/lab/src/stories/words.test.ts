/** What stories say of queues, links and moments, held to their runs; others: numbers.test.ts. */
import { describe, expect, it } from 'vitest'
import { findings } from '../model/compare.ts'
import { momentsOf } from '../model/moments.ts'
import { laneTheory } from '../model/theory.ts'
import { portByName } from '../scene/picture.ts'
import { recordedLanes } from '../testing/recorded.ts'
import type { RecordedLane } from '../testing/recorded.ts'
import { gbps, heldIn, insideOf, saidIn, stepOf, totalOf, useOf } from '../testing/told.ts'
import { accurate } from './accurate.ts'
import { fluid } from './fluid.ts'
import { incast } from './incast.ts'
import { infiniband } from './infiniband.ts'
import { pacc } from './pacc.ts'
import { parkingLot } from './parking-lot.ts'
import { pfc } from './pfc.ts'
import { tcpToHere } from './tcp-to-here.ts'

const LINK = 'switch->h0'
const factsOf = ({ result }: RecordedLane): Map<string, string> =>
  new Map(laneTheory(result.spec).facts)

describe('the story of ACCurate', () => {
  it('has links that are idle for two thirds, and a share of a half and of a third', () => {
    expect(saidIn(stepOf(accurate, 'The case'))).toContain('idle for two thirds')
    const [alone] = recordedLanes(stepOf(accurate, 'The case'))
    expect(1 - useOf(alone!, 'leaf1->spine2', 400, 560)).toBeCloseTo(2 / 3, 1.5)
    const step = stepOf(accurate, 'What a link computes')
    expect(saidIn(step)).toMatch(/a half from 170 us on.*a third when f4/u)
    const [{ recording }] = recordedLanes(step) as [RecordedLane]
    const { innerPorts, portInternals } = recording.scene
    const port = [...innerPorts].findIndex((one) => recording.portName(one) === 'leaf1->spine1')
    const shares = recording.internalOfPort(port, portInternals.indexOf('fsr'))
    const at = (us: number): number => shares[recording.frameAt(us * 1e6)]! / 1e9
    for (const [us, share] of [
      [160, 9.5],
      [180, 4.75],
      [360, 4.75],
      [380, 3.167],
    ] as const) {
      expect(at(us), `${us} us`).toBeCloseTo(share, 2)
    }
  })

  it('has all four rates right within two periods', () => {
    const step = stepOf(accurate, 'Two periods')
    expect(saidIn(step)).toContain('at 404 us all four are right')
    const [lane] = recordedLanes(step)
    const toldBy = (flow: string, us: number): number =>
      insideOf(lane!, flow, 'rate').findLast(([at]) => at <= us)![1] / 1e9
    for (const flow of ['f2', 'f3', 'f4']) expect(toldBy(flow, 390), flow).toBeCloseTo(3.167, 2)
    expect(toldBy('f1', 390)).toBeCloseTo(4.75, 2)
    expect(toldBy('f1', 406)).toBeCloseTo(6.333, 2)
  })

  it('drains 60 KB until 720 us in lane A, and has new rates after 15 us in lane B', () => {
    const step = stepOf(accurate, 'Side by side')
    expect(saidIn(step)).toMatch(/until 720 us.*some 60 KB.*\*15 us\* later.*after 30 us/u)
    const [alone, rates] = recordedLanes(step)
    // Each lane counts its time to converge from its own last change: it ranks nobody.
    const lanes = [alone!, rates!].map(({ result }, i) => ({ title: `lane ${i}`, result }))
    expect(findings(lanes).map(({ sentence }) => sentence)).toHaveLength(1)
    expect(findings(lanes)[0]!.sentence).toMatch(/^Longest queue: lane 1 /u)
    const { flows, rowOf } = alone!.recording
    const overUs = flows[rowOf.get('f4')!]!.endPs / 1e6
    expect(Math.abs(overUs - 720)).toBeLessThan(2)
    expect((gbps(alone!, 'f4', 571, 719) * (overUs - 570)) / 8).toBeCloseTo(60, -0.7)
    for (const [flow, wire] of [
      ['f1', 9.5],
      ['f2', 4.75],
      ['f3', 4.75],
    ] as const) {
      const [at, value] = insideOf(rates!, flow, 'rate').findLast(([us]) => us > 570)!
      expect(at - 570, flow).toBeLessThan(16)
      expect(value / 1e9, flow).toBeCloseTo(wire, 2)
      // Payload is 240 of 256 bytes.
      expect(gbps(rates!, flow, 600, 700) / wire / (240 / 256), flow).toBeCloseTo(1, 1.5)
      expect(gbps(alone!, flow, 600, 700), flow).toBeLessThan(3.3)
    }
  })
})

describe('the story of incast', () => {
  it('takes little more than 8 ms with one server, and 25 times as long with forty', () => {
    const [one] = recordedLanes(stepOf(incast, 'One server'))
    expect(one!.recording.nowPs / 1e9).toBeCloseTo(8.6, 0.8)
    expect(saidIn(stepOf(incast, 'Forty servers'))).toMatch(/burst of 8 ms.*\*nothing\*.*25 times/u)
    const [forty] = recordedLanes(stepOf(incast, 'Forty servers'))
    expect(useOf(forty!, LINK, 12e3, 200e3)).toBe(0)
    expect(useOf(forty!, LINK, 1e3, 8e3)).toBeGreaterThan(0.98)
    expect(forty!.recording.nowPs / 8e9).toBeCloseTo(25, -0.3)
  })

  it('hears nothing more of part.39 after 1.2 ms, and has an idle link after 8.4', () => {
    const step = stepOf(incast, 'A closer look at the first milliseconds')
    expect(saidIn(step)).toMatch(/1\.2 ms nothing of part\.39.*within 8\.4 ms.*\*idle\*/u)
    expect(step.flows).toEqual(['part.0', 'part.39'])
    const [lane] = recordedLanes(step)
    expect(gbps(lane!, 'part.39', 900, 1200)).toBeGreaterThan(0)
    expect(gbps(lane!, 'part.39', 1200, 10e3)).toBe(0)
    expect(gbps(lane!, 'part.0', 3000, 3300)).toBeGreaterThan(0)
    expect(useOf(lane!, LINK, 7.5e3, 8.3e3)).toBeGreaterThan(0.9)
    expect(useOf(lane!, LINK, 8.5e3, 10e3)).toBe(0)
  })

  it('loses nothing with marks for twenty, and half of sixty wait', () => {
    const step = stepOf(incast, 'Tell them before it is full')
    expect(saidIn(step)).toMatch(/over a hundred packets, and three.*\*no loss\*.*8\.5 ms/u)
    const [tcp, dctcp] = recordedLanes(step)
    expect(totalOf(tcp!, 0)).toBeGreaterThan(100)
    expect(tcp!.recording.flows.filter(({ endPs }) => !(endPs > 0))).toHaveLength(3)
    expect(totalOf(dctcp!, 0)).toBe(0)
    expect(dctcp!.recording.nowPs / 1e9).toBeCloseTo(8.5, 1)
    const limit = stepOf(incast, 'The limit')
    expect(saidIn(limit)).toContain('Half of the servers wait')
    const [sixty] = recordedLanes(limit)
    const late = sixty!.recording.flows.filter(({ endPs }) => endPs > 100e9)
    expect(late.length / 60).toBeCloseTo(0.5, 0.9)
    expect(useOf(sixty!, LINK, 12e3, 200e3)).toBe(0)
  })
})

describe('the story of InfiniBand', () => {
  it('takes F1 from 13 Gb/s to 2 with credits alone, and keeps its index near zero', () => {
    expect(saidIn(stepOf(infiniband, 'Credits alone'))).toContain('From 13 Gb/s it falls to 2')
    expect(saidIn(stepOf(infiniband, 'Marks and an index'))).toContain('F1 stays near *zero*')
    const [alone, marked] = recordedLanes(stepOf(infiniband, 'Marks and an index'))
    expect(gbps(alone!, 'F1', 12e3, 20e3)).toBeCloseTo(13, 1)
    expect(gbps(alone!, 'F1', 45e3, 60e3)).toBeCloseTo(2.3, 1)
    const most = (flow: string): number =>
      Math.max(...insideOf(marked!, flow, 'ccti').map(([, value]) => value))
    expect(most('F1')).toBeLessThan(8)
    for (const flow of ['F2', 'F3', 'F4', 'F5']) expect(most(flow), flow).toBeGreaterThan(70)
  })

  it('forgets too soon with a timer of 40 us: F1 is as low as without control', () => {
    const step = stepOf(infiniband, 'A timer that is too fast')
    expect(saidIn(step)).toMatch(/faster than marks can lift it.*buffers stay full.*F1 falls/u)
    const [usual, fast] = recordedLanes(step)
    expect(Math.max(...insideOf(fast!, 'F2', 'ccti').map(([, value]) => value))).toBeLessThan(4)
    expect(gbps(fast!, 'F1', 45e3, 60e3)).toBeCloseTo(2.3, 1)
    expect(gbps(usual!, 'F1', 52e3, 60e3)).toBeCloseTo(13, 0)
    expect(heldIn(fast!, 'S1->S2', 22e3).least).toBeGreaterThan(80)
  })

  it('has F2 to F5 at 2.9 to 4.8 Gb/s where the search has them closer together', () => {
    const step = stepOf(infiniband, 'Fewer steps, but larger')
    expect(saidIn(step)).toMatch(/after 3 ms instead of 10.*between 41 and 50 ms.*2\.9 to 4\.8/u)
    const [usual, best] = recordedLanes(step)
    const shares = ['F2', 'F3', 'F4', 'F5'].map((flow) => gbps(usual!, flow, 41e3, 50e3))
    expect(Math.min(...shares)).toBeCloseTo(2.9, 1)
    expect(Math.max(...shares)).toBeCloseTo(4.8, 1)
    for (const [lane, ms] of [
      [best!, 43],
      [usual!, 51],
    ] as const) {
      expect(gbps(lane, 'F1', (ms - 2) * 1e3, (ms - 1) * 1e3), `${ms} ms`).toBeLessThan(10)
      expect(gbps(lane, 'F1', ms * 1e3, (ms + 1) * 1e3), `${ms} ms`).toBeGreaterThan(12.5)
    }
  })
})

describe('the stories of controllers and fluids', () => {
  it('PACC holds 200 KB, more than twice what DCQCN has on average, and starts with more', () => {
    const step = stepOf(pacc, 'A switch that speaks')
    expect(saidIn(step)).toMatch(/empty to 200 KB.*at 200 KB.*more than twice.*650 KB, and 410/u)
    const [dcqcn, held] = recordedLanes(step)
    const [swings, stands] = [heldIn(dcqcn!, LINK, 8e3), heldIn(held!, LINK, 8e3)]
    expect(swings.least).toBeLessThan(1)
    expect(swings.most).toBeCloseTo(200, -1)
    expect(stands.mean).toBeCloseTo(203, -1)
    expect(stands.most - stands.least).toBeLessThan(30)
    expect(stands.mean / swings.mean).toBeGreaterThan(2)
    expect(stands.mean / swings.mean).toBeLessThan(3)
    expect(heldIn(held!, LINK, 0, 4e3).most).toBeCloseTo(650, -1)
    expect(heldIn(dcqcn!, LINK, 0, 4e3).most).toBeCloseTo(410, -1)
  })

  it('PACC stands at 200 KB where its fluid comes to rest at 142', () => {
    const step = stepOf(pacc, 'Where it stands')
    expect(saidIn(step)).toMatch(/\*200 KB\*.*4 \/ 0\.05 = 80 KB.*at 142 KB/u)
    const [lane] = recordedLanes(step)
    expect(heldIn(lane!, LINK, 10e3).mean).toBeCloseTo(202, -1)
    expect(factsOf(lane!).get('queue at rest')).toBe('142 KB')
    const { scheme } = lane!.result.spec
    expect(4 / Number(scheme.params['beta1'])).toBe(80)
  })

  it('the margin is negative as printed, and positive with a larger beta2', () => {
    const step = stepOf(pacc, 'A knob for the gains')
    expect(saidIn(step)).toMatch(
      /\*negative\*: the queue of lane A swings.*positive and the queue/u,
    )
    const [printed, larger] = recordedLanes(step)
    const margin = (lane: RecordedLane): number =>
      Number.parseFloat(factsOf(lane).get('phase margin')!)
    expect(margin(printed!)).toBeLessThan(0)
    expect(margin(larger!)).toBeGreaterThan(0)
    expect(heldIn(printed!, LINK, 30e3).least).toBeLessThan(1)
    expect(heldIn(printed!, LINK, 30e3).most).toBeGreaterThan(400)
    expect(heldIn(larger!, LINK, 30e3).least).toBeGreaterThan(200)
  })

  it('DCQCN’s fluid has 0.3 degrees, and its packets never rest', () => {
    const step = stepOf(fluid, 'Chance')
    expect(saidIn(step)).toContain('*0.3 degrees*')
    const [lane] = recordedLanes(step)
    expect(factsOf(lane!).get('phase margin')).toBe('0.3 degrees')
    const late = heldIn(lane!, LINK, 30e3)
    expect(late.least).toBeLessThan(1)
    expect(late.most).toBeGreaterThan(40)
  })
})

describe('the stories of back-pressure', () => {
  it('the parking lot gives a half and two quarters, and then three thirds', () => {
    expect(saidIn(stepOf(parkingLot, 'What back-pressure gives'))).toMatch(/4\.7 Gb\/s.*2\.3/u)
    expect(saidIn(stepOf(parkingLot, 'A share for each flow'))).toContain('*3.0 Gb/s*')
    const [turns, even] = recordedLanes(stepOf(parkingLot, 'A share for each flow'))
    for (const [flow, share] of [
      ['f1', 2.34],
      ['f2', 2.34],
      ['f3', 4.69],
    ] as const) {
      expect(gbps(turns!, flow, 300, 1000), flow).toBeCloseTo(share, 1)
      expect(gbps(even!, flow, 300, 1000), flow).toBeCloseTo(2.97, 1)
    }
    // One input of the first switch is full, of 2.5 KB each.
    expect(heldIn(turns!, 'leaf1->spine1', 300).least).toBeGreaterThan(4)
    for (const port of ['leaf1->spine1', 'spine1->leaf2', 'leaf2->H4']) {
      expect(heldIn(even!, port, 300).mean, port).toBeLessThan(0.5)
    }
  })

  it('PFC holds 200 KB for R when the first is paused, and pauses a thousand times', () => {
    const step = stepOf(pfc, 'Nothing is lost')
    expect(saidIn(step)).toMatch(/beyond 200 KB.*a thousand pauses in four milliseconds/u)
    const [lane] = recordedLanes(step)
    expect(heldIn(lane!, 'near->R', 46, 56).most).toBeGreaterThan(200)
    expect(heldIn(lane!, 'near->R', 46, 56).most).toBeLessThan(250)
    expect(totalOf(lane!, 2)).toBeCloseTo(1000, -2.4)
    expect(totalOf(lane!, 0)).toBe(0)
  })

  it('PFC gives ports a half each; DCQCN comes closer, and ACCurate is even', () => {
    const step = stepOf(pfc, 'Fair to ports, not to flows')
    expect(saidIn(step)).toMatch(/\*12 Gb\/s\*, the others 4 each.*closer within 10 ms.*is even/u)
    const [ports, dcqcn, even] = recordedLanes(step)
    const sharesOf = (lane: RecordedLane): number[] =>
      ['f1', 'f2', 'f3', 'f4'].map((flow) => gbps(lane, flow, 8e3, 10e3))
    expect(sharesOf(ports!).map(Math.round)).toEqual([4, 4, 4, 12])
    const apart = (shares: number[]): number => Math.max(...shares) / Math.min(...shares)
    expect(apart(sharesOf(dcqcn!))).toBeLessThan(1.5)
    expect(apart(sharesOf(dcqcn!))).toBeGreaterThan(1.1)
    expect(apart(sharesOf(even!))).toBeLessThan(1.01)
  })

  it('a ring of pauses closes at 141 us and moves nothing after 145, as its ticks say', () => {
    const step = stepOf(pfc, 'A deadlock')
    expect(saidIn(step)).toMatch(/at \*141 us\*.*from \*145 us\* on nothing moves/u)
    const [{ recording, result }] = recordedLanes(step) as [RecordedLane]
    for (const name of ['S0->S1', 'S1->S2', 'S2->S3', 'S3->S0']) {
      const shares = [...recording.pausedOf(portByName(recording, name))]
      const first = shares.findIndex((share) => share > 0)
      const us = ((first + 1 - shares[first]!) * recording.intervalPs) / 1e6
      expect(Math.abs(us - 141), name).toBeLessThan(0.6)
      const after = recording.queueOf(portByName(recording, name)).slice(recording.frameAt(150e6))
      expect(Math.min(...after), name).toBeGreaterThan(200e3)
      expect(Math.max(...after) - Math.min(...after), name).toBe(0)
    }
    const tick = momentsOf(recording, result).find(({ kind }) => kind === 'deadlock')!
    expect(Math.abs(tick.ps / 1e6 - 145)).toBeLessThan(0.5)
    expect(tick.seenPs).toBeGreaterThan(tick.ps)
    expect(totalOf({ recording, result }, 0)).toBe(0)
  })
})

describe('the walk from TCP', () => {
  it('TCP fills its queue and cuts it to 220 KB at least; DCTCP holds 30 on a full link', () => {
    expect(saidIn(stepOf(tcpToHere, '1988: send until it breaks'))).toMatch(
      /220 to 280 KB.*to 300/u,
    )
    const [tcp, dctcp] = recordedLanes(stepOf(tcpToHere, '2010: a mark instead of a loss'))
    expect(heldIn(tcp!, LINK, 72e3).least).toBeCloseTo(222, -1)
    expect(heldIn(tcp!, LINK, 72e3).most).toBeCloseTo(300, -0.5)
    expect(heldIn(dctcp!, LINK, 10e3).mean).toBeCloseTo(30, -0.7)
    for (const lane of [tcp!, dctcp!]) {
      expect(useOf(lane, LINK, 10e3, 250e3)).toBeGreaterThan(0.995)
      expect(gbps(lane, 'f1', 200e3, 250e3)).toBeGreaterThan(2 * gbps(lane, 'f2', 200e3, 250e3))
    }
  })

  it('DCQCN and TIMELY have a flow below 1 Gb/s at 2 ms; HPCC a queue of a fifth', () => {
    const timely = stepOf(tcpToHere, '2015: TIMELY, the delay itself')
    expect(saidIn(timely)).toMatch(/below 1 Gb\/s when the next burst comes, at 2 ms/u)
    for (const lane of recordedLanes(timely, ['run.until=2ms'])) {
      expect(gbps(lane, 'shares-receiver', 1400, 2000)).toBeLessThan(1)
      expect(insideOf(lane, 'shares-receiver', 'rate').at(-1)![1]).toBeLessThan(1e9)
      // The queue is as long as ever when the first long delay comes back.
      expect(heldIn(lane, LINK, 500, 550).most).toBeGreaterThan(0.97 * heldIn(lane, LINK, 0).most)
    }
    const [, delays] = recordedLanes(timely, ['run.until=700us'])
    const firstLong = insideOf(delays!, 'shares-receiver', 'rtt').find(([, rtt]) => rtt > 30e6)!
    expect(firstLong[0]).toBeGreaterThan(540)
    const step = stepOf(tcpToHere, '2019: HPCC, let the switch say it')
    expect(saidIn(step)).toMatch(/\*a fifth\* of DCQCN’s, and not one pause.*shares-sender/u)
    const [dcqcn, hpcc] = recordedLanes(step, ['run.until=1500us'])
    expect(heldIn(hpcc!, LINK, 0).most / heldIn(dcqcn!, LINK, 0).most).toBeCloseTo(0.2, 1.3)
    expect(totalOf(hpcc!, 2)).toBe(0)
    expect(gbps(hpcc!, 'shares-sender', 520, 1200)).toBeGreaterThan(20)
    expect(gbps(dcqcn!, 'shares-sender', 560, 800)).toBeLessThan(3)
  })

  it('of three schemes ACCurate keeps to what is fair, with queues that are all but empty', () => {
    const lanes = recordedLanes(stepOf(tcpToHere, 'And here: exact rates'))
    /** How far from an even share, at worst, of what flows get while three and four of them run. */
    const unfair = lanes.map((lane) => {
      const apart = (flows: string[], from: number, to: number): number => {
        const rates = flows.map((flow) => gbps(lane, flow, from, to))
        return Math.max(...rates) / Math.min(...rates)
      }
      const three = apart(['f1', 'f2', 'f3'], 11e3, 15e3)
      return Math.max(three, apart(['f1', 'f2', 'f3', 'f4'], 16e3, 25e3))
    })
    expect(unfair[0]).toBeGreaterThan(1.2)
    expect(unfair[1]).toBeGreaterThan(1.2)
    expect(unfair[2]).toBeLessThan(1.02)
    expect(heldIn(lanes[2]!, 'left->right', 0).mean).toBeLessThan(3)
  })
})
