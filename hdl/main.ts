/** `node hdl/run.mjs <command>`: the circuit's long checks and its report. README.md tells. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CircuitSettings } from '@weir/schemes'
import { accuracyOf } from './accuracy.ts'
import { areaOf, SYNTHESIS } from './area.ts'
import { prove } from './formal.ts'
import { linkOf } from './parameters.ts'
import { hdlFolder } from './sources.ts'
import { compare, simulatorHere } from './test/simulators.ts'
import { timingOf } from './timing.ts'

const USAGE = `usage: node hdl/run.mjs <command>

  check [cycles]   circuit and model, cycle for cycle, in Verilator or Icarus (default 1200000)
  prove            what holds for every sequence of inputs, by Yosys
  report           area, timing and accuracy into hdl/REPORT.md (installs nextpnr, 220 MB)`

/** The circuits that are compared: by the letter unless it says amended. */
const CIRCUITS: readonly (readonly [name: string, settings: CircuitSettings])[] = [
  ['letter, array', linkOf(12, 7)],
  ['amended, array', { ...linkOf(12, 7), remembers: true, floors: true }],
  ['letter, pipeline of 4', { ...linkOf(12, 7), divider: 'pipeline', stages: 4 }],
  ['amended, pipeline of 6', { ...amended(linkOf(12, 7)), divider: 'pipeline', stages: 6 }],
  ['letter, serial', { ...linkOf(12, 7), divider: 'serial' }],
  ['amended, serial', { ...amended(linkOf(12, 7)), divider: 'serial' }],
]
const WIDTHS = [8, 10, 12, 16]
const SETS = 500

function amended(settings: CircuitSettings): CircuitSettings {
  return { ...settings, remembers: true, floors: true }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function main([command, argument]: readonly string[]): Promise<number> {
  if (command === 'check') return check(Number(argument ?? 1_200_000))
  if (command === 'prove') return proveAll()
  if (command === 'report') return report()
  process.stderr.write(`${USAGE}\n`)
  return command === undefined || command === '--help' ? 0 : 2
}

function check(cycles: number): number {
  if (!Number.isSafeInteger(cycles) || cycles < 1) {
    process.stderr.write('hdl: check takes a whole number of cycles, such as 1200000.\n')
    return 2
  }
  const simulator = simulatorHere('verilator')
  if (simulator === undefined) {
    process.stderr.write(
      'hdl: neither verilator nor iverilog is here; apt-get install verilator.\n',
    )
    return 1
  }
  let isEqual = true
  for (const [name, settings] of CIRCUITS) {
    const { difference, coverage } = compare(simulator, settings, cycles, 1)
    say(`${name}: ${difference ?? `equal in ${coverage.cycles} cycles, ${coverage.frps} FRPs`}`)
    for (const [event, count] of Object.entries(coverage)) {
      if (event !== 'cycles' && event !== 'frps') say(`    ${String(count).padStart(9)}  ${event}`)
    }
    isEqual &&= difference === undefined
  }
  return isEqual ? 0 : 1
}

async function proveAll(): Promise<number> {
  for (const [name, settings] of CIRCUITS) {
    await prove(settings)
    say(`${name}: proved`)
  }
  return 0
}

async function report(): Promise<number> {
  const lines = [
    '# What the contention point costs',
    '',
    'Written by `node hdl/run.mjs report`; README.md says what the columns mean. The paper: 286',
    'LUTs, 90 flip-flops, 156.25 MHz on a Zynq UltraScale+ by Vivado, without part or widths.',
    '',
    `UltraScale+ by Yosys: \`${SYNTHESIS}\`. iCE40 HX8K by Yosys and nextpnr.`,
    '',
    '| circuit | rate bits | count bits | LUT cells | LUTs | flip-flops | depth | iCE40 MHz |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ]
  const row = async (name: string, settings: CircuitSettings): Promise<void> => {
    const { lutCells, luts, flipFlops, depth } = await areaOf(settings)
    const { ice40MHz } = await timingOf(settings)
    const cells = [name, settings.rateBits, settings.countBits, lutCells, luts, flipFlops, depth]
    lines.push(`| ${[...cells, ice40MHz].join(' | ')} |`)
    say(lines.at(-1) ?? '')
  }
  for (const [name, settings] of CIRCUITS) await row(name, settings)
  for (const bits of WIDTHS.filter((one) => one !== 12)) await row('letter, array', linkOf(bits, 7))
  await row('letter, serial', { ...linkOf(10, 7), divider: 'serial' })
  const sixteen = await areaOf(linkOf(12, 7), 'contention_points')
  lines.push(
    '',
    `Sixteen, letter, array, 12 bits: ${sixteen.lutCells} LUT cells, ${sixteen.luts} packed, ` +
      `${sixteen.flipFlops} flip-flops.`,
    '',
    `Rates against exact max-min, ${SETS} random sets of flows, amended:`,
    '',
    '| rate bits | mean off | most off | a third of the link off |',
    '| --- | --- | --- | --- |',
  )
  for (const bits of WIDTHS) {
    const { meanOff, mostOff, thirdOff } = accuracyOf(bits, SETS)
    const percents = [meanOff, mostOff, thirdOff].map((one) => `${(100 * one).toFixed(3)}%`)
    lines.push(`| ${[bits, ...percents].join(' | ')} |`)
  }
  writeFileSync(join(hdlFolder, 'REPORT.md'), `${lines.join('\n')}\n`)
  say('hdl: wrote hdl/REPORT.md')
  return 0
}

process.exitCode = await main(process.argv.slice(2))
