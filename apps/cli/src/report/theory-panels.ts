/**
 * Theory over packets in a report: a panel a scheme with the queue of the bottleneck and its fluid,
 * and one with the flows' rates and what exact max-min gives them. Theory is dotted,
 * as all is that was computed and not measured.
 */
import { isTheory, portQueue } from '@weir/sim/theory'
import type { MaxMinSteps } from '@weir/sim/theory'
import type { TheoryRow } from '../theory-over.ts'
import { COMPUTED_DOTS, COMPUTED_WIDTH } from '../../../../experiments/plotted.ts'
import { Plot } from './canvas.ts'
import { rateCurves } from './curves.ts'
import { decimate, type Point } from './decimate.ts'
import { framed, type Panel } from './figures.ts'
import { colour } from './palette.ts'
import { rateScale, sizeScale, timeScale, type Scale } from './scale.ts'
import type { Shown } from './shown.ts'

const THEORY_STROKE = {
  stroke: 'currentColor',
  strokeWidth: COMPUTED_WIDTH,
  strokeDasharray: COMPUTED_DOTS,
  strokeLinecap: 'round',
} as const
const POINTS = 400
/** Above this many flows nothing is drawn: lines of each would hide the packets. */
const FLOWS_DRAWN_MAX = 8

export function fluidPanels(results: readonly Shown[], rows: readonly TheoryRow[]): Panel[] {
  const drawn = results.flatMap((result, i) => {
    const { fluid } = rows[i]!.overlay
    if (!isTheory(fluid)) return []
    const even = (values: readonly number[]): Point[] =>
      values.map((y, n) => ({ x: (n + 1) * fluid.intervalPs, y }))
    const packets = even(portQueue(result, fluid.port))
    return [{ result, i, port: fluid.port, packets, fluid: even(fluid.queueBytes) }]
  })
  const peak = most(drawn.flatMap(({ packets, fluid }) => [...packets, ...fluid]))
  if (!(peak > 0)) return []
  const y = sizeScale(peak)
  const time = timeScale(endOf(results))
  return drawn.map(({ result, i, port, packets, fluid }) => ({
    title: result.label,
    colour: colour(i),
    caption: `port ${port}; dotted: the fluid`,
    svg: framed(`Queue and fluid under ${result.label}`, results, time, y, peak, 'queue', [
      Plot.line(lanes(packets, time, y), { stroke: colour(i), strokeWidth: 1.1 }),
      Plot.line(lanes(fluid, time, y), THEORY_STROKE),
    ]),
  }))
}

export function maxMinPanels(results: readonly Shown[], rows: readonly TheoryRow[]): Panel[] {
  const drawn = results.flatMap((result, i) => {
    const { maxMin } = rows[i]!.overlay
    const curves = rateCurves(result)
    if (!isTheory(maxMin) || curves.length > FLOWS_DRAWN_MAX) return []
    const names = new Set(curves.map(({ name }) => name))
    const steps = maxMin.filter(({ name }) => names.has(name))
    return steps.length === 0 ? [] : [{ result, curves, steps }]
  })
  const peak = most(
    drawn.flatMap(({ curves, steps }) => [
      ...curves.flatMap(({ points }) => points),
      ...steps.flatMap(stairs),
    ]),
  )
  if (!(peak > 0)) return []
  const y = rateScale(peak)
  const time = timeScale(endOf(results))
  return drawn.map(({ result, curves, steps }) => ({
    title: result.label,
    colour: 'inherit',
    caption: 'dotted: exact max-min',
    svg: framed(`Rates and max-min under ${result.label}`, results, time, y, peak, 'flow rate', [
      ...curves.map(({ points }, flow) =>
        Plot.line(lanes(points, time, y), { stroke: colour(flow), strokeWidth: 1.1 }),
      ),
      ...steps.map((one) => Plot.line(lanes(stairs(one), time, y), THEORY_STROKE)),
    ]),
  }))
}

/** Corners of a staircase. */
function stairs({ atPs, rateBps }: MaxMinSteps): Point[] {
  return atPs.flatMap((x, i) => [
    { x, y: rateBps[i - 1] ?? 0 },
    { x, y: rateBps[i]! },
  ])
}

function lanes(points: readonly Point[], time: Scale, y: Scale): [number, number][] {
  return decimate(points, POINTS).map((point) => [point.x / time.divisor, point.y / y.divisor])
}

function most(points: readonly Point[]): number {
  return points.reduce((peak, { y }) => Math.max(peak, y), 0)
}

function endOf(results: readonly Shown[]): number {
  return results.reduce((end, { measuredPs }) => Math.max(end, measuredPs), 0)
}
