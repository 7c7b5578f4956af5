/** `weir list`: what there is. */
import process from 'node:process'
import { Command } from 'commander'
import type { GenerateSpec } from '@weir/sim'
import { UserError } from '../errors.ts'
import { unknownName } from '../near-miss.ts'
import { wrap } from '../table.ts'
import { terminalWidth } from '../terminal.ts'

/** One thing of a shelf: its name, and a line about it. */
export interface Entry {
  readonly name: string
  readonly about: string
}

const shelves: Readonly<Record<string, () => Promise<readonly Entry[]>>> = {
  scenarios: listScenarios,
  figures: async () => {
    const { figures } = await import('../../../../experiments/index.ts')
    return figures.map(({ id, title, cite }) => ({ name: id, about: `${title}. ${cite}.` }))
  },
  schemes: listSchemes,
  topologies: async () => {
    const { topologies } = await import('@weir/fabric')
    return Object.values(topologies).map(({ name, summary }) => ({ name, about: summary }))
  },
  routings: async () => {
    const { routings } = await import('@weir/routing')
    return Object.values(routings).map(({ name, summary }) => ({ name, about: summary }))
  },
  workloads: listWorkloads,
}

export function kinds(): string[] {
  return Object.keys(shelves)
}

const EXAMPLES = `
Examples:
  weir list                  everything
  weir list schemes          the congestion controls
  weir list figures          published figures that 'weir reproduce' measures
  weir list scenarios --json
`

export function listCommand(): Command {
  const names = kinds()
  return new Command('list')
    .description('list scenarios, figures, schemes, topologies, routings and workloads')
    .argument('[kind]', `one of ${names.join(', ')}`)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(list)
}

async function list(kind: string | undefined, options: { readonly json?: boolean }): Promise<void> {
  const all = kinds()
  if (kind !== undefined && !all.includes(kind)) {
    throw new UserError(unknownName('list of', kind, all, `write one of ${all.join(', ')}.`))
  }
  const wanted = kind === undefined ? all : [kind]
  const found: Record<string, readonly Entry[]> = {}
  for (const name of wanted) found[name] = await shelves[name]!()
  if (options.json === true) {
    process.stdout.write(JSON.stringify(found, null, 2) + '\n')
    return
  }
  const parts = wanted.map((name) => shelfText(name, found[name]!, terminalWidth()))
  process.stdout.write(parts.join('\n'))
}

function shelfText(title: string, entries: readonly Entry[], widthMax: number): string {
  const width = Math.max(0, ...entries.map(({ name }) => name.length))
  const room = Math.max(20, Math.min(widthMax, 100) - width - 4)
  const lines = entries.flatMap(({ name, about }) =>
    wrap(about, room).map((text, index) =>
      `  ${(index === 0 ? name : '').padEnd(width)}  ${text}`.trimEnd(),
    ),
  )
  return [title, ...lines].join('\n') + '\n'
}

async function listScenarios(): Promise<readonly Entry[]> {
  const { loadSpec, scenarios } = await import('@weir/sim')
  return scenarios.map(({ name, text }) => {
    const spec = loadSpec({ text, sourceName: name, files: () => undefined, settings: [] })
    return { name, about: spec.title }
  })
}

async function listSchemes(): Promise<readonly Entry[]> {
  const { schemes } = await import('@weir/schemes')
  return schemes.map(({ name, title, cite, needs }) => {
    const needed = needs.length === 0 ? '' : ` Needs ${needs.join(', ')}.`
    return { name, about: `${title.replace(/\.$/, '')}. ${cite.replace(/\.$/, '')}.${needed}` }
  })
}

/** Keyed by the spec's own kinds, so that a new kind without a line here does not compile. */
const ARRIVALS: Readonly<Record<GenerateSpec['arrivals']['kind'], string>> = {
  poisson: "independent arrivals that ask for a fraction of the hosts' capacity",
  'poisson-rate': 'independent arrivals with a mean interval',
  periodic: 'the whole pattern at once, a number of times',
}

async function listWorkloads(): Promise<readonly Entry[]> {
  const { patterns, sizesKinds } = await import('@weir/workloads')
  const explicit = { name: 'flows', about: 'flows written one by one: from, to, size, start, stop' }
  const entry = (axis: string, kind: string, about: string): Entry => ({
    name: `${axis} ${kind}`,
    about,
  })
  const made = [
    ...patterns.map(({ codec, summary }) => entry('pattern', codec.kind, summary)),
    ...sizesKinds.map(({ codec, summary }) => entry('sizes', codec.kind, summary)),
    ...Object.entries(ARRIVALS).map(([kind, about]) => entry('arrivals', kind, about)),
  ]
  return [explicit, ...made]
}
