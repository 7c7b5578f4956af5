/** `weir compare`: the same fabric and traffic under each scheme; a table, and an HTML report. */
import { resolve } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import type { Noise, ValidSpec } from '@weir/sim'
import type { Comparison, Skipped } from '../comparison.ts'
import { Interrupted, isForUsers, UserError } from '../errors.ts'
import { whileInterruptible } from '../interrupt.ts'
import { unknownName } from '../near-miss.ts'
import { addSettingOptions } from '../options.ts'
import type { Outcome } from '../pool.ts'
import { Progress } from '../progress.ts'
import {
  readScenario,
  settingOptions,
  shellLine,
  validSpec,
  type ScenarioText,
  type Settings,
} from '../scenario.ts'
import { checkWritable, writeWhole } from '../write-file.ts'

interface CompareOptions extends Settings {
  readonly schemes: string
  readonly json?: boolean
  readonly out?: string
  readonly report: boolean
  readonly noise?: boolean
}

/** What each scheme makes of the scenario, before anything runs. */
interface Plan {
  readonly specs: readonly ValidSpec[]
  readonly unfit: readonly Skipped[]
}

const EXAMPLES = `
Examples:
  weir compare incast                                  every scheme that the fabric can carry
  weir compare incast --schemes dcqcn,hpcc,timely      these three
  weir compare my-fabric.yaml --set run.until=20ms --out fabric.html
  weir compare incast --noise                          and how much of a difference is chance
  weir compare incast --json > incast.json             for another program; the same bytes each time
`

export function compareCommand(): Command {
  const command = new Command('compare')
    .description('run the same scenario under each scheme; a table and an HTML report')
    .argument('<scenario>', "a file (YAML or JSON), or a name of 'weir list scenarios'")
    .option('--schemes <names>', "names with commas between, or 'all'", 'all')
  return addSettingOptions(command)
    .option('--noise', 'run each again with other chance and 1 ns more per link: how far FCTs move')
    .option('--json', 'print JSON instead of the table; no report unless --out names one')
    .option('--out <file>', 'where the report goes (default: weir-report-<scenario>.html)')
    .option('--no-report', 'write no report')
    .addHelpText('after', EXAMPLES)
    .action(compare)
}

async function compare(argument: string, options: CompareOptions): Promise<void> {
  const scenario = await readScenario(argument)
  const names = await schemeNames(options.schemes)
  const plan = await planRuns(scenario, names, options)

  const path = reportPath(scenario.label, options)
  if (path !== undefined) checkWritable([path])
  const again = options.noise === true ? await perturbedSpecs(plan.specs) : []
  const ran = await runShown(scenario.label, [...plan.specs, ...again])
  const { isStopped } = ran
  const outcomes = ran.outcomes.slice(0, plan.specs.length)
  const results = outcomes.flatMap((outcome) => (outcome.kind === 'result' ? outcome.result : []))
  const skipped = [...plan.unfit, ...unfinished(plan.specs, outcomes)]
  const seed = plan.specs[0]!.seed
  const noise = again.length === 0 ? {} : { noise: await noises(ran.outcomes) }
  const comparison: Comparison = { scenario: scenario.label, seed, results, skipped, ...noise }

  // The report first: a reader who has seen enough of the table may close the pipe.
  const isWritten = path !== undefined && results.length > 0
  if (isWritten) await writeReport(path, comparison, argument, options)
  await print(comparison, options.json === true)
  if (isWritten) {
    const stream = options.json === true ? process.stderr : process.stdout
    stream.write(`\nreport: ${path}\n`)
  }
  if (isStopped) {
    throw new Interrupted(`interrupted; ${results.length} of ${names.length} schemes were kept.`)
  }
  const failure = ran.outcomes.find((outcome) => outcome.kind === 'failed')
  if (failure?.kind === 'failed') throw failure.error
}

async function perturbedSpecs(specs: readonly ValidSpec[]): Promise<ValidSpec[]> {
  const { perturbed } = await import('@weir/sim')
  return specs.map(perturbed)
}

/** The later half of the outcomes are the perturbed runs of the first; one for each result. */
async function noises(outcomes: readonly Outcome[]): Promise<(Noise | undefined)[]> {
  const { noiseOf } = await import('@weir/sim')
  const half = outcomes.length / 2
  return outcomes.slice(0, half).flatMap((outcome, index) => {
    const again = outcomes[half + index]!
    if (outcome.kind !== 'result') return []
    return [again.kind === 'result' ? noiseOf(outcome.result, again.result) : undefined]
  })
}

async function schemeNames(text: string): Promise<readonly string[]> {
  const { schemes } = await import('@weir/schemes')
  const known = schemes.map((scheme) => scheme.name)
  if (text === 'all') return known
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter(Boolean)
  if (names.length === 0) {
    throw new UserError("--schemes names none; write names with commas between, or 'all'.")
  }
  for (const name of names) {
    if (known.includes(name)) continue
    throw new UserError(unknownName('scheme', name, known, "'weir list schemes' shows all."))
  }
  return names
}

/** A scheme that does not fit is only skipped; if none does, the scenario itself is in error. */
async function planRuns(
  scenario: ScenarioText,
  names: readonly string[],
  settings: Settings,
): Promise<Plan> {
  const specs: ValidSpec[] = []
  const unfit: Skipped[] = []
  for (const scheme of names) {
    try {
      specs.push(await validSpec(scenario, { ...settings, scheme }))
    } catch (error) {
      if (!isForUsers(error)) throw error
      unfit.push({ scheme, why: 'unfit', reason: error.message })
    }
  }
  if (specs.length === 0) {
    const reasons = new Set(unfit.map(({ reason }) => reason))
    const [first = 'there is none'] = reasons
    throw new UserError(reasons.size === 1 ? first : `no scheme fits this scenario: ${first}`)
  }
  return { specs, unfit }
}

async function runShown(
  label: string,
  specs: readonly ValidSpec[],
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
      const outcomes = await runAll(specs, { stop, onProgress })
      return { outcomes, isStopped: stop.aborted }
    })
  } finally {
    progress.clear()
  }
}

function unfinished(specs: readonly ValidSpec[], outcomes: readonly Outcome[]): Skipped[] {
  return outcomes.flatMap((outcome, index): Skipped[] => {
    const scheme = specs[index]!.scheme.name
    switch (outcome.kind) {
      case 'result':
        return []
      case 'failed':
        return [{ scheme, why: 'failed', reason: outcome.error.message }]
      case 'stopped':
        return [{ scheme, why: 'interrupted', reason: 'it had not finished.' }]
    }
  })
}

async function print(comparison: Comparison, asJson: boolean): Promise<void> {
  const { comparisonJson, comparisonText, NOISE, verdict } = await import('../comparison.ts')
  if (asJson) {
    process.stdout.write(comparisonJson(comparison))
    return
  }
  const { terminalPaint, terminalWidth } = await import('../terminal.ts')
  const { scenario, seed, results } = comparison
  const title = results[0]?.spec.title ?? ''
  process.stdout.write(`${scenario}${title === '' ? '' : `: ${title}`} (seed ${seed})\n\n`)
  process.stdout.write(comparisonText(comparison, terminalPaint(), terminalWidth()))
  const sentence = verdict(results)
  if (sentence !== '') process.stdout.write(`\n${sentence}\n`)
  if (comparison.noise !== undefined) process.stdout.write(`\nnoise: ${NOISE}\n`)
}

/** Where the report goes; undefined: nowhere. */
function reportPath(scenario: string, options: CompareOptions): string | undefined {
  const isWanted = options.report && (options.json !== true || options.out !== undefined)
  return isWanted ? resolve(options.out ?? `weir-report-${scenario}.html`) : undefined
}

async function writeReport(
  path: string,
  comparison: Comparison,
  argument: string,
  options: CompareOptions,
): Promise<void> {
  const { reportHtml } = await import('../report/report.ts')
  const { printSpec } = await import('@weir/sim')
  const schemes = options.schemes === 'all' ? [] : ['--schemes', options.schemes]
  const noise = options.noise === true ? ['--noise'] : []
  const words = ['./weir', 'compare', argument, ...schemes, ...noise, ...settingOptions(options)]
  const text = printSpec(comparison.results[0]!.spec)
  writeWhole(path, reportHtml(comparison, shellLine(words), text))
}
