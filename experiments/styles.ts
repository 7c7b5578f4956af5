/**
 * Colours and line styles of a figure's curves, as numbers: what one name has in one plot it has in
 * all plots of the figure, so that a scheme is found again. Names that never meet may share one.
 */
import type { Curve, Plot } from './figure.ts'
import { gapsOf } from './overlap.ts'
import { isMeasured, rowOf } from './plotted.ts'

export interface CurveStyle {
  /** The number of its colour, from 0; -1: the page's own ink. */
  readonly ink: number
  /** For SVG's stroke-dasharray: gaps through which another curve shows; '' is none. */
  readonly gaps: string
}

const INK: CurveStyle = { ink: -1, gaps: '' }

/**
 * By plot and curve. What was published has the colour of ours of that name in its plot. Computed
 * lines have colours of their own where a plot has several, which dashes would not tell apart.
 */
export function stylesOf(plots: readonly Plot[]): readonly (readonly CurveStyle[])[] {
  const drawn = plots.map((plot) => (plot.kind === 'surface' ? (rowOf(plot) ?? plot) : plot))
  const ownNames = drawn.map((plot) => [
    ...new Set(plot.curves.filter((curve) => isOwn(curve, plot)).map(({ name }) => name)),
  ])
  const inks = inksOf(ownNames)
  const gaps = gapsByName(drawn)
  return drawn.map((plot, i) =>
    plot.curves.map((curve): CurveStyle => {
      const own = isOwn(curve, plot) ? curve.name : nearestName(curve.name, ownNames[i]!)
      if (own === undefined || (curve.isExpected === true && !isOwn(curve, plot))) return INK
      return { ink: inks.get(own)!, gaps: isMeasured(curve) ? (gaps.get(own) ?? '') : '' }
    }),
  )
}

/** Whether its name has a colour; a computed line that is the only one has the page's ink. */
function isOwn(curve: Curve, { curves, kind }: Plot): boolean {
  if (curve.isExpected !== true) return isMeasured(curve)
  const computed = new Set(curves.filter(({ isExpected }) => isExpected).map(({ name }) => name))
  return computed.size > 1 && (kind === 'lines' || kind === 'steps')
}

/** The least number that no name has beside which it is drawn anywhere. */
function inksOf(plots: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const inks = new Map<string, number>()
  for (const name of plots.flat()) {
    if (inks.has(name)) continue
    const beside = plots.filter((names) => names.includes(name)).flat()
    const taken = new Set(beside.map((other) => inks.get(other)))
    let ink = 0
    while (taken.has(ink)) ink++
    inks.set(name, ink)
  }
  return inks
}

/** One that needs gaps in one plot has them in all. */
function gapsByName(plots: readonly Plot[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const plot of plots) {
    gapsOf(plot).forEach((gaps, i) => {
      if (gaps !== '') found.set(plot.curves[i]!.name, gaps)
    })
  }
  return found
}

/** What was published of 'median (text: within)' belongs to our 'median'. */
function nearestName(published: string, names: readonly string[]): string | undefined {
  const base = published.split(' (')[0]!
  const isLike = (own: string): boolean => own.startsWith(base) || base.startsWith(own)
  return names.find((own) => own === published) ?? names.find(isLike)
}
