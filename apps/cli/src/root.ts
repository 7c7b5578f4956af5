/** The package that this program is of, a checkout or an installed one: it holds the baseline. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export function treeRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!isWeir(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error("no package.json of 'weir' above the program")
    folder = parent
  }
  return folder
}

function isWeir(manifest: string): boolean {
  if (!existsSync(manifest)) return false
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name === 'weir'
}
