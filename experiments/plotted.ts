/**
 * How a plot of a figure is read, for whoever draws it: the report's drawings and the lab's are of
 * different making, and say the same.
 */
import type { Axis, Curve, Plot } from './figure.ts'
import { ofCount } from './shown.ts'

/** An axis' name with its unit, as people write it. */
export function axisLabel({ label, unit, isMagnified, scale }: Axis): string {
  const name = unit === '' ? label : `${label} (${unit})`
  const said = scale === 'log' ? `${name}, log scale` : name
  return isMagnified === true ? `${said}; not from 0` : said
}

/** What a run gave, and neither a document nor a rule. */
export function isMeasured({ isPublished, isExpected }: Curve): boolean {
  return isPublished !== true && isExpected !== true
}

/**
 * On bars: computed where nothing was measured, a cross at each value in a colour of its own;
 * beside what was measured it is a line across that.
 */
export function isCrossed({ curves, kind }: Plot, { isExpected }: Curve): boolean {
  return kind === 'bars' && isExpected === true && !curves.some(isMeasured)
}

/**
 * Dots along what was computed, for SVG's stroke-dasharray with round ends: nothing else is dotted.
 */
export const COMPUTED_DOTS = '0 5'
/** Along what was published at one height, and around it. */
export const PUBLISHED_DASH = '5 4'
/** Measured curves from the ninth on, whose colours come again: far longer than published ones. */
const TURN_DASHES = ['', '16 4', '16 4 4 4'] as const

/** Of the curve with this number among as many colours: '' is a full line. */
export function dashOfTurn(ink: number, colours: number): string {
  return ink < 0 ? '' : TURN_DASHES[Math.floor(ink / colours) % TURN_DASHES.length]!
}

/** As wide as the dots are. */
export const COMPUTED_WIDTH = 2.6

/** Of a measured line. */
export const LINE_WIDTH = 1.8

/** A curve's name in a legend: with what it is, unless the name says that. */
export function legendName({ name, isPublished, isExpected }: Curve): string {
  if (/published|computed|expected|theory|our bound|as set/u.test(name)) return name
  if (isPublished === true) return `${name}, published`
  return isExpected === true ? `${name}, computed` : name
}

/** Such an axis begins at zero, and intervals end there. */
export function isNeverNegative({ scale }: Axis, curves: readonly Curve[]): boolean {
  return scale !== 'log' && curves.every(({ y }) => !y.some((value) => value < 0))
}

/** A surface of one row is a curve: its heights over x. Undefined if it has more rows. */
export function rowOf(plot: Plot): Plot | undefined {
  const { curves: all, y, z } = plot
  const rows = new Set(all.flatMap((curve) => curve.y))
  if (rows.size !== 1 || z === undefined) return undefined
  const row = String([...rows][0]!)
  const at = `${y.label} ${row}${y.unit === '' ? '' : ` ${ofCount(row, y.unit)}`}`
  const curves = all.map((curve) => ({ ...curve, y: curve.z ?? [] }))
  return { ...plot, title: `${plot.title}: ${at}`, kind: 'lines', y: z, curves }
}

/**
 * The words of an axis that has words, in the order in which they come; undefined if it has none.
 */
export function wordsOf({ curves }: Plot): string[] | undefined {
  const values = curves.flatMap(({ x }) => x)
  return values.some((value) => typeof value === 'string')
    ? [...new Set(values.map(String))]
    : undefined
}

/** Published at one height, or at one place, all along: drawn as a line across, not as marks. */
export function isLevel(curve: Curve): boolean {
  const { y } = curve
  return (y.length > 1 && y.every((value) => value === y[0])) || isUpright(curve)
}

/** At one place without a height: 'about 150 us' has no mark. */
export function isUpright({ x }: Curve): boolean {
  return x.length > 1 && x.every((at) => at === x[0])
}

/** What hardly varies beside its height is shown as that: colours begin at zero. */
export function rangeOfHeights(heights: readonly number[]): [number, number] {
  const [low, high] = extent(heights)
  return low > FLAT * high ? [0, high] : [low, high]
}

const FLAT = 0.9

/** Heights of both signs have colours of two kinds, which meet in a neutral one at zero. */
export function hasBothSigns([low, high]: readonly [number, number]): boolean {
  return low < 0 && high > 0
}

/** 0..1 on such a scale: zero is in the middle, and what is as far from it is as strong. */
export function partOfSigned(height: number, [low, high]: readonly [number, number]): number {
  return 0.5 + height / (2 * Math.max(-low, high))
}

export function extent(values: readonly number[]): [number, number] {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}
