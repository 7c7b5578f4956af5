/** Values in a plot: names where lines end, and under the cursor all of them, the largest first. */
import type uPlot from 'uplot'
import { flowColour } from '../scene/palette.ts'
import { shortened } from '../scene/shortened.ts'
import type { ChartData } from './chart.ts'

/** Right of a plot over time, for the names of its lines. */
export const LABELS_PX = 124
/** The same where lanes stand so close that names would leave no plot. */
export const LABELS_CLOSE_PX = 84
const ROW_PX = 12

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
    const last = lastIn(data, values, to)
    return last === null ? [] : [{ name, colour: '', y: plot.valToPos(last, 'y', true) }]
  })
  const all = [...ends, ...guides].sort((a, b) => a.y - b.y)
  const step = ROW_PX * ratio
  const shown = all.slice(0, Math.floor(bbox.height / step))
  const places = spread(
    shown.map(({ y }) => y),
    bbox.top + step / 2,
    bbox.top + bbox.height - step / 2,
    step,
  )
  ctx.save()
  ctx.font = `${11 * ratio}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  const x = bbox.left + bbox.width + 6 * ratio
  const room = ctx.canvas.width - x - 12 * ratio
  shown.forEach(({ name, colour }, i) => {
    const at = places[i]!
    // A line of the plot has a square of its colour, what it is read against a dash.
    ctx.fillStyle = colour === '' ? ink : colour
    if (colour === '') ctx.fillRect(x, at - ratio / 2, 7 * ratio, ratio)
    else ctx.fillRect(x, at - 4 * ratio, 7 * ratio, 7 * ratio)
    ctx.fillStyle = ink
    ctx.fillText(shortened(ctx, name, room), x + 11 * ratio, at)
  })
  ctx.restore()
}

function lastIn({ x }: ChartData, values: ArrayLike<number | null>, to: number): number | null {
  for (let i = x.length - 1; i >= 0; i--) {
    const value = values[i] ?? null
    if (value !== null && x[i]! <= to * 1.001) return value
  }
  return null
}

/** Places that ascend, moved as little as keeps them a step apart and within bounds. */
export function spread(
  wanted: readonly number[],
  least: number,
  most: number,
  step: number,
): number[] {
  const places = [...wanted]
  let before = least - step
  for (const [i, place] of places.entries()) before = places[i] = Math.max(place, before + step)
  let after = most + step
  for (let i = places.length - 1; i >= 0; i--)
    after = places[i] = Math.min(places[i]!, after - step)
  return places
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
