/** Options that several commands share, said once. */
import { InvalidArgumentError, Option, type Command } from 'commander'

export function addSettingOptions(command: Command): Command {
  return command
    .option('--preset <name>', "a preset of the scheme's parameters (see weir explain)")
    .option('--set <path=value>', 'change one value of the scenario; may be repeated', collect, [])
    .option('--seed <n>', 'seed of every random stream', wholeNumber)
    .option('--routing <file>', 'a routing of your own: the module that exports it')
    .option('--topology <file>', 'replace the topology by the export `topology` of your module')
    .option('--workload <file>', 'replace the workload by the export `workload` of your module')
}

export function gather(value: string, before: readonly string[]): string[] {
  return [...before, value]
}

export function collect(value: string, before: readonly string[]): string[] {
  if (!/^[^=]+=/.test(value)) {
    throw new InvalidArgumentError('write path=value, such as scheme.params.g=0.004.')
  }
  return [...before, value]
}

function wholeNumber(value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new InvalidArgumentError('write a whole number of 0 or more.')
  }
  return number
}

const THREADS_MAX = 64

export function wholeThreads(value: string): number {
  const threads = /^\d+$/u.test(value) ? Number(value) : 0
  if (threads >= 1 && threads <= THREADS_MAX) return threads
  throw new InvalidArgumentError(`write a whole number from 1 to ${THREADS_MAX}.`)
}

/** Of a command that has many runs. */
export function threadsEachOption(): Option {
  return new Option('--threads <n>', 'threads that share each run; results do not depend on it')
    .argParser(wholeThreads)
    .default(undefined, 'spare cores, where that is faster')
}
