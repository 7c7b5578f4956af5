/**
 * What tests of figures share: the quick size with each run made once, and a figure without one of
 * its mechanisms. A figure's switch is settings on its runs, so that the program of the figure, its
 * measures and its bounds stay what they are.
 */
import { applySetting, simulate, userTree, validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import type { Check, Figure, FigureContext, FigureResult, Switch, Verdict } from './figure.ts'

/**
 * A context that runs a spec once, however many figures and switches ask for it, and one seed of
 * each: intervals are for `weir reproduce`.
 */
export function quickContext(): FigureContext {
  const runs = new Map<string, Result>()
  return {
    size: 'quick',
    seedsMax: 1,
    simulate: (spec) => {
      const key = JSON.stringify(spec)
      const result = runs.get(key) ?? simulate(spec)
      runs.set(key, result)
      return Promise.resolve(result)
    },
    progress: () => undefined,
  }
}

/** The figure's own program on runs that lack a mechanism, or that program without it. */
export function reproduceWithout(
  figure: Figure,
  off: Switch,
  context: FigureContext,
): Promise<FigureResult> {
  const lacking: FigureContext = {
    ...context,
    simulate: (spec) => context.simulate(specWithout(spec, off)),
  }
  return off.reproduce?.(lacking) ?? figure.reproduce(lacking)
}

export function specWithout(spec: ValidSpec, off: Switch): ValidSpec {
  const settings = off.without?.(spec) ?? []
  return settings.length === 0
    ? spec
    : validateSpec(settings.reduce(applySetting, userTree(spec) as unknown))
}

export function differing(checks: readonly Check[]): string[] {
  return checks.filter(({ verdict }) => verdict === 'differs').map(({ name }) => name)
}

/** Beginnings of names that no check bears, or one with another verdict. */
export function notOf(
  verdict: Verdict,
  checks: readonly Check[],
  beginnings: readonly string[],
): string[] {
  return beginnings.filter((beginning) => {
    const named = checks.filter(({ name }) => name.startsWith(beginning))
    return named.length === 0 || named.some((check) => check.verdict !== verdict)
  })
}

/** One row a switch, for `it.each`. */
export function switchesOf(
  figures: readonly Figure[],
): readonly (readonly [string, string, Figure, Switch])[] {
  return figures.flatMap((figure) =>
    (figure.switches ?? []).map((off) => [figure.id, off.name, figure, off] as const),
  )
}
