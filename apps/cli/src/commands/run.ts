/** `weir run`: one scenario under one scheme, in detail. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { join } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
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
import { Interrupted } from '../errors.ts'
import { whileInterruptible } from '../interrupt.ts'
import { addSettingOptions } from '../options.ts'
import { Progress } from '../progress.ts'
import { readScenario, settingOptions, shellLine, validSpec, type Settings } from '../scenario.ts'
import { checkWritable, writeTogether } from '../write-file.ts'

interface RunOptions extends Settings, DrawOptions {
  readonly json?: boolean
  readonly out?: string
  readonly dry?: boolean
}

const EXAMPLES = `
Examples:
  weir run incast                                      the built-in scenario, as it is
  weir run incast --scheme dctcp --seed 7              another scheme, another seed
  weir run my-fabric.yaml --set fabric.buffer.bytes=9MB
  weir run incast --out results/incast                 result.json, CSVs, spec.yaml, report.html
  weir run leaf-spine-mix --seeds 5                    means and 95% intervals over five seeds
  weir run incast --dry                                only the scenario, with every default
`

/** What `--out` holds. */
const FILES = [
  ...(['result.json', 'flows.csv', 'series.csv'] as const),
  ...(['runs.csv', 'parts.csv', 'ports.csv', 'spec.yaml', 'report.html'] as const),
] as const

const EVENTS_AT_A_TIME = 20_000

export function runCommand(): Command {
  const command = new Command('run')
    .description('run one scenario under one scheme')
    .argument('<scenario>', "a file (YAML or JSON), or a name of 'weir list scenarios'")
    .option('--scheme <name>', "the scheme, instead of the scenario's own")
  return addDrawOptions(addSettingOptions(command))
    .option('--json', 'print the whole result as JSON')
    .option('--out <dir>', 'write the result as JSON, CSVs (flows, ports, ...), spec and report')
    .option('--dry', 'check the scenario and print it with every default, without running it')
    .addHelpText('after', EXAMPLES)
    .action(run)
}

async function run(argument: string, options: RunOptions): Promise<void> {
  const draws = drawsAsked(options)
  const scenario = await readScenario(argument)
  const spec = await validSpec(scenario, options)
  if (options.dry === true) return printDry(spec, options.json === true)

  if (options.out !== undefined) {
    checkWritable(FILES.map((name) => join(options.out as string, name)))
  }
  const { drawsOf } = await import('@weir/sim')
  const results = await whileInterruptible(async (stop) => {
    const done: Result[] = []
    for (const one of drawsOf(spec, draws.kind, draws.count)) {
      done.push(await simulateShown(one, stop, draws.count))
    }
    return done
  })
  const entry = { label: spec.scheme.name, results }
  if (options.out !== undefined) {
    const more = [...drawWords(options), ...settingOptions(options)]
    await writeResult(options.out, entry, draws, shellLine(['./weir', 'run', argument, ...more]))
  }
  if (options.json === true) {
    process.stdout.write(JSON.stringify(draws.count === 1 ? results[0] : results) + '\n')
    return
  }
  const { severalText, summaryText } = await import('../summary-text.ts')
  const { portsText } = await import('../ports-text.ts')
  const { terminalWidth } = await import('../terminal.ts')
  const heading = drawsText(spec.seed, draws)
  process.stdout.write(
    draws.count === 1
      ? summaryText(results[0]!, portsText(results[0]!, terminalWidth()))
      : severalText(entry, heading),
  )
  if (options.out !== undefined) process.stdout.write(`\nwritten to ${options.out}/\n`)
}

async function printDry(spec: ValidSpec, asJson: boolean): Promise<void> {
  const { printSpec, resolvedEcn } = await import('@weir/sim')
  const { schemes } = await import('@weir/schemes')
  const text = (): string => printSpec(spec, schemes, resolvedEcn(spec))
  process.stdout.write(asJson ? JSON.stringify(spec, null, 2) + '\n' : text())
}

/** Runs in this thread, in slices, so that Ctrl-C and the progress line have their turn. */
async function simulateShown(spec: ValidSpec, stop: AbortSignal, draws: number): Promise<Result> {
  const { createRun } = await import('@weir/sim')
  const which = draws === 1 ? '' : `, seed ${spec.seed}.${spec.chanceSeed}`
  const progress = new Progress(`${spec.name} under ${spec.scheme.name}${which}`)
  try {
    const run = createRun(spec)
    while (run.advance(EVENTS_AT_A_TIME)) {
      progress.show(run.progress)
      await nextTurn()
      if (!stop.aborted) continue
      const done = Math.floor(run.progress * 100)
      throw new Interrupted(`interrupted at ${done} % of the run; nothing was written.`)
    }
    return run.result()
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
): Promise<void> {
  const { flowsCsv, partsCsv, portsCsv, runsCsv, seriesCsv } = await import('../csv.ts')
  const { printSpec } = await import('@weir/sim')
  const { reportHtml } = await import('../report/report.ts')
  const result = entry.results[0]!
  const { seed, spec } = result
  const comparison = { scenario: spec.name, seed, draws, entries: [entry], skipped: [] }
  const contents: Record<(typeof FILES)[number], string> = {
    'result.json': JSON.stringify(result) + '\n',
    'flows.csv': flowsCsv(result.flows),
    'series.csv': seriesCsv(result.series),
    'runs.csv': runsCsv([entry]),
    'parts.csv': partsCsv([entry]),
    'ports.csv': portsCsv([entry]),
    'spec.yaml': printSpec(spec),
    'report.html': reportHtml(comparison, command, printSpec(spec)),
  }
  writeTogether(
    folder,
    FILES.map((name) => [join(folder, name), contents[name]]),
  )
}
