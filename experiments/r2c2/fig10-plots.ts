/** Pictures of Figs. 10 to 14, on the paper's axes. */
import { empiricalCdf, meanInterval } from '@weir/metrics'
import type { Curve, Plot } from '../figure.ts'
import type { Loaded } from './fig10.ts'
import { meanOf, percentile, pooled } from './rack-runs.ts'
import type { Contender, RackRun } from './rack-runs.ts'

export function cdfPlots({ runs }: Loaded, contenders: readonly Contender[]): Plot[] {
  const curves = (column: 'shortFctUs' | 'longGbps'): Curve[] =>
    contenders.map(({ name }, c) => {
      const { values, fractions } = empiricalCdf(pooled(runs[c]!, column))
      return { name, x: values, y: fractions }
    })
  return [
    {
      title: 'Fig. 10: completion times (FCT) of flows below 100 KB, a flow each 1 us',
      kind: 'steps',
      x: { label: 'completion time', unit: 'us', scale: 'log' },
      y: { label: 'flows that take no longer', unit: 'of all' },
      curves: curves('shortFctUs'),
    },
    {
      title: 'Fig. 11: throughput of flows above 1 MB, a flow each 1 us',
      kind: 'steps',
      x: { label: 'throughput', unit: 'Gb/s' },
      y: { label: 'flows that have no more', unit: 'of all' },
      curves: curves('longGbps'),
    },
  ]
}

/** Means over seeds, with their intervals. */
function spread(bySeed: readonly (readonly number[])[]): Pick<Curve, 'half' | 'y'> {
  return {
    y: bySeed.map(meanOf),
    half: bySeed.map((values) => meanInterval(values).half || 0),
  }
}

/** Of R2C2's queues, at 100 ns and from 1 us on. */
function inText(y: readonly [number, number]): Curve {
  return { name: 'R2C2 (text; at 1 us an upper bound)', x: [0.1, 1], y, isPublished: true }
}

export function loadPlots(loads: readonly Loaded[], contenders: readonly Contender[]): Plot[] {
  const tcp = contenders.findIndex(({ name }) => name === 'TCP')
  // TCP's own ones, too: so that everyone has one colour in all plots.
  const overTcp = (value: (run: RackRun) => number): Curve[] =>
    contenders.map(({ name }, c) => ({
      name,
      x: loads.map(({ tauUs }) => tauUs),
      ...spread(
        loads.map(({ runs }) => runs[c]!.map((run, i) => value(run) / value(runs[tcp]![i]!))),
      ),
    }))
  const queues = (fraction: number): Curve[] =>
    contenders.map(({ name }, c) => ({
      name,
      x: loads.map(({ tauUs }) => tauUs),
      ...spread(loads.map(({ runs }) => runs[c]!.map((run) => percentile(run.queueKB, fraction)))),
    }))
  const x = { label: 'time between flows', unit: 'us', scale: 'log' } as const
  return [
    {
      title: 'Fig. 12: completion times of short flows over TCP, 99th percentile',
      kind: 'lines',
      x,
      y: { label: "completion time over TCP's", unit: 'ratio' },
      curves: overTcp(({ shortFctUs }) => percentile(shortFctUs, 0.99)),
    },
    {
      title: 'Fig. 13: mean throughput of long flows over TCP',
      kind: 'lines',
      x,
      y: { label: "throughput over TCP's", unit: 'ratio' },
      curves: overTcp(({ longGbps }) => meanOf(longGbps)),
    },
    {
      title: 'Fig. 14: longest queue of each link, 99th percentile over links',
      kind: 'lines',
      x,
      y: { label: 'longest queue', unit: 'KB', scale: 'log' },
      curves: [...queues(0.99), inText([330.6, 27])],
    },
    {
      title: 'Fig. 14: longest queue of each link, median over links',
      kind: 'lines',
      x,
      y: { label: 'longest queue', unit: 'KB', scale: 'log' },
      // 'Less than one packet' from 1 us on, of 1,500 B here.
      curves: [...queues(0.5), inText([3.8, 1.5])],
    },
  ]
}
