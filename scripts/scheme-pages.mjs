/** The text of every docs/schemes/<name>.md by name, for the build and the tests to put in. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export function schemePages(root) {
  const folder = join(root, 'docs', 'schemes')
  if (!existsSync(folder)) return {}
  const pages = {}
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.md')) continue
    pages[file.slice(0, -3)] = readFileSync(join(folder, file), 'utf8')
  }
  return pages
}
