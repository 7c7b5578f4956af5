/** Lanes over each other: the plots of a row as one, lines told apart by the dashes of lanes. */
import type { PlotRow } from './plots.ts'
import type { ChartData, ChartLine } from './chart.ts'
import { letterOf } from './lanes.ts'
import { LANE_DASHES } from '../scene/palette.ts'

export function overlaid(row: PlotRow): PlotRow {
  const [first, ...others] = row.charts
  if (first === undefined || others.length === 0 || !first.isTime) return row
  // The finest grid: every lane has a picture for each of its moments.
  const base = row.charts.reduce((a, b) => (b.x.length > a.x.length ? b : a))
  const lines = row.charts.flatMap((chart, lane) =>
    chart.lines.map((line): ChartLine => ({
      name: `${letterOf(lane)} ${line.name}`,
      colour: line.colour,
      dash: LANE_DASHES[lane] ?? [],
      values: onGrid(chart, base, line.values),
    })),
  )
  const letters = row.charts.map((chart, lane) => `${letterOf(lane)} ${chart.title.split(': ')[1]}`)
  const title = `${first.title.split(': ')[0]}: ${letters.join(', ')}`
  const { guides = [] } = base
  return { id: `${row.id} over`, charts: [{ ...base, title, lines, guides, ghosts: [] }] }
}

function onGrid(
  own: ChartData,
  base: ChartData,
  values: ArrayLike<number | null>,
): (number | null)[] {
  const step = own.x[0] ?? 1
  return Array.from(base.x, (x) => values[Math.ceil(x / step - 1e-9) - 1] ?? null)
}
