/**
 * The figures of PACC, small: what is known to differ and nothing else, and the mechanisms that
 * checks rest on. Figs. 7 to 10 are tested by their judge (`fig7-to-10.test.ts`).
 */
import { expect, it } from 'vitest'
import type { Check, Switch } from '../figure.ts'
import { describeFigures } from '../figure-suite.ts'
import { quickContext, reproduceWithout } from '../testing.ts'
import { samples } from './bursts.ts'
import { fig1 } from './fig1.ts'
import { fig2 } from './fig2.ts'
import { fig3, middleOf } from './fig3.ts'
import { boundaryOf, fig5 } from './fig5.ts'
import { fig6 } from './fig6.ts'
import { figures } from './index.ts'
import { flowOf } from './microbursts.ts'
import { readings } from './readings.ts'
import { stability } from './stability.ts'

const POSITIONAL = 'stable of 9 places in 2 to 64 flows, 4 to 128 us'

const reproduced = describeFigures(
  'the figures of PACC',
  [fig1, fig2, fig3, fig5, fig6, readings, stability],
  {
    'pacc/fig1': [
      'DCQCN: time until the queue begins to drain',
      'DCQCN: after the burst, until the link is full for good (nine tenths)',
      'TIMELY: time until the queue begins to drain',
      'TIMELY: after the burst, until the link is full for good (nine tenths)',
      'HPCC: peak of the queue',
      'HPCC: length of the burst',
      'HPCC: after the burst, until the link is full for good (nine tenths)',
      'PACC: peak of the queue',
      'PACC: time until the peak',
      'PACC: the queue begins to drain, sooner than under DCQCN by',
      'PACC: after the burst, until the link is full for good, over that of HPCC',
    ],
    'pacc/fig2': [
      'DCQCN: largest less smallest throughput over the fair share',
      'PACC: largest less smallest throughput over the fair share',
      "DCQCN: '2.83%' by its own quotient",
      'DCQCN: difference of peaks over the total, as the percentage (within a quarter)',
      'DCQCN: difference of peaks over the total, as the quotient (within a quarter)',
      "PACC: '1.21%' by its own quotient",
      'PACC: difference of peaks over the total, as the percentage (within a quarter)',
      'PACC: difference of peaks over the total, as the quotient (within a quarter)',
      'DCQCN: total throughput, headers included',
      'PACC: total throughput, headers included',
      'DCQCN: CNPs of the long flow over those of a burst, how far from one',
    ],
    'pacc/fig3': [
      "DCQCN: 'long' flow back, from the end of the burst",
      "DCQCN: 'short-long' flow at its share, from its start",
      "TIMELY: 'long' flow back, from the start of the burst",
      "TIMELY: 'long' flow back, from the end of the burst",
      "TIMELY: 'short-long' flow at its share, from its start",
      "HPCC: 'long' flow back, from the end of the burst",
      "HPCC: 'short-long' flow at its share, from its start",
      "PACC: 'long' flow back, from the start of the burst",
      "PACC: link time that long flows lose, beyond the burst's own",
      "PACC: 'short-long' flow at its share, from its start",
    ],
    'pacc/fig5': [
      'alpha* by Eq. 3 as it stands',
      'phase margin of (16), negative feedback as in (14)',
      'rightmost root of the linearized equations (14)',
      'real root of (16) with its minus as printed',
      `positional form, target kept in a burst: ${POSITIONAL}`,
      'phase margin of the positional form, each CNP takes the target down (Eq. 1)',
      `positional form, each CNP takes the target down (Eq. 1): ${POSITIONAL}`,
    ],
    'pacc/fig6': [
      'PACC: worst distance of a flow from its fair share',
      'PACC: share of the link used, mean of all steps',
    ],
    'pacc/stability': [
      '4 flows, beta2 0.1, as Eq. 1: deviation over mean',
      '4 flows, beta2 0.3, target kept: mean queue',
      '4 flows, beta2 0.3, as Eq. 1: mean queue',
    ],
  },
)

it('a flow has recovered when it has nine tenths of its share for 25 us, not what it had', () => {
  const curve = (pick: (us: number) => number): [number, number][] =>
    Array.from({ length: 600 }, (_, i) => [i * 5, pick(i * 5)])
  // Its share until 600 us, a backlog that leaves at 700, back at 1000, and a fall later.
  const gbps = (us: number): number => (us > 600 && us < 1000 ? (us === 700 ? 12 : 3) : 12)
  const falls = (us: number): number => (us > 2000 && us < 2500 ? 3 : gbps(us))
  expect(flowOf(curve(gbps), 600, 12)).toMatchObject({ backUs: 400, isBack: true })
  expect(flowOf(curve(falls), 600, 12)).toMatchObject({ backUs: 400, isBack: true })
  // A quarter of its share before and after is no recovery: it takes the rest of the run.
  expect(flowOf(curve(gbps), 600, 48)).toMatchObject({ backUs: 2395, isBack: false })
  expect(flowOf(curve(gbps), 1500, 12)).toMatchObject({ backUs: 0, isBack: true })
})

it('of flows with the median recovery that one is drawn which meets no others', () => {
  const flow = (backUs: number, shareGbps: number): Parameters<typeof middleOf>[0][number] => ({
    ...{ backUs, shareGbps, isBack: true, points: [], twin: [] },
  })
  const flows = [flow(25, 18), flow(25, 24), flow(25, 20), flow(700, 24), flow(10, 24)]
  expect(middleOf(flows)).toBe(flows[1])
})

it('samples have their time, and no more arrives than a link carries', async () => {
  const series = { name: 'rate.f', unit: 'bit/s', startPs: 5e6, intervalPs: 5e6 } as const
  expect(samples({ ...series, values: [0, 1] })).toEqual([
    [5, 0],
    [10, 1],
  ])
  const { checks } = await reproduced(fig2)
  const totals = checks.filter(({ name }) => name.includes('total throughput'))
  expect(totals).toHaveLength(2)
  for (const { measured } of totals) expect(measured).toBeLessThanOrEqual(25)
})

it('one colour is one scheme in all pictures of a figure', async () => {
  const { plots } = await reproduced(fig2)
  const [rates, cnps] = plots.map(({ curves }) => curves.map(({ name }) => name))
  expect(cnps).toEqual(rates!.slice(0, cnps!.length))
})

it('the boundary of a margin is where it is zero, and nowhere if it never is', () => {
  const { x, y } = boundaryOf((beta1, beta2) => beta2 - 2 * beta1)
  expect(x.at(-1)).toBeLessThan(0.5)
  for (const [i, beta1] of x.entries()) expect(y[i]! / beta1).toBeCloseTo(2, 1)
  expect(boundaryOf(() => -1)).toEqual({ x: [], y: [] })
})

it('what is computed is not drawn as published', async () => {
  const { plots } = await reproduced(fig6)
  expect(plots.flatMap(({ curves }) => curves.filter((c) => c.isPublished === true))).toEqual([])
})

it('leaves open what few readings do not find; with a window they find 125 KB', async () => {
  const ofPeaks = ({ name }: Check): boolean => name.includes('fabric that peak near 125 KB')
  const found = await reproduced(readings)
  expect(found.checks.find(ofPeaks)).toMatchObject({ measured: 0, verdict: 'needs --full' })
  expect(found.notes[0]).toBe('7 of 38 readings are tried in this run.')
  const window: Switch = {
    name: 'line rate without a window',
    without: () => ['hosts.window=14KB'],
    breaks: [],
  }
  const { checks } = await reproduceWithout(readings, window, quickContext())
  expect(checks.find(ofPeaks)).toMatchObject({ verdict: 'agrees' })
}, 600_000)

it('every figure of PACC names a mechanism to take away, but for those with a reason', () => {
  expect(figures.filter(({ switches = [] }) => switches.length === 0).map(({ id }) => id)).toEqual([
    'pacc/fig7', // needs --full; fig7-to-10.test.ts judges worlds made by hand
    'pacc/fig8',
    'pacc/readings', // above
  ])
})

it('marks when the burst begins, and the flows after it, on every plot of Fig. 3', async () => {
  const { plots } = await reproduced(fig3)
  const begins = plots.map(({ curves }) =>
    curves.flatMap(({ name, x }) => (name.includes('as set') ? x : [])),
  )
  expect(begins).toEqual([
    [600, 600],
    [600, 600],
    [800, 800],
  ])
}, 600_000)
