/** Figs. 7 to 10 of PACC as curves, and what was run in words. */
import { mean } from '@weir/metrics'
import type { Plot } from '../figure.ts'
import { countOf, estimate, STATISTIC_NAMES, STATISTICS, timeOf } from './completion.ts'
import type { Sizes, Statistic } from './completion.ts'
import type { Cell, Size, Workload } from './loads.ts'
import { SCHEMES, TITLES } from './schemes.ts'

export function curvesAgainstLoad(cells: readonly Cell[]): Plot[] {
  return STATISTICS.map((statistic) =>
    cells.length === 1 ? barsOf(cells[0]!, statistic) : linesOf(cells, statistic),
  )
}

function linesOf(cells: readonly Cell[], statistic: Statistic): Plot {
  return {
    title: `Completion time against load, ${STATISTIC_NAMES[statistic]} of all flows`,
    kind: 'lines',
    x: { label: 'load', unit: '%' },
    y: { label: 'FCT', unit: 'us' },
    curves: SCHEMES.map((scheme) => ({
      name: TITLES[scheme],
      x: cells.map(({ load }) => load * 100),
      y: cells.map(({ draws }) => estimate(draws[scheme], statistic).value),
      half: cells.map(({ draws }) => estimate(draws[scheme], statistic).half),
    })),
  }
}

/** One load is no axis. */
function barsOf({ load, draws }: Cell, statistic: Statistic): Plot {
  return {
    title: `Completion time at ${load * 100}% load, ${STATISTIC_NAMES[statistic]} of all flows`,
    kind: 'bars',
    x: { label: 'scheme', unit: '' },
    y: { label: 'FCT', unit: 'us' },
    curves: [
      {
        name: 'packets',
        x: SCHEMES.map((scheme) => TITLES[scheme]),
        y: SCHEMES.map((scheme) => estimate(draws[scheme], statistic).value),
        half: SCHEMES.map((scheme) => estimate(draws[scheme], statistic).half),
      },
    ],
  }
}

/** Slowdown would hide what the paper shows: its axis is time. */
export function curvesBySize(cells: readonly Cell[], sizes: readonly Sizes[]): Plot[] {
  const { draws, load } = cells.at(-1)!
  return STATISTICS.map((statistic) => ({
    title: `By flow size at ${load * 100}% load, ${STATISTIC_NAMES[statistic]}, over PACC's`,
    kind: 'bars' as const,
    x: { label: 'flow size', unit: '' },
    y: { label: 'FCT over that of PACC', unit: '' },
    curves: SCHEMES.map((scheme) => ({
      name: TITLES[scheme],
      x: sizes.map(({ name }) => name),
      y: sizes.map(
        (one) => timeOf(draws[scheme], statistic, one) / timeOf(draws.pacc, statistic, one),
      ),
    })),
  }))
}

export function facts(
  workload: Workload,
  cells: readonly Cell[],
  size: Size,
  bins: readonly Sizes[],
): string[] {
  const { arrivalsMs, seeds, warmUp } = size
  const left = cells.flatMap(({ draws }) =>
    SCHEMES.flatMap((scheme) => draws[scheme].map(({ unfinished }) => unfinished)),
  )
  const counted = cells.map(({ load, draws }) => {
    const flows = draws.pacc.reduce((sum, { fctUs }) => sum + fctUs.length, 0)
    return `${load * 100}%: ${flows}`
  })
  const times = cells.map(({ load, draws }) => {
    const all = SCHEMES.map((scheme) => {
      const [average, tail] = STATISTICS.map((statistic) => estimate(draws[scheme], statistic))
      return (
        `${TITLES[scheme]} ${average!.value.toFixed(1)} ± ${average!.half.toFixed(1)} / ` +
        `${tail!.value.toFixed(0)} ± ${tail!.half.toFixed(0)}`
      )
    })
    return `${load * 100}% load, average / 99th percentile in us: ${all.join(', ')}.`
  })
  const pauses = SCHEMES.map((scheme) => {
    const frames = cells.flatMap(({ draws }) => draws[scheme].map(({ pauseFrames }) => pauseFrames))
    return `${TITLES[scheme]} ${frames.reduce((a, b) => a + b, 0)}`
  })
  return [
    `Ours: ${workload} arrives for ${arrivalsMs} ms, seeds ${seeds.join(', ')}; flows counted, ` +
      `all seeds together (the first ${warmUp * 100}% of the time left out): ` +
      `${counted.join(', ')}. ` +
      `Flows that never ended: ${left.reduce((a, b) => a + b, 0)}.`,
    ...times,
    ...bySizeFacts(cells, bins),
    steadyFact(cells),
    `XOFF frames in all runs: ${pauses.join(', ')}.`,
  ]
}

/** Long flows outlast the arrivals: what is held in queues still grows. */
function steadyFact(cells: readonly Cell[]): string {
  const { draws, load } = cells.at(-1)!
  const all = SCHEMES.map((scheme) => {
    const means = [0, 1, 2, 3].map((quarter) =>
      mean(draws[scheme].map(({ quarters }) => quarters[quarter]!)).toFixed(2),
    )
    return `${TITLES[scheme]} ${means.join(' ')}`
  })
  return (
    `Mean slowdown by quarter of the arrivals at ${load * 100}%: ${all.join(', ')}. Where it ` +
    'still rises the fabric is not steady yet, and a longer run would set that scheme further back.'
  )
}

/** At the highest load, where schemes differ most: averages in us by flow size. */
function bySizeFacts(cells: readonly Cell[], bins: readonly Sizes[]): string[] {
  const { draws, load } = cells.at(-1)!
  return bins.map((sizes) => {
    const flows = countOf(draws.pacc, sizes)
    const all = SCHEMES.map(
      (scheme) =>
        `${TITLES[scheme]} ${timeOf(draws[scheme], 'mean', sizes).toFixed(1)} / ` +
        timeOf(draws[scheme], 'p99', sizes).toFixed(0),
    )
    return `${sizes.name} at ${load * 100}%, ${flows} flows: ${all.join(', ')}.`
  })
}
