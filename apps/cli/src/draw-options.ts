/** `--seeds` and `--repeat`: a comparison, or a run, drawn several times. */
import { InvalidArgumentError, type Command } from 'commander'
import type { DrawKind } from '@weir/sim'
import { UserError } from './errors.ts'

/** More than a machine should be asked for by a slip. */
const DRAWS_MAX = 1000

export interface DrawOptions {
  readonly seeds?: number
  readonly repeat?: number
}

export interface Draws {
  readonly kind: DrawKind
  readonly count: number
}

export function addDrawOptions(command: Command): Command {
  return command
    .option(
      '--seeds <n>',
      'run n seeds, each with its own flows; report means with 95% intervals',
      drawCount,
    )
    .option(
      '--repeat <n>',
      'run the same flows n times with other random draws; report likewise',
      drawCount,
    )
}

function drawCount(value: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number >= 2 && number <= DRAWS_MAX) return number
  throw new InvalidArgumentError(`write a whole number from 2 to ${DRAWS_MAX}, such as 5.`)
}

export function drawsAsked({ seeds, repeat }: DrawOptions): Draws {
  if (seeds !== undefined && repeat !== undefined) {
    throw new UserError('--seeds and --repeat draw different things; give one of them.')
  }
  if (repeat !== undefined) return { kind: 'repeats', count: repeat }
  return { kind: 'seeds', count: seeds ?? 1 }
}

/** The options that repeat these on another command line. */
export function drawWords({ seeds, repeat }: DrawOptions): string[] {
  if (seeds !== undefined) return ['--seeds', String(seeds)]
  return repeat === undefined ? [] : ['--repeat', String(repeat)]
}

/** For headings: which draws there were, and how their values are shown. */
export function drawsText(seed: number, { kind, count }: Draws): string {
  if (count === 1) return `seed ${seed}`
  const shown = 'mean ± half of the 95% interval'
  return kind === 'seeds'
    ? `seeds ${seed} to ${seed + count - 1}: ${shown}`
    : `seed ${seed}, ${count} repeats with other chance: ${shown}`
}
