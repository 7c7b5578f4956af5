/**
 * Bars lie: words have room at the left, and values a column of their own at the right. A published
 * value is a hollow mark on its bar, a computed one a dotted line across it. A logarithmic axis has
 * no zero that bars could begin at: it has dots.
 */
import type { VNode } from 'preact'
import type { Curve, Plot } from '../../../../experiments/figure.ts'
import {
  axisLabel,
  isCrossed,
  isMeasured,
  isNeverNegative,
  legendName,
} from '../../../../experiments/plotted.ts'
import { spanText } from '../../../../experiments/shown.ts'
import { cross, DOTTED, Legend, level } from './figure-legend.ts'
import type { Style } from './figure-legend.ts'
import { isNarrowWidth, useFigureWidth } from './figure-width.ts'
import { html } from './html.ts'
import { scaleOf } from './plot-axis.ts'
import type { Scale } from './plot-axis.ts'

/** Above the first bar: a mark's edge, or the title of the words. */
const TOP = 8
const HEAD = 24
const FOOT = 26
const LINE = 16
const GAP = 10
/** Of a letter, about; of a value, which is smaller. */
const LETTER = 7
const DIGIT = 6.4
/** Of its value: an interval that ends lower is cut at a logarithmic axis' foot. */
const FAR_BELOW = 0.2
/** Around a ring, which is on a bar of any colour. */
const AROUND = 'a5 5 0 1 0 10 0a5 5 0 1 0 -10 0'
const HALO = { stroke: 'var(--card)', 'stroke-width': 4.2 }
/** Lines of a word, at most. */
const LINES_MAX = 2

interface Layout {
  readonly plot: Plot
  readonly width: number
  readonly words: readonly string[]
  readonly own: readonly Curve[]
  /** Of one bar, and of all bars of a word. */
  readonly bar: number
  readonly tall: number
  readonly left: number
  readonly right: number
  readonly foot: number
  readonly scale: Scale
  /** Where a bar begins, and where an interval ends that would go on. */
  readonly start: number
  /** By word, the curves of `own` that have a value there: no others take room. */
  readonly slots: readonly (readonly Curve[])[]
  /** By curve and word. */
  readonly values: readonly (readonly string[])[]
}

export function Bars(props: { readonly plot: Plot; readonly styles: readonly Style[] }): VNode {
  const { plot, styles } = props
  const layout = layoutOf(plot, useFigureWidth())
  const { width, words, foot } = layout
  const head = axisLabel(plot.x) === '' ? TOP : HEAD
  const under = wrapped(axisLabel(plot.y), width - 8)
  const height = head + foot + FOOT + under.length * LINE
  return html`${plot.curves.length > 1 && html`<${Legend} plot=${plot} styles=${styles} />`}
    <svg
      class="figure-svg"
      viewBox=${`0 ${-head} ${width} ${height}`}
      role="img"
      aria-label=${`${plot.title}: ${axisLabel(plot.y)}`}
    >
      ${axesOf(layout, under)}
      ${words.map((word, i) => {
        const rows = plot.curves.map((curve, k) => rowOf(layout, curve, styles[k]!, word, i))
        return html`<g key=${word}>${wordOf(layout, word, i)}${rows}</g>`
      })}
    </svg>`
}

function layoutOf(plot: Plot, width: number): Layout {
  const words = [...new Set(plot.curves.flatMap(({ x }) => x.map(String)))]
  const own = plot.curves.filter((curve) => isMeasured(curve) || isCrossed(plot, curve))
  const slots = words.map((word) => own.filter((curve) => Number.isFinite(valueAt(curve, word))))
  const most = Math.max(1, ...slots.map(({ length }) => length))
  const bar = most > 1 ? 12 : 16
  const left = Math.min(0.4 * width, 24 + LETTER * Math.max(...words.map((word) => word.length)))
  const lines = Math.max(...words.map((word) => linesOf(word, left).length))
  const tall = Math.max(16, most * (bar + 1), lines * (LINE - 2))
  const values = own.map((curve) => words.map((word) => valueText(plot, curve, word, width)))
  const longest = Math.max(...values.flat().map((text) => text.length))
  const right = width - 14 - DIGIT * longest
  const isLog = plot.y.scale === 'log'
  const reached = plot.curves.flatMap(({ y, half = [] }) => y.map((v, i) => v + (half[i] ?? 0)))
  const isAbove = isLog || isNeverNegative(plot.y, plot.curves)
  const below = plot.curves.flatMap(({ y, half = [] }) => y.map((v, i) => v - (half[i] ?? 0)))
  // A logarithmic axis shows where an interval ends, unless that is far below.
  const low = plot.curves.flatMap(({ y, half = [] }) =>
    y.flatMap((v, i) => (v - (half[i] ?? 0) > FAR_BELOW * v ? [v - (half[i] ?? 0)] : [])),
  )
  const lower = isLog ? low : isAbove ? [] : below
  const all = [...plot.curves.flatMap(({ y }) => y), ...reached, ...lower]
  if (!isLog) all.push(0)
  const scale = scaleOf(plot.y, all, left, right, 'zero')
  const start = isLog ? left : scale.at(0)
  const foot = words.length * (tall + GAP)
  return { plot, width, words, own, bar, tall, left, right, foot, scale, start, slots, values }
}

function valueAt(curve: Curve, word: string): number {
  const at = curve.x.map(String).indexOf(word)
  return at < 0 ? NaN : (curve.y[at] ?? NaN)
}

/** Intervals are drawn; where there is room they are written, too. */
function valueText({ y, curves }: Plot, curve: Curve, word: string, width: number): string {
  const at = curve.x.map(String).indexOf(word)
  const value = valueAt(curve, word)
  if (!Number.isFinite(value)) return ''
  const half = curve.half?.[at] ?? NaN
  const text = spanText(value, half)
  // Such an interval is drawn only; the value has no more decimals than it tells.
  if (isNeverNegative(y, curves) && value - half < 0) return text.split(' ± ')[0]!
  return isNarrowWidth(width) ? text.split(' ± ')[0]! : text
}

function axesOf({ plot, width, scale, left, right, foot }: Layout, under: string[]): VNode {
  const title = axisLabel(plot.x)
  const isFitting = LETTER * title.length < left - 8
  const reach = (LETTER * Math.max(...under.map((line) => line.length))) / 2
  const middle = Math.max(reach + 2, Math.min((left + right) / 2, width - reach - 2))
  return html`<g class="axes">
    ${scale.ticks.map(
      (tick) =>
        html`<line x1=${scale.at(tick)} x2=${scale.at(tick)} y1="0" y2=${foot} class="grid" />
          <text x=${scale.at(tick)} y=${foot + 15} text-anchor="middle">${scale.show(tick)}</text>`,
    )}
    <text
      x=${isFitting ? left - 8 : 2}
      y="-10"
      text-anchor=${isFitting ? 'end' : 'start'}
      class="label of-words"
    >
      ${title}
    </text>
    ${under.map(
      (line, i) =>
        html`<text x=${middle} y=${foot + FOOT + 8 + i * LINE} text-anchor="middle" class="label">
          ${line}
        </text>`,
    )}
  </g>`
}

function wordOf({ left, tall }: Layout, word: string, i: number): VNode {
  const lines = linesOf(word, left)
  const top = i * (tall + GAP) + tall / 2 + 4 - ((lines.length - 1) * (LINE - 2)) / 2
  return html`<text text-anchor="end" class="word">
    ${lines.map((line, k) => html`<tspan x=${left - 8} y=${top + k * (LINE - 2)}>${line}</tspan>`)}
    <title>${word}</title>
  </text>`
}

/** What a curve has of a word: a bar or a dot, a hollow mark, or a line across. */
function rowOf(
  layout: Layout,
  curve: Curve,
  style: Style,
  word: string,
  i: number,
): VNode | undefined {
  const { plot, own, bar, tall, scale, values } = layout
  const at = curve.x.map(String).indexOf(word)
  const value = valueAt(curve, word)
  const px = scale.at(value)
  if (!Number.isFinite(value) || !Number.isFinite(px)) return undefined
  const slots = layout.slots[i]!
  const twin = slots.findIndex(({ name }) => name === curve.name)
  const above = (tall - slots.length * (bar + 1)) / 2 + Math.max(0, twin) * (bar + 1)
  const top = i * (tall + GAP) + above
  const [from, to] = twin < 0 ? [i * (tall + GAP), i * (tall + GAP) + tall] : [top, top + bar]
  const span = spanText(value, curve.half?.[at] ?? NaN)
  const said = `${word}, ${legendName(curve)}: ${span} ${plot.y.unit}`
  if (curve.isPublished === true) {
    const ring = { r: 5, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 1.8 }
    // Of no bar in particular: a line says that it is of all.
    const isOfAll = twin < 0 && slots.length > 1
    return html`${isOfAll && level(`M${px} ${from}V${to}`, 'var(--ink)')}
      <path d=${`M${px - 5} ${(from + to) / 2}${AROUND}`} fill="none" ...${HALO} />
      <circle cx=${px} cy=${(from + to) / 2} ...${ring}><title>${said}</title></circle>`
  }
  if (curve.isExpected === true && !isCrossed(plot, curve)) {
    const path = `M${px} ${from - 3}V${to + 3}`
    return html`<path class="expected" d=${path} ...${DOTTED}>
      <title>${said}</title>
    </path>`
  }
  const text = values[own.indexOf(curve)]![layout.words.indexOf(word)]!
  const half = curve.half?.[at] ?? NaN
  const isCross = isCrossed(plot, curve)
  return barOf(layout, { top, value, half, said, text, isCross, colour: style.colour })
}

interface Bar {
  readonly top: number
  readonly value: number
  readonly half: number
  readonly colour: string
  readonly said: string
  readonly text: string
  readonly isCross: boolean
}

function barOf(
  { plot, width, bar, left, right, start, scale }: Layout,
  { top, value, half, colour, said, text, isCross }: Bar,
): VNode {
  const [px, middle] = [scale.at(value), top + bar / 2]
  const isLog = plot.y.scale === 'log'
  const isClipped = isLog || isNeverNegative(plot.y, plot.curves)
  const isCut = isClipped && value - half <= 0
  const low = isCut ? start : Math.max(left, scale.at(value - half))
  const foot = isCut ? `${middle}` : `${middle - 3}v6m0 -3`
  const span = `M${low} ${foot}H${scale.at(value + half)}m0 -3v6`
  const line = html`<line x1=${left} x2=${right} y1=${middle} y2=${middle} class="grid" />`
  return html`${
      isCross
        ? html`${line}
            <path
              class="cross"
              d=${cross(px, middle)}
              fill="none"
              stroke=${colour}
              stroke-width="2"
            >
              <title>${said}</title>
            </path>`
        : isLog
          ? html`${line} ${half > 0 && html`<path class="whisker" d=${span} />`}
              <circle class="dot" cx=${px} cy=${middle} r="4.5" fill=${colour}>
                <title>${said}</title>
              </circle>`
          : html`<rect
              x=${Math.min(start, px)}
              y=${top}
              width=${Math.max(1, Math.abs(px - start))}
              height=${bar}
              fill=${colour}
            >
              <title>${said}</title>
            </rect>`
    }
    ${half > 0 && !isLog && edged(span)}
    <text x=${width - 4} y=${middle + 4} text-anchor="end" class="value">${text}</text>`
}

/** An interval that is seen on a bar of any colour: around the line is the page's. */
function edged(path: string): VNode {
  return html`<path d=${path} fill="none" ...${HALO} /> <path class="whisker" d=${path} />`
}

/** A word in the column of words, in two lines if need be, and cut if that is not enough. */
function linesOf(word: string, left: number): string[] {
  const lines = wrapped(word, left - 14)
  if (lines.length <= LINES_MAX) return lines
  const most = Math.floor((left - 14) / LETTER)
  const last = lines.slice(LINES_MAX - 1).join(' ')
  return [...lines.slice(0, LINES_MAX - 1), `${last.slice(0, most - 1)}…`]
}

function wrapped(text: string, width: number): string[] {
  const most = Math.floor(width / LETTER)
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= most)
      lines.splice(-1, 1, `${last} ${word}`)
    else lines.push(word)
  }
  return lines
}
