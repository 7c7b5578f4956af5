/**
 * Documents' figures one after the other, each with its simulations spread over the machine's
 * cores. A figure that throws does not stop the others, and neither does Ctrl-C lose what is done.
 */
import type { Result, ValidSpec } from '@weir/sim'
import type { Figure, FigureContext, FigureResult } from '../../../experiments/figure.ts'
import { Interrupted, UserError } from './errors.ts'
import { unknownName } from './near-miss.ts'
import type { Outcome } from './pool.ts'

export interface Reproduced {
  readonly figure: Figure
  readonly result: FigureResult
  readonly seconds: number
}

export interface Broken {
  readonly figure: Figure
  readonly error: Error
}

export interface ReproduceOptions {
  readonly size: FigureContext['size']
  readonly stop: AbortSignal
  /** Makes one figure; by default in this thread. */
  readonly reproduce?: (figure: Figure, context: FigureContext) => Promise<FigureResult>
  /** Runs one spec; many may be asked for at once. */
  readonly run: (spec: ValidSpec, onProgress: (fraction: number) => void) => Promise<Outcome>
  readonly onProgress: (fraction: number, detail: string) => void
  /** Called as soon as a figure is finished, so that what is done is kept. */
  readonly onFigure: (reproduced: Reproduced) => void
  /** A clock in seconds. */
  readonly now: () => number
}

/**
 * The figures that words name, in the catalogue's order: `accurate/fig3`, `accurate/all` or
 * `accurate`, `all`.
 */
export function figuresNamed(all: readonly Figure[], words: readonly string[]): readonly Figure[] {
  const documents = [...new Set(all.map(({ id }) => id.split('/')[0]!))]
  const chosen = new Set<Figure>()
  for (const word of words) {
    const document = word.replace(/\/all$/, '')
    const found = all.filter(
      ({ id }) => word === 'all' || id === word || id.startsWith(`${document}/`),
    )
    if (found.length === 0) {
      const known = [...all.map(({ id }) => id), ...documents.map((name) => `${name}/all`)]
      throw new UserError(unknownName('figure', word, known, "'weir list figures' shows all."))
    }
    for (const figure of found) chosen.add(figure)
  }
  return all.filter((figure) => chosen.has(figure))
}

export async function reproduceAll(
  figures: readonly Figure[],
  options: ReproduceOptions,
): Promise<{ readonly done: readonly Reproduced[]; readonly broken: readonly Broken[] }> {
  const done: Reproduced[] = []
  const broken: Broken[] = []
  for (const [index, figure] of figures.entries()) {
    if (options.stop.aborted) break
    const start = options.now()
    const onProgress = (fraction: number, detail: string): void =>
      options.onProgress(
        (index + Math.min(1, fraction)) / figures.length,
        `${figure.id}: ${detail}`,
      )
    onProgress(0, 'starting')
    try {
      const context = contextOf(options, onProgress)
      const result = await (options.reproduce?.(figure, context) ?? figure.reproduce(context))
      if (options.stop.aborted) break
      const reproduced = { figure, result, seconds: options.now() - start }
      done.push(reproduced)
      options.onFigure(reproduced)
    } catch (error) {
      if (options.stop.aborted) break
      broken.push({ figure, error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return { done, broken }
}

/** Progress is the figure's own word; until it says any, that of the runs it has asked for. */
function contextOf(
  { size, run }: ReproduceOptions,
  onProgress: (fraction: number, detail: string) => void,
): FigureContext {
  const fractions: number[] = []
  let told = 0
  let doing = ''
  const show = (): void => {
    const finished = fractions.filter((fraction) => fraction === 1).length
    const mean = fractions.reduce((sum, fraction) => sum + fraction, 0) / (fractions.length || 1)
    const runs = fractions.length === 0 ? '' : `${finished} of ${fractions.length} runs  `
    onProgress(told > 0 ? told : mean, runs + doing)
  }
  const simulate = async (spec: ValidSpec): Promise<Result> => {
    const index = fractions.push(0) - 1
    const outcome = await run(spec, (fraction) => {
      fractions[index] = fraction
      show()
    })
    if (outcome.kind === 'result') return outcome.result
    throw outcome.kind === 'failed' ? outcome.error : new Interrupted('interrupted.')
  }
  return {
    size,
    simulate: (spec) => {
      const result = simulate(spec)
      // A figure that awaits its runs one by one leaves later failures unobserved for a while.
      result.catch(() => {})
      return result
    },
    progress: (fraction, what) => {
      told = fraction
      doing = what
      show()
    },
  }
}
