/**
 * Files appear whole or not at all: written under a temporary name beside it, then renamed; several
 * that belong together are all written before the first is renamed. Whether there is a place for
 * them is asked before a run, which may take hours.
 */
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { FailedError, systemReason, UserError } from './errors.ts'

export function writeWhole(path: string, content: string): void {
  writeTogether(dirname(path), [[path, content]])
}

/** All of the files or none; they may lie in folders of their own. */
export function writeTogether(
  folder: string,
  files: readonly (readonly [path: string, content: string])[],
): void {
  makeFolder(folder)
  const asides = files.map(([path, content]) => ({ path, content, aside: asideOf(path) }))
  try {
    for (const { aside, content } of asides) writeFileSync(aside, content)
    for (const { aside, path } of asides) renameSync(aside, path)
  } catch (error) {
    for (const { aside } of asides) rmSync(aside, { force: true })
    const [first] = asides
    throw new FailedError(
      `'${first?.path ?? folder}' cannot be written: ${systemReason(error)}; nothing was written.`,
    )
  }
}

/** Throws a sentence if these files could not be written; leaves everything as it was. */
export function checkWritable(paths: readonly string[]): void {
  for (const path of paths) {
    if (existsSync(path) && statSync(path).isDirectory()) {
      throw new UserError(`--out: '${path}' is a folder, and a file of that name is to be written.`)
    }
    const made: string[] = []
    try {
      makeFolder(dirname(path), made)
      const probe = asideOf(path)
      writeFileSync(probe, '')
      rmSync(probe)
    } catch (error) {
      if (error instanceof UserError) throw error
      throw new UserError(
        `--out: '${path}' cannot be written (${systemReason(error)}); name another place.`,
      )
    } finally {
      for (const folder of made.reverse()) rmdirSync(folder)
    }
  }
}

/** Folder by folder: where nothing can be made (/proc), Node's own recursion does not come back. */
function makeFolder(folder: string, made: string[] = []): void {
  const missing: string[] = []
  let at = resolve(folder)
  for (; !existsSync(at); at = dirname(at)) missing.push(at)
  if (!statSync(at).isDirectory()) {
    throw new UserError(`--out: '${at}' is a file, so nothing can be written in it; name a folder.`)
  }
  for (const path of missing.reverse()) {
    mkdirSync(path)
    made.push(path)
  }
}

function asideOf(path: string): string {
  return `${join(path)}.${process.pid}.part`
}
