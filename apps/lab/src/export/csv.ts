/** Every plotted value in long form: one row a point, so that plots of different grids fit. */
import type { PlotRow } from '../view/plots.ts'

export function csvOf(rows: readonly PlotRow[]): string {
  const lines = ['plot,series,x,y']
  for (const { charts } of rows) {
    for (const chart of charts) {
      for (const { name, values } of chart.lines) {
        for (let i = 0; i < chart.x.length; i++) {
          const value = values[i]
          if (value === null || value === undefined) continue
          lines.push(`${cell(chart.title)},${cell(name)},${chart.x[i]},${value}`)
        }
      }
    }
  }
  return lines.join('\n') + '\n'
}

function cell(text: string): string {
  return /[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
