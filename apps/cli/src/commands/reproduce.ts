/** `weir reproduce`: published figures from runs, with the published numbers beside ours. */
import { join, resolve } from 'node:path'
import process from 'node:process'
import { Command, Option } from 'commander'
import type { Figure } from '../../../../experiments/figure.ts'
import { Interrupted } from '../errors.ts'
import { whileInterruptible } from '../interrupt.ts'
import { Progress } from '../progress.ts'
import type { DrawnFigure } from '../report/figure-page.ts'
import type { Broken, Reproduced } from '../reproduction.ts'
import { shellLine } from '../scenario.ts'
import { checkWritable, writeWhole } from '../write-file.ts'

interface ReproduceOptions {
  readonly full?: boolean
  readonly json?: boolean
  readonly out?: string
}

const FOLDER = 'weir-figures'

const EXAMPLES = `
Examples:
  weir list figures                       what there is
  weir reproduce accurate/fig3            one figure: a table, and plots in ${FOLDER}/
  weir reproduce accurate/all --full      all figures of one source, as large as published
  weir reproduce all --json > all.json    every check, for another program

A figure that differs from the published one is a measurement, not a failure; its note says why.
`

export function reproduceCommand(): Command {
  return new Command('reproduce')
    .description('rerun published figures, and set their numbers beside ours')
    .argument('<figure...>', "names of 'weir list figures', <source>/all, or all")
    .addOption(
      new Option('--quick', 'a small version: seconds per figure (default)').conflicts('full'),
    )
    .option('--full', 'at the published size')
    .option('--json', 'print JSON instead of tables; no plots unless --out names a folder')
    .option('--out <dir>', `folder for the page and the plots (default: ${FOLDER})`)
    .addHelpText('after', EXAMPLES)
    .action(reproduce)
}

async function reproduce(words: readonly string[], options: ReproduceOptions): Promise<void> {
  const { figures } = await import('../../../../experiments/index.ts')
  const { figuresNamed } = await import('../reproduction.ts')
  const chosen = figuresNamed(figures, words)
  const size = options.full === true ? 'full' : 'quick'
  const isDrawn = options.json !== true || options.out !== undefined
  const command = shellLine(['./weir', 'reproduce', ...words, `--${size}`])
  const page = isDrawn
    ? await openPage(resolve(options.out ?? FOLDER), pageName(words), command, size)
    : undefined
  const print = await printer(options.json === true)
  const { done, broken, isStopped } = await reproduceShown(chosen, size, (one) => {
    page?.add(one)
    print(one)
  })

  if (options.json === true) {
    const { reproducedJson } = await import('../reproduction-text.ts')
    process.stdout.write(reproducedJson(done))
  }
  if (page !== undefined && done.length > 0) {
    const stream = options.json === true ? process.stderr : process.stdout
    stream.write(`page and plots: ${page.path}\n`)
  }
  if (isStopped) {
    throw new Interrupted(`interrupted; ${done.length} of ${chosen.length} figures were kept.`)
  }
  reportBroken(broken)
}

/** Each figure's table as soon as it is there; nothing with --json. */
async function printer(asJson: boolean): Promise<(one: Reproduced) => void> {
  if (asJson) return () => {}
  const { reproducedText } = await import('../reproduction-text.ts')
  const { terminalWidth, verdictPaint } = await import('../terminal.ts')
  const paint = verdictPaint()
  return (one) => process.stdout.write(`${reproducedText(one, paint, terminalWidth())}\n`)
}

async function reproduceShown(
  chosen: readonly Figure[],
  size: 'quick' | 'full',
  onFigure: (one: Reproduced) => void,
): Promise<{ done: readonly Reproduced[]; broken: readonly Broken[]; isStopped: boolean }> {
  const { reproduceApart } = await import('../figure-thread.ts')
  const { Pool } = await import('../pool.ts')
  const { reproduceAll } = await import('../reproduction.ts')
  const progress = new Progress('reproducing')
  return whileInterruptible(async (stop) => {
    const pool = new Pool({ stop })
    try {
      const ended = await reproduceAll(chosen, {
        size,
        stop,
        reproduce: (figure, context) => reproduceApart(figure, context, stop),
        run: (spec, onProgress) => pool.run(spec, onProgress),
        onProgress: (fraction, detail) => progress.show(fraction, detail),
        onFigure: (one) => {
          progress.clear()
          onFigure(one)
        },
        now: () => performance.now() / 1000,
      })
      return { ...ended, isStopped: stop.aborted }
    } finally {
      pool.end()
      progress.clear()
    }
  })
}

interface Page {
  readonly path: string
  readonly add: (one: Reproduced) => void
}

/** The page is written anew after each figure: whatever happens then, it holds what is done. */
async function openPage(
  folder: string,
  name: string,
  command: string,
  size: string,
): Promise<Page> {
  const { drawFigure, figurePage } = await import('../report/figure-page.ts')
  const path = join(folder, `${name}.html`)
  checkWritable([path])
  const drawn: DrawnFigure[] = []
  return {
    path,
    add: ({ figure, result }) => {
      const one = drawFigure(figure, result)
      drawn.push(one)
      one.svgs.forEach((svg, index) => {
        writeWhole(join(folder, `${figure.id}-${index + 1}.svg`), svg + '\n')
      })
      writeWhole(path, figurePage(drawn, command, size))
    },
  }
}

/** `accurate/fig3` becomes accurate-fig3.html, `accurate/all` accurate.html, `all` index.html. */
function pageName(words: readonly string[]): string {
  const [word = 'all'] = words
  if (words.length > 1 || word === 'all') return 'index'
  return word.replace(/\/all$/, '').replaceAll('/', '-')
}

function reportBroken(broken: readonly Broken[]): void {
  const [first, ...others] = broken
  if (first === undefined) return
  for (const { figure, error } of others) {
    process.stderr.write(`weir: ${figure.id} failed: ${error.message}\n`)
  }
  first.error.message = `${first.figure.id} failed: ${first.error.message}`
  throw first.error
}
