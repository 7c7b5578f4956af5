/**
 * A module of a person's own, from TypeScript to something that this program and its threads can
 * import: checked against Weir's types first, then written as JavaScript to a folder that goes with
 * the process. `weir` and `@weir/fabric` in it mean this very program, so that a scheme extends the
 * classes that the simulator runs.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, parse, relative, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type ts from 'typescript'
import { UserError } from '../errors.ts'
import { treeRoot } from '../root.ts'
import { shownPath } from './place-in.ts'

type TypeScript = typeof ts

export interface Compiled {
  /** What to import. */
  readonly url: string
  /** The person's own files, by which an error is known to be theirs. */
  readonly sources: readonly string[]
}

/** A debugging word is allowed; a page or Node is not what a scheme stands on. */
const AMBIENT = `type Say = (...values: unknown[]) => void
declare const console: Record<'log' | 'error' | 'warn', Say>`

export async function compileModule(path: string): Promise<Compiled> {
  const file = resolve(path)
  if (!existsSync(file)) throw new UserError(`there is no file '${path}'.`)
  if (statSync(file).isDirectory()) throw new UserError(`'${path}' is a folder, not a module.`)
  if (!/\.[cm]?[jt]s$/u.test(file)) {
    throw new UserError(`'${path}' is not a module; name a file that ends in .ts or .js.`)
  }
  const typescript = (await import('typescript')).default
  const folder = mkdtempSync(join(tmpdir(), 'weir-own-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const program = makeProgram(typescript, file, folder)
  const own = program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && isOwn(fileName, folder))
  refuseProblems(typescript, program, own)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  for (const source of own) emit(typescript, program, source)
  const made = join(folder, relative(parse(file).root, file)).replace(/\.([cm]?)tsx?$/u, '.$1js')
  return { url: pathToFileURL(made).href, sources: own.map(({ fileName }) => fileName) }
}

/** Weir's own sources, in a checkout, are part of the program and no part of the person's. */
function isOwn(fileName: string, folder: string): boolean {
  const place = resolve(fileName)
  const isWeirs = ['packages', 'node_modules'].some((name) =>
    place.startsWith(join(treeRoot(), name) + '/'),
  )
  return !isWeirs && !place.startsWith(folder) && !place.includes('/node_modules/')
}

function makeProgram(typescript: TypeScript, file: string, outDir: string): ts.Program {
  const options: ts.CompilerOptions = {
    target: typescript.ScriptTarget.ES2022,
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts'],
    types: [],
    strict: true,
    noImplicitOverride: true,
    skipLibCheck: true,
    allowJs: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
    inlineSourceMap: true,
    rootDir: parse(file).root,
    outDir,
  }
  const ambient = join(outDir, 'ambient.d.ts')
  const host = typescript.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => name === ambient || fileExists(name)
  host.readFile = (name) => (name === ambient ? AMBIENT : readFile(name))
  host.getSourceFile = (name, ...more) =>
    name === ambient
      ? typescript.createSourceFile(name, AMBIENT, typescript.ScriptTarget.ES2022)
      : getSourceFile(name, ...more)
  host.resolveModuleNameLiterals = (names, from, redirected, settings) =>
    names.map(({ text }) => {
      const types = typesOf(text)
      if (types === undefined) {
        return typescript.resolveModuleName(text, from, settings, host, undefined, redirected)
      }
      const extension = types.endsWith('.d.ts') ? typescript.Extension.Dts : typescript.Extension.Ts
      return { resolvedModule: { resolvedFileName: types, extension } }
    })
  return typescript.createProgram([file, ambient], options, host)
}

/** `weir`, `@weir/fabric`: declarations beside an installed program, sources in a checkout. */
function typesOf(name: string): string | undefined {
  const found = /^(?:weir|@weir\/([\w-]+))$/u.exec(name)
  if (found === null) return undefined
  const folder = found[1] ?? 'library'
  const beside = fileURLToPath(new URL(`./types/${folder}/index.d.ts`, import.meta.url))
  if (existsSync(beside)) return beside
  const source = join(treeRoot(), 'packages', folder, 'src/index.ts')
  return existsSync(source) ? source : undefined
}

function refuseProblems(
  typescript: TypeScript,
  program: ts.Program,
  own: readonly ts.SourceFile[],
): void {
  const problems = own.flatMap((source) => [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ])
  const [first] = problems
  if (first?.file === undefined) return
  const { line, character } = first.file.getLineAndCharacterOfPosition(first.start ?? 0)
  const place = `${shownPath(first.file.fileName)}:${line + 1}:${character + 1}`
  const words = typescript.flattenDiagnosticMessageText(first.messageText, ' ')
  const sentence = words.replace(/\s+/gu, ' ').replace(/\.$/u, '')
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`
  throw new UserError(`${place}: ${sentence}${more}.`)
}

function emit(typescript: TypeScript, program: ts.Program, source: ts.SourceFile): void {
  const link: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
    const { factory } = context
    const linked = (node: ts.Node): ts.Node => {
      if (
        typescript.isImportDeclaration(node) &&
        typescript.isStringLiteral(node.moduleSpecifier)
      ) {
        const name = factory.createStringLiteral(linkOf(node.moduleSpecifier.text, source.fileName))
        const { modifiers, importClause, attributes } = node
        return factory.updateImportDeclaration(node, modifiers, importClause, name, attributes)
      }
      return node
    }
    return typescript.visitEachChild(file, linked, context)
  }
  const write: ts.WriteFileCallback = (path, text) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  program.emit(source, write, undefined, false, { after: [link] })
}

/** Weir's modules are this program's; others are found from where the person's file is. */
function linkOf(name: string, from: string): string {
  const found = /^(?:weir|@weir\/([\w-]+))$/u.exec(name)
  if (found !== null) return new URL(`./module-${found[1] ?? 'weir'}.mjs`, import.meta.url).href
  if (/^[./]|^node:/u.test(name)) return name
  try {
    return pathToFileURL(createRequire(from).resolve(name)).href
  } catch {
    return name
  }
}
