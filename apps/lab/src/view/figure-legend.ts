/**
 * How curves of a figure are told apart, and the key to it: ours are full, what was published is
 * hollow, what was computed from a rule is dotted.
 */
import type { VNode } from 'preact'
import type { Curve, Plot } from '../../../../experiments/figure.ts'
import {
  COMPUTED_DOTS,
  COMPUTED_WIDTH,
  dashOfTurn,
  isCrossed,
  isLevel,
  isMeasured,
  isUpright,
  legendName,
  PUBLISHED_DASH,
} from '../../../../experiments/plotted.ts'
import type { Under } from '../../../../experiments/overlap.ts'
import { stylesOf as numbersOf } from '../../../../experiments/styles.ts'
import { FLOW_COLOURS } from '../scene/palette.ts'
import { html } from './html.ts'

export interface Style {
  readonly colour: string
  /** For SVG's stroke-dasharray; '' is a full line. */
  readonly dash: string
  /** Its parts on which later curves lie: there their colours alternate. */
  readonly unders: readonly Under[]
}

/** Of what was published and we have no curve of, and of what was computed. */
export const INK: Style = { colour: 'var(--ink)', dash: '', unders: [] }

/** Along what was computed: nothing else is dotted. */
export const DOTTED: Readonly<Record<string, string | number>> = {
  'stroke-dasharray': COMPUTED_DOTS,
  'stroke-linecap': 'round',
  'stroke-width': COMPUTED_WIDTH,
}

/**
 * Of the curves of a plot: one name has one style in all plots among which it is drawn. The ninth
 * is told from the first by dashes, and where one lies on another their colours alternate.
 */
export function stylesOf(plot: Plot, among: readonly Plot[]): readonly Style[] {
  return numbersOf(among)[among.indexOf(plot)]!.map(({ ink, unders }) => {
    if (ink < 0) return INK
    const colour = `var(--f${ink % FLOW_COLOURS.length})`
    return { colour, dash: dashOfTurn(ink, FLOW_COLOURS.length), unders }
  })
}

interface Entry {
  readonly name: string
  readonly style: Style
  readonly shape: 'line' | 'dot' | 'ring' | 'ring on a line' | 'level' | 'dots' | 'tick' | 'cross'
}

/** On bars what was published has the page's ink, whatever it is of: one entry for all of it. */
function entriesOf(plot: Plot, styles: readonly Style[]): Entry[] {
  const isBars = plot.kind === 'bars'
  const isInk = (curve: Curve): boolean => isBars && !isMeasured(curve) && !isCrossed(plot, curve)
  const isLines = plot.kind === 'lines' || plot.kind === 'steps'
  const isTwin = (curve: Curve): boolean =>
    !isMeasured(curve) &&
    !isCrossed(plot, curve) &&
    plot.curves.some((one) => one.name === curve.name && (isMeasured(one) || isCrossed(plot, one)))
  const entries = plot.curves.map((curve, i): Entry => {
    const style = isInk(curve) ? INK : styles[i]!
    const what = curve.isPublished === true ? 'published' : 'computed'
    return {
      name: isBars && isTwin(curve) ? what : legendName(curve),
      style: isLines ? style : { ...style, dash: '' },
      shape: shapeOf(plot, curve),
    }
  })
  const rank = ({ shape }: Entry): number => Number(shape !== 'line' && shape !== 'dot')
  return entries
    .filter(({ name }, i) => entries.findIndex((one) => one.name === name) === i)
    .sort((a, b) => rank(a) - rank(b))
}

function shapeOf(plot: Plot, curve: Curve): Entry['shape'] {
  const { kind, y } = plot
  if (isCrossed(plot, curve)) return 'cross'
  const isLines = kind === 'lines' || kind === 'steps'
  if (curve.isExpected === true) {
    return kind === 'bars' ? 'tick' : isLines && curve.x.length > 1 ? 'dots' : 'cross'
  }
  if (curve.isPublished === true) {
    if (!isLines || !isLevel(curve)) return 'ring'
    return isUpright(curve) ? 'level' : 'ring on a line'
  }
  return kind === 'dots' || (kind === 'bars' && y.scale === 'log') ? 'dot' : 'line'
}

export function Legend(props: { readonly plot: Plot; readonly styles: readonly Style[] }): VNode {
  return html`<ul class="legend">
    ${entriesOf(props.plot, props.styles).map(
      ({ name, style, shape }) =>
        html`<li>
          <svg class="swatch" viewBox="0 0 22 12" aria-hidden="true">${swatch(shape, style)}</svg>
          ${name}
        </li>`,
    )}
  </ul>`
}

function swatch(shape: Entry['shape'], { colour, dash }: Style): VNode {
  const ring = { fill: 'none', stroke: colour, 'stroke-width': 1.8 }
  const bar = { x1: 1, x2: 21, y1: 6, y2: 6, stroke: colour, 'stroke-width': 5 }
  const path = { fill: 'none', stroke: colour, 'stroke-width': 1.8 }
  switch (shape) {
    case 'line':
      return html`<line ...${bar} stroke-dasharray=${dash} />`
    case 'dot':
      return html`<circle cx="11" cy="6" r="4.2" fill=${colour} />`
    case 'ring':
      return html`<circle cx="11" cy="6" r="4.2" ...${ring} />`
    case 'ring on a line':
      return html`${level('M0 6H22', colour)}<circle cx="11" cy="6" r="4.2" ...${ring} />`
    case 'level':
      return level('M0 6H22', colour)
    case 'dots':
      return html`<path d="M1 6H22" ...${path} ...${DOTTED} />`
    case 'tick':
      return html`<path d="M11 1V12" ...${path} ...${DOTTED} />`
    case 'cross':
      return html`<path d=${cross(11, 6)} ...${path} />`
  }
}

/** Along what was published at one height. */
export function level(path: string, colour: string): VNode {
  return html`<path
    d=${path}
    stroke=${colour}
    stroke-width="1.4"
    stroke-dasharray=${PUBLISHED_DASH}
  />`
}

/** The mark of a single computed value. */
export function cross(x: number, y: number): string {
  return `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`
}
