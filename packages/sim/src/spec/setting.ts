/**
 * `--set path=value`: one value of a spec changed from outside its text. The value is read as YAML,
 * so that `--set scheme.params.g=1/256` and `--set 'topology={kind: star, hosts: 9}'` both work,
 * and short forms are made long where a setting goes into them (`scheme: dcqcn` with
 * `scheme.params.g`).
 */
import { parseDocument } from 'yaml'
import { DEFAULT_SCHEME } from './scheme.ts'
import { syntaxReason, tooDeepAt } from './parse.ts'
import { pathText, SpecError } from './spec-error.ts'
import type { Locate, SpecPath } from './spec-error.ts'
import { show } from '@weir/engine/codec'

interface Setting {
  readonly text: string
  readonly path: SpecPath
  readonly value: unknown
}

/** The tree with the setting in place; the tree itself is left as it is. */
export function applySetting(tree: unknown, text: string): unknown {
  const setting = readSetting(text)
  return place(tree, setting, 0)
}

/** Errors at a path that a setting gave are placed there, not in the text: the last one wins. */
export function locateSettings(locate: Locate, settings: readonly string[]): Locate {
  const read = settings.map(readSetting).reverse()
  return (path, part) => {
    const name = pathText(path)
    const inside = (outer: string): boolean =>
      name === outer || name.startsWith(`${outer}.`) || name.startsWith(`${outer}[`)
    const cause = read.find((setting) => inside(pathText(setting.path)))
    return cause === undefined ? locate(path, part) : `--set ${cause.text}`
  }
}

function readSetting(text: string): Setting {
  const equals = text.indexOf('=')
  if (equals < 1) {
    refuse(text, [], 'this is not a setting; write path=value, such as scheme.params.g=1/256')
  }
  const written = text.slice(equals + 1).trim()
  if (tooDeepAt(written) !== undefined) {
    refuse(text.slice(0, 60), [], 'the value is nested too deep to be read; write a flatter one')
  }
  const document = parseDocument(written)
  const problem = document.errors[0]
  if (problem !== undefined) {
    const reason = syntaxReason(problem.message)
    refuse(text, [], `the value cannot be read: ${reason}; close what is open, or quote the value`)
  }
  return { text, path: readPath(text, text.slice(0, equals).trim()), value: document.toJS() }
}

/** `workload[0].flows[3].size`, or with dots alone: `workload.0.flows.3.size`. */
function readPath(text: string, written: string): SpecPath {
  const steps = written.replaceAll(/\[(\d+)\]/gu, '.$1').split('.')
  if (steps.some((step) => !/^[\w-]+$/u.test(step))) {
    refuse(
      text,
      [],
      `${show(written)} is not a path; write keys with dots and list indices in brackets, ` +
        'such as workload[0].generate.arrivals.load',
    )
  }
  return steps.map((step) => (/^\d+$/u.test(step) ? Number(step) : step))
}

function place(node: unknown, setting: Setting, depth: number): unknown {
  const { path, text } = setting
  if (depth === path.length) return setting.value
  const step = path[depth]!
  const here = path.slice(0, depth)
  if (Array.isArray(node)) {
    const items = node as unknown[]
    if (typeof step !== 'number' || step >= items.length) {
      const last = items.length - 1
      const remedy = last === 0 ? 'its only item is [0]' : `write an index from [0] to [${last}]`
      refuse(text, here, `there is no item ${show(step)} in this list; ${remedy}`)
    }
    return items.map((item, i) => (i === step ? place(item, setting, depth + 1) : item))
  }
  const key = String(step)
  const mapping = lengthen(node, here)
  if (mapping === undefined) {
    refuse(text, here, `${show(node)} has no keys of its own; set ${pathText(here)} as a whole`)
  }
  return { ...mapping, [key]: place((mapping as Record<string, unknown>)[key], setting, depth + 1) }
}

/** The mapping that a short form stands for: the word is the scheme's name, or else the kind. */
function lengthen(node: unknown, path: SpecPath): object | undefined {
  if (node === undefined || node === null) {
    return path.length === 1 && path[0] === 'scheme' ? { name: DEFAULT_SCHEME } : {}
  }
  if (typeof node === 'object') return node
  if (path.length === 0 || typeof node !== 'string') return undefined
  const key = path.at(-1)
  if (key === 'scheme') return { name: node }
  if (key === 'buffer' || /^\d/u.test(node)) return { size: node }
  if (key === 'ack') return node === 'none' ? { every: 0 } : undefined
  return LENGTHENED.has(String(key)) ? { kind: node } : undefined
}

const LENGTHENED: ReadonlySet<string> = new Set([
  'topology',
  'flowControl',
  'ecn',
  'scheduler',
  'threshold',
  'xoff',
  'injection',
  'routing',
  'arrivals',
  'sizes',
  'pattern',
])

function refuse(text: string, path: SpecPath, sentence: string): never {
  throw new SpecError('', `--set ${text}`, path, sentence)
}
