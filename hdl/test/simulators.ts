/** Verilog simulators from Debian, and the circuit run in one of them against the model. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CircuitSettings } from '@weir/schemes'
import { parametersOf } from '../parameters.ts'
import { hdlFolder, sources } from '../sources.ts'
import { Vectors } from './vectors.ts'
import type { Coverage } from './vectors.ts'

export type Simulator = 'icarus' | 'verilator'

const TOP = 'contention_point_tb'

/** Icarus compiles in no time, Verilator runs fast; undefined: neither is there. */
export function simulatorHere(preferred: Simulator): Simulator | undefined {
  const has = (command: string): boolean => spawnSync(command, ['-V']).status === 0
  const both: readonly Simulator[] =
    preferred === 'icarus' ? ['icarus', 'verilator'] : ['verilator', 'icarus']
  return both.find((one) => has(one === 'icarus' ? 'iverilog' : 'verilator'))
}

export interface Comparison {
  /** Undefined: equal in every cycle. */
  readonly difference: string | undefined
  readonly coverage: Coverage
}

/** Runs model and circuit over `cycles` random cycles; sustained: each of them with an FRP. */
export function compare(
  simulator: Simulator,
  settings: CircuitSettings,
  cycles: number,
  seed: number,
  isSustained: boolean = false,
): Comparison {
  const work = mkdtempSync(join(tmpdir(), 'weir-hdl-'))
  try {
    const vectors = new Vectors(settings, seed, isSustained)
    const path = join(work, 'vectors.txt')
    write(path, vectors, cycles)
    const program = compiled(simulator, TOP, parametersOf(settings), work)
    const [command = '', ...args] = [...program, `+vectors=${path}`]
    const run = spawnSync(command, args, { encoding: 'utf8' })
    const said = `${run.stdout}${run.stderr}`
    const isEqual = run.status === 0 && said.includes(`${cycles} cycles equal`)
    return { difference: isEqual ? undefined : said.trim(), coverage: vectors.coverage }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** What a test bench without parameters says. */
export function runBench(simulator: Simulator, top: string): string {
  const work = mkdtempSync(join(tmpdir(), 'weir-hdl-'))
  try {
    const [command = '', ...args] = compiled(simulator, top, {}, work)
    const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
    return `${stdout}${stderr}`
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function write(path: string, vectors: Vectors, cycles: number): void {
  const file = openSync(path, 'w')
  let lines: string[] = []
  for (let i = 0; i < cycles; i++) {
    lines.push(vectors.line())
    if (lines.length < 10_000 && i < cycles - 1) continue
    writeSync(file, lines.join(''))
    lines = []
  }
  closeSync(file)
}

/** The command that runs a test bench. */
function compiled(
  simulator: Simulator,
  top: string,
  parametersOfTop: Readonly<Record<string, number>>,
  work: string,
): string[] {
  const files = [...sources(), join(hdlFolder, 'test', `${top}.v`)]
  const values = Object.entries(parametersOfTop)
  if (simulator === 'icarus') {
    const program = join(work, 'test.vvp')
    const parameters = values.map(([name, value]) => `-P${top}.${name}=${value}`)
    checked('iverilog', ['-g2005-sv', '-s', top, '-o', program, ...parameters, ...files])
    return ['vvp', '-n', program]
  }
  const parameters = values.map(([name, value]) => `-G${name}=${value}`)
  const options = ['--binary', '--timing', '-Wno-fatal', '-Wno-lint', '-O3', '-CFLAGS', '-O2']
  const into = ['--top-module', top, '--Mdir', work, '-o', 'test']
  checked('verilator', [...options, ...into, ...parameters, ...files])
  return [join(work, 'test')]
}

function checked(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`)
}
