/**
 * What could stand at a place of a command line. The shells' scripts ask the program itself, so
 * that scenarios, schemes and figures are those that there are.
 */
import type { Command, Option } from 'commander'

/** The shell offers files, besides or instead. */
export const FILES = '<files>'

export const SHELLS: readonly string[] = ['bash', 'zsh', 'fish']

/** `words` are those after `weir`; the last is being written, and may be empty. */
export async function candidates(weir: Command, words: readonly string[]): Promise<string[]> {
  const [name = '', ...rest] = words
  const visible = weir.commands.filter((command) => !command.name().startsWith('_'))
  if (rest.length === 0) {
    const names = visible.map((command) => command.name())
    return matching([...names, 'help', '--help', '--version'], name)
  }
  const command = visible.find((one) => one.name() === name)
  const last = rest.at(-1) ?? ''
  if (name === 'help') return matching([...visible.map((one) => one.name())], last)
  if (command === undefined) return []
  const before = rest.at(-2) ?? ''
  const option = command.options.find(({ long }) => long === before)
  if (option?.required === true) return valuesOf(option.long ?? '', last)
  if (last.startsWith('-')) return matching(optionsOf(command), last)
  return matching(await argumentsOf(name, positionOf(command, rest)), last)
}

function matching(all: readonly string[], begun: string): string[] {
  return all.filter((one) => one === FILES || one.startsWith(begun))
}

function optionsOf(command: Command): string[] {
  const shown = command.options.filter((option: Option) => !option.hidden)
  return [...shown.flatMap(({ long }) => long ?? []), '--help']
}

/** How many arguments stand before the last word. */
function positionOf(command: Command, rest: readonly string[]): number {
  let position = 0
  for (let i = 0; i < rest.length - 1; i++) {
    const word = rest[i]!
    const option = command.options.find(({ long }) => long === word)
    if (option?.required === true) i++
    else if (!word.startsWith('-')) position++
  }
  return position
}

async function valuesOf(option: string, last: string): Promise<string[]> {
  switch (option) {
    case '--schemes': {
      // Names with commas between: the last of them is being written.
      const written = last.slice(0, last.lastIndexOf(',') + 1)
      const names = [...(await schemeNames()), ...(written === '' ? ['all'] : [])]
      return matching([FILES, ...names.map((one) => written + one)], last)
    }
    case '--scheme':
      return matching([...(await schemeNames()), FILES], last)
    case '--out':
    case '--routing':
    case '--topology':
    case '--workload':
      return [FILES]
    case '--case': {
      const { benchCases } = await import('./bench/cases.ts')
      return matching(
        benchCases.map((one) => one.name),
        last,
      )
    }
    default:
      return []
  }
}

async function argumentsOf(command: string, position: number): Promise<string[]> {
  switch (command) {
    case 'run':
    case 'compare': {
      if (position > 0) return []
      const { scenarios } = await import('@weir/sim')
      return [...scenarios.map(({ name }) => name), FILES]
    }
    case 'explain':
      return position > 0 ? [] : [...(await schemeNames()), FILES]
    case 'theory': {
      const { fluidModels } = await import('@weir/theory')
      return position > 0 ? [] : fluidModels.map(({ name }) => name)
    }
    case 'reproduce': {
      const { figures } = await import('../../../experiments/index.ts')
      const ids = figures.map(({ id }) => id)
      const documents = new Set(ids.map((id) => `${id.split('/')[0]}/all`))
      return ['all', ...documents, ...ids]
    }
    case 'list':
      return position > 0 ? [] : (await import('./commands/list.ts')).kinds()
    case 'new':
      return position > 0 ? [] : ['scheme']
    case 'completion':
      return position > 0 ? [] : [...SHELLS]
    default:
      return []
  }
}

async function schemeNames(): Promise<string[]> {
  const { schemes } = await import('@weir/schemes')
  return schemes.map(({ name }) => name)
}
