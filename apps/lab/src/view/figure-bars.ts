/** Bars lie: words have room at the left. A published value is a hollow mark on its bar. */
import type { VNode } from 'preact'
import type { Curve, Plot } from '../../../../experiments/figure.ts'
import { axisLabel } from '../../../../experiments/plotted.ts'
import { plain } from '../model/compare.ts'
import { Legend, stylesOf } from './figure-plot.ts'
import { useFigureWidth } from './figure-width.ts'
import { html } from './html.ts'
import { scaleOf } from './plot-axis.ts'
import type { Scale } from './plot-axis.ts'

const RIGHT = 70
const TOP = 6
const BOTTOM = 42
const LINE = 16
const GAP = 10
/** Of a letter, about. */
const LETTER = 7

interface Row {
  readonly name: string
  readonly y: number
  readonly value: number
  readonly half: number
  readonly colour: string
  readonly said: string
}

export function Bars({ plot }: { readonly plot: Plot }): VNode {
  const width = useFigureWidth()
  const words = [...new Set(plot.curves.flatMap(({ x }) => x.map(String)))]
  const own = plot.curves.filter(({ isPublished }) => isPublished !== true)
  const published = plot.curves.filter(({ isPublished }) => isPublished === true)
  const bar = own.length > 1 ? 12 : 16
  const tall = Math.max(16, own.length * (bar + 1))
  const left = Math.min(0.43 * width, 24 + LETTER * Math.max(...words.map((word) => word.length)))
  const foot = words.length * (tall + GAP)
  const axis = [left, width - RIGHT] as const
  const height = foot + BOTTOM + (areTitlesApart(plot, axis) ? 0 : LINE)
  const values = plot.curves.flatMap(({ y, half = [] }) => y.map((v, i) => v + (half[i] ?? 0)))
  const base = footOf(plot)
  const scale = scaleOf(plot.y, [...values, base], ...axis, 'zero')
  const styles = stylesOf(plot)
  const colourOf = (curve: Curve): string => styles[plot.curves.indexOf(curve)]!.colour
  const rowsOf = (word: string, i: number): Row[] =>
    own.flatMap((curve, k) => {
      const { name, x, y, half = [] } = curve
      const at = x.map(String).indexOf(word)
      if (at < 0 || !Number.isFinite(y[at])) return []
      const said = `${word}${own.length > 1 ? `, ${name}` : ''}: ${plain(y[at]!)} ${plot.y.unit}`
      const top = i * (tall + GAP) + k * (bar + 1) + (tall - own.length * (bar + 1)) / 2
      const colour = colourOf(curve)
      return [{ name, y: top, value: y[at]!, half: half[at] ?? NaN, colour, said }]
    })
  const markOf = ({ name, x, y }: Curve, k: number, word: string, i: number): VNode | undefined => {
    const at = x.map(String).indexOf(word)
    const px = at < 0 ? NaN : scale.at(y[at]!)
    if (!Number.isFinite(px)) return undefined
    const place = own.findIndex((curve) => curve.name === name)
    const row = place < 0 ? Math.min(k, own.length - 1) : place
    const off = place < 0 ? tall / 2 : row * (bar + 1) + bar / 2
    const said = `${word}, ${name}: ${plain(y[at]!)} ${plot.y.unit}, published`
    return hollow(px, i * (tall + GAP) + off, said)
  }
  return html`${plot.curves.length > 1 && html`<${Legend} plot=${plot} />`}
    <svg
      class="figure-svg"
      viewBox=${`0 ${-TOP} ${width} ${height + TOP}`}
      role="img"
      aria-label=${`${plot.title}: ${axisLabel(plot.y)}`}
    >
      ${axisOf(plot, scale, axis, foot)}
      ${words.map(
        (word, i) =>
          html`<g key=${word}>
            <text x=${left - 8} y=${i * (tall + GAP) + tall / 2 + 4} text-anchor="end" class="word">
              ${short(word, left)}<title>${word}</title>
            </text>
            ${rowsOf(word, i).map((row) => {
              // Marks near the bar's end would lie on its value; those of other bars do not.
              const near = published.flatMap(({ name, x, y }) => {
                const isOther = name !== row.name && own.some((curve) => curve.name === name)
                const at = isOther ? -1 : x.map(String).indexOf(word)
                const px = at < 0 ? NaN : scale.at(y[at]!)
                return Math.abs(px - scale.at(row.value)) < 44 ? [px] : []
              })
              return barOf(row, bar, base, near, scale.at)
            })}
            ${published.map((curve, k) => markOf(curve, k, word, i))}
          </g>`,
      )}
    </svg>`
}

/** Where bars stand: a logarithmic axis has no zero, and none is to be without length. */
function footOf({ y, curves }: Plot): number {
  const positive = curves.flatMap((curve) => curve.y.filter((value) => value > 0))
  if (y.scale !== 'log' || positive.length === 0) return 0
  return 10 ** Math.floor(Math.log10(Math.min(...positive) / 1.2))
}

function hollow(px: number, py: number, said: string): VNode {
  return html`<circle cx=${px} cy=${py} r="5" fill="none" stroke="var(--ink)" stroke-width="1.8">
    <title>${said}</title>
  </circle>`
}

/** Whether the titles of both axes have room in one line; that of the words has one more if not. */
function areTitlesApart({ x, y }: Plot, [left, right]: readonly [number, number]): boolean {
  const from = (left + right) / 2 - (LETTER * axisLabel(y).length) / 2
  return 2 + LETTER * axisLabel(x).length < from
}

function axisOf(plot: Plot, scale: Scale, axis: readonly [number, number], foot: number): VNode {
  const [left, right] = axis
  const line = foot + BOTTOM - 6
  const under = areTitlesApart(plot, axis) ? line : line + LINE
  return html`<g class="axes">
    ${scale.ticks.map(
      (tick) =>
        html`<line x1=${scale.at(tick)} x2=${scale.at(tick)} y1="0" y2=${foot} class="grid" />
          <text x=${scale.at(tick)} y=${foot + 15} text-anchor="middle">${scale.show(tick)}</text>`,
    )}
    <text x="2" y=${under} class="label">${axisLabel(plot.x)}</text>
    <text x=${(left + right) / 2} y=${line} text-anchor="middle" class="label">
      ${axisLabel(plot.y)}
    </text>
  </g>`
}

function barOf(
  { y, value, half, colour, said }: Row,
  bar: number,
  foot: number,
  marks: readonly number[],
  at: (value: number) => number,
): VNode {
  const [zero, end] = [at(foot), at(foot > 0 ? Math.max(foot, value) : value)]
  const beyond = Math.max(end, half > 0 ? at(value + half) : end, ...marks.map((px) => px + 4))
  return html`<rect
      x=${Math.min(zero, end)}
      y=${y}
      width=${Math.max(1, Math.abs(end - zero))}
      height=${bar}
      fill=${colour}
    >
      <title>${said}</title>
    </rect>
    ${
      half > 0 &&
      html`<line
        x1=${at(value < foot ? value - half : Math.max(foot, value - half))}
        x2=${at(value + half)}
        y1=${y + bar / 2}
        y2=${y + bar / 2}
        stroke="var(--ink)"
        stroke-width="1.4"
      />`
    }
    <text x=${Math.max(zero, beyond) + 8} y=${y + bar / 2 + 4} class="value">${plain(value)}</text>`
}

function short(word: string, left: number): string {
  const most = Math.floor((left - 14) / LETTER)
  return word.length > most ? `${word.slice(0, most - 1)}…` : word
}
