/** Where the circuit's sources are. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `hdl/run.mjs` bundles elsewhere and says where this folder is. */
export const hdlFolder: string =
  process.env.WEIR_HDL_FOLDER ?? dirname(fileURLToPath(import.meta.url))

/** The Verilog files of the circuit itself. */
export function sources(): string[] {
  const folder = join(hdlFolder, 'rtl')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.v'))
    .map((name) => join(folder, name))
}
