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
  const wide = plot.over.clientWidth
  const isRoomy = wide >= ROOMY_PX
  box.replaceChildren(
    line(data.showX(data.x[idx] ?? 0)),
    ...rows.map(({ of, isGuide, value }) =>
      line(
        `${isRoomy ? ownersOf(of) : ''}${of.name} ${data.showY(value)}`,
        isGuide ? undefined : of,
      ),
    ),
  )
  // On the side that has more room; where neither has enough it lies over the cursor, whole.
  const [own, at] = [box.offsetWidth, left ?? 0]
  const wanted = at > wide / 2 ? at - BESIDE_PX - own : at + BESIDE_PX
  const x = Math.max(0, Math.min(wide - own, wanted))
  box.style.transform = `translateX(${Math.round(x)}px)`
}

const BESIDE_PX = 10
/** There is room for whose what is. */
const ROOMY_PX = 300

const ownersOf = ({ of }: ChartLine): string => (of === undefined ? '' : `${of}: `)

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
