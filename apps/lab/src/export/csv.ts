/** Every plotted value in long form: one row a point, so that plots of different grids fit. */
import { csvText, type CsvValue } from '@weir/metrics'
import type { PlotRow } from '../view/plots.ts'

export function csvOf(rows: readonly PlotRow[]): string {
  return csvText(points(rows))
}

function* points(rows: readonly PlotRow[]): Generator<CsvValue[]> {
  yield ['plot', 'series', 'x', 'y']
  for (const { charts } of rows) {
    for (const chart of charts) {
      for (const { name, values } of chart.lines) {
        for (let i = 0; i < chart.x.length; i++) {
          const value = values[i]
          if (value !== null && value !== undefined) yield [chart.title, name, chart.x[i]!, value]
        }
      }
    }
  }
}
