/** A surface seen from above: a cell a point, coloured by its height, and a ramp to read it by. */
import type { VNode } from 'preact'
import type { Curve, Plot } from '../../../../experiments/figure.ts'
import {
  axisLabel,
  hasBothSigns,
  isMeasured,
  legendName,
  partOfSigned,
  rangeOfHeights,
} from '../../../../experiments/plotted.ts'
import { numberText } from '../../../../experiments/shown.ts'
import { Beside, useFigureWidth } from './figure-width.ts'
import { html } from './html.ts'

const LEFT = 84
const BOTTOM = 52
const RAMP = 40
const CELL_MAX = 46
/** Of a letter, about. */
const LETTER = 6.6
/** A number fits into a cell of this width. */
const ROOMY = 34

type Colour = readonly [number, number, number]

/** Dark to light in grey too, and apart for any colour vision (viridis, five stops of it). */
const STOPS: readonly Colour[] = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
]
/** Of both signs: brown below zero, violet above, and neither at zero (PuOr, seven stops of it). */
const SIGNED: readonly Colour[] = [
  [127, 59, 8],
  [224, 130, 20],
  [254, 224, 182],
  [247, 247, 247],
  [216, 218, 235],
  [128, 115, 172],
  [45, 0, 75],
]

export function heat(part: number, isSigned: boolean): Colour {
  const stops = isSigned ? SIGNED : STOPS
  const at = Math.min(1, Math.max(0, part)) * (stops.length - 1)
  const low = Math.min(stops.length - 2, Math.floor(at))
  const [from, to] = [stops[low]!, stops[low + 1]!]
  const mix = (i: 0 | 1 | 2): number => Math.round(from[i] + (to[i] - from[i]) * (at - low))
  return [mix(0), mix(1), mix(2)]
}

function css(colour: Colour): string {
  return `rgb(${colour.join(' ')})`
}

/** Of a number on a cell of this colour. */
function inkOn([red, green, blue]: Colour): string {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 130 ? '#111' : '#fff'
}

export function HeatMap({ plot }: { readonly plot: Plot }): VNode {
  const surfaces = plot.curves.filter(isMeasured)
  const heights = surfaces.flatMap(({ z = [] }) => z.filter(Number.isFinite))
  const range = rangeOfHeights(heights)
  const [low, high] = range
  const isLog = plot.z?.scale === 'log' && low > 0
  const isSigned = hasBothSigns(range)
  const colourOf = (z: number): Colour => {
    if (isSigned) return heat(partOfSigned(z, range), true)
    const part = isLog ? Math.log(z / low) / Math.log(high / low) : (z - low) / (high - low)
    return heat(high <= low ? 0.5 : part, false)
  }
  const along = (part: number): number =>
    isLog ? low * (high / low) ** part : low + part * (high - low)
  return html`<div class="heat-maps">
      <${Beside.Provider} value=${surfaces.length > 1}>
        ${surfaces.map(
          (curve) => html`<${Surface} plot=${plot} curve=${curve} colourOf=${colourOf} />`,
        )}
      <//>
    </div>
    <p class="ramp">
      ${plot.z === undefined ? '' : axisLabel(plot.z)}:
      <span class="ends">
        ${numberText(low)}
        <svg viewBox="0 0 220 12" preserveAspectRatio="none" aria-hidden="true">
          ${Array.from(
            { length: RAMP },
            (_, i) =>
              html`<rect
                x=${(i * 220) / RAMP}
                y="0"
                width=${220 / RAMP + 0.5}
                height="12"
                fill=${css(colourOf(along(i / (RAMP - 1))))}
              />`,
          )}
        </svg>
        ${numberText(high)}
      </span>
      ${isSigned && zeroKey()}
      ${plot.curves.map((curve) => curve.isPublished === true && publishedKey(plot, curve))}
    </p>`
}

function zeroKey(): VNode {
  return html`<span class="published-key">
    <svg class="swatch" viewBox="0 0 22 12" aria-hidden="true">${alongZero('M0 6H22')}</svg>
    where it is zero
  </span>`
}

/** Seen on any colour of the map, and on the page. */
function alongZero(path: string): VNode {
  return html`<path d=${path} fill="none" stroke="#fff" stroke-width="5.5" />
    <path d=${path} class="zero" fill="none" stroke="#c3342d" stroke-width="3" />`
}

/** What the rings are of, and the heights that the paper gives. */
function publishedKey({ z }: Plot, curve: Curve): VNode {
  const words = curve.z === undefined ? legendName(curve) : 'published'
  const heights = (curve.z ?? []).filter(Number.isFinite)
  const said =
    heights.length > 0 && heights.length <= 3
      ? `: ${heights.map((z) => numberText(z)).join(', ')}`
      : ''
  return html`<span class="published-key">
    <svg class="swatch" viewBox="0 0 22 12" aria-hidden="true">
      <rect x="3" y="1" width="16" height="10" fill="none" stroke="var(--ink)" stroke-width="1.8" />
    </svg>
    ${words}${said}${said === '' ? '' : ` ${z?.unit ?? ''}`}
  </span>`
}

interface SurfaceProps {
  readonly plot: Plot
  readonly curve: Curve
  colourOf(z: number): Colour
}

interface Grid {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  readonly w: number
  readonly h: number
}

function Surface({ plot, curve, colourOf }: SurfaceProps): VNode {
  const width = useFigureWidth()
  const columns = [...new Set(curve.x.map(Number))].sort((a, b) => a - b)
  const rows = [...new Set(curve.y)].sort((a, b) => b - a)
  const w = (width - LEFT - 10) / columns.length
  // Few rows are at least as tall as the words beside them are long.
  const words = axisLabel(plot.y).length * LETTER
  const h = Math.max(12, words / rows.length, Math.min(CELL_MAX, 380 / rows.length))
  const grid = { columns, rows, w, h }
  const heights = curve.z ?? []
  return html`<div>
    <p class="hint">${curve.name}</p>
    <svg
      class="figure-svg"
      viewBox=${`0 0 ${width} ${rows.length * h + BOTTOM}`}
      role="img"
      aria-label=${`${plot.title}, ${curve.name}: a heat map`}
    >
      ${curve.x.map((x, i) =>
        cellOf(plot, grid, colourOf, Number(x), curve.y[i]!, heights[i] ?? NaN),
      )}
      ${alongZero(zeroPath(grid, curve))} ${axesOf(plot, grid)}
      ${plot.curves
        .filter(({ isPublished }) => isPublished === true)
        .map((published) => marksOf(grid, published))}
    </svg>
  </div>`
}

function cellOf(
  plot: Plot,
  { columns, rows, w, h }: Grid,
  colourOf: (z: number) => Colour,
  x: number,
  y: number,
  z: number,
): VNode | undefined {
  if (!Number.isFinite(z)) return undefined
  const [left, top] = [LEFT + columns.indexOf(x) * w, rows.indexOf(y) * h]
  const said = `${numberText(z)} ${plot.z?.unit ?? ''} at ${numberText(x)}, ${numberText(y)}`
  return html`<g>
    <rect x=${left} y=${top} width=${w + 0.5} height=${h + 0.5} fill=${css(colourOf(z))}>
      <title>${said}</title>
    </rect>
    ${
      w >= ROOMY &&
      h >= 15 &&
      html`<text
        x=${left + w / 2}
        y=${top + h / 2 + 4}
        text-anchor="middle"
        fill=${inkOn(colourOf(z))}
      >
        ${numberText(z)}
      </text>`
    }
  </g>`
}

/** Along the edges between cells above zero and those that are not. */
function zeroPath({ columns, rows, w, h }: Grid, { x, y, z = [] }: Curve): string {
  const heights = new Map(x.map((at, i) => [`${Number(at)} ${y[i]!}`, z[i] ?? NaN]))
  const heightAt = (k: number, j: number): number => heights.get(`${columns[k]} ${rows[j]}`) ?? NaN
  const differs = (a: number, b: number): boolean =>
    !Number.isNaN(a) && !Number.isNaN(b) && a > 0 !== b > 0
  const edges = columns.flatMap((_, k) =>
    rows.map((__, j) => {
      const [left, top] = [(LEFT + k * w).toFixed(1), (j * h).toFixed(1)]
      const upright = differs(heightAt(k, j), heightAt(k - 1, j)) ? `M${left} ${top}v${h}` : ''
      const level = differs(heightAt(k, j), heightAt(k, j - 1)) ? `M${left} ${top}h${w}` : ''
      return upright + level
    }),
  )
  return edges.join('')
}

/** Cells are equally wide, whatever the scale of an axis is. */
function axesOf(plot: Plot, { columns, rows, w, h }: Grid): VNode {
  const foot = rows.length * h
  const every = Math.max(1, Math.ceil(44 / w))
  const everyRow = Math.max(1, Math.ceil(14 / h))
  const at = (k: number): number => LEFT + (k + 0.5) * w
  return html`<g class="axes">
    ${rows.map((y, k) =>
      k % everyRow === 0
        ? html`<text x=${LEFT - 8} y=${(k + 0.5) * h + 4} text-anchor="end">${numberText(y)}</text>`
        : undefined,
    )}
    ${columns.map((x, k) =>
      k % every === 0
        ? html`<text x=${at(k)} y=${foot + 16} text-anchor="middle">${numberText(x)}</text>`
        : undefined,
    )}
    <text
      x=${LEFT + (columns.length * w) / 2}
      y=${foot + BOTTOM - 10}
      text-anchor="middle"
      class="label"
    >
      ${axisLabel({ ...plot.x, scale: 'linear' })}
    </text>
    <text transform=${`translate(16 ${foot / 2}) rotate(-90)`} text-anchor="middle" class="label">
      ${axisLabel({ ...plot.y, scale: 'linear' })}
    </text>
  </g>`
}

/** What a paper gives of single places. */
function marksOf({ columns, rows, w, h }: Grid, curve: Curve): VNode[] {
  const { x, y, z } = curve
  return x.map((at, i) => {
    // Around the whole cell: inside it stands our number.
    const edge = (inset: number): object => ({
      x: LEFT + nearest(columns, Number(at)) * w + inset,
      y: nearest(rows, y[i]!) * h + inset,
      ...{ width: w - 2 * inset, height: h - 2 * inset, fill: 'none' },
    })
    return html`<g>
      <rect ...${edge(2)} stroke="#fff" stroke-width="2.4" />
      <rect ...${edge(0.4)} stroke="#111" stroke-width="1.2">
        <title>${z ? `published: ${numberText(z[i] ?? NaN)}` : legendName(curve)}</title>
      </rect>
    </g>`
  })
}

function nearest(sorted: readonly number[], value: number): number {
  let best = 0
  sorted.forEach((one, i) => {
    if (Math.abs(one - value) < Math.abs(sorted[best]! - value)) best = i
  })
  return best
}
