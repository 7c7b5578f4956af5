/** `weir compare`: the same fabric and traffic under each scheme; a table, and an HTML report. */
import { join, resolve } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import type { Noise, ValidSpec } from '@weir/sim'
import type { Comparison, Entry, Skipped } from '../comparison.ts'
import {
  addDrawOptions,
  drawsAsked,
  drawsText,
  drawWords,
  type DrawOptions,
} from '../draw-options.ts'
import { Interrupted, isForUsers, UserError } from '../errors.ts'
import { whileInterruptible } from '../interrupt.ts'
import { addSettingOptions, gather, threadsEachOption } from '../options.ts'
import { dataWords, routingData } from '../own/data-words.ts'
import type { OwnData, OwnDataOptions } from '../own/own-data.ts'
import type { OwnSchemes } from '../own/own-schemes.ts'
import type { Outcome } from '../pool.ts'
import { Progress } from '../progress.ts'
import {
  readScenario,
  refuseSchemeTwice,
  settingOptions,
  shellLine,
  validSpec,
  type ScenarioText,
  type Settings,
} from '../scenario.ts'
import { isSpecial, pathsIn, readVariants, variantSettings, type Variant } from '../variants.ts'
import { checkWritable, writeTogether, writeWhole } from '../write-file.ts'

interface CompareOptions extends Omit<Settings, 'scheme'>, DrawOptions, OwnDataOptions {
  readonly schemes: string
  /** Files, or more names: each joins `schemes`. */
  readonly scheme: readonly string[]
  readonly json?: boolean
  readonly out?: string
  readonly report: boolean
  readonly noise?: boolean
  readonly withTheory?: boolean
  readonly threads?: number
}

/** What each scheme makes of the scenario, before anything runs. */
interface Plan {
  readonly specs: readonly ValidSpec[]
  /** By spec: what its row is called. */
  readonly labels: readonly string[]
  readonly unfit: readonly Skipped[]
}

const EXAMPLES = `
Examples:
  weir compare incast                                  every scheme that fits the fabric
  weir compare incast --schemes dcqcn,hpcc,timely      three of them
  weir compare incast --schemes dcqcn,dcqcn:firmware,dcqcn:g=1/16   variants of one scheme
  weir compare my-fabric.yaml --seeds 5                means and 95% intervals over five seeds
  weir compare my-fabric.yaml --set run.until=20ms --out fabric.html
  weir compare my-fabric.yaml --out results/fabric     report.html, comparison.json, CSVs, spec.yaml
  weir compare incast --scheme ./my-scheme.ts          all, and your own (weir new scheme)
  weir compare incast --noise                          how much of a difference is chance
  weir compare dumbbell-fair --with-theory             theory beside the packets
  weir compare incast --json > incast.json             for another program; same bytes each time
`

export function compareCommand(): Command {
  const command = new Command('compare')
    .description('run one scenario under each scheme; print a table, write an HTML report')
    .argument('<scenario>', "a file (YAML or JSON), or a name of 'weir list scenarios'")
    .option('--schemes <names>', 'comma-separated: name, name:preset or name:param=value', 'all')
    .option('--scheme <file>', 'also compare a scheme of your own; may be repeated', gather, [])
  return addDrawOptions(addSettingOptions(command))
    .option(
      '--noise',
      'rerun with other random draws and 1 ns more per link; show how far FCTs move',
    )
    .option('--with-theory', 'set the fluid model and exact max-min rates beside the packets')
    .addOption(threadsEachOption())
    .option('--json', 'print JSON instead of the table; no report unless --out names one')
    .option('--out <path>', 'an .html file for the report, or a folder for report, JSON and CSV')
    .option('--no-report', 'write no report')
    .addHelpText('after', EXAMPLES)
    .action(compare)
}

async function compare(argument: string, options: CompareOptions): Promise<void> {
  const draws = drawsAsked(options)
  refuseSchemeTwice(options, 'every row has a scheme of its own; name schemes with --schemes.')
  const scenario = await readScenario(argument)
  const { own, variants } = await schemesAsked(options)
  const { routing } = own
  const ofRouting = routing === undefined ? [] : [routingData(routing.name)]
  const data = [...(await dataOf(options)), ...ofRouting]
  const plan = await planRuns(scenario, variants, own, { ...options, scheme: undefined, data })

  const target = outputOf(scenario.label, options)
  checkWritable(target.paths)
  const { drawsOf } = await import('@weir/sim')
  const drawn = plan.specs.flatMap((spec) => drawsOf(spec, draws.kind, draws.count))
  const again = options.noise === true ? await perturbedSpecs(plan.specs) : []
  const ran = await runShown(scenario.label, [...drawn, ...again], own, options.threads)
  const byEntry = plan.labels.map((label, row) => ({
    label,
    outcomes: ran.outcomes.slice(row * draws.count, (row + 1) * draws.count),
  }))
  const entries = byEntry.flatMap(({ label, outcomes }): Entry[] => {
    const results = outcomes.flatMap((one) => (one.kind === 'result' ? one.result : []))
    return results.length === draws.count ? [{ label, results }] : []
  })
  const perturbed = ran.outcomes.slice(drawn.length)
  const noise = again.length === 0 ? {} : { noise: await noises(byEntry, perturbed) }
  const skipped = [...plan.unfit, ...byEntry.flatMap(unfinished)]
  const { seed } = plan.specs[0]!
  const comparison: Comparison = {
    ...{ scenario: scenario.label, seed, draws, entries, skipped },
    ...noise,
    ...(options.withTheory === true ? await theories(entries) : {}),
  }

  // The files first: a reader who has seen enough of the table may close the pipe.
  const isWritten = target.paths.length > 0 && entries.length > 0
  if (isWritten) await writeOutput(target, comparison, argument, options, own)
  await print(comparison, options.json === true)
  if (isWritten) {
    const stream = options.json === true ? process.stderr : process.stdout
    stream.write(`\n${target.kind === 'folder' ? 'written to' : 'report:'} ${target.name}\n`)
  }
  if (ran.isStopped) {
    throw new Interrupted(`interrupted; ${entries.length} of ${variants.length} schemes were kept.`)
  }
  const failure = ran.outcomes.find((outcome) => outcome.kind === 'failed')
  if (failure?.kind === 'failed') throw failure.error
}

/** Weir's schemes and the person's own, and which of them are compared. */
async function schemesAsked(
  options: CompareOptions,
): Promise<{ own: OwnSchemes; variants: readonly Variant[] }> {
  const { loadOwnSchemes } = await import('../own/own-schemes.ts')
  const text = [options.schemes, ...options.scheme].join(',')
  const own = await loadOwnSchemes(pathsIn(text), options.routing)
  const known = own.cards.map(({ name }) => name)
  const asked = options.schemes === 'all' ? [known.join(), ...options.scheme].join() : text
  return { own, variants: readVariants(asked, known, own.names) }
}

async function dataOf(options: OwnDataOptions): Promise<readonly OwnData[]> {
  if (options.topology === undefined && options.workload === undefined) return []
  const { loadOwnData } = await import('../own/own-data.ts')
  return loadOwnData(options)
}

async function theories(entries: readonly Entry[]): Promise<Pick<Comparison, 'theory'>> {
  const { theoryRows } = await import('../theory-over.ts')
  return { theory: theoryRows(entries) }
}

async function perturbedSpecs(specs: readonly ValidSpec[]): Promise<ValidSpec[]> {
  const { perturbed } = await import('@weir/sim')
  return specs.map(perturbed)
}

/** One for each entry that was run to its end. */
async function noises(
  entries: readonly { readonly outcomes: readonly Outcome[] }[],
  perturbed: readonly Outcome[],
): Promise<(Noise | undefined)[]> {
  const { noiseOf } = await import('@weir/sim')
  return entries.flatMap(({ outcomes }, row) => {
    const [first] = outcomes
    const again = perturbed[row]!
    if (first?.kind !== 'result' || outcomes.some(({ kind }) => kind !== 'result')) return []
    return [again.kind === 'result' ? noiseOf(first.result, again.result) : undefined]
  })
}

/** A scheme that does not fit is only skipped; if none does, the scenario itself is in error. */
async function planRuns(
  scenario: ScenarioText,
  variants: readonly Variant[],
  own: OwnSchemes,
  settings: Settings,
): Promise<Plan> {
  const specs: ValidSpec[] = []
  const labels: string[] = []
  const unfit: Skipped[] = []
  for (const variant of variants) {
    try {
      specs.push(await validSpec(scenario, variantSettings(variant, settings), own.cards))
      labels.push(variant.label)
    } catch (error) {
      if (!isForUsers(error)) throw error
      if (isSpecial(variant)) {
        // The setting is our word for a part of the label, which has been said.
        const why = error.message.replace(/^--set .*?: scheme\.(?:params\.)?/u, '')
        throw new UserError(`--schemes ${variant.label}: ${why}`)
      }
      unfit.push({ scheme: variant.label, why: 'unfit', reason: error.message })
    }
  }
  if (specs.length === 0) {
    const reasons = new Set(unfit.map(({ reason }) => reason))
    const [first = 'there is none'] = reasons
    throw new UserError(reasons.size === 1 ? first : `no scheme fits this scenario: ${first}`)
  }
  return { specs, labels, unfit }
}

async function runShown(
  label: string,
  specs: readonly ValidSpec[],
  { modules }: OwnSchemes,
  threadsEach: number | undefined,
): Promise<{ outcomes: readonly Outcome[]; isStopped: boolean }> {
  const { runAll } = await import('../pool.ts')
  const progress = new Progress(`comparing ${label}`)
  try {
    return await whileInterruptible(async (stop) => {
      const onProgress = (fractions: readonly number[]): void => {
        const done = fractions.filter((fraction) => fraction === 1).length
        const mean = fractions.reduce((sum, fraction) => sum + fraction, 0) / fractions.length
        const busy = specs
          .filter((_, index) => fractions[index]! > 0 && fractions[index]! < 1)
          .map((spec) => spec.scheme.name)
        progress.show(mean, `${done} of ${specs.length} done  ${busy.join(', ')}`)
      }
      const outcomes = await runAll(specs, { stop, onProgress, modules, threadsEach })
      return { outcomes, isStopped: stop.aborted }
    })
  } finally {
    progress.clear()
  }
}

/** An entry with a draw that did not end is not shown by its others. */
function unfinished(entry: {
  readonly label: string
  readonly outcomes: readonly Outcome[]
}): Skipped[] {
  const scheme = entry.label
  const failed = entry.outcomes.find((outcome) => outcome.kind === 'failed')
  if (failed?.kind === 'failed') return [{ scheme, why: 'failed', reason: failed.error.message }]
  const isStopped = entry.outcomes.some((outcome) => outcome.kind === 'stopped')
  return isStopped ? [{ scheme, why: 'interrupted', reason: 'it had not finished.' }] : []
}

async function print(comparison: Comparison, asJson: boolean): Promise<void> {
  const shown = await import('../comparison.ts')
  if (asJson) {
    process.stdout.write(shown.comparisonJson(comparison))
    return
  }
  const { verdict } = await import('../verdict.ts')
  const { fewestSized } = await import('../summary-text.ts')
  const { terminalPaint, terminalWidth } = await import('../terminal.ts')
  const { scenario, seed, draws, entries } = comparison
  const title = entries[0]?.results[0]?.spec.title ?? ''
  const [paint, width] = [terminalPaint(), terminalWidth()]
  const head = `${scenario}${title === '' || title === scenario ? '' : `: ${title}`}`
  const lines = verdict(entries)
  const hasTail = fewestSized(entries.flatMap(({ results }) => results)) >= 100
  const { fitted } = await import('../table.ts')
  const text =
    `${head} (${drawsText(seed, draws)})\n\n` +
    shown.comparisonText(comparison, paint, width) +
    `\n${LEGEND}${hasTail ? '' : NO_TAIL}${draws.count > 1 ? PAIRED : ''}\n` +
    shown.partsText(entries, paint, width) +
    (await theoryShown(comparison, width)) +
    shown.comparisonWarnings(comparison) +
    (lines.length === 0 ? '' : `\n${lines.join('\n')}\n`) +
    (entries.length > 1 && draws.count === 1 ? `\n${ONE_DRAW}\n` : '') +
    (comparison.noise === undefined ? '' : `\nnoise: ${shown.NOISE}\n`)
  process.stdout.write(fitted(text, width))
}

async function theoryShown({ entries, theory }: Comparison, width: number): Promise<string> {
  if (theory === undefined || entries.length === 0) return ''
  const { theoryText } = await import('../theory-over.ts')
  return theoryText(entries, theory, width)
}

const LEGEND =
  'Slowdown (mean, p50, p99) is completion time over that on an empty fabric: 1 is ideal.\n' +
  'Goodput is of all flows together; queue max is the deepest queue of any switch port.'
const NO_TAIL = '\nThere are fewer than 100 flows: p99 is the slowest of them.'
const PAIRED =
  '\nSchemes are compared seed by seed, on the same flows: ± is of a value, not of a difference.'
const ONE_DRAW = 'This is one draw: --seeds 5 shows which differences are more than chance.'

/** Where the report, or a folder of files, goes; no paths: nowhere. */
interface Output {
  readonly kind: 'file' | 'folder'
  readonly name: string
  readonly paths: readonly string[]
}

/** What a folder holds. */
const FILES = ['report.html', 'comparison.json', 'runs.csv', 'parts.csv', 'ports.csv', 'spec.yaml']

function outputOf(scenario: string, options: CompareOptions): Output {
  const isWanted = options.report && (options.json !== true || options.out !== undefined)
  const name = options.out ?? `weir-report-${scenario}.html`
  if (!isWanted) return { kind: 'file', name, paths: [] }
  if (/\.html?$/i.test(name)) return { kind: 'file', name: resolve(name), paths: [resolve(name)] }
  if (/\.\w+$/.test(name)) {
    throw new UserError(
      `--out ${name}: write a name that ends in .html for the report, or that of a folder for ` +
        `the report, JSON and CSV.`,
    )
  }
  return { kind: 'folder', name: `${name}/`, paths: FILES.map((file) => resolve(name, file)) }
}

async function writeOutput(
  target: Output,
  comparison: Comparison,
  argument: string,
  options: CompareOptions,
  own: OwnSchemes,
): Promise<void> {
  const { reportHtml } = await import('../report/report.ts')
  const { printSpecApart } = await import('@weir/sim')
  const schemes = options.schemes === 'all' ? [] : ['--schemes', options.schemes]
  const noise = options.noise === true ? ['--noise'] : []
  const theory = options.withTheory === true ? ['--with-theory'] : []
  const files = options.scheme.flatMap((file) => ['--scheme', file])
  const settings = settingOptions({ ...options, scheme: undefined })
  const more = [...drawWords(options), ...noise, ...theory, ...dataWords(options), ...settings]
  const command = shellLine(['./weir', 'compare', argument, ...schemes, ...files, ...more])
  const { text, apart } = printSpecApart(comparison.entries[0]!.results[0]!.spec, own.cards)
  const html = reportHtml(comparison, command, text)
  if (target.kind === 'file') {
    writeWhole(target.paths[0]!, html)
    return
  }
  const { comparisonJson } = await import('../comparison.ts')
  const { partsCsv, portsCsv, runsCsv } = await import('../csv.ts')
  const { entries } = comparison
  const contents = [
    ...[html, comparisonJson(comparison)],
    ...[runsCsv(entries), partsCsv(entries), portsCsv(entries), text],
  ]
  const { csvChunks } = await import('@weir/metrics')
  const { flowsAsRows } = await import('@weir/workloads')
  const folder = resolve(options.out!)
  writeTogether(folder, [
    ...target.paths.map((path, i) => [path, contents[i]!] as const),
    ...apart.map(({ file, flows }) => [join(folder, file), csvChunks(flowsAsRows(flows))] as const),
  ])
}
