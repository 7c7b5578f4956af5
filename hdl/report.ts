/** hdl/REPORT.md: area, clock and accuracy of the circuit beside the paper's, all measured here. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CircuitSettings } from '@weir/schemes'
import { accuracyOf } from './accuracy.ts'
import { areaOf, synthesisScript } from './area.ts'
import type { Area, Synthesis } from './area.ts'
import { DEVICES, PAPER } from './devices.ts'
import { linkOf } from './parameters.ts'
import { hdlFolder } from './sources.ts'
import { ICE40_PLACEMENT, ICE40_SYNTHESIS, nextpnrFolder, timingOf } from './timing.ts'
import type { Timing } from './timing.ts'

/** Random sets of flows for accuracy; seeds of placement for a clock. */
const SETS = 500
const SEEDS = 3
const LETTER = linkOf(12, 7)
/** Rate and count bits of circuits by the letter with the array. */
const WIDTHS: readonly (readonly [rate: number, count: number])[] = [
  [8, 7],
  [9, 7],
  [10, 6],
  [10, 7],
  [12, 7],
  [16, 7],
]

export function amended(settings: CircuitSettings): CircuitSettings {
  return { ...settings, remembers: true, floors: true }
}

const piped = (stages: number): CircuitSettings => ({ ...LETTER, divider: 'pipeline', stages })
const SERIAL: CircuitSettings = { ...LETTER, divider: 'serial' }

interface Divided {
  readonly name: string
  readonly settings: CircuitSettings
  readonly isPlaced: boolean
}
const DIVIDERS: readonly Divided[] = [
  { name: 'letter, array', settings: LETTER, isPlaced: true },
  { name: 'letter, pipeline of 4', settings: piped(4), isPlaced: true },
  { name: 'letter, pipeline of 12', settings: piped(12), isPlaced: true },
  { name: 'letter, serial', settings: SERIAL, isPlaced: true },
  { name: 'amended, array', settings: amended(LETTER), isPlaced: false },
  { name: 'amended, pipeline of 4', settings: amended(piped(4)), isPlaced: false },
  { name: 'amended, serial', settings: amended(SERIAL), isPlaced: false },
]

/** Writes the report part by part; `say` hears of each line as it is known. */
export async function report(say: (line: string) => void): Promise<string> {
  const lines: string[] = []
  const add = (...more: readonly string[]): void => {
    lines.push(...more, '')
    for (const line of more) say(line)
  }
  const areas = new Map<string, Area>()
  const area = async (settings: CircuitSettings, how: Synthesis = {}): Promise<Area> => {
    const key = JSON.stringify([settings, how])
    const known = areas.get(key) ?? (await areaOf(settings, how))
    if (known.others.length > 0) throw new Error(`hdl: unforeseen cells: ${known.others.join()}`)
    areas.set(key, known)
    return known
  }
  add(...heading())
  add(...(await widthLines(area)))
  add(...(await dividerLines(area)))
  add(...(await optionLines(area)))
  add(...accuracyLines())
  add(...(await deviceLines(area)))
  return `${lines.join('\n').trimEnd()}\n`
}

type AreaOf = (settings: CircuitSettings, how?: Synthesis) => Promise<Area>

const yosysFolder = join(dirname(hdlFolder), 'node_modules/@yowasp/yosys')

function versionOf(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Columns of even width, as the formatter of this project has them. */
function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const texts = [head, ...rows].map((cells) => cells.map(String))
  const widths = head.map((_, i) => Math.max(...texts.map((cells) => cells[i]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const [first = [], ...rest] = texts
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)]
}

const percent = (part: number, digits: number): string => `${(100 * part).toFixed(digits)}%`

function heading(): string[] {
  const { luts, flipFlops, clockMHz } = PAPER
  return [
    '# What the contention point costs',
    '',
    'Written by `node hdl/run.mjs report`; every number below is measured by it, except the',
    'paper’s and the sizes of devices. README.md says what the circuits are.',
    '',
    `The paper (ACCurate, section IV): ${luts} LUTs and ${flipFlops} flip-flops, less than 0.1%`,
    `of a Zynq UltraScale+, less than 2% for 16, and ${clockMHz} MHz, placed and routed by`,
    'Vivado. It gives no part, no widths and no options.',
    '',
    '## How it was measured',
    '',
    `UltraScale+: Yosys (@yowasp/yosys ${versionOf(yosysFolder)}),`,
    `\`${synthesisScript()}\`.`,
    'No DSP, block RAM, shift register or wide multiplexer is in any netlist: the report stops if',
    'one is. Nothing is placed, for free tools cannot, so there are three counts of LUTs:',
    '',
    '- _LUT cells_: one for each table of the netlist.',
    '- _packed_: tables that have five inputs or fewer together are paired, greedily, as Vivado',
    '  may put two into one LUT. This is what compares with the paper’s number, give or take some',
    '  percent.',
    '- _least_: all tables that are small enough are paired, whatever their inputs. No packing of',
    '  this netlist takes fewer.',
    '',
    'Depth is the longest way between registers or pins: tables + carry cells of four bits on it.',
    '',
    `iCE40 HX8K: \`${ICE40_SYNTHESIS}\`, then nextpnr`,
    `(@yowasp/nextpnr-ice40 ${versionOf(nextpnrFolder)}), seeds 1 to ${SEEDS}:`,
    `\`${ICE40_PLACEMENT}\`.`,
  ]
}

const AREA_HEAD = ['LUT cells', 'packed', 'least', 'flip-flops', 'CARRY8']
const areaCells = ({ lutCells, luts, lutsLeast, flipFlops, carries }: Area): unknown[] => [
  lutCells,
  luts,
  lutsLeast,
  flipFlops,
  carries,
]
const isAsSmall = ({ luts, flipFlops }: Area): boolean =>
  luts <= PAPER.luts && flipFlops <= PAPER.flipFlops

async function widthLines(area: AreaOf): Promise<string[]> {
  const rows: unknown[][] = []
  const small: string[] = []
  for (const [rate, count] of WIDTHS) {
    const one = await area(linkOf(rate, count))
    const { thirdOff } = accuracyOf({ rateBits: rate, countBits: count, isAmended: true }, 0)
    const mbps = (10_000 / (2 ** rate - 1)).toFixed(rate > 12 ? 2 : 1)
    rows.push([rate, count, ...areaCells(one), mbps, percent(thirdOff, 2)])
    if (isAsSmall(one)) small.push(`${rate} and ${count}`)
  }
  return [
    '## Widths',
    '',
    'One contention point by the letter of the paper, array divider. A step is of a link of 10',
    'Gb/s; the last column is the error of a third of the link (Fig. 3), by rounding down.',
    '',
    ...table(['rate bits', 'count bits', ...AREA_HEAD, 'step, Mb/s', 'a third is off by'], rows),
    '',
    'At least as small as the paper’s, in LUTs (packed) and flip-flops both, are these bits of',
    `rate and count: ${small.join('; ')}.`,
    'What they cost: coarser rates (below: widths against accuracy), and with 6 bits of count',
    'shares that are exact up to 62 flows per link, not 126 as with 7. Figs. 3 and 4 are within 1%',
    'of floating point from 8 bits on, with 8 by a hair (`weir reproduce accurate/fixed`).',
    '10 and 7 bits have the paper’s flip-flops exactly.',
  ]
}

async function dividerLines(area: AreaOf): Promise<string[]> {
  const rows: unknown[][] = []
  for (const { name, settings, isPlaced } of DIVIDERS) {
    const one = await area(settings)
    const { tables, carries } = one.depth
    const clocks = isPlaced ? clockCells(await timingOf(settings, SEEDS)) : ['-', '-']
    rows.push([name, ...areaCells(one), `${tables} + ${carries}`, ...clocks])
  }
  const head = ['circuit', ...AREA_HEAD, 'depth', 'iCE40, MHz', 'with pins, MHz']
  return [
    '## Dividers and clocks',
    '',
    '12 bits of rate, 7 of count. All take an FRP every cycle (a test). Clocks are the slowest and',
    'the fastest of the seeds, register to register, and with the ways from and to pins.',
    '',
    ...table(head, rows),
    '',
    `None reaches ${PAPER.clockMHz} MHz on this iCE40, and that decides nothing about`,
    'UltraScale+: 40 nm against 16 nm, tables of four inputs against six, another carry. The',
    'depth says what can be said: the array has its whole division between two registers, and is',
    'the least likely to meet 6.4 ns; the serial divider and the long pipeline leave a',
    'comparison, an adder and a choice. The paper says neither how it divides nor at what depth.',
    'The serial divider has fewer LUTs than the paper’s, with 12 bits and with the amendments',
    'too, but more flip-flops: its own operands.',
  ]
}

function clockCells({ clocksMHz, pinClocksMHz }: Timing): string[] {
  const range = (clocks: readonly number[]): string =>
    `${clocks[0]?.toFixed(1)} to ${clocks.at(-1)?.toFixed(1)}`
  return [range(clocksMHz), range(pinClocksMHz)]
}

async function optionLines(area: AreaOf): Promise<string[]> {
  const bare = async (settings: CircuitSettings, how: Synthesis): Promise<unknown[]> =>
    areaCells(await area(settings, how))
  const rows = [
    ['array', ...(await bare(LETTER, {}))],
    ['array, without the divider', ...(await bare(LETTER, { hasDivider: false }))],
    ['serial', ...(await bare(SERIAL, {}))],
    ['serial, without the divider', ...(await bare(SERIAL, { hasDivider: false }))],
    ['array, without -abc9', ...(await bare(LETTER, { isByAbc9: false }))],
    ['serial, without -abc9', ...(await bare(SERIAL, { isByAbc9: false }))],
  ]
  return [
    '## Without the divider, and without abc9',
    '',
    '12 bits of rate, 7 of count, by the letter. Without the divider:',
    `\`${synthesisScript({ hasDivider: false })}\`.`,
    '',
    ...table(['circuit', ...AREA_HEAD], rows),
  ]
}

/** Tables and flip-flops, to be set against a device's. */
type Size = Pick<Area, 'luts' | 'flipFlops'> & { readonly lutCells?: number }
type Named = readonly [name: string, size: Size]

const times = ({ lutCells = NaN, luts, flipFlops }: Size, points: number): Size => ({
  lutCells: points * lutCells,
  luts: points * luts,
  flipFlops: points * flipFlops,
})

async function deviceLines(area: AreaOf): Promise<string[]> {
  const ours = await area(amended(LETTER))
  const single: readonly Named[] = [
    ['9 bits, letter', await area(linkOf(9, 7))],
    ['12 bits, letter', await area(LETTER)],
    ['12 bits, amended', ours],
    ['the paper', PAPER],
  ]
  const sixteen: readonly Named[] = [
    ['12 bits, letter, 16 as one', await area(LETTER, { top: 'contention_points' })],
    ['12 bits, amended, 16 times', times(ours, 16)],
    ['the paper, 16 times', times(PAPER, 16)],
  ]
  const row = ([name, { lutCells = NaN, luts, flipFlops }]: Named): unknown[] => {
    const shares = DEVICES.flatMap((device) => [
      percent(luts / device.luts, 3),
      percent(flipFlops / device.flipFlops, 3),
    ])
    const cells = Number.isNaN(lutCells) ? '-' : lutCells
    return [name, cells, luts, flipFlops, ...shares]
  }
  const below = (luts: number, all: readonly Named[]): string =>
    all.flatMap(([name, size]) => (size.luts < luts ? [name] : [])).join('; ') || 'none'
  const heads = DEVICES.flatMap(({ name }) => [`${name}: LUTs`, 'flip-flops'])
  return [
    '## Share of a device',
    '',
    'Array, 7 bits of count; shares are of packed LUTs. _16 as one_ is `contention_points.v`,',
    'synthesized flat as a whole. The paper claims less than 0.1% for one and less than 2% for 16.',
    '',
    ...table(
      ['circuit', 'LUT cells', 'packed', 'flip-flops', ...heads],
      [...single, ...sixteen].map(row),
    ),
    '',
    ...DEVICES.flatMap(({ name, luts, flipFlops, source }) => [
      `- ${name}: ${luts} LUTs, ${flipFlops} flip-flops (${source}).`,
      `  Less than 0.1%: ${below(0.001 * luts, single)}.`,
      `  Less than 2%: ${below(0.02 * luts, sixteen)}.`,
    ]),
    '',
    'The paper’s own 286 LUTs are not less than 0.1% of an XCZU9EG: its part is larger, or the',
    'number is rounded.',
  ]
}

function accuracyLines(): string[] {
  const rows = [8, 9, 10, 12, 16, undefined].map((rateBits) => {
    const ours = accuracyOf({ rateBits, countBits: 7, isAmended: true }, SETS)
    const letter = accuracyOf({ rateBits, countBits: 7, isAmended: false }, SETS)
    return [
      rateBits ?? 'floating point',
      percent(ours.meanOff, 3),
      percent(ours.mostOff, 2),
      ours.unsettled,
      percent(letter.meanOff, 1),
      percent(letter.mostOff, 0),
      letter.unsettled,
    ]
  })
  const head = ['rate bits', 'mean off', 'most off', 'unsettled']
  return [
    '## Widths against accuracy',
    '',
    `Rates against exact max-min less alpha, ${SETS} random sets of 2 to 31 flows over 2 to 15`,
    'links, after 80 periods in lockstep. _off_ is |rate / max-min - 1| of a flow, _unsettled_',
    'are sets with a flow off by more than a fifth.',
    '',
    ...table([...head, ...head.slice(1).map((one) => `letter: ${one}`)], rows),
    '',
    'The first three columns are with the two amendments of docs/schemes/accurate.md. By the',
    'letter some sets never settle, with any number of bits and in floating point too; the bits',
    'add little to that. The amendments are not free: see the table of dividers. Errors of a flow',
    'are larger than a step where several links round in a row: what a link leaves to its own',
    'flows is the rest of what others have rounded.',
  ]
}
