/**
 * A surface as seen from above: a cell a point, coloured by height, with contour lines. It shows
 * what a view from the side hides behind its hills, and values can be read off its ramp. Several
 * surfaces stand side by side under one ramp.
 */
import type { Axis, Plot as PlotSpec } from '../../../../experiments/figure.ts'
import {
  axisLabel,
  hasBothSigns,
  isMeasured,
  rangeOfHeights,
} from '../../../../experiments/plotted.ts'
import { logOptions } from './axes.ts'
import { Plot, draw } from './canvas.ts'
import { frame } from './figure-frame.ts'
import { escape } from './html.ts'

/** Dark to light in grey print too, and apart for any colour vision; of both signs, two colours. */
const RAMP = 'viridis'
const SIGNED_RAMP = 'PuOr'
const RAMP_CELLS = 48
const RAMP_WIDTH = 220

interface Cell {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly surface: string
  readonly x1: number
  readonly x2: number
  readonly y1: number
  readonly y2: number
}

export function surfacePlot(
  plot: PlotSpec,
  size: { readonly width: number; readonly height: number },
): string {
  const surfaces = plot.curves.filter(isMeasured)
  const cells = surfaces.flatMap((curve) => cellsOf(plot, curve))
  const heights = cells.map(({ z }) => z)
  const domain = rangeOfHeights(heights)
  // Lines along what hardly varies would be drawn along noise.
  const isFlat = heights.every((z) => z > domain[0])
  const isLog = plot.z?.scale === 'log' && domain[0] > 0
  const colour = colourScale(domain, isLog)
  const isMany = surfaces.length > 1
  const facet = isMany ? { fx: 'surface' } : {}
  const isSloped = domain[1] > domain[0]
  const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)]
  const ticksOf = (axis: Axis, values: readonly number[]): number | number[] =>
    isMany && axis.scale === 'log' ? powersIn(values) : isMany ? 3 : 6
  const drawn = draw({
    ...size,
    ...(isMany ? { marginLeft: 52 } : {}),
    label: plot.title,
    color: colour,
    x: { ...logOptions(plot.x), label: axisLabel(plot.x), nice: false, ticks: ticksOf(plot.x, xs) },
    y: {
      ...logOptions(plot.y),
      ...{ label: axisLabel(plot.y), nice: false, ticks: ticksOf(plot.y, ys) },
      // Above the axis stand the names of surfaces.
      ...(isMany ? { labelAnchor: 'center' as const } : {}),
    },
    ...(isMany ? { fx: { label: null, domain: surfaces.map(({ name }) => name) } } : {}),
    marks: [
      Plot.rect(cells, { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', fill: 'z', ...facet }),
      ...(isSloped && !isFlat ? contourMarks(cells, domain, facet) : []),
      ...publishedMarks(plot, isMany),
    ],
  })
  const ramp = { svg: rampSvg(plot, domain, Plot.scale({ color: colour }), isLog), height: 34 }
  return frame(plot.title, [], size.width, drawn, isSloped ? ramp : { svg: '', height: 0 })
}

/** Zero has no colour of its own: neither of those below nor of those above. */
function colourScale(domain: [number, number], isLog: boolean): Plot.ScaleOptions {
  if (!hasBothSigns(domain)) return { type: isLog ? 'log' : 'linear', scheme: RAMP, domain }
  const far = Math.max(-domain[0], domain[1])
  // As in the lab: brown below, violet above.
  return { type: 'diverging', scheme: SIGNED_RAMP, reverse: true, domain: [-far, far], pivot: 0 }
}

/** Of ten: what beside each other small surfaces have room for. */
function powersIn(values: readonly number[]): number[] {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))]
  const first = Math.ceil(low - 1e-9)
  // One at the right edge would touch the first of the next surface.
  const count = Math.max(1, Math.ceil(high - 1e-9) - first)
  return Array.from({ length: count }, (_, i) => Number(`1e${first + i}`))
}

/**
 * What a document gives of single places: a hollow mark, and the height that it gives; beside each
 * other surfaces have the mark alone, each the same.
 */
function publishedMarks({ curves }: PlotSpec, isMany: boolean): Plot.Markish[] {
  const places = curves
    .filter(({ isPublished }) => isPublished === true)
    .flatMap(({ x, y, z, name }) =>
      // A place without a height has a name.
      x.map((at, i) => ({ x: at, y: y[i]!, text: z ? `${z[i]} (published)` : name })),
    )
  if (places.length === 0) return []
  const white = { x: 'x', y: 'y', stroke: 'white' } as const
  return [
    // Seen on a cell of any colour.
    Plot.dot(places, { ...white, stroke: 'black', r: 5, fill: 'none', strokeWidth: 3.6 }),
    Plot.dot(places, { ...white, r: 5, fill: 'none', strokeWidth: 1.8 }),
    Plot.text(isMany ? [] : places, {
      ...{ x: 'x', y: 'y', text: 'text', dy: -12, fill: 'white', stroke: 'black' },
    }),
  ]
}

/** Of heights of both signs the edge between them alone: which cell has which is what counts. */
function contourMarks(
  cells: readonly Cell[],
  [low, high]: readonly [number, number],
  facet: object,
): Plot.Markish[] {
  if (low >= 0 || high <= 0) {
    const along = { x: 'x', y: 'y', value: 'z', thresholds: 8, interpolate: 'barycentric' as const }
    const look = { stroke: 'white', strokeOpacity: 0.65, fill: 'none' }
    return [Plot.contour(cells as Cell[], { ...along, ...look, ...facet })]
  }
  const edges = edgesOfSign(cells)
  const ends = { x1: 'x1', y1: 'y1', x2: 'x2', y2: 'y2', strokeLinecap: 'square' as const }
  return [
    Plot.link(edges, { ...ends, stroke: 'white', strokeWidth: 4.5, ...facet }),
    Plot.link(edges, { ...ends, stroke: '#c3342d', strokeWidth: 2.4, ...facet }),
  ]
}

type Edge = Pick<Cell, 'surface' | 'x1' | 'x2' | 'y1' | 'y2'>

/** Between each cell above zero and those beside it that are not. */
function edgesOfSign(cells: readonly Cell[]): Edge[] {
  return cells.flatMap((cell) =>
    cells.flatMap((other): Edge[] => {
      const { surface, x1, x2, y1, y2 } = cell
      if (other.surface !== surface || cell.z > 0 === other.z > 0) return []
      if (other.y1 === y1 && other.x1 === x2) return [{ surface, x1: x2, x2, y1, y2 }]
      if (other.x1 === x1 && other.y1 === y2) return [{ surface, x1, x2, y1: y2, y2 }]
      return []
    }),
  )
}

function cellsOf(plot: PlotSpec, curve: PlotSpec['curves'][number]): Cell[] {
  const xs = curve.x.map(Number)
  const xEdges = edgesOf(xs, plot.x.scale === 'log')
  const yEdges = edgesOf(curve.y, plot.y.scale === 'log')
  return xs.flatMap((x, i): Cell[] => {
    const y = curve.y[i]!
    const z = curve.z?.[i] ?? NaN
    const [x1, x2] = xEdges.get(x)!
    const [y1, y2] = yEdges.get(y)!
    return Number.isFinite(z) ? [{ x, y, z, surface: curve.name, x1, x2, y1, y2 }] : []
  })
}

/** Cells meet half way between neighbours; on a logarithmic axis at their geometric mean. */
function edgesOf(
  values: readonly number[],
  isLog: boolean,
): ReadonlyMap<number, readonly [number, number]> {
  const sorted = [...new Set(values)].sort((a, b) => a - b)
  const between = (a: number, b: number): number => (isLog ? Math.sqrt(a * b) : (a + b) / 2)
  return new Map(
    sorted.map((value, i) => [
      value,
      [between(sorted[i - 1] ?? value, value), between(value, sorted[i + 1] ?? value)] as const,
    ]),
  )
}

function rampSvg(
  plot: PlotSpec,
  [low, high]: readonly [number, number],
  scale: Plot.Scale | undefined,
  isLog: boolean,
): string {
  const at = (t: number): number =>
    isLog ? low * Math.exp(t * Math.log(high / low)) : low + t * (high - low)
  const step = RAMP_WIDTH / RAMP_CELLS
  const cells = Array.from({ length: RAMP_CELLS }, (_, i) => {
    const fill = String(scale?.apply(at((i + 0.5) / RAMP_CELLS)) ?? 'none')
    const box = `x="${(i * step).toFixed(1)}" width="${(step + 0.5).toFixed(1)}" height="9"`
    return `<rect ${box} fill="${fill}"/>`
  })
  const middle = hasBothSigns([low, high]) ? -low / (high - low) : 0.5
  const labels = [0, middle, 1].map((t) => {
    const anchor = t === 0 ? 'start' : t === 1 ? 'end' : 'middle'
    const text = String(Number(at(t).toPrecision(3)))
    return `<text x="${t * RAMP_WIDTH}" y="22" text-anchor="${anchor}">${text}</text>`
  })
  const name = plot.z === undefined ? '' : escape(axisLabel(plot.z))
  return `${cells.join('')}${labels.join('')}<text x="${RAMP_WIDTH + 14}" y="9">${name}</text>`
}
