/** `weir run`: one scenario under one scheme, in detail. */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { join } from 'node:path'
import process from 'node:process'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Scheme } from '@weir/schemes'
import type { Result, ValidSpec } from '@weir/sim'
import type { Entry } from '../comparison.ts'
import {
  addDrawOptions,
  drawsAsked,
  drawsText,
  drawWords,
  type DrawOptions,
  type Draws,
} from '../draw-options.ts'
import { Interrupted, UserError } from '../errors.ts'
import { whileInterruptible } from '../interrupt.ts'
import { collectOften } from '../inlining.ts'
import { addSettingOptions, wholeThreads } from '../options.ts'
import { dataWords, routingData } from '../own/data-words.ts'
import { isModulePath } from '../own/module-path.ts'
import type { OwnData, OwnDataOptions } from '../own/own-data.ts'
import type { OwnSchemes } from '../own/own-schemes.ts'
import { Progress } from '../progress.ts'
import {
  readScenario,
  refuseSchemeTwice,
  settingOptions,
  shellLine,
  validSpec,
  type Settings,
} from '../scenario.ts'
import { checkWritable, inLargePieces, writeTogether, type Content } from '../write-file.ts'

interface RunOptions extends Settings, DrawOptions, OwnDataOptions {
  readonly json?: boolean
  readonly out?: string
  readonly dry?: boolean
  readonly threads?: number
}

const EXAMPLES = `
Examples:
  weir run incast                                      a built-in scenario as it is
  weir run incast --scheme dctcp --seed 7              another scheme, another seed
  weir run my-fabric.yaml --set fabric.buffer.size=9MB
  weir run incast --out results/incast                 result.json, CSVs, spec.yaml, report.html
  weir run leaf-spine-mix --seeds 5                    means and 95% intervals over five seeds
  weir run incast --scheme ./my-scheme.ts              a scheme of your own (weir new scheme)
  weir run incast --dry                                only print the scenario, with every default
`

/** What `--out` holds. */
const FILES = [
  ...(['result.json', 'flows.csv', 'series.csv'] as const),
  ...(['runs.csv', 'parts.csv', 'ports.csv', 'spec.yaml', 'report.html'] as const),
] as const

/** Of so many listed flows the rows alone are tens of megabytes. */
const MANY_FLOWS = 50_000

const EVENTS_AT_A_TIME = 20_000

export function runCommand(): Command {
  const command = new Command('run')
    .description('run one scenario under one scheme, and report in detail')
    .argument('<scenario>', "a file (YAML or JSON), or a name of 'weir list scenarios'")
    .addOption(
      new Option(
        '--scheme <name>',
        "the scheme, or the file of your own, to use instead of the scenario's",
      ).argParser(onlyOne),
    )
  return addDrawOptions(addSettingOptions(command))
    .option('--json', 'print the whole result as JSON')
    .option('--out <dir>', 'write result.json, CSVs (flows, ports, ...), spec.yaml and report.html')
    .addOption(
      new Option('--threads <n>', 'threads that share the run; the result does not depend on it')
        .argParser(wholeThreads)
        .default(undefined, 'as many as make it faster'),
    )
    .option('--dry', 'check the scenario and print it with every default; run nothing')
    .addHelpText('after', EXAMPLES)
    .action(run)
}

function onlyOne(value: string, before: string | undefined): string {
  if (before === undefined) return value
  throw new InvalidArgumentError(
    `it is ${before} already; 'weir compare' runs several, with --schemes ${before},${value}.`,
  )
}

async function run(argument: string, options: RunOptions): Promise<void> {
  const draws = drawsAsked(options)
  checkOptions(options)
  const scenario = await readScenario(argument)
  const own = await ownOf(options)
  const settings = { ...options, scheme: own.name ?? options.scheme, data: own.data }
  const spec = await validSpec(scenario, settings, own.schemes?.cards)
  if (options.dry === true) return printDry(spec, options.json === true, own.schemes?.cards)

  const { drawsOf, flowsApart } = await import('@weir/sim')
  const { listedFlows } = await import('@weir/workloads')
  if (options.out !== undefined) {
    const files = [...FILES, ...flowsApart(spec).map(({ file }) => file)]
    checkWritable(files.map((name) => join(options.out as string, name)))
  }
  if (listedFlows(spec.workload) > MANY_FLOWS) collectOften()
  // Threads that nobody asked for must not change the result of a scheme whose points share state.
  const asked = options.threads ?? (own.schemes === undefined ? undefined : 1)
  const threads = await threadsOf(spec, asked)
  const results = await whileInterruptible(
    async (stop) => {
      const done: Result[] = []
      for (const one of drawsOf(spec, draws.kind, draws.count)) {
        done.push(await simulateShown(one, stop, draws.count, own.schemes, threads))
      }
      return done
    },
    own.schemes !== undefined && threads === 1,
  )
  const entry = { label: spec.scheme.name, results }
  if (options.out !== undefined) {
    const more = [...drawWords(options), ...dataWords(options), ...settingOptions(options)]
    const command = shellLine(['./weir', 'run', argument, ...more])
    await writeResult(options.out, entry, draws, command, own.schemes?.cards)
  }
  if (options.json === true) {
    await printJson(draws.count === 1 ? results[0] : results)
    return
  }
  const { severalText, summaryText } = await import('../summary-text.ts')
  const { portsText } = await import('../ports-text.ts')
  const { terminalWidth } = await import('../terminal.ts')
  const { fitted } = await import('../table.ts')
  const width = terminalWidth()
  const text =
    draws.count === 1
      ? summaryText(results[0]!, portsText(results[0]!, width), width)
      : severalText(entry, drawsText(spec.seed, draws), width)
  process.stdout.write(fitted(text, width))
  if (options.out !== undefined) process.stdout.write(`\nwritten to ${options.out}/\n`)
}

function checkOptions(options: RunOptions): void {
  const { scheme, out } = options
  if (scheme !== undefined) {
    refuseSchemeTwice(options, `--scheme ${scheme} says another; keep one of them.`)
  }
  if (out !== undefined && /\.(?:html?|json|csv|ya?ml)$/iu.test(out)) {
    throw new UserError(
      `--out ${out}: 'weir run' writes a folder of files; write the name of a folder.`,
    )
  }
}

/** Piece by piece, each when the one before has gone. */
async function printJson(value: unknown): Promise<void> {
  const { jsonLine } = await import('../json-chunks.ts')
  for (const piece of inLargePieces(jsonLine(value))) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
  }
}

/** As many as were asked for, or as pay; and never more than the fabric can be parted into. */
async function threadsOf(spec: ValidSpec, asked: number | undefined): Promise<number> {
  const { threadsMax, threadsThatPay } = await import('@weir/sim')
  if (asked === undefined) return threadsThatPay(spec, availableParallelism())
  const most = threadsMax(spec)
  if (asked > most) {
    const why = most === 1 ? 'all of its nodes are one cell' : `it has ${most} cells`
    process.stderr.write(`weir: ${spec.name} is run by ${most} of ${asked} threads: ${why}.\n`)
  }
  return Math.min(asked, most)
}

/** What the person brings in modules: a scheme of that file, parts of the scenario. */
async function ownOf(options: RunOptions): Promise<{
  readonly schemes?: OwnSchemes
  readonly name?: string | undefined
  readonly data: readonly OwnData[]
}> {
  const { loadOwnData } = await import('../own/own-data.ts')
  const data = await loadOwnData(options)
  const { routing, scheme } = options
  const path = scheme !== undefined && isModulePath(scheme) ? scheme : undefined
  if (path === undefined && routing === undefined) return { data }
  const { loadOwnSchemes } = await import('../own/own-schemes.ts')
  const schemes = await loadOwnSchemes(path === undefined ? [] : [path], routing)
  const settings = schemes.routing === undefined ? [] : [routingData(schemes.routing.name)]
  return { schemes, name: schemes.names.get(path ?? '')?.[0], data: [...data, ...settings] }
}

async function printDry(
  spec: ValidSpec,
  asJson: boolean,
  cards: readonly Scheme[] | undefined,
): Promise<void> {
  const { printSpec, resolvedEcn } = await import('@weir/sim')
  const text = (): string => printSpec(spec, cards, resolvedEcn(spec, cards))
  process.stdout.write(asJson ? JSON.stringify(spec, null, 2) + '\n' : text())
}

/** One thread is this one, in slices, so that Ctrl-C and the progress line have their turn. */
async function simulateShown(
  spec: ValidSpec,
  stop: AbortSignal,
  draws: number,
  own: OwnSchemes | undefined,
  threads: number,
): Promise<Result> {
  const { createRun } = await import('@weir/sim')
  const which = draws === 1 ? '' : `, seed ${spec.seed}.${spec.chanceSeed}`
  const scheme = own?.cards.find(({ name }) => name === spec.scheme.name)
  const progress = new Progress(`${spec.name} under ${spec.scheme.name}${which}`)
  const interrupted = (fraction: number): Interrupted => {
    const done = Math.floor(fraction * 100)
    return new Interrupted(`interrupted at ${done} % of the run; nothing was written.`)
  }
  try {
    if (threads > 1) {
      const { shareRun } = await import('../shared-run.ts')
      let fraction = 0
      const onProgress = (now: number): void => progress.show((fraction = now))
      const modules = own?.modules ?? []
      const result = await shareRun(spec, threads, { stop, onProgress, modules })
      if (result === undefined) throw interrupted(fraction)
      return result as Result
    }
    const run = createRun(spec, scheme)
    while (run.advance(EVENTS_AT_A_TIME)) {
      progress.show(run.progress)
      await nextTurn()
      if (stop.aborted) throw interrupted(run.progress)
    }
    return run.result()
  } catch (error) {
    // A thread has said where it was, and the program's own sentences stand as they are.
    if (own === undefined || threads > 1 || error instanceof Interrupted) throw error
    const { ownFailure } = await import('../own/own-schemes.ts')
    throw ownFailure(error, own.modules)
  } finally {
    progress.clear()
  }
}

/** Of several draws, results, flows, series and the report's curves are of the first. */
async function writeResult(
  folder: string,
  entry: Entry,
  draws: Draws,
  command: string,
  cards: readonly Scheme[] | undefined,
): Promise<void> {
  const { flowsCsv, partsCsv, portsCsv, runsCsv, seriesCsv } = await import('../csv.ts')
  const { jsonLine } = await import('../json-chunks.ts')
  const { csvChunks } = await import('@weir/metrics')
  const { printSpecApart } = await import('@weir/sim')
  const { flowsAsRows } = await import('@weir/workloads')
  const { reportHtml } = await import('../report/report.ts')
  const result = entry.results[0]!
  const { seed, spec } = result
  const comparison = { scenario: spec.name, seed, draws, entries: [entry], skipped: [] }
  const { text, apart } = printSpecApart(spec, cards)
  const contents: Record<(typeof FILES)[number], Content> = {
    'result.json': jsonLine(result),
    'flows.csv': flowsCsv(result.flows),
    'series.csv': seriesCsv(result.series),
    'runs.csv': runsCsv([entry]),
    'parts.csv': partsCsv([entry]),
    'ports.csv': portsCsv([entry]),
    'spec.yaml': text,
    'report.html': reportHtml(comparison, command, text),
  }
  writeTogether(folder, [
    ...FILES.map((name) => [join(folder, name), contents[name]] as const),
    ...apart.map(({ file, flows }) => [join(folder, file), csvChunks(flowsAsRows(flows))] as const),
  ])
}
