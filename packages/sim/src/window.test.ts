import { describe, expect, it } from 'vitest'
import { ReactionPoint } from '@weir/fabric'
import type { Ack, FlowContext } from '@weir/fabric'
import { none, schemeByName, schemes } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { createRun, simulate } from './run.ts'
import { loadSpec } from './spec/load.ts'
import { printSpec } from './spec/print.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import { audit } from './testing/audit.ts'
import { specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const PACKET = 1048
const ACK = 60
const RATE = 10e9
const DELAY_PS = 10e6
/** Two links of 10 Gb/s and 10 us there, two back. */
const RTT_PS = 4 * DELAY_PS + (2 * (PACKET + ACK) * 8e12) / RATE

/** One flow of 400 packets over a star. */
const lone = (window: unknown, scheme: unknown = 'none', more: Tree = {}): ValidSpec =>
  specOf({
    topology: { kind: 'star', hosts: 3, rate: '10Gbps', delay: '10us' },
    hosts: { window },
    workload: [{ flows: [{ from: 'h0', to: 'h1', size: '400KB' }] }],
    scheme,
    ...more,
  })

const fctPs = (spec: ValidSpec): number => simulate(spec).flows.fctPs[0]!

describe("the hosts' window", () => {
  it('of four packets sends four in each round trip', () => {
    // A round of four begins when the ACK of the first of the round before is back.
    const expected = 100 * RTT_PS + (3 * PACKET * 8e12) / RATE
    expect(fctPs(lone('4KB'))).toBe(expected)
    // A packet may leave while less than the window is in flight: 3,001 B let out a fourth.
    expect(fctPs(lone('3001B'))).toBe(expected)
    expect(fctPs(lone('none'))).toBeLessThan(expected / 9)
  })

  it('of one bandwidth-delay product does not hold a lone flow back, half of one does', () => {
    const whole = fctPs(lone('none'))
    // The product counts wire bytes, the window payload: it has some to spare.
    expect(fctPs(lone('bdp'))).toBe(whole)
    // Half of one are 27 packets: 14 rounds of them, and one of 22.
    const half = 15 * RTT_PS + (21 * PACKET * 8e12) / RATE
    expect(fctPs(lone({ kind: 'bdp', bdps: 0.5 }))).toBe(half)
  })

  it('is that of a path, or of the longest path of the fabric at its slowest link', () => {
    const windows = (of: string): number[] => {
      const run = createRun(
        specOf({
          topology: {
            kind: 'dumbbell',
            left: 2,
            right: 2,
            rate: '10Gbps',
            delay: '10us',
            bottleneckRate: '5Gbps',
            bottleneckDelay: '100us',
          },
          hosts: { window: { kind: 'bdp', of } },
          workload: [
            {
              flows: [
                { from: 'l0', to: 'l1' },
                { from: 'l0', to: 'r0' },
              ],
            },
          ],
          scheme: 'none',
        }),
      )
      run.step(1)
      return run.network.hosts.flows.map((flow) => flow!.windowBytes)
    }
    const near = (RATE * RTT_PS) / 8e12
    const farRttPs = 2 * 120e6 + (2 * (PACKET + ACK) * 8e12) / RATE + ((PACKET + ACK) * 8e12) / 5e9
    const far = (5e9 * farRttPs) / 8e12
    expect(windows('path')).toEqual([near, far])
    expect(windows('fabric')).toEqual([far, far])
    expect(far).toBeGreaterThan(near)
  })

  it('follows the rate if told so', () => {
    class Quarter extends ReactionPoint {
      override readonly rateBps: number = RATE / 4
    }
    const quarter: Scheme = {
      ...none,
      create: (values, context) => ({
        ...none.create(values, context),
        reaction: () => new Quarter(),
      }),
    }
    const windowOf = (followsRate: boolean): number => {
      const run = createRun(lone({ kind: 'fixed', size: '40KB', followsRate }), quarter)
      run.step(1)
      return run.network.hosts.flows[0]!.windowBytes
    }
    expect(windowOf(true)).toBe(10_000)
    expect(windowOf(false)).toBe(40_000)
  })

  it.each(schemes.map(({ name }) => name))('bounds what %s has in flight', (name) => {
    const { needs } = schemeByName(name)!
    const isInput = needs.includes('credits') || needs.includes('input-buffered')
    const spec = specOf({
      topology: { kind: 'star', hosts: 5, rate: '10Gbps', delay: '10us' },
      fabric: isInput ? { switch: 'input-buffered', flowControl: 'credits' } : {},
      hosts: { window: { kind: 'bdp', bdps: 0.25, followsRate: true } },
      workload: [
        { flows: ['h1', 'h2', 'h3', 'h4'].map((from) => ({ from, to: 'h0', size: '200KB' })) },
      ],
      scheme: name,
      run: { until: '1s' },
    })
    const run = createRun(spec)
    const bound = (RATE * RTT_PS) / 8e12 / 4 + 1000
    let most = 0
    while (run.advance(97)) {
      for (const flow of run.network.hosts.flows) {
        most = Math.max(most, flow?.inflightBytes ?? 0)
      }
      audit(run)
    }
    expect(run.result().ended).toEqual({ why: 'completed' })
    // HPCC and ACCurate have longer packets, so longer round trips.
    expect(most).toBeLessThan(bound * 1.01)
    expect(most).toBeGreaterThan(1000)
  })

  it('needs ACKs, and is printed as it is read', () => {
    expect(() => lone('4KB', 'none', { hosts: { window: '4KB', ack: 'none' } })).toThrow(
      'hosts.window: a window opens as ACKs come, and hosts.ack says none; ' +
        'write ack: {every: 1}, or window: none',
    )
    expect(() => lone('all')).toThrow('"all" is not a window')
    const some = ['4KB', 'bdp', { kind: 'bdp', bdps: 0.5, of: 'fabric', followsRate: true }]
    for (const window of some) {
      const spec = lone(window)
      expect(spec.hosts.window.kind).not.toBe('none')
      expect(loadSpec({ text: printSpec(spec), sourceName: 'spec' })).toEqual(spec)
    }
  })
})

interface Seen {
  hops: number
  rttPs: number[]
  hostDelayPs: number[]
}

/** No control, and a record of what a reaction point is told. */
function watcher(seen: Seen): Scheme {
  class Watcher extends ReactionPoint {
    override onAck(ack: Readonly<Ack>, _nowPs: number): void {
      seen.rttPs.push(ack.rttPs)
      seen.hostDelayPs.push(ack.hostDelayPs)
    }
  }
  return {
    ...none,
    create: (values, context) => ({
      ...none.create(values, context),
      reaction: (flow: FlowContext) => {
        seen.hops = flow.hops
        return new Watcher()
      },
    }),
  }
}

describe('what a reaction point is told of path and hosts', () => {
  const told = (topology: Tree, hosts: Tree): Seen => {
    const seen: Seen = { hops: -1, rttPs: [], hostDelayPs: [] }
    const flows = [{ from: 'h0', to: 'h1', size: '10KB' }]
    createRun(
      specOf({ topology, hosts, workload: [{ flows }], scheme: 'none' }),
      watcher(seen),
    ).step(1e12)
    return seen
  }

  it('is the number of switches on the path', () => {
    expect(told({ kind: 'star', hosts: 2 }, {}).hops).toBe(1)
    const clos = { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 1 }
    expect(told(clos, {}).hops).toBe(3)
  })

  it('is the time that hosts take to take packets in; the rest of the RTT is the fabric', () => {
    const star = { kind: 'star', hosts: 2, rate: '10Gbps', delay: '10us' }
    const free = told(star, {})
    expect(free.hostDelayPs).toEqual(Array.from({ length: 10 }, () => 0))
    const capped = told(star, { rateCap: '5Gbps' })
    // A packet and its ACK at 5 Gb/s; packets are sent at that rate, so that none waits.
    const takenPs = ((PACKET + ACK) * 8e12) / 5e9
    expect(capped.hostDelayPs).toEqual(Array.from({ length: 10 }, () => takenPs))
    capped.rttPs.forEach((rttPs, i) => {
      expect(rttPs - capped.hostDelayPs[i]!).toBe(free.rttPs[0])
    })
  })

  it('keeps TIMELY from taking a slow receiver for a congested fabric, if it asks', () => {
    // 41 us of links and 9 us in hosts that take in 1 Gb/s: above T_high, or below T_low without.
    const rate = (params: Tree): number => {
      const { flows } = simulate(
        specOf({
          topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '10us' },
          hosts: { rateCap: '1Gbps' },
          workload: [{ flows: [{ from: 'h0', to: 'h1' }] }],
          scheme: {
            name: 'timely',
            params: { initialRate: 0.1, tLow: '45us', tHigh: '46us', ...params },
          },
          run: { until: '5ms' },
        }),
      )
      return flows.deliveredBytes[0]!
    }
    expect(rate({ hostDelay: 'excluded' })).toBeGreaterThan(1.5 * rate({}))
    expect(rate({ perHop: '5us' })).toBeGreaterThan(1.5 * rate({}))
  })
})
