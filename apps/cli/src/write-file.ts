/**
 * Files appear whole or not at all: written under a temporary name beside it, then renamed; several
 * that belong together are all written before the first is renamed. Whether there is a place for
 * them is asked before a run, which may take hours. What is no file (/dev/stdout, a pipe) is
 * written into, and a link stays one: the file that it leads to is written. Long contents come in
 * pieces and are never one string.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { FailedError, systemReason, UserError } from './errors.ts'

/** A text, or its pieces. */
export type Content = string | Iterable<string>

export function writeWhole(path: string, content: Content): void {
  writeTogether(dirname(path), [[path, content]])
}

/** All of the files or none; they may lie in folders of their own. */
export function writeTogether(
  folder: string,
  files: readonly (readonly [path: string, content: Content])[],
): void {
  makeFolder(folder)
  const all = files.map(([path, content]) => ({ path, content, into: targetOf(path) }))
  const whole = all.filter(({ into }) => !isStream(into))
  try {
    for (const { into, content } of whole) writePieces(asideOf(into), content)
    for (const { into, content } of all) if (isStream(into)) writePieces(into, content)
    for (const { into } of whole) renameSync(asideOf(into), into)
  } catch (error) {
    for (const { into } of whole) rmSync(asideOf(into), { force: true })
    const [first] = all
    throw new FailedError(
      `'${first?.path ?? folder}' cannot be written: ${systemReason(error)}; nothing was written.`,
    )
  }
}

/** Bytes are put together until a write is worth its call. */
const WRITE_BYTES = 1 << 20

/** By way of one buffer: one for each piece would wait for the collector. */
function writePieces(path: string, content: Content): void {
  const file = openSync(path, 'w')
  let filled = 0
  const write = (): void => {
    for (let at = 0; at < filled;) at += writeSync(file, bytes, at, filled - at)
    filled = 0
  }
  try {
    for (const piece of typeof content === 'string' ? [content] : content) {
      for (let from = 0; from < piece.length;) {
        const left = from === 0 ? piece : piece.slice(from)
        const { read, written } = encoder.encodeInto(left, bytes.subarray(filled))
        from += read
        filled += written
        if (from < piece.length) write()
      }
    }
    write()
  } finally {
    closeSync(file)
  }
}

const encoder = new TextEncoder()
const bytes = new Uint8Array(WRITE_BYTES)

const PIECE_CHARACTERS = 1 << 20

/** Fewer and larger pieces, the last of which may be empty. */
export function* inLargePieces(content: Content): Generator<string> {
  let waiting = ''
  for (const piece of typeof content === 'string' ? [content] : content) {
    waiting += piece
    if (waiting.length < PIECE_CHARACTERS) continue
    yield waiting
    waiting = ''
  }
  yield waiting
}

/**
 * Throws a sentence if these files could not be written; leaves everything as it was. Folders that
 * do not exist yet are tried in a folder of this process alone, beside where they would be, so that
 * two runs that begin with one `--out` do not take them from each other.
 */
export function checkWritable(paths: readonly string[]): void {
  for (const path of paths) {
    if (existsSync(path) && statSync(path).isDirectory()) {
      throw new UserError(`--out: '${path}' is a folder where a file would go; name another place.`)
    }
    const into = targetOf(path)
    if (isStream(into)) continue
    const { there, missing } = foldersOf(dirname(into))
    const alone = join(there, `.weir-${process.pid}.part`)
    try {
      if (missing.length > 0) mkdirSync(alone)
      let at = missing.length > 0 ? alone : there
      for (const name of missing) mkdirSync((at = join(at, name)))
      const probe = join(at, basename(asideOf(into)))
      writeFileSync(probe, '')
      rmSync(probe)
    } catch (error) {
      throw new UserError(
        `--out: '${path}' cannot be written (${systemReason(error)}); name another place.`,
      )
    } finally {
      rmSync(alone, { recursive: true, force: true })
    }
  }
}

/** Folder by folder: where nothing can be made (/proc), Node's own recursion does not come back. */
function makeFolder(folder: string): void {
  const { there, missing } = foldersOf(folder)
  let at = there
  for (const name of missing) makeOne((at = join(at, name)))
}

/** Another run may make it in the same moment. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The innermost of its folders that exists, and the names of those below. */
function foldersOf(folder: string): { there: string; missing: string[] } {
  const missing: string[] = []
  let there = resolve(folder)
  for (; !existsSync(there); there = dirname(there)) missing.unshift(basename(there))
  if (!statSync(there).isDirectory()) {
    throw new UserError(
      `--out: '${there}' is a file, so nothing can be written in it; name a folder.`,
    )
  }
  const [first] = missing
  if (first !== undefined && lstatSync(join(there, first), { throwIfNoEntry: false })) {
    throw new UserError(`--out: '${join(there, first)}' is a link that leads nowhere; remove it.`)
  }
  return { there, missing }
}

/** Where a link leads, if to a file that exists. */
function targetOf(path: string): string {
  return existsSync(path) && !isStream(path) ? realpathSync(path) : path
}

/** A device or a pipe: it takes what is written, and cannot be replaced by a file. */
function isStream(path: string): boolean {
  if (!existsSync(path)) return false
  const found = statSync(path)
  return !found.isFile() && !found.isDirectory()
}

function asideOf(path: string): string {
  return `${join(path)}.${process.pid}.part`
}
