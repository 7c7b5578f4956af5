/** `weir theory`: a scheme as a fluid: its fixed point, its stability, its course in time. */
import { join } from 'node:path'
import process from 'node:process'
import { Command, InvalidArgumentError } from 'commander'
import type { MapCell } from '@weir/theory'
import { UserError } from '../errors.ts'
import { collect } from '../options.ts'
import { shellLine } from '../scenario.ts'
import type { Question, TheoryOptions } from '../theory.ts'
import { checkWritable, writeTogether } from '../write-file.ts'

interface CommandOptions extends TheoryOptions {
  readonly map?: boolean
  readonly json?: boolean
  readonly out?: string
}

const SAMPLES = 1000
const MAP_FLOWS = [2, 4, 8, 16, 32, 64]
const MAP_DELAYS_US = [4, 8, 16, 32, 64, 128]
const FILES = ['theory.html', 'bode-gain.svg', 'bode-phase.svg', 'queue.svg', 'rates.svg']

const EXAMPLES = `
Examples:
  weir theory dcqcn --flows 40 --rate 40Gbps --delay 20us
                                        fixed point, margins, roots, Bode plot, trajectory
  weir theory dcqcn --map               stable or not, for 2 to 64 flows and 4 to 128 us
  weir theory dcqcn --set kmax=1600KB --set pmax=0.08 --flows 40
  weir theory timely --from 7Gbps,3Gbps --rate 10Gbps
                                        two groups that start at different rates
  weir theory pacc --set form=printed   the analysis as its paper prints it
  weir theory hpcc --out theory/        a page with a Bode plot and the trajectory, and SVGs

Models: none, dctcp, dcqcn, timely, patched-timely, hpcc, pacc, rocc. What they leave out, and the
equations, are in docs/theory.md.
`

export function theoryCommand(): Command {
  return new Command('theory')
    .description('analyse a scheme as a fluid model: fixed point, margins, roots, trajectory')
    .argument('<scheme>', 'a scheme with a fluid model; see below')
    .option('--flows <n>', 'flows that share the bottleneck', flowsOf, 10)
    .option('--rate <rate>', 'rate of the bottleneck', '25Gbps')
    .option('--delay <time>', 'round trip without queueing', '12us')
    .option('--line-rate <rate>', "rate of the senders' links, if not the bottleneck's")
    .option('--near-delay <time>', 'round trip between switch and sender (pacc, rocc)')
    .option('--packet <size>', 'bytes of a packet on the wire', '1048B')
    .option('--preset <name>', "a preset of the scheme's parameters (see weir explain)")
    .option('--set <name=value>', 'change one parameter; may be repeated', collect, [])
    .option('--from <rates>', 'initial rates, one per group of flows: 7Gbps,3Gbps')
    .option('--time <time>', 'length of the trajectory', '20ms')
    .option('--map', 'map stability over flows and delays, instead of one operating point')
    .option('--json', 'print everything as JSON')
    .option('--out <dir>', 'write a page with the Bode plot and the trajectory, and SVGs')
    .addHelpText('after', EXAMPLES)
    .action(theory)
}

function flowsOf(text: string): number {
  const flows = Number(text)
  if (Number.isSafeInteger(flows) && flows > 0) return flows
  throw new InvalidArgumentError('write a whole number of 1 or more.')
}

async function theory(name: string, options: CommandOptions): Promise<void> {
  const { questionOf } = await import('../theory.ts')
  const question = questionOf(name, options)
  if (options.map === true) return showMap(question, options)
  const { out } = options
  if (out !== undefined) checkWritable(FILES.map((file) => join(out, file)))
  const { analyse, SolverError, trajectory } = await import('@weir/theory')
  const { model, network, values, groups, seconds } = question
  const analysis = analyse(model, network, values)
  const course = ((): ReturnType<typeof trajectory> => {
    try {
      const system = model.create(network, values, groups)
      return trajectory(system, seconds, seconds / SAMPLES, { stepsMax: 2_000_000 })
    } catch (error) {
      if (error instanceof SolverError) {
        throw new UserError(`--time: the trajectory runs away; ${error.message}`)
      }
      throw error
    }
  })()
  if (out !== undefined) {
    const { theoryPage } = await import('../theory-page.ts')
    const { page, svgs } = theoryPage(question, analysis, course, commandOf(name, options))
    writeTogether(out, [
      [join(out, 'theory.html'), page],
      ...[...svgs].map(([file, svg]) => [join(out, file), svg + '\n'] as const),
    ])
  }
  if (options.json === true) {
    const { point, stability } = analysis
    const fixedPoint = { why: point.why, quantities: point.quantities }
    const { times, queueBytes, rateBps } = course
    const trajectoryJson = {
      timeSeconds: Array.from(times),
      queueBytes: Array.from(queueBytes),
      rateBps: rateBps.map((rates) => Array.from(rates)),
    }
    print({ ...asked(question), fixedPoint, stability, trajectory: trajectoryJson })
    return
  }
  const { theoryText } = await import('../theory-text.ts')
  const { terminalWidth, verdictPaint } = await import('../terminal.ts')
  process.stdout.write(theoryText(question, analysis, course, verdictPaint(), terminalWidth()))
  if (out !== undefined) process.stdout.write(`\nwritten to ${out}/\n`)
}

async function showMap(question: Question, options: CommandOptions): Promise<void> {
  if (options.out !== undefined) {
    throw new UserError('--map prints a table and writes nothing; leave --out out.')
  }
  const { stabilityMap } = await import('@weir/theory')
  const { model, network, values } = question
  const delaysPs = MAP_DELAYS_US.map((us) => us * 1e6)
  const cells = stabilityMap(model, network, values, MAP_FLOWS, delaysPs)
  if (options.json === true) {
    print({ ...asked(question), map: cells satisfies readonly MapCell[] })
    return
  }
  const { mapText } = await import('../theory-text.ts')
  const { terminalWidth, verdictPaint } = await import('../terminal.ts')
  process.stdout.write(mapText(question, cells, verdictPaint(), terminalWidth()))
}

function asked({ model, network, values }: Question): object {
  return { scheme: model.name, cite: model.cite, network, parameters: values }
}

function print(value: object): void {
  process.stdout.write(JSON.stringify(value, null, 2) + '\n')
}

function commandOf(name: string, options: CommandOptions): string {
  const words = ['./weir', 'theory', name, '--flows', String(options.flows)]
  words.push('--rate', options.rate, '--delay', options.delay, '--packet', options.packet)
  if (options.lineRate !== undefined) words.push('--line-rate', options.lineRate)
  if (options.nearDelay !== undefined) words.push('--near-delay', options.nearDelay)
  if (options.preset !== undefined) words.push('--preset', options.preset)
  for (const setting of options.set) words.push('--set', setting)
  if (options.from !== undefined) words.push('--from', options.from)
  return shellLine([...words, '--time', options.time])
}
