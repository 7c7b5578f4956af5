/**
 * Which parts of a picture links lie on, in cells of some pixels: words look for a place beside
 * them. Reckoned once for the wires of a layout.
 */
import type { Rect } from './free-place.ts'
import type { ClosePicture } from './picture.ts'
import { spotOn } from './wires.ts'
import type { Spot, Wires } from './wires.ts'

const CELL_PX = 6
/** What lies on a cell: nothing, a link, one that flows go by. */
const [LINK, USED] = [1, 2]
const STEP_PX = 4

export class LinkCover {
  readonly #columns: number
  readonly #rows: number
  readonly #cells: Uint8Array

  constructor({
    wires,
    widths,
    width,
    height,
    recording,
  }: Pick<ClosePicture, 'wires' | 'widths' | 'width' | 'height'> & Partial<ClosePicture>) {
    this.#columns = Math.max(1, Math.ceil(width / CELL_PX))
    this.#rows = Math.max(1, Math.ceil(height / CELL_PX))
    this.#cells = new Uint8Array(this.#columns * this.#rows)
    const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }
    const used = new Set(recording?.scene.ways.flat())
    wires.length.forEach((length, port) => {
      const half = widths[port]! / 2
      for (let at = 0; at <= length; at += STEP_PX) {
        spotOn(wires, port, at, spot)
        for (const off of [-half, 0, half])
          this.#put(spot.x - spot.uy * off, spot.y + spot.ux * off, used.has(port) ? USED : LINK)
      }
    })
  }

  #put(x: number, y: number, what: number): void {
    const [column, row] = [Math.floor(x / CELL_PX), Math.floor(y / CELL_PX)]
    if (column < 0 || row < 0 || column >= this.#columns || row >= this.#rows) return
    const cell = row * this.#columns + column
    this.#cells[cell] = Math.max(this.#cells[cell]!, what)
  }

  /** Does a link lie under it? */
  isUnder(rect: Rect): boolean {
    return this.#isUnder(rect, LINK)
  }

  /** Does one that flows go by? */
  isFlowUnder(rect: Rect): boolean {
    return this.#isUnder(rect, USED)
  }

  #isUnder({ x, y, w, h }: Rect, least: number): boolean {
    const right = Math.min(this.#columns - 1, Math.floor((x + w) / CELL_PX))
    const bottom = Math.min(this.#rows - 1, Math.floor((y + h) / CELL_PX))
    for (let row = Math.max(0, Math.floor(y / CELL_PX)); row <= bottom; row++) {
      for (let column = Math.max(0, Math.floor(x / CELL_PX)); column <= right; column++) {
        if (this.#cells[row * this.#columns + column]! >= least) return true
      }
    }
    return false
  }
}

const known = new WeakMap<Wires, LinkCover>()

export function linkCover(picture: ClosePicture): LinkCover {
  const cover = known.get(picture.wires) ?? new LinkCover(picture)
  known.set(picture.wires, cover)
  return cover
}
