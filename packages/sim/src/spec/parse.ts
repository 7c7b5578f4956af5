/**
 * From text to a plain tree, with the place of every key and value kept for error sentences.
 *
 * YAML 1.2, of which JSON is a part; a file may be either. Knows nothing of what a spec means.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  Parser,
  visit,
} from 'yaml'
import type { Node, Pair } from 'yaml'
import { pathText, SpecError } from './spec-error.ts'
import type { Locate, TextPlace } from './spec-error.ts'

export interface ParsedText {
  readonly tree: unknown
  readonly locate: Locate
}

/** A spec nests about eight deep. What reads it calls itself for each level, and so do we. */
const DEPTH_MAX = 64

export function parseText(text: string, sourceName: string): ParsedText {
  const lines = new LineCounter()
  const deepAt = tooDeepAt(text)
  if (deepAt !== undefined) {
    const before = text.slice(0, deepAt)
    const line = before.split('\n').length
    const place = { line, column: deepAt - before.lastIndexOf('\n') }
    throw new SpecError(sourceName, place, [], DEEP)
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' })
  const placeAt = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem !== undefined) {
    throw new SpecError(sourceName, placeAt(problem.pos[0]), [], syntaxSentence(problem.message))
  }
  checkAliases(document, sourceName, placeAt)
  const places = new Map<string, Placed>()
  if (document.contents !== null) record(document.contents, [], placeAt, places)
  return { tree: toTree(document, sourceName), locate: locateIn(places) }
}

const DEEP =
  `this is nested more than ${DEPTH_MAX} deep, and no spec is; ` +
  'write it flatter, or close what is open'

/** Where a text nests too deep for readers that call themselves; the tokens alone tell. */
export function tooDeepAt(text: string): number | undefined {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme))
    if (parser.stack.length > DEPTH_MAX + 2) return parser.offset - lexeme.length
  }
  return undefined
}

/** The document as plain values; too many aliases is an error of the text's. */
function toTree(document: ReturnType<typeof parseDocument>, sourceName: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new SpecError(sourceName, undefined, [], `${why}; write the values out instead`)
  }
}

/** The library finds an alias without its anchor only when it has forgotten the place. */
function checkAliases(
  document: ReturnType<typeof parseDocument>,
  sourceName: string,
  placeAt: (offset: number) => TextPlace,
): void {
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return
      const anchor = `&${alias.source}`
      const sentence = `there is no anchor ${anchor} before this alias; write one, or the value`
      throw new SpecError(sourceName, placeAt(alias.range?.[0] ?? 0), [], sentence)
    },
  })
}

/** Where a key and its value begin; a leaf has nothing inside that could have a place. */
interface Placed {
  readonly key: TextPlace
  readonly value: TextPlace
  readonly isLeaf: boolean
}

function record(
  node: Node,
  path: (string | number)[],
  placeAt: (offset: number) => TextPlace,
  places: Map<string, Placed>,
): void {
  const [from, to] = node.range ?? [0, 0]
  const start = placeAt(from)
  const key = places.get(pathText(path))?.key ?? start
  // A key with nothing behind it is the place to look at.
  const isEmpty = from === to
  const isLeaf = isScalar(node) && !isEmpty
  places.set(pathText(path), { key, value: isEmpty ? key : start, isLeaf })
  if (isAlias(node)) return
  if (isSeq<Node>(node)) {
    for (const [index, item] of node.items.entries()) {
      record(item, [...path, index], placeAt, places)
    }
  }
  if (!isMap<Node, Node | null>(node)) return
  for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
    const step = [...path, isScalar(key) ? String(key.value) : String(key)]
    const keyPlace = placeAt(key.range?.[0] ?? 0)
    places.set(pathText(step), { key: keyPlace, value: keyPlace, isLeaf: false })
    if (value !== null) record(value, step, placeAt, places)
  }
}

/** A value that was not written (a missing key) is placed at the nearest thing around it. */
function locateIn(places: ReadonlyMap<string, Placed>): Locate {
  return (path, part = 'value') => {
    for (let length = path.length; length >= 0; length--) {
      const place = places.get(pathText(path.slice(0, length)))
      if (place === undefined) continue
      if (length === path.length) return place[part]
      // Inside a short form (`topology: star`) its word is the place; around a missing key, its
      // section's own key says more than the first line within.
      return place.isLeaf ? place.value : place.key
    }
    return undefined
  }
}

/** The library's message as one sentence with a remedy where a person cannot guess it. */
function syntaxSentence(message: string): string {
  const first = syntaxReason(message)
  if (/keys must be unique/iu.test(first)) {
    return 'this key is written twice in the same mapping; keep one of them'
  }
  if (/tabs?/iu.test(first)) return 'this line is indented by a tab; use spaces'
  if (/multiple documents/iu.test(first)) {
    return 'there is a second document here (after ---); a file holds one spec'
  }
  return `this is not YAML or JSON: ${first}`
}

/** What the library says is wrong, without the place, which it counts in its own way. */
export function syntaxReason(message: string): string {
  const first = message
    .split('\n')[0]!
    .replace(/(?: at line \d+, column \d+)?[.:]?$/u, '')
    .replace(
      /^flow (map|sequence)( in block collection)? must (?:be .* and )?end with an? (.)$/iu,
      (_, kind: string, inBlock: string | undefined, end: string) =>
        `a ${kind === 'map' ? 'mapping' : 'list'} is not closed by its ${end}` +
        (inBlock === undefined ? '' : ', or goes on with too little indentation'),
    )
  return first.charAt(0).toLowerCase() + first.slice(1)
}
