/** A plot of a document's figure: curves by uPlot, bars and surfaces as tables with fills. */
import type { VNode } from 'preact'
import type { Curve, Plot } from '../../../../experiments/figure.ts'
import { compact, plain } from '../model/compare.ts'
import type { Session } from '../model/session.ts'
import { Chart } from './chart.ts'
import type { ChartData } from './chart.ts'
import { html } from './html.ts'
import { bridged } from './plots.ts'

export function FigurePlot({ plot, session }: { plot: Plot; session: Session }): VNode {
  if (plot.kind === 'bars') return html`<${Bars} plot=${plot} />`
  if (plot.kind === 'surface') return html`<${Surface} plot=${plot} />`
  return html`<${Chart} data=${curvesOf(plot)} session=${session} height=${280} />`
}

function nameOf({ name, isPublished }: Curve): string {
  return isPublished === true ? `${name} (published)` : name
}

/** Curves on the union of their x, as uPlot wants them; gaps are bridged by the eye. */
function curvesOf(plot: Plot): ChartData {
  const all = new Set(plot.curves.flatMap(({ x }) => x.map(Number)).filter(Number.isFinite))
  const x = [...all].sort((a, b) => a - b)
  const place = new Map(x.map((value, i) => [value, i]))
  const lines = plot.curves.map((curve, colour) => {
    const values = new Array<number | null>(x.length).fill(null)
    curve.x.forEach((at, i) => {
      const index = place.get(Number(at))
      const value = curve.y[i]!
      if (index !== undefined) values[index] = Number.isFinite(value) ? value : null
    })
    return { name: nameOf(curve), colour, values: bridged(values) }
  })
  const unit = (axis: { label: string; unit: string }): string =>
    axis.unit === '' ? axis.label : `${axis.label} (${axis.unit})`
  const low = Math.min(0, ...plot.curves.flatMap(({ y }) => y.filter(Number.isFinite)))
  return {
    title: `${plot.title}: ${unit(plot.y)} by ${unit(plot.x)}`,
    xLabel: unit(plot.x),
    yLabel: unit(plot.y),
    x,
    lines,
    yMin: low,
    isTime: false,
    xLog: plot.x.scale === 'log' && (x[0] ?? 0) > 0,
    isStepped: plot.kind === 'steps',
    showX: compact,
    showY: compact,
  }
}

function Bars({ plot }: { plot: Plot }): VNode {
  const most = Math.max(...plot.curves.flatMap(({ y }) => y.filter(Number.isFinite)), 1e-12)
  return html`<figure class="chart">
    <figcaption>${plot.title}: ${plot.y.label} (${plot.y.unit})</figcaption>
    <table class="bars">
      <tbody>
        ${plot.curves.flatMap((curve) =>
          curve.x.map(
            (word, i) =>
              html`<tr>
                <th scope="row">${word} ${plot.curves.length > 1 ? nameOf(curve) : ''}</th>
                <td><meter min="0" max=${most} value=${curve.y[i]}></meter></td>
                <td>${plain(curve.y[i]!)}</td>
              </tr>`,
          ),
        )}
      </tbody>
    </table>
  </figure>`
}

/** A surface as a table: one row a y, one column an x, the height as a number. */
function Surface({ plot }: { plot: Plot }): VNode {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${plot.title}>
    ${plot.curves.map((curve) => {
      const columns = [...new Set(curve.x.map(Number))].sort((a, b) => a - b)
      const rows = [...new Set(curve.y)].sort((a, b) => a - b)
      const heights = new Map(curve.x.map((x, i) => [`${x}/${curve.y[i]}`, curve.z?.[i] ?? NaN]))
      return html`<table>
        <caption>
          ${plot.title}, ${nameOf(curve)}: ${plot.z?.label ?? ''} by ${plot.x.label} (across) and
          ${plot.y.label} (down)
        </caption>
        <tbody>
          <tr>
            <th></th>
            ${columns.map((x) => html`<th scope="col">${plain(x)}</th>`)}
          </tr>
          ${rows.map(
            (y) =>
              html`<tr>
                <th scope="row">${plain(y)}</th>
                ${columns.map((x) => html`<td>${plain(heights.get(`${x}/${y}`) ?? NaN)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>`
    })}
  </div>`
}
