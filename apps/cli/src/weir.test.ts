/** The whole program from outside, as a person or another program meets it. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { treeRoot } from './root.ts'

const weir = join(treeRoot(), 'weir')
let folder = ''

interface Ended {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

function run(...args: string[]): Ended {
  return runAs(weir, args)
}

function runAs(program: string, args: readonly string[]): Ended {
  const ended = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  const err = ended.stderr.replace(/^weir: (installing|building).*\n/gm, '')
  return { status: ended.status, out: ended.stdout, err }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-cli-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const FOUR_TO_ONE = `
name: four-to-one
topology: { kind: star, hosts: 5 }
workload:
  - flows:
      - { from: h1, to: h0, size: 100KB }
      - { from: h2, to: h0, size: 100KB }
run: { until: 1ms }
`

const OPEN = `
topology: { kind: star, hosts: 9 }
workload:
  - generate: { name: background, arrivals: { kind: poisson, load: 0.4 }, sizes: 100KB }
  - generate:
      name: incast
      arrivals: { kind: periodic, period: 200us }
      sizes: 40KB
      pattern: { kind: incast, senders: 6 }
run: { until: 400us }
`

// A machine that is busy with other tests can take its time over a whole comparison.
describe('weir', { timeout: 180_000 }, () => {
  it('answers --help with examples for every command', () => {
    for (const command of [
      ...['run', 'compare', 'reproduce'],
      ...['list', 'explain', 'bench', 'schema', 'theory', 'new', 'completion'],
    ]) {
      const { status, out } = run(command, '--help')
      expect(status, command).toBe(0)
      expect(out, command).toContain('Examples:')
    }
  })

  it('works through a symbolic link from another folder', () => {
    const link = join(folder, 'linked')
    symlinkSync(weir, link)
    expect(runAs(link, ['--version']).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('says one sentence about a slip, and exits with 2', () => {
    const cases: [string[], RegExp][] = [
      [['run', 'incst'], /^weir: there is no scenario 'incst'; did you mean 'incast'\?.*\n$/],
      [['compare', 'incast', '--schemes', 'dcqnc'], /did you mean 'dcqcn'\?.*\n$/],
      [['explain', 'dcqnc'], /^weir: there is no scheme 'dcqnc'.*\n$/],
      [
        ['compare', 'incast', '--schemes', 'dcqcn:firmwar'],
        /^weir: --schemes dcqcn:firmwar: .*\n$/,
      ],
      [['compare', 'incast', '--seeds', '1'], /^weir: --seeds 1: .* from 2 to 1000.*\n$/],
      [['run', 'incast', '--seeds', '2', '--repeat', '2'], /^weir: --seeds and --repeat .*\n$/],
      [['compare', 'incast', '--out', 'x.csv'], /^weir: --out x.csv: .*that of a folder.*\n$/],
      [['run', 'missing.yaml'], /^weir: there is no file 'missing.yaml'\.\n$/],
      [['run', 'incast', '--set', 'nonsense'], /^weir: --set nonsense: write path=value.*\n$/],
      [['run', 'incast', '--set', 'topology.hosts=none'], /^weir: --set topology.hosts=none.*\n$/],
      [
        ['reproduce', 'accurate/fig33'],
        /^weir: there is no figure .* did you mean 'accurate\/fig3'\?.*\n$/,
      ],
      [
        ['reproduce', 'accurate/fig3', '--quick', '--full'],
        /^weir: --quick and --full contradict each other; keep one of them\.\n$/,
      ],
      [
        ['run', 'incast', '--scheme', 'dcqnc'],
        /^weir: --scheme dcqnc: "dcqnc" is not a scheme; .*/,
      ],
      [['run', 'incast', '--preset', 'x'], /^weir: --preset x: "x" is not a preset of dcqcn; .*/],
      [
        ['run', 'incast', '--scheme', 'hpcc', '--scheme', 'dctcp'],
        /^weir: --scheme dctcp: it is hpcc already; 'weir compare' .*--schemes hpcc,dctcp\.\n$/,
      ],
      [
        ['run', 'incast', '--scheme', 'hpcc', '--set', 'scheme=dctcp'],
        /^weir: --set scheme=dctcp: --scheme hpcc says another; keep one of them\.\n$/,
      ],
      [
        ['compare', 'incast', '--set', 'scheme.name=hpcc'],
        /^weir: --set scheme\.name=hpcc: .* name schemes with --schemes\.\n$/,
      ],
      [
        ['compare', 'incast', '--schemes', 'dcqcn:rateAi=4'],
        /^weir: --schemes dcqcn:rateAi=4: rateAi: '4' has no unit; .*\n$/,
      ],
      [['run', 'incast', '--out', ''], /^weir: --out is empty; write its value, .*\n$/],
      [['run', 'incast', '--out', 'x.html'], /^weir: --out x\.html: .* the name of a folder\.\n$/],
      [['run', 'incast', 'twice'], /^weir: 'weir run' takes 1 argument, not 2; .*\n$/],
      [['run', 'incast', '--scheme', './my.py'], /^weir: there is no file '\.\/my\.py'\.\n$/],
      [['run', '.'], /^weir: '.' is a folder, not a file\.\n$/],
      [['run', 'incast', '--scheme', '.\/'], /^weir: '.\/' is a folder, not a module\.\n$/],
      [['completion', 'tcsh'], /^weir: there is no script for 'tcsh'.*\n$/],
      [['schema', '--out', '.'], /^weir: --out: '.' is a folder where .*\n$/],
      [['lst'], /^weir: unknown command 'lst'; did you mean 'list'\?\n$/],
      [['nonsense'], /^weir: unknown command 'nonsense'; 'weir --help' shows how\.\n$/],
      [['run'], /^weir: 'weir run' needs a scenario; 'weir run --help' shows how\.\n$/],
      [['run', 'incast', '--seed', 'x'], /^weir: --seed x: write a whole number of 0 or more\.\n$/],
      [
        ['run', 'incast', '--set'],
        /^weir: --set <path=value> was written without its value; .*\n$/,
      ],
      [
        ['explain', 'hosts.tpc'],
        /^weir: there is no key of hosts 'tpc'; did you mean 'tcp'\?.*\n$/,
      ],
      [
        ['explain', 'arrivals'],
        /^weir: 'arrivals' is a key; write: .* workload.generate.arrivals\n$/,
      ],
      [['explain', 'run.until.x'], /^weir: nothing stands below run\.until; .*\n$/],
    ]
    for (const [args, sentence] of cases) {
      const { status, out, err } = run(...args)
      expect(err, args.join(' ')).toMatch(sentence)
      expect(out, args.join(' ')).toBe('')
      expect(status, args.join(' ')).toBe(2)
    }
  })

  it('runs a file, and writes all of its results', () => {
    writeFileSync(join(folder, 'four.yaml'), FOUR_TO_ONE)
    const { status, out } = run('run', 'four.yaml', '--out', 'results')
    expect(status).toBe(0)
    expect(out).toContain('2 of 2 ended')
    const csv = ['flows.csv', 'parts.csv', 'ports.csv', 'runs.csv', 'series.csv']
    const files = [...csv, 'report.html', 'result.json', 'spec.yaml'].sort()
    expect(readdirSync(join(folder, 'results')).sort()).toEqual(files)
  })

  it('lets several runs begin with one --out: each writes all of its files', async () => {
    writeFileSync(join(folder, 'four.yaml'), FOUR_TO_ONE)
    const runs = [1, 2, 3, 4].map(async (seed) => {
      const args = ['run', 'four.yaml', '--seed', String(seed), '--out', 'together']
      const child = spawn(weir, args, { cwd: folder, stdio: 'ignore' })
      return new Promise((resolve) => child.once('close', resolve))
    })
    expect(await Promise.all(runs)).toEqual([0, 0, 0, 0])
    expect(readdirSync(join(folder, 'together'))).toHaveLength(8)
  })

  it('draws several seeds of presets side by side, and writes a folder of them', () => {
    writeFileSync(join(folder, 'open.yaml'), OPEN)
    const schemes = ['--schemes', 'dcqcn,dcqcn:firmware,dcqcn:g=1/16']
    const { out, status } = run('compare', 'open.yaml', ...schemes, '--seeds', '3', '--out', 'all')
    expect(status).toBe(0)
    expect(out).toMatch(/^open \(seeds 1 to 3: mean ± half of the 95% interval\)\n/)
    expect(out).toMatch(/^dcqcn:firmware .*±/m)
    expect(out).toMatch(/background p50 .* incast p99/)
    const csv = ['parts.csv', 'ports.csv', 'runs.csv']
    const files = ['comparison.json', ...csv, 'report.html', 'spec.yaml'].sort()
    expect(readdirSync(join(folder, 'all')).sort()).toEqual(files)
    const rows = readFileSync(join(folder, 'all', 'runs.csv'), 'utf8')
      .trim()
      .split('\n')
    expect(rows).toHaveLength(1 + 9)
    expect(run('run', 'open.yaml', '--seeds', '3').out).toMatch(/^open under dcqcn \(seeds 1 to 3/)
  })

  it('gives the same winners where arrivals stop at until, and where the time is long', () => {
    writeFileSync(join(folder, 'open.yaml'), OPEN)
    const winners = (...set: string[]): string[] => {
      const words = set.flatMap((text) => ['--set', text])
      const schemes = ['--schemes', 'dcqcn,hpcc,none', '--no-report']
      const { out } = run('compare', 'open.yaml', ...schemes, ...words)
      return out.split('\n').filter((line) => line.startsWith('lowest'))
    }
    const stops = ['workload[0].generate.stop=400us', 'workload[1].generate.stop=400us']
    const drained = winners()
    expect(drained).toHaveLength(2)
    expect(winners('run.until=50ms', ...stops)).toEqual(drained)
    // A cut never names another: it names the same, or says that it cannot.
    const cut = winners('run.drain=none')
    expect(cut.some((line) => line.includes('cannot be told'))).toBe(true)
    cut.forEach((line, i) => {
      if (!line.includes('cannot be told')) expect(line).toBe(drained[i])
    })
  })

  it('prints a spec with --dry that runs to the same fingerprint', () => {
    writeFileSync(join(folder, 'four.yaml'), FOUR_TO_ONE)
    writeFileSync(join(folder, 'full.yaml'), run('run', 'four.yaml', '--dry').out)
    const fingerprint = ({ out }: Ended): unknown =>
      (JSON.parse(out) as { fingerprint: string }).fingerprint
    const short = fingerprint(run('run', 'four.yaml', '--json'))
    expect(fingerprint(run('run', 'full.yaml', '--json'))).toBe(short)
    expect(short).toMatch(/^[0-9a-f]{16}$/)
  })

  it('compares to the same bytes each time, with nothing but JSON on stdout', () => {
    const first = run('compare', 'incast', '--json')
    expect(first.err).toBe('')
    const { scenario, seed, runs } = JSON.parse(first.out) as {
      scenario: string
      seed: number
      runs: { scheme: string; fingerprint: string }[]
    }
    expect([scenario, seed]).toEqual(['incast', 1])
    expect(runs.map(({ scheme }) => scheme)).toContain('dcqcn')
    expect(run('compare', 'incast', '--json').out).toBe(first.out)
    expect(readdirSync(folder).filter((name) => name.startsWith('weir-report'))).toEqual([])
  })

  it('shows the noise beside each scheme', () => {
    const { out } = run('compare', 'incast', '--schemes', 'dcqcn,none', '--noise', '--no-report')
    const noise = (scheme: string): number =>
      Number(new RegExp(`^${scheme} .* ([0-9.]+) % +[0-9.]+ % `, 'm').exec(out)?.[1])
    expect(noise('dcqcn')).toBeGreaterThan(0)
    expect(noise('none')).toBeGreaterThan(0)
    expect(out).toContain('1 ns more per link')
  })

  it('writes a report and says where', () => {
    const { out } = run('compare', 'incast', '--schemes', 'dcqcn,none')
    expect(out).toMatch(/^report: .*weir-report-incast\.html$/m)
    expect(readdirSync(folder)).toContain('weir-report-incast.html')
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('runs to the same bytes each time', () => {
    const first = run('run', 'incast', '--json')
    expect(first.err).toBe('')
    expect(first.out.length).toBeGreaterThan(1000)
    expect(run('run', 'incast', '--json').out === first.out).toBe(true)
  })

  it('reproduces a figure: checks as JSON, a page and its plots', () => {
    const { status, out } = run('reproduce', 'accurate/fig2', '--json', '--out', 'figures')
    expect(status).toBe(0)
    const { figures } = JSON.parse(out) as { figures: { id: string; checks: object[] }[] }
    expect(figures.map(({ id }) => id)).toEqual(['accurate/fig2'])
    expect(figures[0]!.checks.length).toBeGreaterThan(0)
    expect(readdirSync(join(folder, 'figures')).sort()).toEqual(['accurate', 'accurate-fig2.html'])
    expect(readdirSync(join(folder, 'figures', 'accurate'))).toEqual(['fig2-1.svg'])
  })

  it('reproduces a figure whose simulations run in threads', () => {
    const { status, out } = run('reproduce', 'accurate/fig3')
    expect(status).toBe(0)
    expect(out).toMatch(/^ACCurate: rate of f1 +3\.167 .* agrees/m)
    expect(readdirSync(join(folder, 'weir-figures'))).toContain('accurate-fig3.html')
  })

  it('says before it runs that --out cannot be written, and leaves nothing there', () => {
    writeFileSync(join(folder, 'four.yaml'), FOUR_TO_ONE)
    writeFileSync(join(folder, 'taken'), 'a file')
    for (const [command, out] of [
      ['run', 'taken'],
      ['run', 'taken/deeper'],
      ['compare', 'taken/report.html'],
    ] as const) {
      const { status, out: said, err } = run(command, 'four.yaml', '--out', out)
      expect([status, said]).toEqual([2, ''])
      expect(err).toMatch(/^weir: --out: '.*taken' is a file, so nothing can be written in it; /)
      expect(err.trim()).not.toContain('\n')
    }
    const nowhere = run('run', 'four.yaml', '--out', '/proc/nowhere/results')
    expect([nowhere.status, nowhere.out]).toEqual([2, ''])
    expect(nowhere.err).toMatch(/^weir: --out: '\/proc\/.*' cannot be written \(.*\); name another/)
    run('run', 'four.yaml', '--out', 'new/place', '--set', 'run.until=1x')
    expect(readdirSync(folder)).not.toContain('new')
  })

  it('says in a sentence that its output cannot be written; a closed pipe is none', () => {
    const inShell = (line: string): Ended => runAs('bash', ['-c', `set -o pipefail; ${line}`])
    for (const command of ['list scenarios', 'run incast --json', 'explain dcqcn']) {
      const { status, err } = inShell(`${weir} ${command} > /dev/full`)
      expect(status, command).toBe(1)
      expect(err, command).toBe(
        'weir: standard output cannot be written: no space left on device.\n',
      )
    }
    const closed = inShell(`${weir} run incast --json | head -c 1`)
    expect([closed.status, closed.err]).toEqual([141, ''])
  })

  it('says that a disk is full, and leaves no half of a file', () => {
    writeFileSync(join(folder, 'four.yaml'), FOUR_TO_ONE)
    // No file may be longer than 1 KB: the disk is full in the middle of the first.
    const program = join(treeRoot(), 'dist/weir.mjs')
    const line = `ulimit -f 1; exec node ${program} run four.yaml --out big`
    const { status, err } = runAs('bash', ['-c', line])
    expect(err).toMatch(
      /^weir: '.*big.result.json' cannot be written: file too large; nothing .*\n$/,
    )
    expect(status).toBe(1)
    expect(readdirSync(join(folder, 'big'))).toEqual([])
  })

  it('completes a line in bash', () => {
    const complete = (line: string): string[] => {
      const words = line.split(' ').map((word) => `'${word}'`)
      const script =
        `source <(${weir} completion bash); COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; ` +
        `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; ` +
        `COMP_WORDS[0]=${weir}; _weir; printf '%s\\n' "\${COMPREPLY[@]}"`
      return runAs('bash', ['-c', script]).out.trim().split('\n')
    }
    expect(complete('weir com')).toEqual(['compare', 'completion'])
    expect(complete('weir compare inc')).toEqual(['incast'])
    expect(complete('weir compare incast --schemes dcqcn,hp')).toEqual(['dcqcn,hpcc'])
  })

  it('explains the keys of a scenario', () => {
    expect(run('explain', 'topology.star').out).toMatch(/^ {2}hosts +2 to 65536 \(needed\)$/m)
  })

  it('lists and explains what is in the catalogue', () => {
    expect(run('list', 'schemes').out).toMatch(/^ {2}dcqcn /m)
    const { schemes } = JSON.parse(run('list', 'schemes', '--json').out) as {
      schemes: { name: string }[]
    }
    for (const { name } of schemes) {
      expect(run('explain', name).out, name).toMatch(/^Parameters$/m)
    }
  })
})
