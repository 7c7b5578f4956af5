/**
 * Completion and error places for specs. Completion reads the JSON Schema that editors get from
 * `weir schema`: the keys and words that may stand where the cursor is, with their descriptions.
 */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { jsonSchema, loadSpec, SpecError } from '@weir/sim'

type Json = Readonly<Record<string, unknown>>

let schema: Json | undefined

export function specProblem(
  text: string,
): { line: number; column: number; message: string } | undefined {
  try {
    loadSpec({ text, sourceName: 'spec' })
    return undefined
  } catch (error) {
    if (error instanceof SpecError) {
      return { line: error.line, column: error.column, message: error.message }
    }
    return { line: 1, column: 1, message: error instanceof Error ? error.message : String(error) }
  }
}

export function specCompletions(context: CompletionContext): CompletionResult | null {
  schema ??= jsonSchema()
  const before = context.matchBefore(/[\w.-]*/u)
  if (!context.explicit && (before === null || before.from === before.to)) return null
  const line = context.state.doc.lineAt(context.pos)
  const head = line.text.slice(0, context.pos - line.from)
  const lines = context.state.doc.sliceString(0, line.from).split('\n')
  const value = /([\w-]+):\s+[\w.-]*$/u.exec(head)
  const path = pathAt(lines, head)
  const nodes = walk([schema], path)
  const options = value === null ? keysOf(nodes) : wordsOf(walk(nodes, [value[1]!]))
  if (options.length === 0) return null
  return { from: before?.from ?? context.pos, options, validFor: /^[\w.-]*$/u }
}

/** Keys that the cursor stands under, from the indentation above and the braces on its line. */
export function pathAt(above: readonly string[], head: string): string[] {
  const path: string[] = []
  const braces = [...head.matchAll(/([\w-]+):\s*\{(?=[^}]*$)/gu)].map((match) => match[1]!)
  const openList = /^\s*-\s*\{[^}]*$/u.test(head)
  let indent = /^[\s-]*/u.exec(head)![0].length
  for (let i = above.length - 1; i >= 0 && indent > 0; i--) {
    const found = /^([\s-]*)([\w-]+):/u.exec(above[i]!)
    if (found === null || found[1]!.length >= indent) continue
    indent = found[1]!.length
    path.unshift(found[2]!)
  }
  return openList && braces.length === 0 ? path : [...path, ...braces]
}

/** The schemas under a path; lists are passed through, alternatives are all followed. */
function walk(from: readonly Json[], path: readonly string[]): Json[] {
  let nodes = from.flatMap(alternatives)
  for (const key of path) {
    nodes = nodes
      .map((node) => (node['properties'] as Record<string, Json> | undefined)?.[key])
      .filter((node): node is Json => node !== undefined)
      .flatMap(alternatives)
  }
  return nodes
}

function alternatives(node: Json): Json[] {
  const reference = node['$ref']
  if (typeof reference === 'string') {
    const steps = reference.replace(/^#\//u, '').split('/')
    const target = steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], schema)
    return target === undefined ? [] : alternatives(target as Json)
  }
  const inner = [
    ...((node['anyOf'] as Json[] | undefined) ?? []),
    ...((node['oneOf'] as Json[] | undefined) ?? []),
    ...((node['allOf'] as Json[] | undefined) ?? []),
    ...(node['items'] !== undefined && !Array.isArray(node['items'])
      ? [node['items'] as Json]
      : []),
  ]
  return [node, ...inner.flatMap(alternatives)]
}

function keysOf(nodes: readonly Json[]): Completion[] {
  const keys = new Map<string, Completion>()
  for (const node of nodes) {
    const properties = (node['properties'] ?? {}) as Record<string, Json>
    for (const [label, { description }] of Object.entries(properties)) {
      const info = typeof description === 'string' ? { info: description } : {}
      if (!keys.has(label))
        keys.set(label, { label, apply: `${label}: `, type: 'property', ...info })
    }
  }
  return [...keys.values()]
}

function wordsOf(nodes: readonly Json[]): Completion[] {
  const words = new Set<string>()
  for (const node of nodes) {
    const given = [...((node['enum'] as unknown[] | undefined) ?? []), node['const']]
    for (const word of given) if (typeof word === 'string') words.add(word)
    const kind = (node['properties'] as Record<string, Json> | undefined)?.['kind']
    if (typeof kind?.['const'] === 'string') words.add(kind['const'])
    if (node['type'] === 'boolean') for (const word of ['true', 'false']) words.add(word)
  }
  return [...words].map((label) => ({ label, type: 'constant' }))
}
