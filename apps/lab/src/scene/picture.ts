/** What a picture is drawn from. */
import type { Held } from '../model/close-log.ts'
import type { Recording } from '../model/recording.ts'
import type { Pin } from '../model/session.ts'
import type { Layout } from './layout.ts'
import type { PlacedNote } from './notes.ts'
import type { Ink } from './palette.ts'
import type { Racks } from './racks.ts'
import type { Channel } from './ribbons.ts'
import type { Box, Tank } from './tanks.ts'
import type { Wires } from './wires.ts'

export interface Picture {
  readonly context: CanvasRenderingContext2D
  readonly recording: Recording
  readonly layout: Layout
  readonly wires: Wires
  readonly ink: Ink
  readonly frame: number
  readonly playheadPs: number
  readonly selected: Pin | undefined
  readonly pins: readonly Pin[]
  /** Rows of flows that have a line in the plots, with their colours. */
  readonly colouredRows: ReadonlyMap<number, number>
  readonly width: number
  readonly height: number
  /** Of a large network. */
  readonly racks?: Racks | undefined
}

/** Of a small network, close up. */
export interface ClosePicture extends Picture {
  readonly channels: readonly Channel[]
  readonly held: ReadonlyMap<number, readonly Held[]>
  /** Width of each port's channel, px. */
  readonly widths: Float64Array
  readonly tanks: readonly Tank[]
  readonly boxes: readonly Box[]
  /** Bytes at a tank's rim. */
  readonly tankTop: number
  /** Where the dots of each ribbon are; kept from picture to picture. */
  readonly phases: Map<number, number>
  /** Seconds of normal play from the start of the run to this moment. */
  readonly moved: number
  readonly deadlock: Deadlock | undefined
  /** What a story writes into it: other words keep off. */
  readonly notes: readonly PlacedNote[]
  /** Of the run, that rates are means of: the plots' window. */
  readonly windowPart: number
  colourOf(row: number): number
  /** Others stand out. */
  isFaint(row: number): boolean
}

export interface Deadlock {
  readonly ports: readonly number[]
  readonly sincePs: number
  /** When it is seen: the first picture in which nothing moves has ended. */
  readonly seenPs: number
}

export function portByName(recording: Recording, name: string): number {
  for (let port = 0; port < recording.ports; port++) {
    if (recording.portName(port) === name) return port
  }
  return -1
}

/** Of some flows that stand out, all others; of none, none. */
export function faintRows(
  { flows }: Recording,
  bright: ReadonlySet<string> | undefined,
): (row: number) => boolean {
  if (bright === undefined || bright.size === 0) return () => false
  return (row) => !bright.has(flows[row]?.name ?? '')
}
