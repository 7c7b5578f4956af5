/**
 * How fast the circuit is, as far as free tools can say: placed and routed for an iCE40 HX8K, which
 * decides nothing about UltraScale+ (40 nm against 16 nm, tables of 4 inputs against 6). area.ts
 * has the depth of the logic for that. nextpnr is large (220 MB): it is installed only for this.
 */
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CircuitSettings } from '@weir/schemes'
import { hdlFolder } from './sources.ts'
import { yosys } from './yosys.ts'

export interface Timing {
  /** Clocks of the iCE40 HX8K, register to register, after routing; one a seed, slowest first. */
  readonly clocksMHz: readonly number[]
  /** The same with the ways from and to pins, the pins' own delay included. */
  readonly pinClocksMHz: readonly number[]
  readonly cells: number
}

export const ICE40_SYNTHESIS = 'synth_ice40 -abc9 -device hx -top contention_point'
const PLACE = ['--hx8k', '--package', 'ct256', '--json', 'ice40.json', '--freq', '150']
const RULES = ['--pcf-allow-unconstrained', '--timing-allow-fail']
export const ICE40_PLACEMENT: string = ['nextpnr-ice40', ...PLACE, ...RULES].join(' ')

/** Where hdl/run.mjs puts it: aside, for an install of Weir itself would take it away. */
export const nextpnrFolder: string = join(
  dirname(hdlFolder),
  'dist/nextpnr/node_modules/@yowasp/nextpnr-ice40',
)

interface Nextpnr {
  runNextpnrIce40(
    args: readonly string[],
    files: Readonly<Record<string, string>>,
    options: Readonly<Record<'stdout' | 'stderr', (bytes: Uint8Array | null) => void>>,
  ): Promise<unknown>
}

/** Placement is by chance: one run for each seed 1, 2, ... */
export async function timingOf(settings: CircuitSettings, seeds: number): Promise<Timing> {
  const { files } = await yosys(settings, `${ICE40_SYNTHESIS}; write_json ice40.json`)
  const logs: string[] = []
  for (let seed = 1; seed <= seeds; seed++) logs.push(await placed(files['ice40.json'] ?? '', seed))
  const clocks = logs.map(clockMHz)
  const ascending = (values: number[]): number[] => values.sort((a, b) => a - b)
  return {
    clocksMHz: ascending([...clocks]),
    pinClocksMHz: ascending(logs.map((log, i) => Math.min(clocks[i] ?? NaN, pinClockMHz(log)))),
    cells: Number(/ICESTORM_LC:\s+(\d+)\//.exec(logs[0] ?? '')?.[1] ?? NaN),
  }
}

async function placed(netlist: string, seed: number): Promise<string> {
  const { runNextpnrIce40 } = (await import(
    pathToFileURL(join(nextpnrFolder, 'gen/bundle.js')).href
  )) as Nextpnr
  let log = ''
  const decoder = new TextDecoder()
  const hear = (bytes: Uint8Array | null): void => {
    if (bytes !== null) log += decoder.decode(bytes)
  }
  const files = { 'ice40.json': netlist }
  const seeded = [...PLACE, ...RULES, '--seed', String(seed)]
  await runNextpnrIce40(seeded, files, { stdout: hear, stderr: hear })
  return log
}

/** nextpnr says it before routing and after: the last counts. */
function clockMHz(log: string): number {
  const said = [...log.matchAll(/Max frequency for clock\s+'[^']*':\s+([\d.]+) MHz/g)]
  return Number(said.at(-1)?.[1] ?? NaN)
}

function pinClockMHz(log: string): number {
  const after = log.slice(log.lastIndexOf('Max frequency'))
  const delaysNs = [...after.matchAll(/Max delay .*: ([\d.]+) ns/g)].map(([, ns]) => Number(ns))
  return 1000 / Math.max(...delaysNs)
}
