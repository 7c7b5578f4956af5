/** Values under the cursor of a plot: all of them, the largest first. */
import type uPlot from 'uplot'
import type { ChartData, ChartLine } from './chart.ts'
import { keyStyle } from './end-labels.ts'

/** A box beside the cursor; plots over time move theirs together. */
export function showValues(plot: uPlot, data: ChartData): void {
  let box = plot.over.querySelector<HTMLElement>('.values')
  if (box === null) {
    box = document.createElement('div')
    box.className = 'values'
    plot.over.append(box)
  }
  const { idx, left } = plot.cursor
  const isOut = idx === null || idx === undefined || (left ?? -1) < 0
  box.hidden = isOut
  if (isOut) return
  const rows = [
    ...data.lines.map((of) => ({ of, isGuide: false })),
    ...(data.guides ?? []).map((of) => ({ of, isGuide: true })),
  ]
    .map(({ of, isGuide }) => ({ of, isGuide, value: of.values[idx] ?? null }))
    .filter((row): row is typeof row & { value: number } => row.value !== null)
    .sort((a, b) => b.value - a.value)
  box.replaceChildren(
    line(data.showX(data.x[idx] ?? 0)),
    ...rows.map(({ of, isGuide, value }) =>
      line(`${of.name} ${data.showY(value)}`, isGuide ? undefined : of),
    ),
  )
  const wide = plot.over.clientWidth
  const isRight = (left ?? 0) > wide / 2
  box.style.transform = `translateX(${Math.round((left ?? 0) + (isRight ? -10 : 10))}px)`
  box.classList.toggle('at-left', isRight)
}

function line(text: string, of?: ChartLine): HTMLElement {
  const row = document.createElement('div')
  if (of !== undefined) {
    const mark = document.createElement('span')
    mark.className = 'key'
    Object.assign(mark.style, keyStyle(of))
    row.append(mark)
  }
  row.append(text)
  return row
}
