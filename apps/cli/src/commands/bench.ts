/**
 * `weir bench`: how fast it is. Each case runs in a process of its own, so that the peak of memory
 * is its own and no case warms up another's code.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { BenchCase, Span } from '../bench/cases.ts'
import type { Baseline } from '../bench/baseline.ts'
import type { Measured } from '../bench/measure.ts'
import { UserError } from '../errors.ts'
import { unknownName } from '../near-miss.ts'
import { wholeThreads } from '../options.ts'
import { Progress } from '../progress.ts'

interface BenchOptions {
  readonly json?: boolean
  readonly quick?: boolean
  readonly long?: boolean
  readonly case?: string
  readonly compare?: boolean
  readonly curve?: boolean
  readonly save?: boolean
  readonly rounds?: number
  readonly child?: string
  readonly threads?: number
}

const EXAMPLES = `
Examples:
  weir bench                          every case three times; the fastest of each counts
  weir bench --quick --compare        a tenth of the span, beside the committed baseline
  weir bench --case websearch-320 --json
  weir bench --long --threads 2       runs of ten seconds, by two threads: warming up hardly counts
  weir bench --curve --threads 2      16 to 9,826 hosts: what a hop costs, by one thread and by two
  weir bench --save                   make this machine's speed the baseline (bench/baseline.json)
`

export function benchCommand(): Command {
  return new Command('bench')
    .description('measure speed: packet-hops/s, events per hop and peak memory, per case')
    .option('--json', 'print JSON')
    .option('--quick', 'simulate a tenth of the usual span')
    .addOption(
      new Option(
        '--long',
        'simulate eight times the span, so that warm-up hardly counts',
      ).conflicts('quick'),
    )
    .option('--case <name>', 'run this case only')
    .option('--curve', 'fat trees of 16 to 9,826 hosts instead: cost per hop against size')
    .option('--compare', 'show the ratio to bench/baseline.json')
    .option('--save', 'write bench/baseline.json')
    .addOption(
      new Option('--rounds <n>', 'times each case runs, of which the fastest counts')
        .argParser(wholeRounds)
        .default(undefined, '3, or 1 with --quick'),
    )
    .addOption(
      new Option('--threads <n>', 'threads that share each run')
        .argParser(wholeThreads)
        .default(undefined, '1'),
    )
    .addOption(new Option('--child <case>').hideHelp())
    .addHelpText('after', EXAMPLES)
    .action(bench)
}

async function bench(options: BenchOptions): Promise<void> {
  const { benchCases, curveCases } = await import('../bench/cases.ts')
  const span = options.quick === true ? 'quick' : options.long === true ? 'long' : 'usual'
  if (options.child !== undefined) {
    const which = caseNamed([...benchCases, ...curveCases], options.child)
    const measured = await measureHere(which, span, options.threads ?? 1)
    process.stdout.write(JSON.stringify(measured))
    return
  }
  const wanted = options.case === undefined ? benchCases : [caseNamed(benchCases, options.case)]
  const rounds = options.rounds ?? (span === 'quick' ? 1 : 3)
  if (options.curve === true) return printCurve(curveCases, rounds, span, options)
  const names = wanted.map(({ name }) => name)
  await print(await measureAll(names, rounds, span, options.threads ?? 1), options)
}

/** Cases take turns, so that a bad minute of the machine falls on all of them alike. */
async function measureAll(
  names: readonly string[],
  rounds: number,
  span: Span,
  threads: number,
): Promise<Measured[]> {
  const { fastest } = await import('../bench/measure.ts')
  const runs = new Map<string, Measured[]>(names.map((name) => [name, []]))
  const progress = new Progress('bench')
  const turns = Array.from({ length: rounds }, () => names).flat()
  for (const [index, name] of turns.entries()) {
    const ticker = setInterval(() => progress.show(index / turns.length, name), 200)
    try {
      runs.get(name)!.push(await measureApart(name, span, threads))
    } finally {
      clearInterval(ticker)
      progress.clear()
    }
  }
  return [...runs.values()].map(fastest)
}

/** Nanoseconds a packet-hop, by one thread and by as many as were asked for. */
async function printCurve(
  cases: readonly BenchCase[],
  rounds: number,
  span: Span,
  { json, threads = 2 }: BenchOptions,
): Promise<void> {
  const names = cases.map(({ name }) => name)
  const alone = await measureAll(names, rounds, span, 1)
  const shared = await measureAll(names, rounds, span, threads)
  const rows = alone.map(({ name, packetHopsPerSecond }, i) => ({
    hosts: Number(name.slice('hosts-'.length)),
    nanoseconds: 1e9 / packetHopsPerSecond,
    nanosecondsShared: 1e9 / shared[i]!.packetHopsPerSecond,
    speedup: shared[i]!.packetHopsPerSecond / packetHopsPerSecond,
  }))
  if (json === true) {
    process.stdout.write(JSON.stringify({ threads, rows }, null, 2) + '\n')
    return
  }
  const { count } = await import('../format.ts')
  const { renderTable } = await import('../table.ts')
  const titles = ['hosts', 'ns a hop', `ns a hop, ${threads} threads`, 'times as fast']
  const columns = titles.map((title) => ({ title, align: 'right' as const }))
  const texts = rows.map(({ hosts, nanoseconds, nanosecondsShared, speedup }) =>
    [count(hosts), nanoseconds.toFixed(0), nanosecondsShared.toFixed(0), speedup.toFixed(2)].map(
      (text) => ({ text }),
    ),
  )
  process.stdout.write(renderTable(columns, texts))
}

function wholeRounds(text: string): number {
  const rounds = Number(text)
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= 100) return rounds
  throw new InvalidArgumentError('write a whole number from 1 to 100.')
}

function caseNamed(cases: readonly BenchCase[], name: string): BenchCase {
  const found = cases.find((candidate) => candidate.name === name)
  if (found !== undefined) return found
  const names = cases.map((candidate) => candidate.name)
  throw new UserError(unknownName('case', name, names, `write one of ${names.join(', ')}.`))
}

async function measureHere(which: BenchCase, span: Span, threads: number): Promise<Measured> {
  const { benchRun, benchSpan, benchSpec, WARM_UP_FRACTION } = await import('../bench/cases.ts')
  const { measure } = await import('../bench/measure.ts')
  const untilPs = benchSpan(which, span)
  const warmUpPs = untilPs * WARM_UP_FRACTION
  const spec = benchSpec(which, untilPs)
  if (threads === 1 || spec === undefined) {
    return measure(which.name, benchRun(spec), warmUpPs, untilPs)
  }
  const { shareRun } = await import('../shared-run.ts')
  const order = { name: which.name, warmUpPs, untilPs }
  return (await shareRun(spec, threads, { measure: order })) as Measured
}

function measureApart(name: string, span: Span, threads: number): Promise<Measured> {
  const program = process.argv[1]!
  const args = [program, 'bench', '--child', name, ...(span === 'usual' ? [] : [`--${span}`])]
  args.push('--threads', String(threads))
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      if (status === 0) resolve(JSON.parse(output) as Measured)
      else reject(new UserError(`the case '${name}' failed; its reason is above.`))
    })
  })
}

async function print(cases: readonly Measured[], options: BenchOptions): Promise<void> {
  const { readBaseline, saveBaseline, speedRatio } = await import('../bench/baseline.ts')
  const baseline = options.compare === true ? readBaseline() : undefined
  if (options.compare === true && baseline === undefined) {
    throw new UserError("there is no bench/baseline.json; 'weir bench --save' makes one.")
  }
  if (options.json === true) {
    const shown = cases.map((measured) =>
      baseline === undefined
        ? measured
        : { ...measured, baselineRatio: speedRatio(measured, baseline) },
    )
    process.stdout.write(JSON.stringify({ cases: shown }, null, 2) + '\n')
  } else {
    process.stdout.write(await benchText(cases, baseline))
  }
  if (options.save !== true) return
  process.stderr.write(`weir: wrote ${saveBaseline(cases, options.quick === true)}\n`)
}

async function benchText(cases: readonly Measured[], baseline?: Baseline): Promise<string> {
  const { shortSize } = await import('@weir/engine')
  const { count } = await import('../format.ts')
  const { renderTable } = await import('../table.ts')
  const { speedRatio } = await import('../bench/baseline.ts')
  const titles = ['case', 'packet-hops', 'events/hop', 'seconds', 'packet-hops/s']
  titles.push('slowest round', 'per CPU second', 'peak memory')
  if (baseline !== undefined) titles.push('of baseline')
  const rows = cases.map((measured) => {
    const { name, packetHops, eventsPerHop, seconds, peakRssBytes } = measured
    const texts = [name, count(packetHops), eventsPerHop.toFixed(2), seconds.toFixed(2)]
    texts.push(count(measured.packetHopsPerSecond), count(measured.slowestPacketHopsPerSecond))
    texts.push(count(measured.packetHopsPerCpuSecond))
    texts.push(shortSize(peakRssBytes))
    if (baseline !== undefined) texts.push(`${speedRatio(measured, baseline).toFixed(2)}x`)
    return texts.map((text) => ({ text }))
  })
  const columns = titles.map((title, index) => ({
    title,
    align: index === 0 ? ('left' as const) : ('right' as const),
  }))
  const foot =
    baseline === undefined ? '' : `\nbaseline: ${baseline.machine}, Node ${baseline.node}\n`
  return renderTable(columns, rows) + foot
}
