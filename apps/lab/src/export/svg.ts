/** The plots as one SVG, ready for a paper: the same lines, drawn anew, on white. */
import { COMPUTED_PX, flowColour } from '../scene/palette.ts'
import type { ChartData } from '../view/chart.ts'
import { largest } from '../view/chart.ts'
import { dashOf } from '../view/end-labels.ts'
import type { PlotRow } from '../view/plots.ts'

const WIDTH = 460
const HEIGHT = 230
const LEFT = 70
const TOP = 30
const BOTTOM = 56

export function svgOf(rows: readonly PlotRow[]): string {
  const across = Math.max(1, ...rows.map(({ charts }) => charts.length))
  const body = rows.flatMap(({ charts }, row) =>
    charts.map((chart, column) => chartSvg(chart, column * WIDTH, row * HEIGHT)),
  )
  const [width, height] = [across * WIDTH, rows.length * HEIGHT]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">` +
    `<rect width="100%" height="100%" fill="#fff"/>${body.join('')}</svg>\n`
  )
}

function chartSvg(chart: ChartData, x0: number, y0: number): string {
  const plotWidth = WIDTH - LEFT - 20
  const plotHeight = HEIGHT - TOP - BOTTOM
  const first = chart.x[0] ?? 0
  const last = chart.x[chart.x.length - 1] ?? 1
  const top = chart.yMax ?? (largest(chart.lines) * 1.05 || 1)
  const along = (x: number): number =>
    chart.xLog === true
      ? Math.log(x / first) / (Math.log(last / first) || 1)
      : (x - first) / (last - first || 1)
  const px = (x: number): number => LEFT + along(x) * plotWidth
  const py = (y: number): number => TOP + plotHeight * (1 - y / top)
  const parts = [
    `<text x="${LEFT}" y="18" font-weight="bold">${escaped(chart.title)}</text>`,
    `<path d="M${LEFT} ${TOP}V${TOP + plotHeight}H${LEFT + plotWidth}" fill="none" stroke="#888"/>`,
  ]
  for (const part of [0, 0.5, 1]) {
    const y = py(top * part)
    parts.push(
      `<text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">` +
        `${escaped(chart.showY(top * part))}</text>`,
    )
    const at = chart.xLog === true ? first * (last / first) ** part : first + (last - first) * part
    parts.push(
      `<text x="${px(at)}" y="${TOP + plotHeight + 15}" text-anchor="middle">` +
        `${escaped(chart.showX(at))}</text>`,
    )
  }
  let keyX = LEFT
  for (const line of chart.lines) {
    const { name, colour, values } = line
    const dash = dashOf(line).join(' ')
    const round = line.isComputed === true ? ' stroke-linecap="round"' : ''
    const width = line.isComputed === true ? COMPUTED_PX : 1.4
    const style = `fill="none" stroke="${flowColour(colour)}" stroke-width="${width}"`
    const dashed = dash === '' ? '' : ` stroke-dasharray="${dash}"${round}`
    parts.push(`<path d="${pathOf(chart, values, px, py)}" ${style}${dashed}/>`)
    const keyY = TOP + plotHeight + 34
    parts.push(`<path d="M${keyX} ${keyY}h14" ${style}${dashed}/>`)
    parts.push(`<text x="${keyX + 18}" y="${keyY + 4}">${escaped(name)}</text>`)
    keyX += 34 + name.length * 6
  }
  return `<g transform="translate(${x0} ${y0})">${parts.join('')}</g>`
}

function pathOf(
  chart: ChartData,
  values: ArrayLike<number | null>,
  px: (x: number) => number,
  py: (y: number) => number,
): string {
  let path = ''
  let isDown = false
  for (let i = 0; i < chart.x.length; i++) {
    const value = values[i] ?? null
    if (value === null) {
      isDown = false
      continue
    }
    const [x, y] = [px(chart.x[i]!).toFixed(1), py(value).toFixed(1)]
    if (!isDown) path += `M${x} ${y}`
    else path += chart.isStepped === true ? `H${x}V${y}` : `L${x} ${y}`
    isDown = true
  }
  return path
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
