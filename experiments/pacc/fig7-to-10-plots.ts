/** Figs. 7 to 10 of PACC as curves, and what was run in words. */
import { mean } from '@weir/metrics'
import type { Plot } from '../figure.ts'
import { countOf, estimate, over, STATISTIC_NAMES, STATISTICS, timeOf } from './completion.ts'
import type { Sizes } from './completion.ts'
import type { Cell, Size, Workload } from './loads.ts'
import { SCHEMES, TITLES } from './schemes.ts'

/** With fewer flows than `fewest` in one of its places there is no tail to draw. */
export function curvesAgainstLoad(cells: readonly Cell[], fewest: number): Plot[] {
  const all = { name: '', from: 0, to: Infinity }
  const isEnough = cells.every(({ draws }) => countOf(draws.pacc, all) >= fewest)
  // Seeds of few flows differ more than schemes do, which meet the same flows in each.
  if (!isEnough) return [againstLoadOverPacc(cells)]
  return STATISTICS.map((statistic) => ({
    title: `Completion time against load, ${STATISTIC_NAMES[statistic]} of all flows`,
    kind: 'lines',
    x: { label: 'load', unit: '%' },
    y: { label: 'FCT', unit: 'us' },
    curves: SCHEMES.map((scheme) => {
      const of = cells.map(({ draws }) => estimate(draws[scheme], statistic))
      return {
        name: TITLES[scheme],
        x: cells.map(({ load }) => load * 100),
        y: of.map(({ value }) => value),
        half: of.map(({ half }) => half),
      }
    }),
  }))
}

function againstLoadOverPacc(cells: readonly Cell[]): Plot {
  return {
    title: "Completion time against load, average of all flows, over PACC's",
    kind: 'bars',
    x: { label: 'load', unit: '%' },
    y: { label: 'FCT over that of PACC', unit: '' },
    curves: SCHEMES.map((scheme) => {
      const of = cells.map(({ draws }) => over(draws[scheme], draws.pacc, 'mean'))
      return {
        name: TITLES[scheme],
        x: cells.map(({ load }) => `${load * 100}%`),
        y: of.map(({ value }) => value),
        half: of.map(({ half }) => half),
      }
    }),
  }
}

/** Slowdown would hide what the paper shows: its axis is time. */
export function curvesBySize(
  cells: readonly Cell[],
  sizes: readonly Sizes[],
  fewest: number,
): Plot[] {
  const { draws, load } = cells.at(-1)!
  return STATISTICS.flatMap((statistic): Plot[] => {
    const drawn = sizes.filter((one) => statistic === 'mean' || countOf(draws.pacc, one) >= fewest)
    if (drawn.length === 0) return []
    return [
      {
        title: `By flow size at ${load * 100}% load, ${STATISTIC_NAMES[statistic]}, over PACC's`,
        kind: 'bars',
        x: { label: 'flow size', unit: '' },
        y: { label: 'FCT over that of PACC', unit: '' },
        curves: SCHEMES.map((scheme) => {
          const of = drawn.map((one) => over(draws[scheme], draws.pacc, statistic, one))
          return {
            name: TITLES[scheme],
            x: drawn.map(({ name }) => name),
            y: of.map(({ value }) => value),
            half: of.map(({ half }) => half),
          }
        }),
      },
    ]
  })
}

export function facts(
  workload: Workload,
  cells: readonly Cell[],
  size: Size,
  bins: readonly Sizes[],
): string[] {
  const { arrivalsMs, seeds, warmUp } = size
  const hasTails = bins.length > 0
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
      const text = `${TITLES[scheme]} ${average!.value.toFixed(1)} ± ${average!.half.toFixed(1)}`
      return hasTails ? `${text} / ${tail!.value.toFixed(0)} ± ${tail!.half.toFixed(0)}` : text
    })
    const what = hasTails ? 'average / 99th percentile' : 'average'
    return `${load * 100}% load, ${what} in us: ${all.join(', ')}.`
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
