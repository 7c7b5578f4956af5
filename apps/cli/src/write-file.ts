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
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
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

/** Pieces are put together until a write is worth its call. */
const WRITE_CHARACTERS = 1 << 20

function writePieces(path: string, content: Content): void {
  const file = openSync(path, 'w')
  try {
    for (const text of inLargePieces(content)) writeText(file, text)
  } finally {
    closeSync(file)
  }
}

/** By way of one buffer: one for each piece would wait for the collector. */
function writeText(file: number, text: string): void {
  for (let from = 0; from < text.length;) {
    const { read, written } = encoder.encodeInto(from === 0 ? text : text.slice(from), bytes)
    for (let at = 0; at < written;) at += writeSync(file, bytes, at, written - at)
    from += read
  }
}

const encoder = new TextEncoder()
/** Most texts need one byte for each character. */
const bytes = new Uint8Array(2 * WRITE_CHARACTERS)

/** Fewer and larger pieces, the last of which may be empty. */
export function* inLargePieces(content: Content): Generator<string> {
  let waiting = ''
  for (const piece of typeof content === 'string' ? [content] : content) {
    waiting += piece
    if (waiting.length < WRITE_CHARACTERS) continue
    yield waiting
    waiting = ''
  }
  yield waiting
}

/** Throws a sentence if these files could not be written; leaves everything as it was. */
export function checkWritable(paths: readonly string[]): void {
  for (const path of paths) {
    if (existsSync(path) && statSync(path).isDirectory()) {
      throw new UserError(`--out: '${path}' is a folder, and a file of that name is to be written.`)
    }
    const into = targetOf(path)
    if (isStream(into)) continue
    const made: string[] = []
    try {
      makeFolder(dirname(into), made)
      const probe = asideOf(into)
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
