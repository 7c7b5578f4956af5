/**
 * Eight colours that people with any colour vision tell apart (M. Okabe and K. Ito, "Color
 * Universal Design", 2008). Black is the page's own ink, so that it turns white on a dark page;
 * yellow is faint on white, and darkened it is the orange again, so that brown stands in its place.
 * From the ninth on the colours come again with a dashed line.
 */
import { dashOfTurn } from '../../../../experiments/plotted.ts'

const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  'currentColor',
  '#a0703c',
] as const

/** A number below 0 is the page's ink. */
export function colour(index: number): string {
  return index < 0 ? 'currentColor' : COLOURS[index % COLOURS.length]!
}

/** For SVG's stroke-dasharray; '' is a full line. */
export function dash(index: number): string {
  return dashOfTurn(index, COLOURS.length)
}
