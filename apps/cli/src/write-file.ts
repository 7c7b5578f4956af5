/** Files appear whole or not at all: written under a temporary name beside it, then renamed. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'

export function writeWhole(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const aside = `${path}.${process.pid}.part`
  try {
    writeFileSync(aside, content)
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error
  }
}
