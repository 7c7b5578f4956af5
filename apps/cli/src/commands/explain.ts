/** `weir explain`: a scheme's page, with the table of its parameters from the program itself. */
import process from 'node:process'
import { Command } from 'commander'
import type { SchemeCard } from '@weir/schemes'
import { UserError } from '../errors.ts'
import { unknownName } from '../near-miss.ts'
import { isModulePath } from '../own/module-path.ts'

const EXAMPLES = `
Examples:
  weir explain dcqcn
  weir explain dcqcn --json       parameters and presets, for another program
`

export function explainCommand(): Command {
  return new Command('explain')
    .description("a scheme's idea, equations and parameters, and where its defaults come from")
    .argument('<scheme>', "a name of 'weir list schemes', or a file with a scheme of your own")
    .option('--json', 'print the parameters and presets as JSON')
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
    const known = schemes.map((scheme) => scheme.name)
    throw new UserError(unknownName('scheme', name, known, "'weir list schemes' shows all."))
  }
  if (options.json === true) {
    const { title, cite, needs, params, presets } = card
    const text = JSON.stringify({ name: card.name, title, cite, needs, params, presets }, null, 2)
    process.stdout.write(text + '\n')
    return
  }
  const { explanation } = await import('../explanation.ts')
  const { isTerminal } = await import('../terminal.ts')
  process.stdout.write(explanation(card, schemePage(name), isTerminal()))
}

/** JSON of the pages by name, put in by the build and by vitest: see scripts/scheme-pages.mjs. */
declare const WEIR_SCHEME_PAGES: string

function schemePage(name: string): string {
  const pages = JSON.parse(WEIR_SCHEME_PAGES) as Readonly<Record<string, string>>
  return pages[name] ?? ''
}
