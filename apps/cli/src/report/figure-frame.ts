/** The frame of a plot: a title and a legend above it, all in one SVG that needs no page. */
import { COMPUTED_DOTS } from '../../../../experiments/plotted.ts'
import { wrap } from '../table.ts'
import { escape } from './html.ts'

export interface LegendEntry {
  readonly name: string
  readonly colour: string
  /** For SVG's stroke-dasharray; '' is a full line. */
  readonly dash: string
  /** Of a line; 2 if absent. */
  readonly width?: number
  readonly shape: 'line' | 'dot' | 'box' | 'cross'
  readonly isHollow: boolean
}

const TITLE_SIZE = 14
const TEXT_SIZE = 12
/** Mean width of a letter, a little generous: legends must not run into each other. */
const LETTER = 0.6
const ROW = 18
const SWATCH = 26

/** `drawn` is an SVG; `head` is more SVG that stands between the legend and the plot. */
export function frame(
  title: string,
  legend: readonly LegendEntry[],
  width: number,
  drawn: string,
  head: { readonly svg: string; readonly height: number } = { svg: '', height: 0 },
): string {
  const titles = wrap(title, width / (TITLE_SIZE * LETTER))
  const rows = legendRows(legend.length > 1 || legend[0]?.isHollow ? legend : [], width)
  const legendTop = titles.length * ROW + 4
  const headTop = legendTop + rows.length * ROW + (rows.length > 0 ? 4 : 0)
  const plotTop = headTop + head.height
  const height = plotTop + heightOf(drawn)
  const parts = [
    ...titles.map(
      (line, i) =>
        `<text x="0" y="${14 + i * ROW}" font-size="${TITLE_SIZE}" font-weight="600">` +
        `${escape(line)}</text>`,
    ),
    ...rows.flatMap((row, i) => row.map((at) => swatch(at.entry, at.x, legendTop + i * ROW + 9))),
    head.svg === '' ? '' : `<g transform="translate(0,${headTop})">${head.svg}</g>`,
    drawn.replace(/<svg /, `<svg y="${plotTop}" `),
  ]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" width="${width}" ` +
    `height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" ` +
    `font-size="${TEXT_SIZE}" fill="currentColor" aria-label="${escape(title)}">` +
    `${parts.join('\n')}</svg>`
  )
}

function heightOf(svg: string): number {
  return Number(/height="([\d.]+)"/.exec(svg)?.[1] ?? 0)
}

interface Placed {
  readonly entry: LegendEntry
  readonly x: number
}

function legendRows(legend: readonly LegendEntry[], width: number): readonly Placed[][] {
  const rows: Placed[][] = []
  let x = Infinity
  for (const entry of legend) {
    const room = SWATCH + entry.name.length * TEXT_SIZE * LETTER + 14
    if (x + room > width) {
      rows.push([])
      x = 0
    }
    rows.at(-1)!.push({ entry, x })
    x += room
  }
  return rows
}

function swatch(
  { name, colour, dash, shape, isHollow, width = 2 }: LegendEntry,
  x: number,
  y: number,
): string {
  const ends = dash === COMPUTED_DOTS ? ' stroke-linecap="round"' : ''
  const dashes = dash === '' ? '' : ` stroke-dasharray="${dash}"${ends}`
  const fill = isHollow ? 'none' : colour
  const at = x + 10
  const drawn = {
    line: `<line x1="${x}" x2="${x + 20}" y1="${y}" y2="${y}" stroke-width="${width}"${dashes}/>`,
    dot: `<circle cx="${at}" cy="${y}" r="3" fill="${fill}"/>`,
    box: `<rect x="${x + 4}" y="${y - 5}" width="12" height="10" fill="${fill}"${dashes}/>`,
    cross: `<path d="M${at - 4} ${y - 4}l8 8m0 -8l-8 8" stroke-width="2"/>`,
  }[shape]
  const text = `<text x="${x + SWATCH}" y="${y + 4}">${escape(name)}</text>`
  return `<g stroke="${colour}">${drawn}</g>${text}`
}
