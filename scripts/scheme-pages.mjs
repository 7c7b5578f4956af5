/** The text of every docs/schemes/<name>.md, for the build and the tests to put in. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * An expression that is JSON in a string: an object put in by esbuild would be a module of its own,
 * which every other module then waits for.
 */
export function schemePagesText(root) {
  return JSON.stringify(JSON.stringify(schemePages(root)))
}

function schemePages(root) {
  const folder = join(root, 'docs', 'schemes')
  if (!existsSync(folder)) return {}
  const pages = {}
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.md')) continue
    pages[file.slice(0, -3)] = readFileSync(join(folder, file), 'utf8')
  }
  return pages
}
