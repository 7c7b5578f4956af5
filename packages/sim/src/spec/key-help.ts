/**
 * What may stand at a key of a spec, as text: `hosts.tcp`, `topology.leaf-spine`, `fabric.ecn`.
 * From the same codecs that read a spec, so that it never says what they do not.
 */
import { specCodec } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

/** A word in a path is a key, or the kind that is meant; undefined if there is no such key. */
export function keyHelp(path: string): string | undefined {
  let node: Json | undefined = specCodec.json
  for (const step of path.split('.')) node = node === undefined ? undefined : below(node, step)
  return node === undefined ? undefined : `${path}\n\n${lines(node, path).join('\n')}\n`
}

/** A path that leads nowhere: how far it goes, the word after that, what could stand there. */
export interface KeyMiss {
  readonly known: string
  readonly word: string
  readonly words: readonly string[]
}

/** undefined: not even its first word is a key of a spec. */
export function keyMiss(path: string): KeyMiss | undefined {
  const steps = path.split('.')
  let node: Json = specCodec.json
  for (const [i, step] of steps.entries()) {
    const next = below(node, step)
    if (next !== undefined) node = next
    else if (i === 0) return undefined
    else return { known: steps.slice(0, i).join('.'), word: step, words: wordsBelow(node) }
  }
  return undefined
}

/** Paths that end in this word, the shortest first: `workload.generate.arrivals` of `arrivals`. */
export function keyPaths(word: string): string[] {
  const found: string[] = []
  let level: { readonly path: string; readonly node: Json }[] = [{ path: '', node: specCodec.json }]
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth++) {
    level = level.flatMap(({ path, node }) =>
      wordsBelow(node).flatMap((step) => {
        const child = below(node, step)
        const at = path === '' ? step : `${path}.${step}`
        if (step === word) found.push(at)
        return child === undefined ? [] : { path: at, node: child }
      }),
    )
  }
  return found
}

/** As deep as a spec is nested. */
const DEPTH_MAX = 5

function wordsBelow(node: Json): string[] {
  const words = formsOf(node).flatMap((form) => {
    const kind = kindOf(form)
    return kind === undefined ? Object.keys((form['properties'] ?? {}) as Json) : [kind]
  })
  return [...new Set(words)]
}

/** What a spec has at its top. */
export function topKeys(): readonly string[] {
  return Object.keys(specCodec.json['properties'] as Json)
}

function below(node: Json, step: string): Json | undefined {
  for (const form of formsOf(node)) {
    if (kindOf(form) === step) return form
    const properties = form['properties'] as Readonly<Record<string, Json>> | undefined
    if (properties !== undefined && Object.hasOwn(properties, step)) return properties[step]
  }
  return undefined
}

/** The forms that it may have; a list stands for its items. */
function formsOf(node: Json): readonly Json[] {
  const items = node['items'] as Json | undefined
  if (items !== undefined) return formsOf(items)
  const forms = node['anyOf'] as readonly Json[] | undefined
  return forms === undefined ? [node] : forms.flatMap(formsOf)
}

function kindOf(form: Json): string | undefined {
  const properties = form['properties'] as Readonly<Record<string, Json>> | undefined
  return properties?.['kind']?.['const'] as string | undefined
}

function lines(node: Json, path: string): string[] {
  const forms = formsOf(node)
  const kinds = forms.flatMap((form) => kindOf(form) ?? [])
  const sections = forms.filter((form) => form['properties'] !== undefined)
  if (kinds.length > 1) {
    const words = `  one of ${kinds.join(', ')}${defaultText(node)}`
    return [words, '', ...kinds.map((kind) => `  weir explain ${path}.${kind}`)]
  }
  if (sections.length === 0) return [`  ${typeText(node)}${defaultText(node)}`]
  return sections.flatMap(keyLines)
}

function keyLines(section: Json): string[] {
  const properties = section['properties'] as Readonly<Record<string, Json>>
  const needed = (section['required'] ?? []) as readonly string[]
  const width = Math.max(...Object.keys(properties).map((key) => key.length))
  return Object.entries(properties).map(([key, value]) => {
    const must = needed.includes(key) ? ' (needed)' : defaultText(value)
    return `  ${key.padEnd(width)}  ${typeText(value)}${must}`
  })
}

function defaultText(node: Json): string {
  const value = node['default']
  if (value === undefined || isEmpty(value)) return ''
  return ` (default ${typeof value === 'string' ? value : JSON.stringify(value)})`
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function typeText(node: Json): string {
  const forms = formsOf(node)
  const kinds = forms.flatMap((form) => kindOf(form) ?? [])
  if (node['const'] !== undefined) return String(node['const'])
  if (kinds.length > 0) return kinds.join(' | ')
  if (node['enum'] !== undefined) return (node['enum'] as readonly string[]).join(' | ')
  if (node['items'] !== undefined) return 'a list'
  if (node['properties'] !== undefined) return 'a mapping'
  if (node['type'] === 'integer') return `${String(node['minimum'])} to ${String(node['maximum'])}`
  if (node['type'] === 'boolean') return 'true | false'
  if (node['anyOf'] !== undefined) return forms.map(typeText).join(' | ')
  const text = String(node['description'] ?? 'text').replace(/\.$/u, '')
  return text.replace(/^[A-Z](?=[a-z]* )/u, (letter) => letter.toLowerCase())
}
