/**
 * `weir explain`: a scheme's page, with the table of its parameters from the program itself; or
 * what may stand at a key of a scenario.
 */
import process from 'node:process'
import { Command } from 'commander'
import type { SchemeCard } from '@weir/schemes'
import type { KeyMiss } from '@weir/sim'
import { UserError } from '../errors.ts'
import { unknownName } from '../near-miss.ts'
import { isModulePath } from '../own/module-path.ts'

const EXAMPLES = `
Examples:
  weir explain dcqcn
  weir explain dcqcn --json       parameters and presets, for another program
  weir explain hosts.tcp          keys of a scenario, with their defaults
  weir explain topology.star
`

export function explainCommand(): Command {
  return new Command('explain')
    .description('explain a scheme (idea, equations, parameters) or a key of a scenario')
    .argument('<name>', 'a scheme, the file of a scheme of your own, or a key such as hosts.tcp')
    .option('--json', 'print parameters and presets as JSON')
    .addHelpText('after', EXAMPLES)
    .action(explain)
}

async function explain(name: string, options: { readonly json?: boolean }): Promise<void> {
  const { loadOwnSchemes } = await import('../own/own-schemes.ts')
  const own = await loadOwnSchemes(isModulePath(name) ? [name] : [])
  const { cards: schemes } = own
  const wanted = own.names.get(name)?.[0] ?? name
  const card: SchemeCard | undefined = schemes.find((scheme) => scheme.name === wanted)
  if (card === undefined) {
    const { keyHelp, keyMiss, keyPaths } = await import('@weir/sim')
    const help = keyHelp(name)
    if (help !== undefined) {
      process.stdout.write(help)
      return
    }
    const miss = keyMiss(name)
    if (miss !== undefined) throw new UserError(missText(miss))
    const [path] = keyPaths(name)
    if (path !== undefined) throw new UserError(`'${name}' is a key; write: weir explain ${path}`)
    const known = schemes.map((scheme) => scheme.name)
    throw new UserError(unknownName('scheme', name, known, SCHEMES_OR_KEYS))
  }
  if (options.json === true) {
    const { title, cite, needs, params, presets } = card
    const text = JSON.stringify({ name: card.name, title, cite, needs, params, presets }, null, 2)
    process.stdout.write(text + '\n')
    return
  }
  const { explanation } = await import('../explanation.ts')
  const { schemePage } = await import('../scheme-page.ts')
  const { isTerminal, terminalWidth } = await import('../terminal.ts')
  const width = terminalWidth()
  process.stdout.write(explanation(card, schemePage(name), isTerminal(), width))
}

const SCHEMES_OR_KEYS =
  "'weir list schemes' shows all, and keys of a scenario begin with its sections: hosts.tcp."

function missText({ known, word, words }: KeyMiss): string {
  if (words.length === 0) return `nothing stands below ${known}; write: weir explain ${known}`
  const remedy = `below ${known} there is ${words.join(', ')}.`
  return unknownName(`key of ${known}`, word, words, remedy)
}
