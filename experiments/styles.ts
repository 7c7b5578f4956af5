/**
 * Colours of a figure's curves, as numbers: what one name has in one plot it has in all plots of
 * the figure, so that a scheme is found again, and no other name has it while there are as many.
 */
import type { Curve, Plot } from './figure.ts'
import { undersOf } from './overlap.ts'
import type { Under } from './overlap.ts'
import { isCrossed, isMeasured, rowOf } from './plotted.ts'

export interface CurveStyle {
  /** The number of its colour, from 0; -1: the page's own ink. */
  readonly ink: number
  /** Its parts on which later curves lie: there their colours alternate. */
  readonly unders: readonly Under[]
}

const INK: CurveStyle = { ink: -1, unders: [] }

/**
 * By plot and curve. What was published has the colour of ours of that name, in its plot or in
 * another where it has none, and so has what was computed; a computed curve that is alone in its
 * plot and has no namesake has the page's ink.
 */
export function stylesOf(plots: readonly Plot[]): readonly (readonly CurveStyle[])[] {
  const drawn = plots.map((plot) => (plot.kind === 'surface' ? (rowOf(plot) ?? plot) : plot))
  const computed = new Set(drawn.flatMap(severalComputed))
  const ownNames = drawn.map(({ curves }) => [
    ...new Set(
      curves.filter((one) => isMeasured(one) || isIn(computed, one)).map(({ name }) => name),
    ),
  ])
  const inks = inksOf(ownNames)
  return drawn.map((plot, i) => {
    const unders = undersOf(plot)
    return plot.curves.map((curve, k): CurveStyle => {
      const { name, isPublished } = curve
      const own = isPublished === true ? nearestName(name, ownNames[i]!) : name
      if (own === undefined) return inkElsewhere(name, ownNames[i]!, inks)
      return ownNames[i]!.includes(own) ? { ink: inks.get(own)!, unders: unders[k]! } : INK
    })
  })
}

/** Of a published curve whose own is in another plot: as there, if nothing here looks so. */
function inkElsewhere(
  published: string,
  here: readonly string[],
  inks: ReadonlyMap<string, number>,
): CurveStyle {
  const own = nearestName(published, [...inks.keys()])
  const ink = own === undefined ? -1 : inks.get(own)!
  return here.some((name) => inks.get(name) === ink) ? INK : { ink, unders: [] }
}

/** Names of the computed curves of a plot of lines, where one ink would not tell them apart. */
function severalComputed(plot: Plot): string[] {
  const computed = plot.curves.filter(({ isExpected }) => isExpected)
  const isAcross = plot.kind === 'bars' && !computed.some((one) => isCrossed(plot, one))
  const names = new Set(computed.map(({ name }) => name))
  return isAcross || names.size < 2 ? [] : [...names]
}

function isIn(names: ReadonlySet<string>, { name, isExpected }: Curve): boolean {
  return isExpected === true && names.has(name)
}

/**
 * One for each name of a figure while there are as many; then the least that no name has beside
 * which it is drawn anywhere. Those that are alone in their plots, and in no legend, share one.
 */
function inksOf(plots: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const inks = new Map<string, number>()
  const least = (taken: ReadonlySet<number | undefined>): number => {
    let ink = 0
    while (taken.has(ink)) ink++
    return ink
  }
  for (const name of plots.filter(({ length }) => length > 1).flat()) {
    if (inks.has(name)) continue
    const beside = plots.filter((names) => names.includes(name)).flat()
    const free = least(new Set(inks.values()))
    inks.set(name, free < INKS ? free : least(new Set(beside.map((other) => inks.get(other)))))
  }
  const free = least(new Set(inks.values()))
  for (const name of plots.flat()) {
    if (!inks.has(name)) inks.set(name, free < INKS ? free : 0)
  }
  return inks
}

/** Colours that the report and the lab have. */
const INKS = 8

/** What was published of 'median (text: within)' belongs to our 'median'. */
function nearestName(published: string, names: readonly string[]): string | undefined {
  const base = published.split(' (')[0]!
  const isLike = (own: string): boolean => own.startsWith(base) || base.startsWith(own)
  return names.find((own) => own === published) ?? names.find(isLike)
}
