/** A figure's verdicts: counted in a sentence, as a strip, and in a table with their reasons. */
import type { VNode } from 'preact'
import type { Check, FigureResult, Verdict } from '../../../../experiments/figure.ts'
import { foundSentences } from '../../../../experiments/found.ts'
import {
  drawsSentence,
  drawsWords,
  isFitted,
  isOfOtherSize,
} from '../../../../experiments/shown.ts'
import { isWider, shownOf, withUnit } from '../../../../experiments/shown.ts'
import type { FigureCard } from '../figures/catalogue.ts'
import { paperWords } from '../model/papers.ts'
import { html } from './html.ts'

interface Sign {
  readonly sign: string
  readonly style: string
  /** Of one, and of several. */
  readonly words: readonly [string, string]
}

const SIGNS: Readonly<Record<Verdict, Sign>> = {
  agrees: {
    ...{ sign: '✓', style: 'agrees' },
    words: ['agrees with', 'agree with'],
  },
  differs: {
    ...{ sign: '✕', style: 'differs' },
    words: ['differs, with the cause in the table', 'differ, with the causes in the table'],
  },
  ours: {
    ...{ sign: '○', style: 'ours' },
    words: ['is our own: nobody published it', 'are our own: nobody published them'],
  },
  'needs --full': {
    ...{ sign: '…', style: 'later' },
    words: ['needs the full run', 'need the full run'],
  },
}

const FITTED = ['is no check: it was fitted', 'are no checks: they were fitted'] as const
const OTHER_SIZE = [
  'is no check: it was published of another size',
  'are no checks: they were published of another size',
] as const

/** How many checks came out how; what was fitted, or published of another size, is none. */
export function verdictWords(checks: readonly Check[], whose: string = 'the paper'): string {
  const said = (count: number, [one, several]: readonly [string, string]): string[] =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]
  const counted = (Object.keys(SIGNS) as Verdict[]).flatMap((verdict) => {
    const all = checks.filter((check) => check.verdict === verdict)
    const fitted = all.filter(isFitted).length
    const sized = all.filter(isOfOtherSize).length
    const own = said(all.length - fitted - sized, SIGNS[verdict].words)
    const ending = verdict === 'agrees' ? ` ${whose}` : ''
    return [
      ...own.map((words) => words + ending),
      ...said(sized, OTHER_SIZE),
      ...said(fitted, FITTED),
    ]
  })
  return `${counted.join('; ')}.`
}

/** What the rows say, and then how many of them agree. */
export function foundWords(
  card: Pick<FigureCard, 'claim' | 'claimant' | 'headline'>,
  { checks }: Pick<FigureResult, 'checks'>,
): string {
  const sentences = paperWords(foundSentences(card, { checks }))
  return `${sentences} ${verdictWords(checks, whoseOf(card))}`.trimStart()
}

/** With what checks agree: one paper, several, or what nobody but we asked for. */
export function whoseOf({ claim, claimant }: Pick<FigureCard, 'claim' | 'claimant'>): string {
  if (claimant.startsWith('What was asked')) return 'what was asked'
  return /papers\b/u.test(claimant) || claim.startsWith('Their papers') ? 'the papers' : 'the paper'
}

/** One mark per check; words above the pictures count them. */
export function Strip({ checks }: { readonly checks: readonly Check[] }): VNode {
  return html`<div class="strip">
    <strong>Checks</strong>
    <span class="marks" aria-hidden="true">
      ${checks.map(
        ({ name, verdict }) =>
          html`<i class=${`verdict ${SIGNS[verdict].style}`} title=${`${name}: ${verdict}`}
            >${SIGNS[verdict].sign}</i
          >`,
      )}
    </span>
  </div>`
}

function verdictText(check: Check): string {
  const { verdict } = check
  if (isFitted(check)) return '○ fitted'
  const word = verdict === 'needs --full' ? 'needs the full run' : verdict
  return `${SIGNS[verdict].sign} ${word}`
}

function publishedCell(check: Check): string {
  const { published, unit } = shownOf(check)
  return typeof check.published === 'number' ? withUnit(published, unit) : paperWords(published)
}

/**
 * What is a tall column of single words on a phone has a line of its own there; so that a long
 * value beside it has room for all of its digits, too.
 */
function isLong(check: Check): boolean {
  const { published } = check
  const isTall = typeof published === 'string' && published.length > LONG
  return isTall || measuredCell(check).length > LONG_VALUE
}

const LONG = 20
const LONG_VALUE = 18

/** What too few draws cannot decide has a value; what was not run has none. */
function isHere({ verdict, measured }: Check): boolean {
  return verdict !== 'needs --full' || !Number.isNaN(measured)
}

function measuredCell(check: Check): string {
  if (!isHere(check)) return 'not in this size'
  const { measured, unit } = shownOf(check)
  return Number.isNaN(check.measured) ? 'NaN' : withUnit(measured, unit)
}

/** What the two ways to show a spread are, as far as they are used. */
function spreadSentence(checks: readonly Check[]): string {
  const drawn = checks.filter(({ half = NaN, verdict }) => half > 0 && verdict !== 'needs --full')
  const said = [
    drawn.some((check) => !isWider(check)) ? 'a ± b: mean and half of its 95% interval.' : '',
    drawn.some(isWider)
      ? 'a (b to c): mean, lowest and highest, where they spread more than their mean.'
      : '',
  ]
  return said.filter((one) => one !== '').join(' ')
}

/** What was not run drew nothing. */
function drawsOf({ verdict, draws }: Check, all: string): string {
  return verdict === 'needs --full' ? '' : drawsWords(draws ?? all)
}

export function Checks({ checks, draws }: { checks: readonly Check[]; draws: string }): VNode {
  // What all have in common is said once, below.
  const own = checks.filter(({ verdict }) => verdict !== 'needs --full')
  const hasNotes = checks.some(({ note }) => note !== '')
  const hasDraws = own.some((check) => drawsOf(check, draws) !== drawsWords(draws))
  const foot = [hasDraws ? '' : drawsSentence(draws), spreadSentence(checks)].join(' ').trim()
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Published and measured">
    <table class="checks">
      <thead>
        <tr>
          <th scope="col">what</th>
          <th scope="col">published</th>
          <th scope="col">measured</th>
          <th scope="col">verdict</th>
          ${hasDraws && html`<th scope="col">random draws</th>`}
          ${hasNotes && html`<th scope="col">note</th>`}
        </tr>
      </thead>
      <tbody>
        ${checks.map(
          (check) =>
            html`<tr>
              <th scope="row">${check.name}</th>
              <td data-of="published" class=${isLong(check) ? 'words' : undefined}>
                ${publishedCell(check)}
              </td>
              <td data-of="measured" class=${isHere(check) ? undefined : 'later'}>
                ${measuredCell(check)}
              </td>
              <td class=${SIGNS[check.verdict].style} data-of="verdict">${verdictText(check)}</td>
              ${hasDraws && html`<td class="aside of-draws">${drawsOf(check, draws)}</td>`}
              ${hasNotes && html`<td class="aside">${paperWords(check.note)}</td>`}
            </tr>`,
        )}
      </tbody>
    </table>
    ${foot !== '' && html`<p class="hint">${foot}</p>`}
  </div>`
}
