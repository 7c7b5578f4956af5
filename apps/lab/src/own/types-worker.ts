/**
 * TypeScript itself, in a worker: it checks and completes a user's scheme against the real contract
 * and turns it into JavaScript. Loaded only when somebody writes a scheme. It never runs the
 * scheme.
 */
import { sourceLines, withLines } from './source-lines.ts'
import ts from 'typescript'

/** Declarations of the packages and of the language, by path: build.mjs puts them in. */
declare const WEIR_TYPES: Readonly<Record<string, string>>

const FILE = '/own-scheme.ts'

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  strict: true,
  noImplicitOverride: true,
  noLib: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: [],
}

export interface TypesQuestion {
  readonly id: number
  readonly ask: 'check' | 'complete' | 'compile'
  readonly text: string
  readonly position: number
}

export interface Problem {
  readonly from: number
  readonly to: number
  readonly line: number
  readonly message: string
}

export interface TypesAnswer {
  readonly id: number
  readonly problems: readonly Problem[]
  readonly words: readonly { readonly label: string; readonly type: string }[]
  readonly javascript: string
}

let text = ''
let version = 0
const libs = Object.keys(WEIR_TYPES).filter((path) => path.startsWith('/lib/'))

const host: ts.LanguageServiceHost = {
  getCompilationSettings: () => options,
  getScriptFileNames: () => [FILE, ...libs],
  getScriptVersion: (path) => (path === FILE ? String(version) : '1'),
  getScriptSnapshot: (path) => {
    const content = path === FILE ? text : WEIR_TYPES[path]
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
  },
  getCurrentDirectory: () => '/',
  getDefaultLibFileName: () => '/lib/lib.d.ts',
  fileExists: (path) => path === FILE || WEIR_TYPES[path] !== undefined,
  readFile: (path) => (path === FILE ? text : WEIR_TYPES[path]),
  resolveModuleNameLiterals: (names, from) =>
    names.map(({ text: name }) => {
      const path = name.startsWith('@weir/')
        ? `/weir/${name.slice(6)}/index.ts`
        : new URL(name, `file://${from}`).pathname
      if (WEIR_TYPES[path] === undefined) return { resolvedModule: undefined }
      return { resolvedModule: { resolvedFileName: path, extension: ts.Extension.Ts } }
    }),
}
const service = ts.createLanguageService(host)

function answer({ id, ask, text: given, position }: TypesQuestion): TypesAnswer {
  if (given !== text) {
    text = given
    version++
  }
  const empty = { id, problems: [], words: [], javascript: '' }
  if (ask === 'check') return { ...empty, problems: problems() }
  if (ask === 'complete') return { ...empty, words: words(position) }
  const wrong = service.getSyntacticDiagnostics(FILE).map(problemOf)
  return { ...empty, problems: wrong, javascript: wrong.length > 0 ? '' : compile() }
}

/** With the author's line of each line, so that an error names it: types leave no lines behind. */
function compile(): string {
  const compilerOptions = { ...options, noEmit: false, removeComments: false, sourceMap: true }
  const made = ts.transpileModule(text, { compilerOptions, fileName: FILE })
  const { mappings } = JSON.parse(made.sourceMapText ?? '{"mappings":""}') as { mappings: string }
  const code = made.outputText.replace(/^\/\/# sourceMappingURL=.*$/mu, '')
  return withLines(code, sourceLines(mappings))
}

function problems(): Problem[] {
  return [...service.getSyntacticDiagnostics(FILE), ...service.getSemanticDiagnostics(FILE)].map(
    problemOf,
  )
}

function problemOf(diagnostic: ts.Diagnostic): Problem {
  const from = diagnostic.start ?? 0
  const line = text.slice(0, from).split('\n').length
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')
  return { from, to: from + (diagnostic.length ?? 1), line, message }
}

function words(position: number): { label: string; type: string }[] {
  const found = service.getCompletionsAtPosition(FILE, position, {})
  return (found?.entries ?? []).slice(0, 200).map(({ name, kind }) => ({ label: name, type: kind }))
}

onmessage = (event: MessageEvent<TypesQuestion>): void => {
  postMessage(answer(event.data))
}
