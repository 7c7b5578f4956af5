/** Yosys, as npm ships it (@yowasp/yosys): no system package, the same version everywhere. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { runYosys } from '@yowasp/yosys'
import type { CircuitSettings } from '@weir/schemes'
import { parametersOf } from './parameters.ts'
import { sources } from './sources.ts'

export interface Synthesis {
  readonly log: string
  /** The files that the script wrote. */
  readonly files: Readonly<Record<string, string>>
}

/** Reads the circuit with these settings, then runs the script. Throws with the log's end. */
export async function yosys(
  settings: CircuitSettings,
  script: string,
  reading: string = '',
): Promise<Synthesis> {
  const files: Record<string, string> = {}
  for (const path of sources()) files[basename(path)] = readFileSync(path, 'utf8')
  const set = Object.entries(parametersOf(settings)).map(([name, value]) => `-set ${name} ${value}`)
  const steps = [
    `read_verilog ${reading} ${Object.keys(files).join(' ')}`,
    `chparam ${set.join(' ')} contention_point contention_points`,
    script,
  ]
  let log = ''
  const decoder = new TextDecoder()
  const hear = (bytes: Uint8Array | null): void => {
    if (bytes !== null) log += decoder.decode(bytes)
  }
  try {
    const tree = await runYosys(['-p', steps.join('; ')], files, { stdout: hear, stderr: hear })
    const written: Record<string, string> = {}
    for (const [name, content] of Object.entries(tree ?? {})) {
      if (typeof content === 'string') written[name] = content
      else if (content instanceof Uint8Array) written[name] = decoder.decode(content)
    }
    return { log, files: written }
  } catch (error) {
    throw new Error(`yosys failed: ${String(error)}\n${log.slice(-2000)}`, { cause: error })
  }
}
