/** R2C2's figures, small: what each must show, and what is known to differ. */
import { describe, expect, it } from 'vitest'
import type { Figure, FigureResult, Switch } from '../figure.ts'
import { describeFigures } from '../figure-suite.ts'
import { quickContext, reproduceWithout } from '../testing.ts'
import { fig10 } from './fig10.ts'
import { beforeOutliers, cdfPlots } from './fig10-plots.ts'
import { fig15 } from './fig15.ts'
import { fig15Packets, withoutRates } from './fig15-packets.ts'
import { fig17, overSame } from './fig17.ts'
import { gainCheck } from './fig18.ts'
import { fig18Packets } from './fig18-packets.ts'
import { fig19 } from './fig19.ts'
import { fig2 } from './fig2.ts'
import { fig4 } from './fig4.ts'
import { fig8 } from './fig8.ts'
import { fig9 } from './fig9.ts'
import { figures } from './index.ts'
import { policies } from './policies.ts'
import { policiesPackets } from './policies-packets.ts'
import { R2C2, TCP } from './rack-runs.ts'
import type { RackRun } from './rack-runs.ts'
import { ownCostsOf } from './own-rates.ts'
import { eventsOf } from './rate-events.ts'

const RUN_IN_FULL = 'a rho of 1000 us is run in full alone'

const reproduced = describeFigures(
  'figures of R2C2',
  figures,
  {
    'r2c2/fig2': [
      'ROMM (the column "random packet spraying"), transpose',
      'WLB (RLB), nearest neighbour',
      'WLB (RLB), transpose',
    ],
    'r2c2/fig15-16': ['difference at rho = 500 us, median'],
    'r2c2/fig9': ['shortest paths of an average pair of 6 x 6 x 6'],
  },
  quickContext(),
  ['difference at a flow each 100 us, median'],
)

describe('figures of R2C2', () => {
  it('fig2: packets saturate where channel loads say, and not with one path per flow', async () => {
    const packets = ({ name }: { name: string }): boolean => name.startsWith('packets: ')
    const { checks } = await reproduced(fig2)
    const confirmed = checks.filter(packets)
    expect(confirmed).toHaveLength(4)
    for (const { name, note, verdict } of confirmed) {
      expect(note, name).toContain('channel loads, confirmed')
      expect(verdict).toBe('ours')
    }
    // A tornado has one shortest path per flow: it is as it was.
    const onePath: Switch = {
      name: 'spraying',
      without: ({ routing }) => (routing.kind === 'packet-spray' ? ['routing=ecmp'] : []),
      breaks: [],
    }
    const without = await reproduceWithout(fig2, onePath, quickContext())
    const refuted = without.checks.filter(({ note }) => note.includes('not confirmed'))
    expect(refuted.map(({ name }) => name)).toEqual([
      'packets: saturation of spraying hop by hop, transpose',
    ])
  }, 600_000)

  it('fig8: incremental computations fill fewer flows, to the same rates', async () => {
    const { checks } = await reproduced(fig8)
    const filled = checks.filter(({ name }) => name.startsWith('flows filled'))
    expect(filled).toHaveLength(2)
    for (const { measured } of filled) expect(measured).toBeLessThan(1)
    const apart = checks.find(({ name }) => name.startsWith('largest relative difference'))
    expect(apart!.measured).toBeLessThan(1e-6)
  })

  it('fig8: within 1% an event costs a tenth of filling all, and rates are near', async () => {
    const { checks } = await reproduced(fig8)
    const of = (beginning: string): number =>
      checks.find(({ name }) => name.startsWith(`one event, 500 long flows, ${beginning}`))!
        .measured
    expect(of('exact: flows filled')).toBeGreaterThan(0.3)
    expect(of('within 1%: flows filled')).toBeLessThan(0.1)
    expect(of('within 1%: flows filled')).toBeLessThan(0.5 * of('within 0.1%: flows filled'))
    expect(of('within 1%: rates off')).toBeGreaterThan(0.5)
    expect(of('within 1%: rates off')).toBeLessThan(2)
    const [cost] = eventsOf({
      ...{ sizes: [8, 8, 8], flows: 300, events: 50, tolerances: [1e-2], seed: 2 },
    }).costs
    expect(cost!.overloadMost).toBeGreaterThan(1e-4)
    expect(cost!.overloadMost).toBeLessThanOrEqual(1.001e-2)
  })

  it('fig8: exact rates of own flows cost less than half of exact rates of all', async () => {
    const { checks } = await reproduced(fig8)
    const of = (ending: string): number =>
      checks.find(({ name }) => name.startsWith(`one event, 500 long flows, exact${ending}`))!
        .measured
    expect(of(', own flows')).toBeGreaterThan(0.05)
    expect(of(', own flows')).toBeLessThan(0.5 * of(': flows filled'))
    const options = { sizes: [4, 4, 4], flows: 100, events: 60, nodes: 8, seed: 3 }
    const { filled, offMost } = ownCostsOf(options)
    expect(offMost).toBeLessThan(1e-9)
    // An event above all of a node's flows.
    expect(filled).toContain(0)
    expect(Math.max(...filled)).toBeLessThanOrEqual(1)
  })

  it('draw something in the small size, and no line has all marks in one place', async () => {
    for (const figure of figures) {
      const { plots } = await reproduced(figure)
      expect(plots.length, figure.id).toBeGreaterThan(0)
      for (const { curves, kind, title } of plots) {
        if (kind === 'bars') continue
        const own = curves.filter(({ isPublished }) => isPublished !== true)
        expect(new Set(own.flatMap(({ x }) => x)).size, title).toBeGreaterThan(1)
      }
    }
  }, 600_000)

  it('fig10-14: an axis ends before a few time-outs, which it names, and hides no tail', () => {
    const flows = Array.from({ length: 200 }, (_, i) => 5 + i)
    const end = (r2c2: number[], tcp: number[]) =>
      beforeOutliers(['R2C2', 'TCP'], [Float64Array.from(r2c2), Float64Array.from(tcp)])
    expect(end(flows, flows)).toEqual({ endUs: Infinity, beyond: '' })
    expect(end(flows, [...flows, 200_100, 403_000])).toEqual({
      ...{ endUs: 204, beyond: '; beyond the axis: TCP 2 of 202, up to 403 ms' },
    })
    // A tail goes on, as far as it may; three in a hundred are a part of the distribution.
    expect(end([...flows, 700, 2000, 7000], flows).endUs).toBe(Infinity)
    expect(end(flows, [...flows, 9e5, 9e5, 9e5, 9e5, 9e5, 9e5]).endUs).toBe(Infinity)
  })

  it('fig10-14: fractions of a cut curve are of all flows', () => {
    const flows = Array.from({ length: 198 }, (_, i) => 5 + i)
    const run = (us: number[]) =>
      [{ shortFctUs: Float64Array.from(us), longGbps: Float64Array.of(1) }] as unknown as RackRun[]
    const loaded = { tauUs: 1, flows: 200, runs: [run(flows), run([...flows, 2e5, 4e5])] }
    const [r2c2, tcp] = cdfPlots(loaded, [R2C2, TCP])[0]!.curves
    expect([r2c2!.x.at(-1), r2c2!.y.at(-1)]).toEqual([202, 1])
    expect([tcp!.x.at(-1), tcp!.y.at(-1)]).toEqual([202, 0.99])
  })

  it('what follows from a formula is drawn as computed', async () => {
    const namesOf = async (figure: Figure, at = 0) =>
      (await reproduced(figure)).plots[at]!.curves.filter(({ isExpected }) => isExpected).map(
        ({ name }) => name,
      )
    expect(await namesOf(fig4)).toEqual(['any split', 'the given split'])
    expect(await namesOf(fig9)).toEqual([
      ...['3D torus, 8 x 8 x 8', '3D mesh, 8 x 8 x 8', '2D torus, 16 x 32'],
      '3D torus, of small flows alone and with 10 KiB each, as the text (computed)',
    ])
    expect(await namesOf(fig19)).toEqual([
      'central, 512 nodes, by the formula',
      'central, 64 nodes, by the formula',
      'one: as much as broadcasts (computed)',
    ])
    for (const at of [2, 3]) expect(await namesOf(fig10, at)).toEqual(['one: as TCP (computed)'])
    expect(await namesOf(policiesPackets)).toEqual(['deadline (our bound)'])
  }, 600_000)

  it('fig15-16: draws a percentile only where ten flows are beyond it', async () => {
    const { checks, plots } = await reproduced(fig15)
    const left = checks.filter(({ verdict }) => verdict === 'needs --full').map(({ name }) => name)
    expect(left).toContain('difference at rho = 500 us, 95th percentile')
    const tail = plots[0]!.curves.find(({ name }) => name === '95th percentile')!
    expect(tail.x).not.toContain(500)
    const middle = plots[0]!.curves.find(({ name }) => name === 'median')!
    expect(middle.x).toContain(500)
  })

  it('fig15-packets: limits nobody computes are off by the headroom at least', async () => {
    const at100 = ({ checks }: FigureResult): number =>
      checks.find(({ name }) => name === 'difference of limits at rho = 100 us, median')!.measured
    expect(at100(await reproduced(fig15Packets))).toBeLessThan(4)
    expect(at100(await withoutRates(quickContext()))).toBeGreaterThan(100 / 0.95 - 100 - 1e-9)
  }, 600_000)

  it('fig15-packets, fig17: runs are of places that the paper has a number of', async () => {
    const { notes } = await reproduced(fig15Packets)
    expect(notes[0]).toContain('at rho 500 us')
    const { plots } = await reproduced(fig17)
    const [own, , published] = plots[0]!.curves
    expect(own!.x).toEqual([0, 5, 10, 20])
    expect(own!.x).toEqual(expect.arrayContaining([...published!.x]))
  }, 600_000)

  it('fig19: packets lie on the line of their own number of nodes', async () => {
    const [plot] = (await reproduced(fig19)).plots
    const at1 = (name: string): number => {
      const { x, y } = plot!.curves.find((curve) => curve.name === `central, 64 nodes, ${name}`)!
      return y[x.indexOf(1)]!
    }
    expect(at1('in packets') / at1('by the formula')).toBeCloseTo(1, 1.7)
  })

  it("fig9: the text's number has the reading beside it that rounds to it", async () => {
    for (const { curves } of (await reproduced(fig9)).plots) {
      const [text] = curves.filter(({ isPublished }) => isPublished)
      const [cross] = curves.filter(({ x, isExpected }) => isExpected === true && x.length === 1)
      expect(cross!.x).toEqual(text!.x)
      expect(cross!.y[0]!.toFixed(1)).toBe(text!.y[0]!.toFixed(1))
    }
  })

  it('fig10-14: what is no picture of the paper is folded', async () => {
    const { plots } = await reproduced(fig10)
    expect(plots.map(({ isAside = false }) => isAside)).toEqual([
      ...Array<boolean>(6).fill(false),
      ...[true, true],
    ])
  }, 600_000)

  it('fig17: long flows are compared by those that end in both runs', () => {
    const none = new Map([
      [1, 10],
      [2, 20],
    ])
    const with5 = new Map([
      [1, 9],
      [2, 18],
      [7, 100],
    ])
    expect(overSame(with5, none)).toBeCloseTo(0.9, 12)
    expect(overSame(none, with5)).toBeCloseTo(1 / 0.9, 12)
  })

  it('fig18: a gain is one in every draw, and on average beyond its interval', () => {
    const verdict = (...ratios: number[]) => gainCheck(1, ratios, '').verdict
    expect(gainCheck(1, [1.004, 1.004, 1.004], '').measured).toBeCloseTo(0.4, 9)
    expect(verdict(1.004, 1.005, 1.003)).toBe('agrees')
    expect(verdict(1.004, 1.005, 0.9998)).toBe('differs')
    expect(verdict(1.004, 1.005, 1)).toBe('differs')
    expect(verdict(1.0001, 1.0001, 1.2)).toBe('differs')
    expect(gainCheck(1, [1.01, 1], '').note).toContain('1.00, 0.00%. At 0.00')
    expect(gainCheck(1, [1.01, 0.99], '').note).toContain('1.00, -1.00%. Below zero')
  })

  it('fig18-packets: what arrives and what is computed are judged by their own rows', async () => {
    const { checks } = await reproduced(fig18Packets)
    const gains = checks.filter(({ name }) => name.startsWith('adaptive over the best'))
    expect(gains.map(({ name }) => name.split('gained, ')[1])).toEqual([
      'delivered, L = 0.125',
      'computed for the same routes, L = 0.125',
      'delivered, L = 1',
      'computed for the same routes, L = 1',
    ])
    for (const { measured, note, verdict } of gains) {
      expect(note).toContain(`Of each draw: ${measured.toFixed(2)}%.`)
      expect(verdict).toBe(measured > 0 ? 'agrees' : 'differs')
    }
  }, 600_000)

  it('have marks that say that they are of 512 nodes beside curves of 64', async () => {
    const ofRack = figures.filter(({ id }) => id === 'r2c2/fig10-14' || id === 'r2c2/fig17')
    const plots = (await Promise.all(ofRack.map(reproduced))).flatMap((result) => result.plots)
    const marks = plots.flatMap(({ curves }) => curves.filter(({ isPublished }) => isPublished))
    expect(marks).toHaveLength(6)
    for (const { name } of marks) expect(name).toContain('512 nodes')
  }, 600_000)

  it('fig15: a rho that is not run is not said to have few flows', async () => {
    for (const figure of [fig15, fig15Packets]) {
      const { checks } = await reproduced(figure)
      const left = checks.filter(({ name }) => name.includes('rho = 1000 us'))
      expect(left.map(({ note }) => note)).toEqual(Array(2).fill(RUN_IN_FULL))
    }
  }, 600_000)

  it('fig18-packets: receivers get what nodes compute, within a hundredth', async () => {
    const { checks } = await reproduced(fig18Packets)
    const ratios = checks.filter(({ name }) => name.startsWith('delivered more than'))
    expect(ratios).toHaveLength(2)
    for (const { measured } of ratios) expect(Math.abs(measured)).toBeLessThan(1)
  })

  it('policies: flows end, and tenants share, as worked out by hand in the notes', async () => {
    const { checks } = await reproduced(policies)
    const measured = Object.fromEntries(checks.map((check) => [check.name, check.measured]))
    const byHand = {
      'by deadline: A ends at': 12,
      'by deadline: B ends at': 12,
      'by deadline: C ends at': 28,
      'per-flow fairness: A ends at': 20,
      'per-flow fairness: B ends at': 12,
      'per-flow fairness: C ends at': 28,
      'deadlines missed, per-flow fairness': 1,
      "A's share, per flow": 0.2,
    }
    for (const [name, value] of Object.entries(byHand)) expect(measured[name]).toBeCloseTo(value, 9)
  })

  it('policies-packets: the same within 2% in packets, and what no paper has is ours', async () => {
    const { checks } = await reproduced(policiesPackets)
    const measured = Object.fromEntries(checks.map((check) => [check.name, check.measured]))
    const byHand = {
      'deadlines missed, by deadline': 0,
      'deadlines missed, per-flow fairness': 1,
      'by deadline: A ends at': 12 / 0.95,
      'by deadline: B ends at': 12 / 0.95,
      'by deadline: C ends at': 28 / 0.95,
      'per-flow fairness: A ends at': 20 / 0.95,
      'per-flow fairness: B ends at': 12 / 0.95,
      'per-flow fairness: C ends at': 28 / 0.95,
      "A's share, per tenant": 1 / 2,
      "A's share, per tenant, 3 to 1": 3 / 4,
      "A's share, per flow": 1 / 5,
    }
    expect(Object.keys(measured).sort()).toEqual(Object.keys(byHand).sort())
    for (const [name, value] of Object.entries(byHand)) {
      expect(Math.abs(measured[name]! - value), name).toBeLessThanOrEqual(0.02 * value)
    }
    const agreeing = checks.filter(({ verdict }) => verdict === 'agrees').map(({ name }) => name)
    expect(agreeing).toEqual([
      'deadlines missed, by deadline',
      "A's share, per tenant",
      "A's share, per tenant, 3 to 1",
    ])
    expect(checks.filter(({ verdict }) => verdict === 'ours')).toHaveLength(8)
  })

  it('have names of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^r2c2\//)
  })
})
