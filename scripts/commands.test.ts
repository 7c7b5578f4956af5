/**
 * Every command line in the documents and in the examples of `--help` is run, as a person would run
 * it: from a folder that has a scenario and a scheme of its own. Runs are cut short; what takes
 * minutes, serves for ever or measures this machine is only parsed (scripts/docs.test.ts), and
 * figures have tests of their own.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { program } from '../apps/cli/src/program.ts'
import { commandLines, pages, root } from './command-lines.ts'

const weir = join(root, 'weir')
const folder = mkdtempSync(join(tmpdir(), 'weir-commands-'))

const SCENARIO = `
topology: { kind: star, hosts: 5 }
workload:
  - flows: [{ from: h1, to: h0, size: 100KB }, { from: h2, to: h0, size: 100KB }]
run: { until: 1ms }
`

/** Not run here, each with its reason. */
const LEFT_OUT: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^reproduce /, 'figures have tests of their own'],
  [/^bench/, 'measures this machine; bench.test.ts'],
  [/^lab/, 'serves for ever'],
  [/\bhalving\b/, 'the scheme that CONTRIBUTING.md adds, step by step'],
]

function run(line: string): { status: number | null; err: string } {
  const words = line.split(' ').filter((word) => word !== '')
  const isRun = /^(run|compare)$/.test(words[0]!) && !words.includes('--dry')
  const args = isRun ? [...words, '--set', 'run.eventsMax=2000'] : words
  const { status, stderr } = spawnSync(weir, args, { cwd: folder, encoding: 'utf8' })
  return { status, err: stderr }
}

/** Lines of `--help` that begin with the program's name, up to what is said of them. */
function helpLines(): string[] {
  return program().commands.flatMap((command) => {
    const { stdout } = spawnSync(weir, [command.name(), '--help'], { encoding: 'utf8' })
    const examples = stdout.split('Examples:')[1] ?? ''
    return [...examples.matchAll(/^ {2}(?:source <\()?weir ([^\n]*?)(?:\)? {2,}.*|\))?$/gm)].map(
      ([, line]) => line!.replace(/ >.*$/, ''),
    )
  })
}

beforeAll(() => {
  writeFileSync(join(folder, 'my-fabric.yaml'), SCENARIO)
  mkdirSync(join(folder, 'docs/schema'), { recursive: true })
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  run('new scheme my-scheme')
}, 600_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

it('every command line of the documents and of --help runs', { timeout: 1_800_000 }, () => {
  const isRun = (line: string): boolean => !LEFT_OUT.some(([left]) => left.test(line))
  const lines = [...new Set([...pages.flatMap(commandLines), ...helpLines()])].filter(isRun)
  expect(lines.length).toBeGreaterThan(30)
  const failed = lines.flatMap((line) => {
    // What is there already is not written over.
    if (line === 'new scheme my-scheme') {
      for (const name of ['my-scheme.ts', 'my-scheme.test.ts']) rmSync(join(folder, name))
    }
    const { status, err } = run(line)
    return status === 0 ? [] : [`weir ${line}: ${err}`]
  })
  expect(failed).toEqual([])
})
