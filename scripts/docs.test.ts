/**
 * What the documents show works: each sample of the library runs, each command line is one that the
 * program takes (its options, its scenarios, schemes and figures exist), and the numbers of 'How a
 * number is made' are those of its scenario. Specs in docs/spec.md have their own test, and command
 * lines are run by scripts/commands.test.ts.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { candidates } from '../apps/cli/src/completion.ts'
import { program } from '../apps/cli/src/program.ts'
import type { Topology } from '@weir/fabric'
import { simulate as simulateOwn } from '@weir/library'
import type { Scheme } from '@weir/schemes'
import { loadSpec, simulate } from '@weir/sim'
import { blocks, commandLines, pages, read, root } from './command-lines.ts'

const folder = join(root, 'dist', `docs-${process.pid}`)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The program with nothing behind its commands: what it refuses is a mistake in the line. */
function parsed(words: readonly string[]): Promise<Command> {
  const weir = program()
  for (const command of weir.commands) {
    command.action(() => {})
    for (const one of [weir, command])
      one.configureOutput({ writeErr: () => {}, writeOut: () => {} })
  }
  return weir.parseAsync(['node', 'weir', ...words])
}

describe('commands in documents', () => {
  const lines = pages.flatMap((path) => commandLines(path).map((line) => ({ path, line })))

  it('are many', () => {
    expect(lines.length).toBeGreaterThan(30)
  })

  it('are ones that the program takes, with names that there are', async () => {
    const wrong: string[] = []
    for (const { path, line } of lines) {
      const words = line.split(' ').map((word) => word.replace(/^['"]|['"]$/g, ''))
      if (words[0] === '--help' || /^-/.test(words[0]!)) continue
      await parsed(words).catch((error: Error & { code?: string }) => {
        if (!/helpDisplayed|version/.test(String(error.code))) wrong.push(`${path}: ${line}`)
      })
      const [command = '', first = ''] = words
      const isNamed = /^(run|compare|explain|theory|reproduce)$/.test(command) && first !== ''
      if (!isNamed || /[./-]/.test(first.replace(/^[\w-]+\/[\w-]+$|^[\w-]+$/, ''))) continue
      const known = await candidates(program(), [command, ''])
      // The scheme that CONTRIBUTING.md adds, step by step.
      if (first === 'halving') continue
      if (!known.includes(first)) wrong.push(`${path}: ${line}: there is no ${first}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('samples of the library', () => {
  const samples = blocks('docs/library.md', /^ts$/).concat(blocks('docs/own-schemes.md', /^ts$/))

  it.each(samples.map((text, index) => [index + 1, text] as const))(
    'sample %i runs',
    async (n, text) => {
      mkdirSync(folder, { recursive: true })
      const file = join(folder, `sample-${n}.ts`)
      writeFileSync(file, text.replace(/'weir'/g, "'@weir/library'"))
      const made = (await import(file)) as { topology?: () => object }
      if (made.topology === undefined) return
      const tree = { topology: made.topology(), workload: [{ flows: [{ from: 'h0', to: 'h3' }] }] }
      expect(simulate(loadSpec({ text: JSON.stringify(tree) })).flows.name).toHaveLength(1)
    },
  )
})

describe('samples of CONTRIBUTING.md', () => {
  const [scheme, schemeTest, topology, topologyTest] = blocks('CONTRIBUTING.md', /^ts$/)

  /** Written elsewhere, with what is beside it there named in full. */
  async function made(name: string, text: string, beside: string): Promise<unknown> {
    mkdirSync(folder, { recursive: true })
    const file = join(folder, name)
    writeFileSync(file, text.replace(/'\.\//g, `'${join(root, beside)}/`))
    return import(file)
  }

  it('are a scheme that runs', async () => {
    const { halving } = (await made('halving.ts', scheme!, 'packages/schemes/src')) as {
      halving: Scheme
    }
    const { summary } = simulateOwn('incast', { scheme: halving, settings: ['run.until=600us'] })
    expect(summary.packetsMarked).toBeGreaterThan(0)
    expect(schemeTest).toContain('conforms(halving)')
  })

  it('are a topology that can be built', async () => {
    const { ring } = (await made('ring.ts', topology!, 'packages/fabric/src/topologies')) as {
      ring: Topology<{ hosts: number; rateBps: number; delayPs: number }>
    }
    const graph = ring.build({ hosts: 4, rateBps: 10e9, delayPs: 1e6 })
    expect(graph.links).toHaveLength(8)
    expect(topologyTest).toContain('conforms(params)')
  })
})

it('the numbers on "How a number is made" are those of its scenario', () => {
  const page = read('docs/how-a-number-is-made.md')
  const [text] = blocks('docs/how-a-number-is-made.md', /^yaml$/)
  const { flows, summary } = simulate(loadSpec({ text: text! }))
  const shown = (value: number): string => value.toLocaleString('en-US')
  flows.name.forEach((name, i) => {
    const times = [flows.startPs, flows.endPs, flows.fctPs, flows.idealFctPs].map((c) =>
      shown(c[i]!),
    )
    const cells = [...times, flows.slowdown[i]!.toFixed(3)].join(' *\\| *')
    expect(page).toMatch(new RegExp(`\\| \`${name}\` *\\| *${cells}`))
  })
  expect(page).toContain(`${(summary.goodputBps / 1e9).toFixed(2)} Gb/s`)
  expect(summary.slowdownP50.toFixed(3)).toBe('1.567')
  expect(summary.slowdownP99.toFixed(3)).toBe('1.630')
})
