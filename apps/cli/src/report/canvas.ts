/**
 * Observable Plot on the server: it draws into jsdom's document, and the SVG comes out as text.
 * Coordinates are cut to a tenth of a pixel, which halves the size of a report and cannot be seen.
 */
import * as Plot from '@observablehq/plot'
import { JSDOM } from 'jsdom'

export { Plot }

const { document, XMLSerializer } = new JSDOM('').window
/** XML, not HTML: the same text can stand in a page and in a file of its own. */
const serializer = new XMLSerializer()

export interface Drawing extends Plot.PlotOptions {
  readonly label: string
}

export function draw({ label, ...options }: Drawing): string {
  const node = Plot.plot({
    ...options,
    document: document as NonNullable<Plot.PlotOptions['document']>,
    ariaLabel: label,
    className: 'plot',
    style: { background: 'none', fontSize: '12px' },
  })
  return serializer
    .serializeToString(node)
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<svg /, '<svg role="img" ')
    .replace(COORDINATES, (attribute) =>
      attribute.replace(/-?\d+\.\d{2,}/g, (digits) => String(Number(Number(digits).toFixed(1)))),
    )
}

/** Attributes that are places: what people read (ticks, labels) keeps its digits. */
const COORDINATES = / (?:d|transform|points|x|y|x1|x2|y1|y2|cx|cy|dx|dy|width|height)="[^"]*"/g
