/**
 * Colours that people with any colour vision tell apart. Flows: after M. Okabe and K. Ito, "Color
 * Universal Design" (2008), without vermillion, which means a pause and nothing else. Utilisation:
 * a scale from faint to full of one hue path (cividis: J. Nuñez et al., PLOS ONE 2018), which also
 * reads in grey; a pause has a mark, so that it never depends on colour alone.
 */
export const FLOW_COLOURS: readonly string[] = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#7a52a8',
  '#8a6d00',
  '#7f7f7f',
]

/**
 * From here on colours are no flow's, however many there are: four lanes, told apart by dashes, a
 * pause, and eight ports: the first in the colour of text, the others told apart by dashes, shades
 * of grey and their names on them.
 */
export const LANE_COLOUR: number = 2 ** 40
export const PAUSED: number = LANE_COLOUR + 4
export const PORT_COLOUR: number = LANE_COLOUR + 8

/**
 * What was computed and not measured: round dots (of no length, with round ends), and nothing else
 * is dotted. Dashes are for what was measured: which lane, port or flow of one colour it is.
 */
export const COMPUTED_DASH: readonly number[] = [0, 5]
export const COMPUTED_PX = 2.4

export const LANE_DASHES: readonly (readonly number[])[] = [
  ...[[], [8, 4]],
  ...[
    [16, 4],
    [12, 4, 4, 4],
  ],
]

export function flowColour(index: number, isDark: boolean = false): string {
  if (index === PAUSED) return PAUSE_COLOUR
  // The port in question, pinned or with the longest queue, has the colour of text.
  if (index === PORT_COLOUR) return isDark ? '#e6e9ee' : '#1b2330'
  if (index >= PORT_COLOUR) return PORT_INKS[(index - PORT_COLOUR) % PORT_INKS.length]!
  if (index >= LANE_COLOUR) return LANE_INK
  return FLOW_COLOURS[index % FLOW_COLOURS.length]!
}

/** Dashes tell the ninth flow from the first, the seventeenth from both. */
export function flowDash(index: number): number[] {
  if (index >= PORT_COLOUR) return [...PORT_DASHES[(index - PORT_COLOUR) % PORT_DASHES.length]!]
  if (index >= LANE_COLOUR) return [...(LANE_DASHES[index - LANE_COLOUR] ?? [])]
  return [...FLOW_DASHES[flowTurn(index)]!]
}

/** How often the colours have gone round before this flow: 0, 1, 2, and again. */
export function flowTurn(index: number): number {
  return Math.floor(index / FLOW_COLOURS.length) % FLOW_DASHES.length
}

/** Seen on white and on black. */
const LANE_INK = '#6b7785'
const PORT_INKS: readonly string[] = ['#76828f', '#95a0ad', '#8d7f63']
const FLOW_DASHES: readonly (readonly number[])[] = [[], [8, 4], [12, 4, 4, 4]]
const PORT_DASHES: readonly (readonly number[])[] = [
  ...LANE_DASHES,
  ...[
    [5, 8],
    [24, 5],
    [12, 4, 4, 4, 4, 4],
    [5, 3],
  ],
]

export const PAUSE_COLOUR = '#d55e00'
/** Behind white letters. */
export const PAUSE_BACK = '#b84c00'

const LIGHT: readonly (readonly [number, number, number])[] = [
  [214, 218, 224],
  [154, 170, 190],
  [92, 118, 158],
  [38, 72, 120],
  [0, 30, 78],
]
const DARK: readonly (readonly [number, number, number])[] = [
  [58, 64, 74],
  [70, 92, 128],
  [110, 130, 130],
  [178, 170, 100],
  [255, 233, 69],
]

/** 256 colours, from an idle link to a full one. */
export function utilisationScale(isDark: boolean): string[] {
  const stops = isDark ? DARK : LIGHT
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1)
    const low = Math.min(stops.length - 2, Math.floor(at))
    const [a, b] = [stops[low]!, stops[low + 1]!]
    const mix = a.map((from, lane) => Math.round(from + (b[lane]! - from) * (at - low)))
    return `rgb(${mix.join(' ')})`
  })
}

export interface Ink {
  readonly text: string
  readonly faint: string
  readonly host: string
  readonly switch: string
  readonly edge: string
  /** Far from all flows, a pause, a loss and the scale of use, for any colour vision. */
  readonly queue: string
  /** Notes, and what is selected: no flow's colour. */
  readonly select: string
  readonly loss: string
  /** Words of a pause: vermillion, as dark or as bright as small letters want it. */
  readonly pause: string
  readonly back: string
  /** A channel with nothing in it, packets that are no flow's, dots on a ribbon, an empty tank. */
  readonly channel: string
  readonly control: string
  readonly dot: string
  readonly tank: string
  /** Of a ribbon: its least width, px, and its share of light where others stand out. */
  readonly thin: number
  readonly dim: number
  readonly scale: readonly string[]
}

const inks: (Ink | undefined)[] = []

/** Made once for each theme: it is asked for at every picture. */
export function inkOf(isDark: boolean): Ink {
  return (inks[Number(isDark)] ??= newInk(isDark))
}

function newInk(isDark: boolean): Ink {
  const scale = utilisationScale(isDark)
  return isDark
    ? {
        text: '#e6e9ee',
        faint: '#9aa4b2',
        host: '#2b3442',
        switch: '#3b4a60',
        edge: '#8a97a8',
        queue: '#f0e6ff',
        select: '#e6e9ee',
        loss: '#ff8a8f',
        pause: '#ff8c42',
        back: '#161b23',
        channel: '#2b323d',
        control: '#7d8895',
        dot: 'rgb(255 255 255 / 85%)',
        tank: '#0d1117',
        thin: 1.3,
        dim: 0.45,
        scale,
      }
    : {
        text: '#1b2330',
        faint: '#5a6675',
        host: '#ffffff',
        switch: '#f4f6f9',
        edge: '#5a6675',
        queue: '#d20fff',
        select: '#1b2330',
        loss: '#b00e1c',
        pause: PAUSE_BACK,
        back: '#ffffff',
        channel: '#e6e8ec',
        control: '#8d96a3',
        dot: 'rgb(255 255 255 / 88%)',
        tank: '#ffffff',
        thin: 0.7,
        dim: 0.22,
        scale,
      }
}
