/** Values in a plot: names where lines end, and under the cursor all of them, the largest first. */
import type uPlot from 'uplot'
import { flowColour } from '../scene/palette.ts'
import type { ChartData } from './chart.ts'

/** Right of a plot over time, for the names of its lines. */
export const LABELS_PX = 92
const ROW_PX = 12
const NAME_MAX = 13

/** The name of each line at its last value in view; pushed apart where they would meet. */
export function drawEndLabels(plot: uPlot, data: ChartData, ink: string): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const [from, to] = [plot.scales['x']!.min ?? 0, plot.scales['x']!.max ?? 1]
  const ends = data.lines.flatMap(({ name, colour, values }) => {
    for (let i = data.x.length - 1; i >= 0; i--) {
      const value = values[i] ?? null
      if (value === null || data.x[i]! > to * 1.001) continue
      if (data.x[i]! < from) break
      return [{ name, colour: flowColour(colour), y: plot.valToPos(value, 'y', true) }]
    }
    return []
  })
  const guides = (data.guides ?? []).flatMap(({ name, values }) => {
    const last = values[values.length - 1] ?? null
    return last === null ? [] : [{ name, colour: ink, y: plot.valToPos(last, 'y', true) }]
  })
  const all = [...ends, ...guides].sort((a, b) => a.y - b.y)
  const step = ROW_PX * ratio
  const fits = Math.floor(bbox.height / step)
  let before = -Infinity
  ctx.save()
  ctx.font = `${11 * ratio}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  const overflow = (): number =>
    Math.max(0, all.length * step - (bbox.top + bbox.height - (all[0]?.y ?? 0)))
  const shift = Math.min(overflow(), (all[0]?.y ?? 0) - bbox.top)
  for (const { name, colour, y } of all.slice(0, fits)) {
    const at = Math.max(y - shift, before + step)
    before = at
    const x = bbox.left + bbox.width + 6 * ratio
    ctx.fillStyle = colour
    ctx.fillRect(x, at - 4 * ratio, 7 * ratio, 7 * ratio)
    ctx.fillStyle = ink
    const short = name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name
    ctx.fillText(short, x + 11 * ratio, at)
  }
  ctx.restore()
}

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
  const rows = [...data.lines, ...(data.guides ?? []).map((one) => ({ ...one, colour: -1 }))]
    .map(({ name, colour, values }) => ({ name, colour, value: values[idx] ?? null }))
    .filter((row): row is typeof row & { value: number } => row.value !== null)
    .sort((a, b) => b.value - a.value)
  box.replaceChildren(
    line(data.showX(data.x[idx] ?? 0), ''),
    ...rows.map(({ name, colour, value }) =>
      line(`${name} ${data.showY(value)}`, colour < 0 ? '' : flowColour(colour)),
    ),
  )
  const wide = plot.over.clientWidth
  const isRight = (left ?? 0) > wide / 2
  box.style.transform = `translateX(${Math.round((left ?? 0) + (isRight ? -10 : 10))}px)`
  box.classList.toggle('at-left', isRight)
}

function line(text: string, colour: string): HTMLElement {
  const row = document.createElement('div')
  if (colour !== '') {
    const mark = document.createElement('span')
    mark.className = 'key'
    mark.style.background = colour
    row.append(mark)
  }
  row.append(text)
  return row
}
