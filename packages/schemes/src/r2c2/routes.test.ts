/**
 * The rack chooses the routing of its long flows (R2C2, section 3.4), and what is delivered rises
 * as the computed rates say. The pattern is the tornado on a ring of eight: everybody sends three
 * hops on, so that spraying fills the links of one direction threefold and those of the other not
 * at all (1/3 of a link for each), while VLB fills all twofold (1/2).
 */
import type { Result, Run } from '@weir/sim'
import { createRun, simulate, validateSpec } from '@weir/sim'
import { simulateTogether } from '@weir/sim/testing'
import type { ValidSpec } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { RackHost } from './node.ts'

const US = 1e6
const LINK_BPS = 2e9
const HEADROOM = 0.05
const RING = 8

interface Changes {
  readonly params?: object
  readonly of?: readonly string[]
  readonly seed?: number
  readonly more?: object
}

function tornado({ params, of = ['packet-spray', 'vlb'], seed = 1, more }: Changes): ValidSpec {
  return validateSpec({
    seed,
    topology: {
      kind: 'torus',
      dimensions: [RING],
      rate: '2Gbps',
      delay: '100ns',
      injectionRate: '4Gbps',
    },
    fabric: {
      flowControl: 'none',
      ecn: 'none',
      buffer: { size: '4MB', threshold: '1MB' },
    },
    hosts: { ack: 'none', reliability: 'none' },
    routing: { kind: 'choice', of: [...of] },
    workload: [
      {
        flows: Array.from({ length: RING }, (_, i) => ({
          from: `h${i}`,
          to: `h${(i + 3) % RING}`,
        })),
      },
    ],
    scheme: {
      name: 'r2c2',
      params: { rho: '50us', start: 'link', routes: 'adaptive', routePeriod: '500us', ...params },
    },
    run: { until: '5ms' },
    metrics: { interval: 'none' },
    ...more,
  })
}

/** Delivered from 2 to 5 ms, on the wire, bit/s; and the run. */
function delivered(spec: ValidSpec): { bps: number; run: Run } {
  const run = createRun(spec)
  const bytes = (): number =>
    run.network.hosts.flows.reduce((sum, flow) => sum + flow!.receiver.deliveredBytes, 0)
  run.step(2000 * US)
  const before = bytes()
  run.step(5000 * US)
  const { mtuBytes, packetBytes } = run.network.hosts.flows[0]!
  return { bps: ((bytes() - before) * 8 * packetBytes) / mtuBytes / 3e-3, run }
}

const members = (run: Run): number[] =>
  run.network.hosts.flows.map((flow) => flow!.reaction.observe(1))

describe('routes chosen by the rack', () => {
  for (const seed of [1, 2]) {
    it(`move the tornado to VLB, and half as much again arrives (seed ${seed})`, () => {
      const kept = delivered(tornado({ seed, params: { routes: 'fixed' } }))
      expect(members(kept.run)).toEqual(Array(RING).fill(0))
      const chosen = delivered(tornado({ seed }))
      expect(members(chosen.run)).toEqual(Array(RING).fill(1))
      const share = (1 - HEADROOM) * RING * LINK_BPS
      expect(kept.bps / (share / 3)).toBeGreaterThan(0.98)
      expect(kept.bps / (share / 3)).toBeLessThan(1.02)
      expect(chosen.bps / (share / 2)).toBeGreaterThan(0.98)
      expect(chosen.bps / (share / 2)).toBeLessThan(1.02)
    })
  }

  it('cost 10 B and 5 B for each flow on every link of a tree, and are known to all', () => {
    const bytesOf = (params: object): { bytes: number; run: Run } => {
      const { run } = delivered(tornado({ params: { digests: false, ...params } }))
      return { bytes: run.result().counters.agentBytes, run }
    }
    const { bytes, run } = bytesOf({})
    // Seven links between switches, and an injection link at each of eight servers.
    const links = RING - 1 + RING
    const extra = bytes - bytesOf({ routes: 'fixed' }).bytes
    const hosts = run.network.fabric.agents.of.filter((agent) => agent instanceof RackHost)
    expect(new Set(hosts.map(({ matrix }) => matrix.toString())).size).toBe(1)
    expect(hosts[0]!.matrix.all().every(({ protocol }) => protocol === 1)).toBe(true)
    // All eight move at once, or some in a later turn.
    const messages = (extra / links - 5 * RING) / 10
    expect([1, 2, 3]).toContain(messages)
  })

  it('go to WLB where that is better, and to nothing where spraying is best', () => {
    const found = delivered(tornado({ of: ['packet-spray', 'vlb', 'wlb', 'dimension-order'] }))
    expect(new Set(members(found.run))).toEqual(new Set([2]))
    // 5/8 of the packets go three hops one way, 3/8 five hops the other: 15/8 on each link.
    expect(found.bps / (((1 - HEADROOM) * RING * LINK_BPS * 8) / 15)).toBeCloseTo(1, 1)
    const flows = Array.from({ length: RING }, (_, i) => ({
      from: `h${i}`,
      to: `h${(i + 1) % RING}`,
    })).flatMap((flow) => [flow, { from: flow.to, to: flow.from }])
    const near = delivered(tornado({ more: { workload: [{ flows }] } }))
    expect(new Set(members(near.run))).toEqual(new Set([0]))
  })

  it('are the same in however many threads', () => {
    const spec = tornado({ more: { run: { until: '1500us' } } })
    const text = (result: Result): string => JSON.stringify(result)
    const alone = text(simulate(spec))
    for (const threads of [2, 3]) expect(text(simulateTogether(spec, threads)) === alone).toBe(true)
    const kept = tornado({ params: { routes: 'fixed' }, more: { run: { until: '1500us' } } })
    expect(text(simulate(kept)) === alone).toBe(false)
  })

  it('of a fixed choice by hash are counted as they are', () => {
    const routing = { kind: 'choice', of: ['packet-spray', 'vlb'], begin: 'hash' }
    const { bps, run } = delivered(tornado({ params: { routes: 'fixed' }, more: { routing } }))
    expect(new Set(members(run))).toEqual(new Set([0, 1]))
    const rates = run.network.hosts.flows.map((flow) => flow!.reaction.rateBps)
    const sum = rates.reduce((all, rate) => all + rate, 0)
    expect(bps / sum).toBeGreaterThan(0.98)
    expect(bps / sum).toBeLessThan(1.03)
  })
})
