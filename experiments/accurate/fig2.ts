/**
 * ACCurate, Fig. 2: the timeline of one contention point over a period. C = 10 Gb/s, alpha = 0,
 * FSR starts at 3 Gb/s; two flows turn out bottlenecked here, others bring B to 5 Gb/s; at the end
 * of the period FSR = (10 - 5) / 2 = 2.5 Gb/s. The text gives these numbers, not the FRPs in
 * between: ours (CR 5, 2.5, 3, 2.5) are one choice that leads through them, and the period before
 * brings FSR to 3. FSR, M and B are thus fitted; the next FSR alone is predicted.
 *
 * Changed after first results: FSR = 3, M = 2 and B = 5, which our FRPs were chosen for, counted as
 * agreeing.
 */
import { AccurateContentionPoint, exactRates } from '@weir/schemes'
import { ours, within } from '../figure.ts'
import type { Check, Curve, Figure, FigureResult } from '../figure.ts'
import { GBPS } from './measures.ts'

const BEFORE = [10, 2, 10, 2]
const DURING = [5, 2.5, 3, 2.5]
const RRP_US = 20

export const fig2: Figure = {
  id: 'accurate/fig2',
  title: 'A contention point over one period',
  cite: 'Karampelas et al. (ACCurate), section II, Fig. 2',
  claim: 'M = 2 and B = 5 Gb/s turn an FSR of 3 Gb/s into 2.5 Gb/s.',
  fitted: [
    {
      value: 'the FRPs that pass: CR 10, 2, 10, 2 and then 5, 2.5, 3, 2.5 Gb/s',
      to: 'Fig. 2: FSR = 3 Gb/s, M = 2, B = 5 Gb/s',
    },
  ],
  switches: [
    {
      name: 'the FRPs of flows that are bottlenecked elsewhere (B)',
      reproduce: () => timeline((rate) => rate !== 2 && rate !== 2.5),
      breaks: ['FSR of the next'],
    },
    {
      name: 'the FRPs of flows that are held here (M)',
      reproduce: () => timeline((rate) => rate === 2 || rate === 2.5),
      breaks: ['FSR of the next'],
    },
  ],
  reproduce: () => timeline(() => true),
}

const PUBLISHED: readonly Curve[] = [
  { name: 'FSR', x: [0, RRP_US], y: [3, 2.5], isPublished: true },
  { name: 'M', x: [RRP_US], y: [2], isPublished: true },
  { name: 'B', x: [RRP_US], y: [5], isPublished: true },
]

function fittedTo(name: string, published: number, measured: number, unit: string): Check {
  const note = 'no check: the FRPs of the run are chosen so that it comes out'
  return { ...ours(name, measured, unit, note), published }
}

/** What the point makes of the FRPs that it sees. */
function timeline(isSeen: (rateGbps: number) => boolean): Promise<FigureResult> {
  const point = new AccurateContentionPoint({
    capacityBps: 10 * GBPS,
    alpha: 0,
    shortCircuitFraction: 1,
    remembers: true,
    floors: true,
    code: exactRates,
  })
  const at: number[] = []
  const kept: Record<'FSR' | 'M' | 'B' | 'CR in' | 'CR out', number[]> = {
    FSR: [],
    M: [],
    B: [],
    'CR in': [],
    'CR out': [],
  }
  const note = (timeUs: number, cameGbps: number, leftGbps: number): void => {
    at.push(timeUs)
    kept.FSR.push(point.fsrBps / GBPS)
    kept.M.push(point.m)
    kept.B.push(point.bBps / GBPS)
    kept['CR in'].push(cameGbps)
    kept['CR out'].push(leftGbps)
  }
  const pass = (rates: readonly number[], fromUs: number): void =>
    rates.filter(isSeen).forEach((rate, i) => {
      const frp = { type: 'frp' as const, currentBps: rate * GBPS, desiredBps: 10 * GBPS }
      point.receive(frp)
      note(fromUs + ((i + 1) * RRP_US) / (rates.length + 1), rate, frp.currentBps / GBPS)
    })
  pass(BEFORE, -RRP_US)
  point.tick()
  const first = point.fsrBps / GBPS
  note(0, NaN, NaN)
  pass(DURING, 0)
  const { m, bBps } = point
  point.tick()
  note(RRP_US, NaN, NaN)
  // The paper's axis is the one period; and no FRP passes at a tick.
  const curves: Curve[] = Object.entries(kept).map(([name, y]) => {
    const isDrawn = (_: number, i: number): boolean => at[i]! >= 0 && !Number.isNaN(y[i])
    return { name, x: at.filter(isDrawn), y: y.filter(isDrawn) }
  })
  return Promise.resolve({
    checks: [
      fittedTo('FSR at the start of the period', 3, first, 'Gb/s'),
      fittedTo('M at its end', 2, m, 'flows'),
      fittedTo('B at its end', 5, bBps / GBPS, 'Gb/s'),
      within('FSR of the next period', 2.5, point.fsrBps / GBPS, 0, 'Gb/s'),
    ],
    plots: [
      {
        title: 'Registers of the contention point',
        kind: 'steps',
        x: { label: 'time', unit: 'us' },
        y: { label: 'rate (Gb/s), or number of flows (M)', unit: '' },
        curves: [...curves, ...PUBLISHED],
      },
    ],
    draws: 'nothing random',
    notes: [
      'FSR: the fair share rate of the link. M: how many flows are bottlenecked here. B: the ' +
        "rates of the others, together. FRP: a packet that carries a flow's rate, CR, in and out.",
      'The text gives FSR, M and B, not the FRPs of the drawing: ours are one set that fits. ' +
        'Hollow marks are the text: M and B at the end of the period, FSR at its start and ' +
        'after. The period before, which brings FSR to 3 Gb/s, is not drawn.',
    ],
  })
}
