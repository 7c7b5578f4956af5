/** What the circuit's size is compared with. */

/** ACCurate, section IV. */
export const PAPER = { luts: 286, flipFlops: 90, clockMHz: 156.25 } as const

export interface Device {
  readonly name: string
  readonly luts: number
  readonly flipFlops: number
  /** Where the counts stand; AMD's own tables (DS891) could not be opened from here. */
  readonly source: string
}

/** A middle one, that of the ZCU102 board, and the largest Zynq UltraScale+. */
export const DEVICES: readonly Device[] = [
  {
    name: 'XCZU9EG',
    luts: 274_080,
    flipFlops: 548_160,
    source:
      'as Vivado reports them for the ZCU102: github.com/fred-framework/dart_ips at 45a767b, ' +
      'ips/sobel/readme.md; not verified with DS891',
  },
  {
    name: 'XCZU19EG',
    luts: 522_720,
    flipFlops: 1_045_440,
    source:
      'as Vivado reports them: github.com/QianfengClarkShen/lbus_axis_converter, an earlier ' +
      'README.md; not verified with DS891',
  },
]
