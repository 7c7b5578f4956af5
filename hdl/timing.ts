/**
 * How fast the circuit is, as far as free tools can say: placed and routed for an iCE40 HX8K, which
 * decides nothing about UltraScale+ (40 nm against 16 nm, tables of 4 inputs against 6). area.ts
 * has the depth of the logic for that. nextpnr is large (220 MB): it is installed only for this.
 */
import type { CircuitSettings } from '@weir/schemes'
import { yosys } from './yosys.ts'

export interface Timing {
  /** Clock of the iCE40 HX8K, register to register, after routing. */
  readonly ice40MHz: number
  readonly ice40Cells: number
}

/** By name, so that types and bundles do without it. */
const NEXTPNR = ['@yowasp', 'nextpnr-ice40'].join('/')

interface Nextpnr {
  runNextpnrIce40(
    args: readonly string[],
    files: Readonly<Record<string, string>>,
    options: Readonly<Record<'stdout' | 'stderr', (bytes: Uint8Array | null) => void>>,
  ): Promise<unknown>
}

export async function timingOf(settings: CircuitSettings): Promise<Timing> {
  const { runNextpnrIce40 } = (await import(NEXTPNR)) as Nextpnr
  const { files } = await yosys(
    settings,
    'synth_ice40 -abc9 -device hx -top contention_point; write_json ice40.json',
  )
  let log = ''
  const decoder = new TextDecoder()
  const hear = (bytes: Uint8Array | null): void => {
    if (bytes !== null) log += decoder.decode(bytes)
  }
  const arguments_ = ['--hx8k', '--package', 'ct256', '--json', 'ice40.json', '--seed', '1']
  await runNextpnrIce40(
    [...arguments_, '--pcf-allow-unconstrained', '--timing-allow-fail', '--freq', '150'],
    { 'ice40.json': files['ice40.json'] ?? '' },
    { stdout: hear, stderr: hear },
  )
  const clocks = [...log.matchAll(/Max frequency for clock\s+'[^']*':\s+([\d.]+) MHz/g)]
  const cells = /ICESTORM_LC:\s+(\d+)\//.exec(log)
  return {
    ice40MHz: Number(clocks.at(-1)?.[1] ?? NaN),
    ice40Cells: Number(cells?.[1] ?? NaN),
  }
}
