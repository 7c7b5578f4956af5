/** Lanes over each other: the plots of a row as one, lines told apart by the dashes of lanes. */
import type { PlotRow } from './plots.ts'
import type { ChartData, ChartLine } from './chart.ts'
import { letterOf } from './lanes.ts'
import { LANE_DASHES } from '../scene/palette.ts'

export function overlaid(row: PlotRow): PlotRow {
  const [first, ...others] = row.charts
  if (first === undefined || others.length === 0 || !first.isTime) return row
  const x = gridOf(row.charts)
  const lines = row.charts.flatMap((chart, lane) =>
    chart.lines.map((line): ChartLine => ({
      name: `${letterOf(lane)} ${line.name}`,
      colour: line.colour,
      dash: LANE_DASHES[lane] ?? [],
      ...(line.isComputed === true && { isComputed: true }),
      values: onGrid(chart, x, line.values),
    })),
  )
  const letters = row.charts.map((chart, lane) => `${letterOf(lane)} ${chart.title.split(': ')[1]}`)
  const title = `${first.title.split(': ')[0]}: ${letters.join(', ')}`
  // What lines are read against is that of the lane that goes on longest.
  const longest = row.charts.reduce((a, b) => (lastOf(b) > lastOf(a) ? b : a))
  const guides = (longest.guides ?? []).map((guide) => ({
    ...guide,
    values: onGrid(longest, x, guide.values),
  }))
  return { id: `${row.id} over`, charts: [{ ...longest, x, title, lines, guides, ghosts: [] }] }
}

const lastOf = ({ x }: ChartData): number => x[x.length - 1] ?? 0

/** The finest steps of any lane, to the last end of any: none that is over cuts the others. */
function gridOf(charts: readonly ChartData[]): number[] {
  const end = Math.max(...charts.map(lastOf))
  const steps = charts.filter(({ x }) => x.length > 1).map(({ x }) => x[0]!)
  const step = Math.min(...steps, end)
  if (!(step > 0)) return []
  const x = Array.from({ length: Math.ceil(end / step - 1e-9) }, (_, i) => (i + 1) * step)
  x[x.length - 1] = end
  return x
}

/** A lane's value at each moment: that of its picture which holds it; none when it is over. */
function onGrid(
  own: ChartData,
  grid: readonly number[],
  values: ArrayLike<number | null>,
): (number | null)[] {
  const step = own.x[0] ?? 1
  const end = lastOf(own)
  return grid.map((x, i) => {
    // The moment in which it ends is between two of the grid's.
    if ((grid[i - 1] ?? 0) >= end) return null
    return values[Math.min(own.x.length, Math.ceil(x / step - 1e-9)) - 1] ?? null
  })
}
