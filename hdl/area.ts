/**
 * How much of an UltraScale+ device the circuit takes, from Yosys' netlist: cells as Yosys counts
 * them, and how many look-up tables remain when two small ones share a place, as Vivado packs them
 * (a LUT6 is two LUT5 with the same five inputs). The packing is greedy: fewer may be possible, and
 * placement may forbid some. No DSP, no block RAM, no shift-register LUTs, no I/O buffers.
 */
import type { CircuitSettings } from '@weir/schemes'
import { yosys } from './yosys.ts'

export const SYNTHESIS: string =
  'synth_xilinx -family xcup -flatten -abc9 -nodsp -nobram -nosrl -noiopad -noclkbuf -nowidelut'

export interface Area {
  /** LUT cells, one each. */
  readonly lutCells: number
  /** After pairing. */
  readonly luts: number
  readonly flipFlops: number
  /** Eight bits each. */
  readonly carries: number
}

interface Netlist {
  readonly modules: Record<string, Module>
}
interface Module {
  readonly cells: Record<string, Cell>
}
interface Cell {
  readonly type: string
  readonly connections: Record<string, readonly (number | string)[]>
}

/** An area, and the logic between registers. */
export interface Synthesized extends Area {
  /** Tables and carries of four bits on the longest way between registers or pins. */
  readonly depth: number
}

export async function areaOf(
  settings: CircuitSettings,
  top: string = 'contention_point',
): Promise<Synthesized> {
  const script = `${SYNTHESIS} -top ${top}; write_json netlist.json`
  const { files } = await yosys(settings, script)
  const netlist = JSON.parse(files['netlist.json'] ?? '{}') as Netlist
  const cells = Object.values(netlist.modules[top]?.cells ?? {})
  const tables = cells.filter(({ type }) => /^LUT[1-6]$/.test(type)).map(inputsOf)
  return {
    lutCells: tables.length,
    luts: packed(tables),
    flipFlops: cells.filter(({ type }) => /^FD[A-Z]+$/.test(type)).length,
    carries: cells.filter(({ type }) => type === 'CARRY4').length / 2,
    depth: depthOf(cells),
  }
}

/** Longest chain of cells without a register in it. */
function depthOf(cells: readonly Cell[]): number {
  const logic = cells.filter(({ type }) => !type.startsWith('FD') && !type.startsWith('$'))
  const driver = new Map<number | string, number>()
  for (const [index, cell] of logic.entries()) {
    for (const bit of bitsOf(cell, true)) driver.set(bit, index)
  }
  const depths = new Array<number>(logic.length).fill(0)
  const depth = (index: number): number => {
    if ((depths[index] ?? 0) > 0) return depths[index] ?? 0
    let before = 0
    const cell = logic[index]
    for (const bit of cell === undefined ? [] : bitsOf(cell, false)) {
      const from = driver.get(bit)
      if (from !== undefined) before = Math.max(before, depth(from))
    }
    depths[index] = before + 1
    return before + 1
  }
  return Math.max(0, ...logic.map((_, index) => depth(index)))
}

const OUTPUTS = new Set(['O', 'CO', 'Q'])

function bitsOf({ connections }: Cell, isOutput: boolean): (number | string)[] {
  return Object.entries(connections)
    .filter(([pin]) => OUTPUTS.has(pin) === isOutput)
    .flatMap(([, bits]) => bits)
    .filter((bit) => typeof bit === 'number')
}

function inputsOf({ connections }: Cell): Set<number> {
  const inputs = new Set<number>()
  for (const [pin, bits] of Object.entries(connections)) {
    if (!/^I[0-5]$/.test(pin)) continue
    for (const bit of bits) if (typeof bit === 'number') inputs.add(bit)
  }
  return inputs
}

/** Places for these tables when any two may share one that have five inputs or fewer together. */
export function packed(tables: readonly ReadonlySet<number>[]): number {
  // The widest first: they have the fewest partners.
  const small = tables.filter(({ size }) => size <= 5).sort((a, b) => b.size - a.size)
  let places = tables.length - small.length
  const isTaken = new Uint8Array(small.length)
  for (const [i, one] of small.entries()) {
    if (isTaken[i] === 1) continue
    places++
    // The partner that wastes least: the widest that fits.
    for (let j = i + 1; j < small.length; j++) {
      if (isTaken[j] === 1) continue
      let together = one.size
      for (const input of small[j] ?? []) if (!one.has(input)) together++
      if (together > 5) continue
      isTaken[j] = 1
      break
    }
  }
  return places
}
