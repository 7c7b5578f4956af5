/** Where the tree is that this program was built from: it holds the baseline and the documents. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export function treeRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package-lock.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('no package-lock.json above the program')
    folder = parent
  }
  return folder
}
