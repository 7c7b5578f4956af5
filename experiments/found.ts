/**
 * What a run of a figure found, in a sentence or two made of its rows: the figure's own choice of
 * row first, or the first that was judged; then the nearest that came out the other way, if any
 * did, so that neither what agrees nor what differs is told alone.
 */
import type { Check, Figure, FigureResult } from './figure.ts'
import { isFitted, isOfOtherSize, shownOf, withUnit } from './shown.ts'

type Judge = Pick<Figure, 'headline'>

/** '' if no row of this size has a value. */
export function foundSentences(
  { headline }: Judge,
  { checks }: Pick<FigureResult, 'checks'>,
): string {
  return foundRows({ headline }, checks).map(sentenceOf).join(' ')
}

/** The rows that the sentences are of. */
export function foundRows({ headline }: Judge, checks: readonly Check[]): readonly Check[] {
  const known = checks.filter(({ measured }) => !Number.isNaN(measured))
  const judged = known.filter(({ verdict }) => verdict === 'agrees' || verdict === 'differs')
  const chosen = known.find(({ name }) => headline !== undefined && name.startsWith(headline))
  const first = chosen ?? judged[0] ?? known.find(({ verdict }) => verdict === 'ours') ?? known[0]
  if (first === undefined) return []
  const others = judged.filter(({ verdict }) => verdict !== first.verdict)
  const apart = (check: Check): number => Math.abs(checks.indexOf(check) - checks.indexOf(first))
  // Rows that stand beside each other are of the same matter.
  return [first, ...others.sort((a, b) => apart(a) - apart(b)).slice(0, 1)]
}

function sentenceOf(check: Check): string {
  const { measured, unit } = shownOf(check)
  return `${opening(check.name)}: ${withUnit(measured, unit)} (${besideOf(check)}).`
}

/** What was published of it, and what follows. */
function besideOf(check: Check): string {
  const { published, unit, verdict } = shownOf(check)
  if (check.published === 'not published') return 'ours: nobody published it'
  const said = typeof check.published === 'number' ? withUnit(published, unit) : published
  if (isFitted(check)) return `published: ${said}, to which a value was fitted`
  if (isOfOtherSize(check)) return said
  return verdict === 'needs --full'
    ? `published: ${said}; this size cannot tell`
    : `published: ${said}; ${verdict}`
}

/** Rows begin as they like, sentences with a capital; 'p99' and 'rho' stay as they are. */
function opening(name: string): string {
  const isWord = /^(a|[a-z]{3,})\b/u.test(name) && !/^(rho|tau|beta)/u.test(name)
  return isWord ? name[0]!.toUpperCase() + name.slice(1) : name
}
