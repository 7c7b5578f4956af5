/** Pictures of Figs. 10 to 14, on the paper's axes. */
import { empiricalCdf, meanInterval, sortedValues } from '@weir/metrics'
import type { Curve, Plot } from '../figure.ts'
import type { Loaded } from './fig10.ts'
import { meanOf, percentile, pooled } from './rack-runs.ts'
import type { Contender, RackRun } from './rack-runs.ts'

export function cdfPlots({ runs }: Loaded, contenders: readonly Contender[]): Plot[] {
  const names = contenders.map(({ name }) => name)
  const of = (column: 'shortFctUs' | 'longGbps') => runs.map((ones) => pooled(ones, column))
  const short = of('shortFctUs')
  const { endUs, beyond } = beforeOutliers(names, short)
  return [
    {
      title: `Fig. 10: completion times (FCT) of flows below 100 KB, a flow each 1 us${beyond}`,
      kind: 'steps',
      x: { label: 'completion time', unit: 'us', scale: 'log' },
      y: { label: 'flows that take no longer', unit: 'of all' },
      curves: names.map((name, c) => cdf(name, short[c]!, endUs)),
    },
    {
      title: 'Fig. 11: throughput of flows above 1 MB, a flow each 1 us',
      kind: 'steps',
      x: { label: 'throughput', unit: 'Gb/s' },
      y: { label: 'flows that have no more', unit: 'of all' },
      curves: of('longGbps').map((values, c) => cdf(names[c]!, values)),
    },
  ]
}

/** Fractions are of all values, those above `end` too. */
function cdf(name: string, all: Float64Array, end = Infinity): Curve {
  const shown = all.filter((value) => value <= end)
  const { values, fractions } = empiricalCdf(shown)
  return { name, x: values, y: fractions.map((part) => (part * shown.length) / all.length) }
}

/** Nobody's flows took a time between `endUs` and so many times it. */
const GAP = 4
/** What is left out is no more than this of anybody's flows, for whom it is no tail then. */
const OUTLIERS_MAX = 0.01

/**
 * Where an axis of completion times may end, and whose flows are beyond: one time-out of TCP, 200
 * ms after flows that took 200 us, would take half of it, and nothing stands in between.
 */
export function beforeOutliers(
  names: readonly string[],
  sorted: readonly Float64Array[],
): { readonly endUs: number; readonly beyond: string } {
  const all = sortedValues(sorted.flatMap((values) => Array.from(values)))
  const after = (endUs: number): Float64Array[] =>
    sorted.map((values) => values.filter((value) => value > endUs))
  const isFew = (endUs: number): boolean =>
    after(endUs).every(({ length }, c) => length <= OUTLIERS_MAX * sorted[c]!.length)
  const endUs = all.find((us, i) => all[i + 1]! > GAP * us && isFew(us)) ?? Infinity
  const words = after(endUs).flatMap((values, c) => {
    const longest = (values.at(-1)! / 1e3).toPrecision(3)
    return values.length === 0
      ? []
      : [`${names[c]!} ${values.length} of ${many(sorted[c]!)}, up to ${longest} ms`]
  })
  return { endUs, beyond: words.length === 0 ? '' : `; beyond the axis: ${words.join(', ')}` }
}

function many({ length }: Float64Array): string {
  return length.toLocaleString('en-US')
}

/** Means over seeds, with their intervals. */
function spread(bySeed: readonly (readonly number[])[]): Pick<Curve, 'half' | 'y'> {
  return {
    y: bySeed.map(meanOf),
    half: bySeed.map((values) => meanInterval(values).half || 0),
  }
}

/** Of R2C2's queues, at 100 ns and from 1 us on, on 512 nodes: other curves may be of 64. */
function inText(y: readonly [number, number], isFull: boolean): Curve {
  const of = isFull ? 'text' : 'text, 512 nodes'
  return { name: `R2C2 (${of}; at 1 us an upper bound)`, x: [0.1, 1], y, isPublished: true }
}

export function loadPlots(
  loads: readonly Loaded[],
  contenders: readonly Contender[],
  isFull: boolean,
): Plot[] {
  const tcp = contenders.findIndex(({ name }) => name === 'TCP')
  const overTcp = (value: (run: RackRun) => number): Curve[] => [
    ...contenders.flatMap(({ name }, c): Curve[] => {
      const ratios = loads.map(({ runs }) =>
        runs[c]!.map((run, i) => value(run) / value(runs[tcp]![i]!)),
      )
      return c === tcp ? [] : [{ name, x: loads.map(({ tauUs }) => tauUs), ...spread(ratios) }]
    }),
    {
      name: 'one: as TCP (computed)',
      x: loads.map(({ tauUs }) => tauUs),
      y: loads.map(() => 1),
      isExpected: true,
    },
  ]
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
      curves: [...queues(0.99), inText([330.6, 27], isFull)],
    },
    {
      title: 'Fig. 14: longest queue of each link, median over links',
      kind: 'lines',
      x,
      y: { label: 'longest queue', unit: 'KB', scale: 'log' },
      // 'Less than one packet' from 1 us on, of 1,500 B here.
      curves: [...queues(0.5), inText([3.8, 1.5], isFull)],
    },
  ]
}
