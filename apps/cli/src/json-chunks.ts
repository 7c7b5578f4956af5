/**
 * JSON in pieces: the bytes of `JSON.stringify`, never as one string, which V8 bounds at half a
 * gigabyte: the result of two million flows.
 */
import { flowLists } from '@weir/sim'
import type { FlowTable } from '@weir/sim'

/** Numbers and texts of a list, and its objects, that make a piece, which V8 takes for young. */
const VALUES = 2_000
const OBJECTS = 100

export function* jsonChunks(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* listChunks(value)
  else if (isIterable(value)) yield* rowChunks(value)
  else if (isObject(value)) yield* objectChunks(value)
  else yield JSON.stringify(value) ?? 'null'
}

/** The same, and the end of its line. */
export function* jsonLine(value: unknown): Generator<string> {
  yield* jsonChunks(value)
  yield '\n'
}

function* listChunks(list: readonly unknown[]): Generator<string> {
  const isFlat = !list.some(isObject)
  // Of few objects each may be long; many are short ones, such as flows.
  if (!isFlat && list.length <= OBJECTS) {
    yield '['
    for (const [i, value] of list.entries()) {
      if (i > 0) yield ','
      yield* jsonChunks(value)
    }
    yield ']'
    return
  }
  const size = isFlat ? VALUES : OBJECTS
  yield '['
  for (let from = 0; from < list.length; from += size) {
    const piece = JSON.stringify(list.slice(from, from + size)).slice(1, -1)
    yield from === 0 ? piece : `,${piece}`
  }
  yield ']'
}

/** What is read like a list, and makes its rows as it is. */
function* rowChunks(rows: Iterable<unknown>): Generator<string> {
  let separator = ''
  let piece: unknown[] = []
  yield '['
  for (const row of rows) {
    if (piece.push(row) < (isObject(row) ? OBJECTS : VALUES)) continue
    yield `${separator}${JSON.stringify(piece).slice(1, -1)}`
    separator = ','
    piece = []
  }
  if (piece.length > 0) yield `${separator}${JSON.stringify(piece).slice(1, -1)}`
  yield ']'
}

function* objectChunks(value: object): Generator<string> {
  let separator = ''
  yield '{'
  // Of a table of flows no array is made.
  for (const [key, of] of Object.entries(flowLists(value as FlowTable))) {
    if (of === undefined) continue
    yield `${separator}${JSON.stringify(key)}:`
    yield* jsonChunks(of)
    separator = ','
  }
  yield '}'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return isObject(value) && Symbol.iterator in value
}
