/**
 * A plot of a document's figure, as SVG: what we measure as lines, dots or bars, with intervals
 * where there are draws; what was published as hollow marks in the same colour; surfaces as heat
 * maps. Every mark says its value, and a table below has them all.
 */
import type { VNode } from 'preact'
import type { Curve, Plot } from '../../../../experiments/figure.ts'
import { plain } from '../model/compare.ts'
import { flowColour } from '../scene/palette.ts'
import { Bars } from './figure-bars.ts'
import { HeatMap } from './figure-heat.ts'
import { html } from './html.ts'
import { labelOf, scaleOf } from './plot-axis.ts'
import type { Scale } from './plot-axis.ts'

const WIDTH = 720
const HEIGHT = 340
const LEFT = 76
const RIGHT = 20
const TOP = 14
const BOTTOM = 50
/** So many points of a line have a mark each; more are a line alone. */
const MARKS_MAX = 40

export function FigurePlot({ plot }: { readonly plot: Plot }): VNode {
  const picture =
    plot.kind === 'bars'
      ? html`<${Bars} plot=${plot} />`
      : plot.kind === 'surface'
        ? html`<${HeatMap} plot=${plot} />`
        : html`<${Curves} plot=${plot} />`
  return html`<figure class="chart picture">
    <figcaption>${plot.title}</figcaption>
    ${picture}
    <details class="values-table">
      <summary>Values</summary>
      <${Values} plot=${plot} />
    </details>
  </figure>`
}

/** Curves of one name have one colour, measured and published. */
export function coloursOf({ curves }: Plot): Map<string, string> {
  const names = [...new Set(curves.map(({ name }) => name))]
  const own = names.filter((name) => curves.some((c) => c.name === name && c.isPublished !== true))
  const colours = new Map(own.map((name, i) => [name, flowColour(i)]))
  for (const name of names) if (!colours.has(name)) colours.set(name, 'var(--ink)')
  return colours
}

export function Legend({ plot }: { readonly plot: Plot }): VNode {
  const colours = coloursOf(plot)
  return html`<ul class="legend">
    ${plot.curves.map(({ name, isPublished }) => {
      const colour = colours.get(name)!
      return html`<li>
        <svg class="swatch" viewBox="0 0 22 12" aria-hidden="true">
          ${
            isPublished === true
              ? html`<circle
                  cx="11"
                  cy="6"
                  r="4.2"
                  fill="none"
                  stroke=${colour}
                  stroke-width="1.8"
                />`
              : html`<rect x="2" y="3.5" width="18" height="5" rx="1.5" fill=${colour} />`
          }
        </svg>
        ${name}${isPublished === true && name !== 'published' ? ', published' : ''}
      </li>`
    })}
  </ul>`
}

function Curves({ plot }: { readonly plot: Plot }): VNode {
  const xs = plot.curves.flatMap(({ x }) => x.map(Number))
  const ys = plot.curves.flatMap(({ y, half = [] }) => y.flatMap((v, i) => [v, v + (half[i] ?? 0)]))
  const x = scaleOf(plot.x, xs, LEFT, WIDTH - RIGHT, false)
  const y = scaleOf(plot.y, ys, HEIGHT - BOTTOM, TOP, true)
  const colours = coloursOf(plot)
  return html`<${Legend} plot=${plot} />
    <svg
      class="figure-svg"
      viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label=${`${plot.title}: ${labelOf(plot.y)} by ${labelOf(plot.x)}`}
    >
      <${Frame} plot=${plot} x=${x} y=${y} />
      ${plot.curves
        .filter(({ isPublished }) => isPublished !== true)
        .map((curve) => measured(plot, curve, colours.get(curve.name)!, x, y))}
      ${plot.curves
        .filter(({ isPublished }) => isPublished === true)
        .map((curve) => published(plot, curve, colours.get(curve.name)!, x, y))}
    </svg>`
}

function Frame({ plot, x, y }: { plot: Plot; x: Scale; y: Scale }): VNode {
  return html`<g class="axes">
    ${y.ticks.map(
      (tick) =>
        html`<line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y.at(tick)} y2=${y.at(tick)} class="grid" />
          <text x=${LEFT - 8} y=${y.at(tick) + 4} text-anchor="end">${y.show(tick)}</text>`,
    )}
    ${x.ticks.map(
      (tick) =>
        html`<line
            x1=${x.at(tick)}
            x2=${x.at(tick)}
            y1=${HEIGHT - BOTTOM}
            y2=${HEIGHT - BOTTOM + 5}
            class="axis"
          />
          <text x=${x.at(tick)} y=${HEIGHT - BOTTOM + 18} text-anchor="middle"
            >${x.show(tick)}</text
          >`,
    )}
    <line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${HEIGHT - BOTTOM} y2=${HEIGHT - BOTTOM} class="axis" />
    <text x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 10} text-anchor="middle" class="label">
      ${labelOf(plot.x)}
    </text>
    <text
      transform=${`translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)`}
      text-anchor="middle"
      class="label"
    >
      ${labelOf(plot.y)}
    </text>
  </g>`
}

interface Point {
  readonly px: number
  readonly py: number
  readonly said: string
  readonly half: number
}

function pointsOf(plot: Plot, { name, x, y, half = [] }: Curve, sx: Scale, sy: Scale): Point[] {
  return x.flatMap((at, i) => {
    const value = y[i] ?? NaN
    const [px, py] = [sx.at(Number(at)), sy.at(value)]
    if (!Number.isFinite(px) || !Number.isFinite(py)) return []
    const said = `${name}: ${plain(value)} ${plot.y.unit} at ${plain(Number(at))} ${plot.x.unit}`
    return [{ px, py, said, half: half[i] ?? NaN }]
  })
}

function measured(plot: Plot, curve: Curve, colour: string, x: Scale, y: Scale): VNode {
  const points = pointsOf(plot, curve, x, y)
  const isDots = plot.kind === 'dots'
  const path = points
    .map(({ px, py }, i) => {
      if (i === 0) return `M${px.toFixed(1)} ${py.toFixed(1)}`
      if (plot.kind === 'steps') return `H${px.toFixed(1)}V${py.toFixed(1)}`
      return `L${px.toFixed(1)} ${py.toFixed(1)}`
    })
    .join('')
  const unit = Math.abs(y.at(1) - y.at(0))
  return html`<g>
    ${!isDots && html`<path d=${path} fill="none" stroke=${colour} stroke-width="2" />`}
    ${points
      .filter(({ half }) => half > 0 && plot.y.scale !== 'log')
      .map(
        ({ px, py, half }) =>
          html`<line
            x1=${px}
            x2=${px}
            y1=${py - half * unit}
            y2=${py + half * unit}
            stroke=${colour}
            stroke-width="1.2"
          />`,
      )}
    ${
      (isDots || points.length <= MARKS_MAX) &&
      points.map(
        ({ px, py, said }) =>
          html`<circle cx=${px} cy=${py} r="3.2" fill=${colour}><title>${said}</title></circle>`,
      )
    }
  </g>`
}

function published(plot: Plot, curve: Curve, colour: string, x: Scale, y: Scale): VNode {
  return html`<g>
    ${pointsOf(plot, curve, x, y).map(
      ({ px, py, said }) =>
        html`<circle cx=${px} cy=${py} r="5.5" fill="none" stroke=${colour} stroke-width="2">
          <title>${said}, published</title>
        </circle>`,
    )}
  </g>`
}

function Values({ plot }: { readonly plot: Plot }): VNode {
  const rows = plot.curves.flatMap((curve) =>
    curve.x.map((at, i) => ({
      name: curve.name + (curve.isPublished === true ? ' (published)' : ''),
      at: typeof at === 'number' ? plain(at) : at,
      y: plain(curve.y[i] ?? NaN),
      z: curve.z === undefined ? '' : plain(curve.z[i] ?? NaN),
    })),
  )
  const shown = rows.slice(0, 400)
  const more = rows.length - shown.length
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${`Values: ${plot.title}`}>
    <table>
      <thead>
        <tr>
          <th scope="col">curve</th>
          <th scope="col">${labelOf(plot.x)}</th>
          <th scope="col">${labelOf(plot.y)}</th>
          ${plot.z !== undefined && html`<th scope="col">${labelOf(plot.z)}</th>`}
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          ({ name, at, y, z }) =>
            html`<tr>
              <td>${name}</td>
              <td>${at}</td>
              <td>${y}</td>
              ${plot.z !== undefined && html`<td>${z}</td>`}
            </tr>`,
        )}
      </tbody>
    </table>
    ${more > 0 && html`<p class="hint">and ${more} more</p>`}
  </div>`
}
