/** What Figs. 7 to 10 have of our own: RoCC on the same flows, and whether the fabric is steady. */
import { meanInterval } from '@weir/metrics'
import type { Check } from '../figure.ts'
import { reduction, STATISTIC_NAMES, STATISTICS } from './completion.ts'
import type { Cell } from './loads.ts'
import { SCHEMES, TITLES } from './schemes.ts'

/** RoCC on the same flows: nobody published it. */
export function roccRows(cells: readonly Cell[]): Check[] {
  return cells.flatMap(({ load, draws }) =>
    STATISTICS.map((statistic): Check => {
      const { value, half } = reduction(draws.pacc, draws.rocc, statistic)
      return {
        name: `${STATISTIC_NAMES[statistic]} of PACC below that of RoCC, ${load * 100}% load`,
        published: 'not published',
        ...{ measured: value * 100, half: half * 100, unit: '%', verdict: 'ours', note: '' },
      }
    }),
  )
}

/** Is the 99th percentile that of a steady fabric? The last quarter of arrivals over the third. */
export function steadyRows(cells: readonly Cell[]): Check[] {
  return cells.map(({ load, draws }) => {
    const each = SCHEMES.map((scheme) => ({
      name: TITLES[scheme],
      ...meanInterval(draws[scheme].map(({ quarterTails: [, , third, last] }) => last! / third!)),
    }))
    const worst = each.reduce((a, b) => (Math.abs(b.mean - 1) > Math.abs(a.mean - 1) ? b : a))
    const notes = each.map(
      ({ name, mean, half }) => `${name} ${mean.toFixed(2)} ± ${half.toFixed(2)}`,
    )
    return {
      name: `99th percentile of slowdown, last quarter of arrivals over the third, ${load * 100}%`,
      published: 'steady: 1',
      ...{ measured: worst.mean, half: worst.half, unit: 'times', verdict: 'ours' as const },
      note: `of ${worst.name}, the furthest from 1; ${notes.join(', ')}`,
    }
  })
}
