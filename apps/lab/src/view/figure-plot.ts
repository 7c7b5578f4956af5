/**
 * A plot of a document's figure, as SVG: what we measure as lines, dots or bars, with intervals
 * where there are draws; what was published as hollow marks in the same colour; what was computed
 * as dots; surfaces as heat maps. Every mark says its value, and a table below has them all.
 */
import type { VNode } from 'preact'
import type { Curve, Plot } from '../../../../experiments/figure.ts'
import { axisLabel, isLevel, isMeasured, isUpright } from '../../../../experiments/plotted.ts'
import { LINE_WIDTH } from '../../../../experiments/plotted.ts'
import { isNeverNegative, legendName, rowOf, wordsOf } from '../../../../experiments/plotted.ts'
import { partsAgain, patternAgain, sectorAgain } from '../../../../experiments/overlap.ts'
import { numberText, spanText, withUnit } from '../../../../experiments/shown.ts'
import { Bars } from './figure-bars.ts'
import { HeatMap } from './figure-heat.ts'
import { cross, DOTTED, Legend, level, stylesOf } from './figure-legend.ts'
import type { Style } from './figure-legend.ts'
import { isTall, useFigureWidth } from './figure-width.ts'
import { html } from './html.ts'
import { scaleOf, wordScale } from './plot-axis.ts'
import type { Scale } from './plot-axis.ts'

const HEIGHT = 340
const LEFT = 76
const RIGHT = 20
const TOP = 14
const BOTTOM = 50
/** Of a digit, about. */
const DIGIT = 7.7
/** Of the name of the y axis, which stands along it. */
const LETTERS_MAX = 42
/** Where no line has more points, they have a mark each; else lines are alone. */
const MARKS_MAX = 40

interface PlotProps {
  readonly plot: Plot
  /** All plots of its figure, in which curves of one name look the same. */
  readonly among?: readonly Plot[]
}

export function FigurePlot({ plot: given, among = [given] }: PlotProps): VNode {
  const plot = (given.kind === 'surface' ? rowOf(given) : undefined) ?? given
  const styles = stylesOf(given, among)
  const picture =
    plot.kind === 'bars'
      ? html`<${Bars} plot=${plot} styles=${styles} />`
      : plot.kind === 'surface'
        ? html`<${HeatMap} plot=${plot} />`
        : html`<${Curves} plot=${plot} styles=${styles} />`
  const isWide = plot.kind === 'surface' && plot.curves.filter(isMeasured).length > 1
  const shape = isWide ? ' wide' : isTall(plot) ? ' tall' : ''
  return html`<figure class=${`chart picture${shape}`}>
    <figcaption>${plot.title}</figcaption>
    ${picture}
    <details class="values-table">
      <summary aria-label=${`Values of ${plot.title}`}>Values</summary>
      <${Values} plot=${plot} />
    </details>
  </figure>`
}

/** With words instead of numbers on x: places of the words. */
function numbered(plot: Plot, words: readonly string[] | undefined): Plot {
  if (words === undefined) return plot
  const curves = plot.curves.map((curve) => ({
    ...curve,
    x: curve.x.map((word) => words.indexOf(String(word))),
  }))
  return { ...plot, curves }
}

interface CurvesProps {
  readonly plot: Plot
  readonly styles: readonly Style[]
}

function Curves({ plot: given, styles }: CurvesProps): VNode {
  const width = useFigureWidth()
  const words = wordsOf(given)
  const plot = numbered(given, words)
  const xs = plot.curves.flatMap(({ x }) => x.map(Number))
  // Towards zero a logarithmic axis would never end: there intervals stop at its foot.
  const low = plot.y.scale === 'log' ? (value: number): number => value : lowEndOf(plot)
  const ys = plot.curves.flatMap(({ y, half = [] }) =>
    y.flatMap((v, i) => [v, v + (half[i] ?? 0), low(v, half[i] ?? 0)]),
  )
  const [left, right] = [LEFT, width - RIGHT]
  const x = words ? wordScale(words, left, right) : scaleOf(plot.x, xs, left, right, 'values')
  const ends = plot.y.isMagnified === true ? 'ticks' : 'zero'
  const y = scaleOf(plot.y, ys, HEIGHT - BOTTOM, TOP, ends)
  // Ticks around the values may reach zero by themselves.
  const framed = y.ticks[0] === 0 ? { ...plot, y: { ...plot.y, isMagnified: false } } : plot
  const layers = [isMeasured, isMeasured, ({ isExpected }: Curve) => isExpected === true, isHollow]
  const drawers = [measured, again, expected, published]
  // The first curve comes last among those that are drawn again.
  const backwards = plot.curves.map((_, i) => plot.curves.length - 1 - i)
  return html`<${Legend} plot=${plot} styles=${styles} />
    <svg
      class="figure-svg"
      viewBox=${`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label=${`${plot.title}: ${axisLabel(plot.y)} by ${axisLabel(plot.x)}`}
    >
      <${Frame} plot=${framed} x=${x} y=${y} right=${right} />
      ${drawers.map((draw, k) =>
        backwards.map((last, first) => {
          const i = draw === again ? last : first
          return layers[k]!(plot.curves[i]!) && draw(plot, plot.curves[i]!, styles[i]!, x, y)
        }),
      )}
    </svg>`
}

function isHollow({ isPublished }: Curve): boolean {
  return isPublished === true
}

function Frame(props: { plot: Plot; x: Scale; y: Scale; right: number }): VNode {
  const { plot, x, y, right } = props
  const middle = (TOP + HEIGHT - BOTTOM) / 2
  return html`<g class="axes">
    ${y.ticks.map(
      (tick) =>
        html`<line x1=${LEFT} x2=${right} y1=${y.at(tick)} y2=${y.at(tick)} class="grid" />
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
          <text x=${inside(x, tick, right)} y=${HEIGHT - BOTTOM + 18} text-anchor="middle"
            >${x.show(tick)}</text
          >`,
    )}
    <line x1=${LEFT} x2=${right} y1=${HEIGHT - BOTTOM} y2=${HEIGHT - BOTTOM} class="axis" />
    <text x=${(LEFT + right) / 2} y=${HEIGHT - 10} text-anchor="middle" class="label">
      ${axisLabel(plot.x)}
    </text>
    ${halved(axisLabel(plot.y)).map(
      (line, i, { length }) =>
        html`<text
          transform=${`translate(${length > 1 ? 12 + 14 * i : 16} ${middle}) rotate(-90)`}
          text-anchor="middle"
          class="label"
        >
          ${line}
        </text>`,
    )}
  </g>`
}

/** Where a tick's words stand: below it, and as far to the left as the last one needs. */
function inside(x: Scale, tick: number, right: number): number {
  return Math.min(x.at(tick), right + RIGHT - 1 - (DIGIT * x.show(tick).length) / 2)
}

/** In two lines if one would be longer than the axis. */
function halved(label: string): string[] {
  if (label.length < LETTERS_MAX) return [label]
  const at = label.indexOf(' ', label.length / 2)
  return at < 0 ? [label] : [label.slice(0, at), label.slice(at + 1)]
}

interface Point {
  readonly at: number | string
  readonly px: number
  readonly py: number
  readonly said: string
  /** Whether the one before it has no place: zero on a logarithmic axis. */
  readonly isAfterGap: boolean
  /** Both ends of its interval, px; equal where there is none. */
  readonly ends: readonly [number, number]
}

/** What is never negative has no interval below zero, which few draws would give it. */
function lowEndOf({ y, curves }: Plot): (value: number, apart: number) => number {
  const isPositive = y.scale === 'log' || isNeverNegative(y, curves)
  return (value, apart) => (isPositive ? Math.max(0, value - apart) : value - apart)
}

function pointsOf(plot: Plot, curve: Curve, sx: Scale, sy: Scale): Point[] {
  const { x, y, half = [] } = curve
  const low = lowEndOf(plot)
  const foot = HEIGHT - BOTTOM
  return x.flatMap((at, i) => {
    const [value, apart] = [y[i] ?? NaN, half[i] ?? 0]
    const [px, py] = [sx.at(Number(at)), sy.at(value)]
    if (!Number.isFinite(px) || !Number.isFinite(py)) return []
    const bottom = Math.min(foot, sy.at(low(value, apart)))
    const ends = apart > 0 ? ([bottom, sy.at(value + apart)] as const) : [py, py]
    const where = typeof at === 'number' ? sx.show(at) : at
    const said =
      `${legendName(curve)}: ${withUnit(spanText(value, apart), plot.y.unit)} at ` +
      withUnit(where, plot.x.unit)
    const isAfterGap = i > 0 && !Number.isFinite(sy.at(y[i - 1] ?? NaN))
    return [{ at, px, py, said, isAfterGap, ends: [ends[0]!, ends[1]!] }]
  })
}

function pathOf({ kind }: Plot, points: readonly Point[]): string {
  const commands = points.map(({ px, py, isAfterGap }, i) => {
    if (i === 0 || isAfterGap) return `M${px.toFixed(1)} ${py.toFixed(1)}`
    if (kind === 'steps') return `H${px.toFixed(1)}V${py.toFixed(1)}`
    return `L${px.toFixed(1)} ${py.toFixed(1)}`
  })
  return commands.join('')
}

/** A line with marks among lines without would seem to be of another kind. */
function hasMarks(plot: Plot, points: readonly Point[]): boolean {
  const isFew = plot.curves.every((one) => !isMeasured(one) || one.x.length <= MARKS_MAX)
  // Steps at one place, as of a distribution, would be a column of marks.
  const isApart = new Set(points.map(({ px }) => px)).size === points.length
  return plot.kind === 'dots' || (isApart && isFew)
}

function measured(plot: Plot, curve: Curve, { colour, dash }: Style, x: Scale, y: Scale): VNode {
  const points = pointsOf(plot, curve, x, y)
  const aside = asideOf(plot, curve)
  return html`<g>
    ${
      plot.kind !== 'dots' &&
      html`<path
        d=${pathOf(plot, points)}
        fill="none"
        stroke=${colour}
        stroke-width=${LINE_WIDTH}
        stroke-dasharray=${dash}
      />`
    }
    ${points
      .filter(({ ends: [low, high] }) => low > high)
      .map(
        ({ px, ends: [low, high] }) =>
          html`<line
            class="interval"
            x1=${px + aside}
            x2=${px + aside}
            y1=${low}
            y2=${high}
            stroke=${colour}
          />`,
      )}
    ${
      hasMarks(plot, points) &&
      points.map(
        ({ px, py, said }) =>
          html`<circle cx=${px} cy=${py} r=${MARK} fill=${colour}><title>${said}</title></circle>`,
      )
    }
  </g>`
}

/** Where later curves lie on it: pieces of the line and sectors of the marks above theirs. */
function again(plot: Plot, curve: Curve, style: Style, sx: Scale, sy: Scale): VNode {
  const parts = partsAgain(style.unders)
  const points = pointsOf(plot, curve, sx, sy)
  const layersAt = (at: number): number =>
    Math.max(0, ...parts.map(({ x, layers }) => (at >= x[0]! && at <= x.at(-1)! ? layers : 0)))
  const marks = hasMarks(plot, points) ? points.filter(({ at }) => layersAt(Number(at)) > 0) : []
  return html`<g class="again">
    ${parts.map(
      ({ layers, ...part }) =>
        html`<path
          d=${pathOf(plot, pointsOf(plot, { ...curve, ...part }, sx, sy))}
          fill="none"
          stroke=${style.colour}
          stroke-width=${LINE_WIDTH}
          stroke-dasharray=${patternAgain(layers).join(' ')}
        />`,
    )}
    ${marks.map(
      ({ at, px, py, said }) =>
        html`<path d=${sector(px, py, layersAt(Number(at)))} fill=${style.colour}
          ><title>${said}</title></path
        >`,
    )}
  </g>`
}

/** Radius of a mark. */
const MARK = 3.2

function sector(px: number, py: number, layers: number): string {
  const [from, to] = sectorAgain(layers).map((degrees) => {
    const angle = (degrees * Math.PI) / 180
    return `${(px + MARK * Math.cos(angle)).toFixed(2)} ${(py + MARK * Math.sin(angle)).toFixed(2)}`
  })
  return `M${px} ${py}L${from}A${MARK} ${MARK} 0 0 1 ${to}Z`
}

/** Pixels between intervals of two curves at one place, and over those of all. */
const ASIDE = 3
const ASIDE_MOST = 10

/** Intervals of several curves at one place stand beside each other, at their marks' edges. */
function asideOf({ curves }: Plot, curve: Curve): number {
  const all = curves.filter((one) => isMeasured(one) && one.half?.some((half) => half > 0))
  const step = Math.min(ASIDE, ASIDE_MOST / all.length)
  return all.length < 2 ? 0 : step * (all.indexOf(curve) - (all.length - 1) / 2)
}

function published(plot: Plot, curve: Curve, { colour }: Style, x: Scale, y: Scale): VNode {
  const points = pointsOf(plot, curve, x, y)
  const isLine = plot.kind !== 'dots' && (isLevel(curve) || points.length > MARKS_MAX)
  return html`<g>
    ${isLine && html`<g fill="none">${level(pathOf(plot, points), colour)}</g>`}
    ${
      points.length <= MARKS_MAX &&
      !isUpright(curve) &&
      points.map(
        ({ px, py, said }) =>
          html`<circle cx=${px} cy=${py} r="5.5" fill="none" stroke=${colour} stroke-width="2">
            <title>${said}</title>
          </circle>`,
      )
    }
  </g>`
}

/** Dots along what was computed; crosses where there is no line to draw. */
function expected(plot: Plot, curve: Curve, { colour }: Style, x: Scale, y: Scale): VNode {
  const points = pointsOf(plot, curve, x, y)
  const isLine = plot.kind !== 'dots' && points.length > 1
  return html`<g class="expected" fill="none" stroke=${colour}>
    ${isLine && html`<path d=${pathOf(plot, points)} ...${DOTTED} />`}
    ${
      !isLine &&
      points.map(
        ({ px, py, said }) =>
          html`<path d=${cross(px, py)} stroke-width="1.8"><title>${said}</title></path>`,
      )
    }
  </g>`
}

/** Rows of a table that a page can hold, and of each curve at least. */
const ROWS_MAX = 400
const ROWS_LEAST = 12

/** Of every curve: all of its points, or as many evenly spaced ones, both ends among them. */
function placesShown(lengths: readonly number[]): readonly (readonly number[])[] {
  const isAll = lengths.reduce((sum, length) => sum + length, 0) <= ROWS_MAX
  const most = isAll ? Infinity : Math.max(ROWS_LEAST, Math.floor(ROWS_MAX / lengths.length))
  return lengths.map((length) =>
    Array.from({ length: Math.min(length, most) }, (_, i) =>
      length <= most ? i : Math.round((i * (length - 1)) / (most - 1)),
    ),
  )
}

function Values({ plot }: { readonly plot: Plot }): VNode {
  const places = placesShown(plot.curves.map(({ x }) => x.length))
  const shown = plot.curves.flatMap((curve, k) =>
    places[k]!.map((i) => ({
      name: legendName(curve),
      at: typeof curve.x[i] === 'number' ? numberText(curve.x[i]) : curve.x[i]!,
      y: withUnit(spanText(curve.y[i] ?? NaN, curve.half?.[i] ?? NaN), ''),
      z: curve.z === undefined ? '' : numberText(curve.z[i] ?? NaN),
    })),
  )
  const all = plot.curves.reduce((sum, { x }) => sum + x.length, 0)
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${`Values: ${plot.title}`}>
    <table>
      <thead>
        <tr>
          <th scope="col">curve</th>
          <th scope="col">${axisLabel(plot.x)}</th>
          <th scope="col">${axisLabel(plot.y)}</th>
          ${plot.z !== undefined && html`<th scope="col">${axisLabel(plot.z)}</th>`}
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
    ${
      all > shown.length &&
      html`<p class="hint">
        ${shown.length} of ${all.toLocaleString('en-US')} values, evenly spaced along each curve.
      </p>`
    }
  </div>`
}
