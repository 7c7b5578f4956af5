/**
 * The reproduced figures: the picture first, with what was published as hollow marks; the verdicts
 * as a strip; then the table. A figure that was measured stays so until the page is left.
 */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Check, FigureResult, Plot, Verdict } from '../../../../experiments/figure.ts'
import type { FigureCard } from '../figures/catalogue.ts'
import { reproduceFigure } from '../figures/reproduce.ts'
import type { FigureState } from '../figures/reproduce.ts'
import { paperWords } from '../model/papers.ts'
import { drawsSentence, drawsWords, isWider, measuredText } from '../../../../experiments/shown.ts'
import { publishedText, withUnit } from '../../../../experiments/shown.ts'
import type { FigurePlot } from './figure-plot.ts'
import { Beside, useMatch } from './figure-width.ts'
import { html } from './html.ts'

/** By the first word of a figure's address. */
const PAPERS: Readonly<Record<string, string>> = {
  lecture: 'From TCP to RDMA: what the papers in between showed',
  accurate: 'ACCurate',
  infiniband: 'InfiniBand congestion control (Gran et al., IPDPS 2010)',
  r2c2: 'R2C2: a network stack for rack-scale computers',
  pacc: 'PACC',
  theory: 'Fluid models and their edges',
  transports: 'Other transports: NDP, Homa and Swift',
}

function useCatalogue(): readonly FigureCard[] | undefined {
  const [cards, setCards] = useState<readonly FigureCard[] | undefined>(undefined)
  useEffect(() => {
    void import('../figures/catalogue.ts').then(({ catalogue }) => setCards(catalogue))
  }, [])
  return cards
}

/** What draws plots is not in the first view. */
function usePlotter(): typeof FigurePlot | undefined {
  const [plotter, setPlotter] = useState<typeof FigurePlot | undefined>(undefined)
  useEffect(() => {
    void import('./figure-plot.ts').then((made) => setPlotter(() => made.FigurePlot))
  }, [])
  return plotter
}

interface ListProps {
  readonly figure: string
  choose(id: string): void
}

/** The panel is above the page from this width down (style.css). */
const NARROW = '(max-width: 900px)'

export function List({ figure, choose }: ListProps): VNode {
  const cards = useCatalogue() ?? []
  const isNarrow = useMatch(NARROW)
  const list = useRef<HTMLElement>(null)
  // One that was reached by its address is found in the list, too; a page that turns loses it.
  useEffect(() => {
    const bring = (): void => bringIntoView(list.current)
    bring()
    addEventListener('resize', bring)
    return () => removeEventListener('resize', bring)
  }, [figure, cards.length, isNarrow])
  const current = cards.find(({ id }) => id === figure)
  const all = html`<${Cards} cards=${cards} figure=${figure} choose=${choose} />`
  // Above an open figure the list would be in its way.
  const isFolded = isNarrow && current !== undefined
  return html`<section class="figures" aria-label="Figures" ref=${list}>
    <h2>Figures</h2>
    ${
      isFolded
        ? html`<details key=${figure} class="all-figures">
            <summary>All ${cards.length} figures</summary>
            ${all}
          </details>`
        : all
    }
  </section>`
}

interface CardsProps extends ListProps {
  readonly cards: readonly FigureCard[]
}

function Cards({ cards, figure, choose }: CardsProps): VNode {
  const papers = [...new Set(cards.map(({ id }) => id.split('/')[0]!))]
  return html`<p class="hint">
      What papers published, measured again in this page. Full lines and filled points are runs;
      hollow marks are the papers’ own values; what is dotted is computed. Where curves lie on each
      other the lower one is wider.
    </p>
    ${papers.map(
      (paper) =>
        html`<h3>${PAPERS[paper] ?? paper}</h3>
          <ul class="cards">
            ${cards
              .filter(({ id }) => id.startsWith(`${paper}/`))
              .map(
                ({ id, title, cite }) =>
                  html`<li key=${id}>
                    <button
                      class="card"
                      aria-current=${id === figure ? 'true' : undefined}
                      onClick=${() => choose(id)}
                      data-figure=${id}
                    >
                      <strong>${title}</strong><span>${paperWords(cite)}</span>
                    </button>
                  </li>`,
              )}
          </ul>`,
    )}`
}

/** Moves what scrolls around the list, and never the page. */
function bringIntoView(list: HTMLElement | null): void {
  const card = list?.querySelector('[aria-current=true]')
  const around = list?.closest('.panel')
  if (!card || !around || around.scrollHeight <= around.clientHeight) return
  const [at, frame] = [card.getBoundingClientRect(), around.getBoundingClientRect()]
  if (at.top < frame.top || at.bottom > frame.bottom) {
    around.scrollTop += (at.top + at.bottom - frame.top - frame.bottom) / 2
  }
}

interface FiguresProps {
  readonly figure: string
}

export const FiguresView: ((props: FiguresProps) => VNode) & { readonly List: typeof List } =
  Object.assign(Figure, { List })

type Size = 'quick' | 'full'
const known = new Map<string, FigureResult>()

function Figure({ figure }: FiguresProps): VNode {
  const cards = useCatalogue()
  const card = cards?.find(({ id }) => id === figure)
  const [size, setSize] = useState<Size>('quick')
  // What was measured last, and of what: another figure never shows it, not for one picture.
  const [measured, setMeasured] = useState<{ of: string; state: FigureState } | undefined>(
    undefined,
  )
  const of = `${figure} ${size}`
  const state = measured?.of === of ? measured.state : undefined
  useEffect(() => setSize('quick'), [figure])
  useEffect(() => {
    const result = known.get(of)
    if (result !== undefined) setMeasured({ of, state: { type: 'done', result } })
    if (card === undefined || result !== undefined) return undefined
    return reproduceFigure(card.id, size, (now) => {
      if (now.type === 'done') known.set(of, now.result)
      setMeasured({ of, state: now })
    })
  }, [card, size])
  if (cards !== undefined && card === undefined) {
    const isUnknown = figure !== ''
    return html`<div class="figure">
      ${isUnknown && html`<p class="failure" role="alert">There is no figure ‘${figure}’.</p>`}
      <p class="hint">
        Choose a figure: its quick version runs here, in some seconds. An experiment that runs goes
        on meanwhile.
      </p>
    </div>`
  }
  if (card === undefined) return html`<div class="figure"></div>`
  return html`<article class="figure" aria-label=${card.title}>
    <h2>${card.title}</h2>
    <p class="hint">${paperWords(card.cite)}</p>
    <p class="claim">
      ${card.claimant !== '' && html`<strong>${card.claimant}:</strong>`}
      ${` ${paperWords(card.claim)}`}
    </p>
    ${
      state?.type === 'done' &&
      html`<p class="claim found">
        <strong>Found here, ${size} size:</strong>${' '}
        ${verdictWords(state.result.checks, whoseOf(card))}
      </p>`
    }
    <${Outcome} state=${state} />
    <p class="hint row wrap">
      <code>./weir reproduce ${card.id} --${size}</code>
      ${
        size === 'quick' &&
        html`<button onClick=${() => setSize('full')}>Run it in full, as published</button>`
      }
    </p>
  </article>`
}

function Outcome({ state }: { readonly state: FigureState | undefined }): VNode {
  const plotter = usePlotter()
  if (state?.type !== 'failed' && (state?.type !== 'done' || plotter === undefined)) {
    const { fraction, doing } =
      state?.type === 'progress' ? state : { fraction: 0, doing: 'starting' }
    return html`<p role="status" class="measuring">
      <progress value=${fraction} max="1" aria-label="Progress"></progress>
      ${doing}
    </p>`
  }
  if (state.type === 'failed') return html`<p class="failure" role="alert">${state.sentence}</p>`
  const { checks, plots, notes, draws = '' } = state.result
  return html`<div id="figure-done">
    <div>
      ${plots.length === 0 && html`<p class="hint">There is nothing to draw in this size.</p>`}
      ${rowsOf(plots).map((row, i) => {
        const drawn = row.map(
          (plot) => html`<${plotter} key=${plots.indexOf(plot)} plot=${plot} among=${plots} />`,
        )
        if (row.length === 1) return drawn
        return html`<div key=${`row ${i}`} class="multiples">
          <${Beside.Provider} value=${true}>${drawn}<//>
        </div>`
      })}
    </div>
    <div>
      <${Strip} checks=${checks} />
      <${Checks} checks=${checks} draws=${draws} />
      ${notes.map((note: string) => html`<p class="hint">${paperWords(note)}</p>`)}
    </div>
  </div>`
}

/** As many plots of one kind and the same axes in a row are read beside each other. */
const MULTIPLES_LEAST = 6

export function rowsOf(plots: readonly Plot[]): readonly (readonly Plot[])[] {
  const rows: Plot[][] = []
  for (const plot of plots) {
    const last = rows.at(-1)
    if (last !== undefined && isAlike(last[0]!, plot)) last.push(plot)
    else rows.push([plot])
  }
  return rows.flatMap((row) => (row.length < MULTIPLES_LEAST ? row.map((one) => [one]) : [row]))
}

function isAlike(a: Plot, b: Plot): boolean {
  const isLines = a.kind === 'lines' || a.kind === 'steps'
  return isLines && a.kind === b.kind && a.x.label === b.x.label && a.y.label === b.y.label
}

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

/** How many checks came out how; what was fitted to a published number is none. */
export function verdictWords(checks: readonly Check[], whose: string = 'the paper'): string {
  const said = (count: number, [one, several]: readonly [string, string]): string[] =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]
  const counted = (Object.keys(SIGNS) as Verdict[]).flatMap((verdict) => {
    const all = checks.filter((check) => check.verdict === verdict)
    const fitted = all.filter(isFitted).length
    const own = said(all.length - fitted, SIGNS[verdict].words)
    const ending = verdict === 'agrees' ? ` ${whose}` : ''
    return [...own.map((words) => words + ending), ...said(fitted, FITTED)]
  })
  return `${counted.join('; ')}.`
}

/** With what checks agree: one paper, several, or what nobody but we asked for. */
export function whoseOf({ claim, claimant }: Pick<FigureCard, 'claim' | 'claimant'>): string {
  if (claimant.startsWith('What was asked')) return 'what was asked'
  return /papers\b/u.test(claimant) || claim.startsWith('Their papers') ? 'the papers' : 'the paper'
}

/** One mark per check; words above the pictures count them. */
function Strip({ checks }: { readonly checks: readonly Check[] }): VNode {
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

/** The unit of a check that is answered by yes or no. */
const YES_NO = '1 yes, 0 no'

/** Fitted to a published number, it is neither a check nor our own. */
function isFitted({ verdict, published }: Check): boolean {
  return verdict === 'ours' && published !== 'not published'
}

function verdictText(check: Check): string {
  const { verdict } = check
  if (isFitted(check)) return '○ fitted'
  const word = verdict === 'needs --full' ? 'needs the full run' : verdict
  return `${SIGNS[verdict].sign} ${word}`
}

function publishedCell(check: Check): string {
  const { published, unit } = check
  if (typeof published !== 'number') return paperWords(published)
  if (unit === YES_NO) return published === 1 ? 'yes' : 'no'
  return withUnit(publishedText(check), unit)
}

/** What is a tall column of single words on a phone has a line of its own there. */
function isLong({ published }: Check): boolean {
  return typeof published === 'string' && published.length > LONG
}

const LONG = 20

function measuredCell(check: Check): string {
  const { measured, unit, verdict } = check
  // What too few draws cannot decide has a value; what was not run has none.
  if (verdict === 'needs --full' && Number.isNaN(measured)) return ''
  if (unit === YES_NO) return measured === 1 ? 'yes' : 'no'
  return Number.isNaN(measured) ? 'NaN' : withUnit(measuredText(check), unit)
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

function Checks({ checks, draws }: { checks: readonly Check[]; draws: string }): VNode {
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
              <td data-of=${measuredCell(check) === '' ? undefined : 'measured'}>
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
