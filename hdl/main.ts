/** `node hdl/run.mjs <command>`: the circuit's long checks and its report. README.md tells. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CircuitSettings } from '@weir/schemes'
import { prove } from './formal.ts'
import { linkOf } from './parameters.ts'
import { amended, report } from './report.ts'
import { hdlFolder } from './sources.ts'
import { compare, simulatorHere } from './test/simulators.ts'

const USAGE = `usage: node hdl/run.mjs <command>

  check [cycles]   circuit and model, cycle for cycle, in Verilator or Icarus (default 1200000)
  prove            what holds for every sequence of inputs, by Yosys
  report           area, timing and accuracy into hdl/REPORT.md (installs nextpnr, 220 MB)`

/** The circuits that are compared: by the letter unless it says amended. */
const CIRCUITS: readonly (readonly [name: string, settings: CircuitSettings])[] = [
  ['letter, array', linkOf(12, 7)],
  ['amended, array', amended(linkOf(12, 7))],
  ['letter, pipeline of 4', { ...linkOf(12, 7), divider: 'pipeline', stages: 4 }],
  ['amended, pipeline of 6', { ...amended(linkOf(12, 7)), divider: 'pipeline', stages: 6 }],
  ['letter, serial', { ...linkOf(12, 7), divider: 'serial' }],
  ['amended, serial', { ...amended(linkOf(12, 7)), divider: 'serial' }],
]

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function main([command, argument]: readonly string[]): Promise<number> {
  if (command === 'check') return check(Number(argument ?? 1_200_000))
  if (command === 'prove') return proveAll()
  if (command === 'report') return writeReport()
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

async function writeReport(): Promise<number> {
  writeFileSync(join(hdlFolder, 'REPORT.md'), await report(say))
  say('hdl: wrote hdl/REPORT.md')
  return 0
}

process.exitCode = await main(process.argv.slice(2))
