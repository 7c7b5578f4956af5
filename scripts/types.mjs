/**
 * The types of every source. Reading an array or a record by a key that may not be there gives
 * `undefined` to the type (noUncheckedIndexedAccess) everywhere but in the simulator's inner loops,
 * whose columns are typed arrays indexed by numbers that they hand out themselves: there it would
 * put an assertion behind every read.
 */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The measured hot path, and what looks into its columns. */
const HOT = [
  /^packages\/engine\/src\/(agenda|fingerprint|handles|heaps|inbox|shared-team|windows)\.ts$/,
  /^packages\/fabric\/src\/(?!topologies\/|contract\/)/,
  /^packages\/sim\/src\/(flow-rows|flow-starts|port-table|sampler|summary)\.ts$/,
  /^packages\/sim\/src\/(held-at-inputs|stuck-at-inputs|threads\/(partition|share))\.ts$/,
  /^packages\/sim\/src\/testing\/(audit|kindest-future)\.ts$/,
]

const { options, fileNames } = readConfig()
const host = ts.createCompilerHost(options)
cacheSources(host)

const isHot = (path) => HOT.some((part) => part.test(relative(root, path).replaceAll('\\', '/')))
const problems = [
  ...check({ ...options, noUncheckedIndexedAccess: true }, (path) => !isHot(path)),
  ...check(options, isHot),
]
if (problems.length > 0) {
  const format = {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  }
  process.stdout.write(ts.formatDiagnosticsWithColorAndContext(problems, format))
  process.exitCode = 1
}

function check(settings, isChecked) {
  const program = ts.createProgram(fileNames, settings, host)
  const sources = program
    .getSourceFiles()
    .filter(({ fileName }) => fileNames.includes(fileName) && isChecked(fileName))
  return [
    ...program.getOptionsDiagnostics(),
    ...sources.flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
      ...program.getDeclarationDiagnostics(source),
    ]),
  ]
}

function readConfig() {
  const path = join(root, 'tsconfig.json')
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name))
  return ts.parseJsonConfigFileContent(config, ts.sys, root)
}

/** Both programs are of the same texts: each is read and parsed once. */
function cacheSources(of) {
  const sources = new Map()
  const { getSourceFile } = of
  of.getSourceFile = (name, ...more) => {
    if (!sources.has(name)) sources.set(name, getSourceFile(name, ...more))
    return sources.get(name)
  }
}
