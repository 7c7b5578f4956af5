/**
 * What the documents show works: each sample of the library runs, each command line is one that the
 * program takes (its options, its scenarios, schemes and figures exist), and the numbers of 'How a
 * number is made' are those of its scenario. Specs in docs/spec.md have their own test.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { candidates } from '../apps/cli/src/completion.ts'
import { program } from '../apps/cli/src/program.ts'
import { loadSpec, simulate } from '@weir/sim'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: root })
  .toString()
  .split('\0')
  .filter((path) => path !== '' && path !== 'CHANGELOG.md')
const folder = join(root, 'dist', `docs-${process.pid}`)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function blocks(path: string, language: RegExp): string[] {
  return [...read(path).matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```/gm)]
    .filter(([, word]) => language.test(word!))
    .map(([, , text]) => text!)
}

/** Command lines in blocks of a shell, and those in back-ticks that are whole: with an argument. */
function commandLines(path: string): string[] {
  const shell = blocks(path, /^(sh|bash)$/).flatMap((text) => text.split('\n'))
  const inline = [...read(path).matchAll(/`((?:\.\/)?weir [a-z]+ [^-`\n][^`\n]*)`/g)].map(
    ([, line]) => line!,
  )
  return [...shell, ...inline]
    .map((line) => line.trim().replace(/\s+#.*$/, ''))
    .filter((line) => /^(\.\/|npx )?weir /.test(line) && !/[<[…|]|\.\.\.| \\$/.test(line))
    .map((line) => line.replace(/^(\.\/|npx )?weir /, '').replace(/ >.*$/, ''))
}

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
