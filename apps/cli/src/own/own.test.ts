/** Schemes, topologies and workloads of a person's own, from outside the tree, by the program. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dcqcn, starterText } from '@weir/schemes'
import { treeRoot } from '../root.ts'
import { placeIn } from './place-in.ts'

const weir = join(treeRoot(), 'weir')
let folder = ''

function run(...args: string[]): { status: number | null; out: string; err: string } {
  const ended = spawnSync(weir, args, { cwd: folder, encoding: 'utf8' })
  const err = ended.stderr.replace(/^weir: (installing|building).*\n/gm, '')
  return { status: ended.status, out: ended.stdout, err }
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

/** The starting file with one change. */
function changed(from: string, to: string): string {
  const text = starterText({ name: 'mine', from: 'weir' })
  expect(text).toContain(from)
  return text.replace(from, to)
}

const SMALL = `
topology: { kind: star, hosts: 5 }
workload: [flows: [{ from: h1, to: h0, size: 300KB }, { from: h2, to: h0, size: 300KB }]]
run: { until: 1ms }
`

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-own-'))
  write('small.yaml', SMALL)
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('a scheme of one own', { timeout: 120_000 }, () => {
  it('is begun by weir new, and compared from its file beside all others', () => {
    const made = run('new', 'scheme', 'my-scheme')
    expect([made.status, made.err]).toEqual([0, ''])
    expect(made.out).toContain('written: my-scheme.ts, my-scheme.test.ts')
    expect(readFileSync(join(folder, 'my-scheme.ts'), 'utf8')).toContain('export const myScheme')
    const schemes = ['--schemes', 'dcqcn,./my-scheme.ts:step=50Mbps', '--scheme', './my-scheme.ts']
    const { status, out, err } = run('compare', 'small.yaml', ...schemes, '--json')
    expect([status, err]).toEqual([0, ''])
    const { runs } = JSON.parse(out) as { runs: { scheme: string; label?: string }[] }
    expect(runs.map(({ scheme, label }) => label ?? scheme)).toEqual([
      ...['dcqcn', 'my-scheme:step=50Mbps', 'my-scheme'],
    ])
    const again = run('new', 'scheme', 'my-scheme')
    expect(again.err).toMatch(/^weir: 'my-scheme.ts' is there already, and is left as it is/)
    expect(run('new', 'scheme', 'dcqcn').err).toMatch(/^weir: there is a scheme 'dcqcn' already/)
    expect(run('new', 'scheme', 'My_').err).toMatch(/^weir: 'My_' cannot be a scheme's name/)
  })

  it('is checked before it runs, and its errors are named by file and line', () => {
    const cases: [string, string, RegExp][] = [
      [
        'typo.ts',
        changed('flow.lineRateBps', 'flow.lineRate'),
        /^weir: typo.ts:14:\d+: Property 'li/,
      ],
      [
        'misspelt.ts',
        changed('values.step', 'values.steep'),
        /^weir: misspelt.ts:\d+:\d+: .*'steep'/,
      ],
      ['text.ts', changed('/ 2)', '/ 2'), /^weir: text.ts:22:\d+: ',' expected/],
      [
        'nan.ts',
        changed('values.step', 'values.step * NaN'),
        /^weir: nan.ts:19:\d+: the scheme 'mine': rateBps is set to NaN: a rate is above 0 bit\/s/,
      ],
      [
        'thrown.ts',
        changed('this.#cutPs = nowPs', "throw new Error('no idea')").replace('!ack', 'ack'),
        /^weir: thrown.ts:22:\d+: the scheme threw: no idea\n$/,
      ],
      [
        'none.ts',
        'export const a = 1\n',
        /^weir: none.ts: no export of the module is a scheme: ex/,
      ],
      [
        'dcqcn.ts',
        starterText({ name: dcqcn.name, from: 'weir' }),
        /there is a scheme 'dcqcn' alr/,
      ],
    ]
    for (const [name, text, sentence] of cases) {
      const isFailure = /^(nan|thrown)/.test(name)
      write(name, text)
      const { status, out, err } = run('run', 'small.yaml', '--scheme', `./${name}`)
      expect(err, name).toMatch(sentence)
      expect(err.trim(), name).not.toContain('\n')
      expect([status, out], name).toEqual([isFailure ? 1 : 2, ''])
    }
    // The same in a thread, where others go on.
    const both = ['--schemes', 'none,./thrown.ts', '--no-report']
    const { status, out } = run('compare', 'small.yaml', ...both)
    expect(status).toBe(1)
    expect(out).toMatch(/^none +2\/2/m)
    expect(out).toMatch(/^mine +failed: thrown.ts:22:\d+: the scheme threw: no idea$/m)
    expect(run('run', 'small.yaml', '--scheme', './nowhere.ts').err).toBe(
      "weir: there is no file './nowhere.ts'.\n",
    )
  })

  it('may import files beside it, and has its card explained', () => {
    write('limit.ts', 'export const LIMIT: number = 1e8\n')
    const text = changed('Math.max(1e8,', 'Math.max(LIMIT,')
    write('parts.ts', `import { LIMIT } from './limit.ts'\n${text}`)
    const { status, out } = run('explain', './parts.ts')
    expect(status).toBe(0)
    expect(out).toMatch(/^mine: halve on a mark.*\n/)
    expect(out).toMatch(/^step +10Mbps/m)
  })
})

describe('a topology and a workload of one own', { timeout: 120_000 }, () => {
  it('take the place of those of a scenario', () => {
    write('line.ts', `export const topology = { kind: 'star', hosts: 3, rate: '25Gbps' }\n`)
    write(
      'ring.ts',
      `export function workload(): object[] {
        const to = (i: number): string => 'h' + ((i + 1) % 3)
        const flows = [0, 1, 2].map((i) => ({ from: 'h' + i, to: to(i), size: '10KB' }))
        return [{ flows }]
      }\n`,
    )
    const own = ['--topology', './line.ts', '--workload', './ring.ts']
    const { status, out, err } = run('run', 'small.yaml', ...own)
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('3 of 3 ended')
    write('wrong.ts', `export const topology = { kind: 'star', hosts: 'many' }\n`)
    const wrong = run('run', 'small.yaml', '--topology', './wrong.ts')
    expect(wrong.err).toMatch(/^weir: (\.\/)?wrong.ts: topology.hosts/)
    write('empty.ts', `export const graph = 1\n`)
    expect(run('run', 'small.yaml', '--topology', './empty.ts').err).toMatch(
      /^weir: .\/empty.ts: it exports no 'topology'; write: export const topology = /,
    )
  })
})

describe('a scheme of one own in threads', { timeout: 120_000 }, () => {
  const SPREAD = `
topology: { kind: leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 2 }
workload: [flows: [{ from: h0, to: h3, size: 300KB }, { from: h1, to: h3, size: 300KB }]]
run: { until: 1ms }
`

  it('has the result of one thread, on a topology of one own too', () => {
    write('spread.yaml', SPREAD)
    write('mine.ts', starterText({ name: 'mine', from: 'weir' }))
    write('star.ts', "export const topology = { kind: 'star', hosts: 4 }\n")
    const own = ['--scheme', './mine.ts', '--topology', './star.ts', '--json', '--threads']
    const [one, two] = ['1', '2'].map((n) => run('run', 'spread.yaml', ...own, n))
    expect([one!.status, two!.status, two!.err]).toEqual([0, 0, ''])
    expect(two!.out === one!.out).toBe(true)
    const compared = run('compare', 'spread.yaml', '--schemes', 'dcqcn', ...own, '2')
    const { runs } = JSON.parse(compared.out) as { runs: { fingerprint: string }[] }
    expect(runs[1]).toMatchObject({ fingerprint: JSON.parse(one!.out).fingerprint })
  })

  it('that throws is named with its file and line, and nothing is written', () => {
    write('spread.yaml', SPREAD)
    const text = changed('this.#cutPs = nowPs', "throw new Error('no idea')")
    write('throws.ts', text.replace('!ack', 'ack'))
    const args = ['--scheme', './throws.ts', '--threads', '2', '--out', 'thrown']
    const { status, out, err } = run('run', 'spread.yaml', ...args)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/^weir: throws.ts:22:\d+: the scheme threw: no idea\n$/)
    expect(existsSync(join(folder, 'thrown'))).toBe(false)
  })
})

describe('a routing of one own', { timeout: 120_000 }, () => {
  const text = (port: string): string => `
    import { NextHops } from 'weir'
    import type { OwnRouting } from 'weir'
    export const last: OwnRouting = {
      name: 'last-port',
      create(graph, isDown) {
        const hops = new NextHops(graph, isDown)
        return {
          name: 'last-port',
          perPacket: false,
          path: (source, target) => hops.walk(source, target, (_, count) => ${port}),
          next: () => { throw new Error('paths only') },
        }
      },
    }\n`

  it('takes the place of that of a scenario, alone and in threads', () => {
    write('last.ts', text('count - 1'))
    const { status, out, err } = run('run', 'small.yaml', '--routing', './last.ts')
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('2 of 2 ended')
    const both = ['--schemes', 'none,dcqcn', '--no-report', '--routing', './last.ts']
    const compared = run('compare', 'small.yaml', ...both)
    expect([compared.status, compared.err]).toEqual([0, ''])
    expect(compared.out).toMatch(/^dcqcn +2\/2/m)
  })

  it('is refused where it leads nowhere', () => {
    const walk = /path: .*/u
    write('wrong.ts', text('count - 1').replace(walk, 'path: () => [0],'))
    expect(run('run', 'small.yaml', '--routing', './wrong.ts').err).toMatch(
      /wrong.ts.*: last-port: (its path from|at) .*\n$/,
    )
  })
})

it('the place of an error is the innermost frame in a file of the person', () => {
  const stack = `Error: no
    at Object.set (/weir/dist/chunk-1.mjs:5:9)
    at Halving.onAck (${folder}/mine.ts:21:7)
    at file://${folder}/mine.ts:3:1`
  expect(placeIn(stack, [`${folder}/mine.ts`])).toBe(`${folder}/mine.ts:21:7`)
  expect(placeIn(stack, ['/elsewhere.ts'])).toBeUndefined()
})
