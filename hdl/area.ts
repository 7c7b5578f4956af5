/**
 * How much of an UltraScale+ device the circuit takes, from Yosys' netlist. Three counts of its
 * look-up tables, since no free tool places them: one place for each table of the netlist; the
 * places that are left when two tables of five inputs or fewer together share one (a LUT6 is two
 * LUT5 with common inputs), paired greedily; and the fewest that any pairing could leave. Vivado's
 * number lies between the first and the last: placement may forbid pairs, other logic may be found.
 */
import type { CircuitSettings } from '@weir/schemes'
import { yosys } from './yosys.ts'

const SYNTHESIS: string =
  'synth_xilinx -family xcup -flatten -nodsp -nobram -nosrl -noiopad -noclkbuf -nowidelut'
/** The mapper that knows the delays of tables and carries. */
const MAPPER = '-abc9'
const DIVIDERS = '*divide_array* *divide_pipeline* *divide_serial*'

export interface Synthesis {
  readonly top?: 'contention_point' | 'contention_points'
  readonly isByAbc9?: boolean
  /** False: the divider is a box of which only the pins are there, and counts nothing. */
  readonly hasDivider?: boolean
}

/** The commands for Yosys, as they are run and printed. */
export function synthesisScript(synthesis: Synthesis = {}): string {
  const { top = 'contention_point', isByAbc9 = true, hasDivider = true } = synthesis
  const synthesize = `${SYNTHESIS}${isByAbc9 ? ` ${MAPPER}` : ''} -top ${top}`
  return hasDivider ? synthesize : `hierarchy -top ${top}; blackbox ${DIVIDERS}; ${synthesize}`
}

export interface Area {
  /** Tables of the netlist, inverters included. */
  readonly lutCells: number
  /** After greedy pairing, and after the best that could be. */
  readonly luts: number
  readonly lutsLeast: number
  readonly flipFlops: number
  /** Of eight bits each. */
  readonly carries: number
  /** What is none of these: DSPs, memories, shift registers, wide multiplexers. */
  readonly others: readonly string[]
  /** The longest way between registers or pins: tables, and carries of four bits, on it. */
  readonly depth: Depth
}

export interface Depth {
  readonly tables: number
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

const isTable = ({ type }: Cell): boolean => /^(LUT[1-6]|INV)$/.test(type)
const isFlipFlop = ({ type }: Cell): boolean => /^FD[A-Z]+$/.test(type)
const isCarry = ({ type }: Cell): boolean => type === 'CARRY4'
/** What Yosys notes of the sources, and the box in place of a divider. */
const isNothing = ({ type }: Cell): boolean => /^\$scopeinfo$|divide_\w+$/.test(type)

export async function areaOf(settings: CircuitSettings, synthesis: Synthesis = {}): Promise<Area> {
  const { top = 'contention_point' } = synthesis
  const script = `${synthesisScript(synthesis)}; write_json netlist.json`
  const { files } = await yosys(settings, script)
  const netlist = JSON.parse(files['netlist.json'] ?? '{}') as Netlist
  const cells = Object.values(netlist.modules[top]?.cells ?? {})
  const tables = cells.filter(isTable).map(inputsOf)
  const small = tables.filter(({ size }) => size <= 5).length
  const known = [isTable, isFlipFlop, isCarry, isNothing]
  const others = cells.filter((cell) => !known.some((is) => is(cell))).map(({ type }) => type)
  return {
    lutCells: tables.length,
    luts: packed(tables),
    lutsLeast: tables.length - small + Math.ceil(small / 2),
    flipFlops: cells.filter(isFlipFlop).length,
    carries: cells.filter(isCarry).length / 2,
    others: [...new Set(others)],
    depth: depthOf(cells.filter((cell) => isTable(cell) || isCarry(cell))),
  }
}

const cellsOn = ({ tables, carries }: Depth): number => tables + carries

/** Longest chain of cells without a register in it. */
function depthOf(logic: readonly Cell[]): Depth {
  const driver = new Map<number | string, Cell>()
  for (const cell of logic) for (const bit of bitsOf(cell, true)) driver.set(bit, cell)
  const depths = new Map<Cell, Depth>()
  const depth = (cell: Cell): Depth => {
    const known = depths.get(cell)
    if (known !== undefined) return known
    const before = longest(
      bitsOf(cell, false).flatMap((bit) => {
        const from = driver.get(bit)
        return from === undefined ? [] : [depth(from)]
      }),
    )
    const here = isCarry(cell)
      ? { ...before, carries: before.carries + 1 }
      : { ...before, tables: before.tables + 1 }
    depths.set(cell, here)
    return here
  }
  return longest(logic.map(depth))
}

function longest(depths: readonly Depth[]): Depth {
  const none: Depth = { tables: 0, carries: 0 }
  return depths.reduce((most, one) => (cellsOn(one) > cellsOn(most) ? one : most), none)
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
    if (!/^I[0-5]?$/.test(pin)) continue
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
