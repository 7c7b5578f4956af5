/**
 * How a figure's numbers and words are shown, in the terminal, in the report and in the lab alike.
 * A value and its interval have the same number of decimals, which the interval decides; a value
 * without one has three digits. Both have more where fewer would hide what decides a verdict: on
 * which side of a bound the value is, or that it is not quite the published number.
 */
import type { Check, Figure, Range } from './figure.ts'

const DIGITS = 3
/** More than these are noise, whatever they would tell apart. */
const MORE_DECIMALS = 4
/** Closer than this, relatively, is equal: sums of floating point. */
const EQUAL = 1e-9
/** Of a value: the second digit of an interval so small tells nobody anything. */
const SMALL = 1e-3
const NO_BREAK = '\u00a0'

export interface ShownAgainst {
  /** Between these the verdict is good. */
  readonly bounds?: Range | undefined
  /** What stands beside it. */
  readonly published?: number | undefined
}

/** 1.004, 0.95, 12.3, 3,930; no value is '-'. Exact values have no zeros at their end. */
export function numberText(value: number, against: ShownAgainst = {}): string {
  if (!Number.isFinite(value)) return '-'
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size < 1e-6) return value.toExponential(DIGITS - 1)
  const least = Math.max(0, DIGITS - 1 - Math.floor(Math.log10(size)))
  const tells = (decimals: number): boolean => {
    const shown = Number(value.toFixed(decimals))
    const { published, bounds } = against
    const hides = published !== undefined && shown === published && !isNear(value, published)
    return !hides && isIn(shown, bounds) === isIn(value, bounds)
  }
  return written(value, fewest(least, tells))
}

/** A mean with half of its interval; NaN or nothing is none. */
export function spanText(value: number, half: number, against: ShownAgainst = {}): string {
  if (!(half > Math.abs(value) * EQUAL)) return numberText(value, against)
  if (half < 1e-6) return `${numberText(value, against)} ± ${half.toExponential(0)}`
  const least = decimalsOf(half, value)
  const ends = (mean: number, reach: number): boolean =>
    isIn(mean - reach, against.bounds) && isIn(mean + reach, against.bounds)
  const tells = (decimals: number): boolean => {
    const [mean, reach] = [Number(value.toFixed(decimals)), Number(half.toFixed(decimals))]
    return ends(mean, reach) === ends(value, half)
  }
  const decimals = fewest(least, tells)
  return `${grouped(value, decimals)} ± ${grouped(half, decimals)}`
}

/** As many as an interval of this half tells. */
function decimalsOf(half: number, value: number): number {
  const place = Math.floor(Math.log10(half))
  // 0.1 and 0.2 have a second digit, unless the value is long as it is.
  const isLow = half < 3 * 10 ** place && half > Math.abs(value) * SMALL
  return Math.max(0, (isLow ? 1 : 0) - place)
}

/** As the document has it; what was reckoned from that, a third of ten, has four digits. */
export function publishedText({ published }: Check): string {
  if (typeof published !== 'number') return published
  const isGiven = isNear(Number(published.toPrecision(PUBLISHED_DIGITS)), published)
  const shown = isGiven ? published : Number(published.toPrecision(DIGITS + 1))
  return shown.toLocaleString('en-US', { maximumSignificantDigits: PUBLISHED_DIGITS })
}

/** Tables have no more. */
const PUBLISHED_DIGITS = 7

/**
 * The measured side of a check. An interval that reaches below zero, where no draw did, would show
 * values that cannot be: the least and the highest draw stand in its place.
 */
export function measuredText(check: Check): string {
  const { measured, half = NaN, bounds, published, spread } = check
  const against = { bounds, published: typeof published === 'number' ? published : undefined }
  if (!isWider(check) || spread === undefined) return spanText(measured, half, against)
  const decimals = decimalsOf((spread[1] - spread[0]) / 2, measured)
  const [low, high] = spread.map((end) => grouped(end, decimals))
  return `${grouped(measured, decimals)} (${low!} to ${high!})`
}

/** Whether its draws spread more than their mean, so that no interval is shown of it. */
export function isWider({ measured, half = NaN, spread }: Check): boolean {
  return spread !== undefined && spread[0] >= 0 && measured - half < 0
}

/** The unit of a check that is answered by yes or no. */
const YES_NO = '1 yes, 0 no'

export interface Shown {
  readonly published: string
  readonly measured: string
  readonly unit: string
  /** Its verdict, or that what it was fitted to makes it none. */
  readonly verdict: Check['verdict'] | 'fitted'
}

/** What stands in a check's row, wherever that is. */
export function shownOf(check: Check): Shown {
  const verdict = isFitted(check) ? 'fitted' : check.verdict
  if (check.unit !== YES_NO) {
    const { unit } = check
    return { published: publishedText(check), measured: measuredText(check), unit, verdict }
  }
  const { published } = check
  const answer = (value: number): string => (value === 1 ? 'yes' : value === 0 ? 'no' : '-')
  const asked = typeof published === 'number' ? answer(published) : published
  return { published: asked, measured: answer(check.measured), unit: '', verdict }
}

/** Fitted to a published number, it is neither a check nor our own. */
export function isFitted({ verdict, published, note }: Check): boolean {
  return verdict === 'ours' && published !== 'not published' && /^no check|fitted/u.test(note)
}

/** 'published for 512 nodes', where the small size has 64. */
export function isOfOtherSize(check: Check): boolean {
  return check.verdict === 'ours' && check.published !== 'not published' && !isFitted(check)
}

/** Letters that stay on one line of a narrow table. */
const LINE_LETTERS = 18

/** With its unit; no line break within a value and its interval, nor before a short unit. */
export function withUnit(text: string, unit: string): string {
  const whole = text.replaceAll(' ± ', `${NO_BREAK}±${NO_BREAK}`)
  if (unit === '' || unit.startsWith('%')) return whole + unit
  const isShort = whole.length + unit.length < LINE_LETTERS
  return whole + (isShort ? NO_BREAK : ' ') + ofCount(text, unit)
}

/** '1 place', '2 places'; units of a letter or two, and 'times', are the same for all. */
export function ofCount(text: string, unit: string): string {
  const isWord = /^[a-zA-Z]{3,}s$/u.test(unit) && unit !== 'times'
  return text === '1' && isWord ? unit.slice(0, -1) : unit
}

/** What is left to chance, as a sentence for the foot of a table. */
export function drawsSentence(draws: string): string {
  if (draws === '') return ''
  const words = drawsWords(draws)
  return words === NOTHING ? 'Nothing in these runs is random.' : `Random draws: ${words}.`
}

const NOTHING = 'nothing random'

export function drawsWords(draws: string): string {
  return /^(no chance|nothing (is )?drawn)$/u.test(draws) ? NOTHING : draws
}

/** Whose claim it is, to stand before it, as a plot may show otherwise; '': it says so itself. */
export function claimantOf({ claim, claimant, id }: Omit<Figure, 'reproduce'>): string {
  if (/^(The paper|Their papers|Theory) /u.test(claim)) return ''
  return claimant ?? CLAIMANTS[id.split('/')[0]!] ?? 'The paper'
}

/**
 * What the document says, and what we found: the sentences of a claim that follow 'Here'. The
 * second is '' where the claim has none.
 */
export function saidAndFound(claim: string): readonly [said: string, found: string] {
  const at = claim.search(/(?<=[.:;] )Here\b/u)
  return at < 0 ? [claim, ''] : [claim.slice(0, at).trimEnd(), claim.slice(at)]
}

/**
 * Whether the full size is something that a document published: it cites a figure or table of it.
 * Others are ours ('not a figure of the paper') or of a sentence in its text.
 */
export function isOfDocument({ cite, claimant = '' }: Pick<Figure, 'cite' | 'claimant'>): boolean {
  return /\b(figs?\.|table) /iu.test(cite) && !claimant.startsWith('Our ')
}

/** Documents that are several. */
const CLAIMANTS: Readonly<Record<string, string>> = {
  lecture: 'The lecture and its papers',
  theory: 'The papers',
}

/** From so many decimals on, the first that tell; those it began with if none do. */
function fewest(least: number, tells: (decimals: number) => boolean): number {
  for (let decimals = least; decimals <= least + MORE_DECIMALS; decimals++) {
    if (tells(decimals)) return decimals
  }
  return least
}

function isIn(value: number, [low, high]: Range = [-Infinity, Infinity]): boolean {
  return value >= low && value <= high
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= EQUAL * Math.max(Math.abs(a), Math.abs(b))
}

function written(value: number, decimals: number): string {
  const text = grouped(value, decimals)
  const isExact = isNear(Number(value.toFixed(decimals)), value)
  return isExact && text.includes('.') ? text.replace(/\.?0+$/u, '') : text
}

function grouped(value: number, decimals: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return value.toLocaleString('en-US', digits)
}
