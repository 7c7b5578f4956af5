/**
 * The reproduced figures: the picture first, with what was published as hollow marks; the verdicts
 * as a strip; then the table. A figure that was measured stays so until the page is left.
 */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FigureResult, Plot } from '../../../../experiments/figure.ts'
import { isMeasured } from '../../../../experiments/plotted.ts'
import { isOfDocument, saidAndFound } from '../../../../experiments/shown.ts'
import type { FigureCard } from '../figures/catalogue.ts'
import { reproduceFigure } from '../figures/reproduce.ts'
import type { FigureState } from '../figures/reproduce.ts'
import { paperWords } from '../model/papers.ts'
import { Checks, foundWords, Strip } from './figure-checks.ts'
import type { FigurePlot } from './figure-plot.ts'
import { Beside, isTall, useMatch } from './figure-width.ts'
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
      other their colours alternate.
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
  const { who, said, found } = claimOf(card)
  return html`<article class="figure" aria-label=${card.title}>
    <h2>${card.title}</h2>
    <p class="hint">${paperWords(card.cite)}</p>
    <div class="claims">
      <p class="claim">
        <strong>${who}</strong>
        ${` ${paperWords(said)}`}
      </p>
      ${
        found !== '' &&
        html`<p class="claim">
          <strong>What we found:</strong>
          ${` ${paperWords(found)}`}
        </p>`
      }
      ${
        state?.type === 'done' &&
        html`<p class="claim found">
          <strong>Found here, ${size} size:</strong>${' '} ${foundWords(card, state.result)}
        </p>`
      }
    </div>
    <${Outcome} state=${state} />
    <p class="hint row wrap">
      <code>./weir reproduce ${card.id} --${size}</code>
      ${
        size === 'quick' &&
        html`<button onClick=${() => setSize('full')}>
          ${isOfDocument(card) ? 'Run it in full, as published' : 'Run it in full'}
        </button>`
      }
    </p>
  </article>`
}

export function Outcome({ state }: { readonly state: FigureState | undefined }): VNode {
  const plotter = usePlotter()
  const isWideScreen = useMatch(TWO_COLUMNS)
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
  const { rows, asides } = shownOf(plots, isWideScreen)
  const draw = (plot: Plot): VNode =>
    html`<${plotter} key=${plots.indexOf(plot)} plot=${plot} among=${plots} />`
  return html`<div id="figure-done" class=${placesOf(rows, checks.length)}>
    <div class="drawn">
      ${plots.length === 0 && html`<p class="hint">There is nothing to draw in this size.</p>`}
      ${rows.map((row, i) => {
        const drawn = row.map(draw)
        if (row.length === 1) return drawn
        return html`<div key=${`row ${i}`} class="multiples">
          <${Beside.Provider} value=${true}>${drawn}<//>
        </div>`
      })}
      ${
        asides.length > 0 &&
        html`<details class="asides">
          <summary>${asidesWords(asides)}</summary>
          ${asides.map(draw)}
        </details>`
      }
    </div>
    <div class="told">
      <div class="judged">
        <${Strip} checks=${checks} />
        <${Checks} checks=${checks} draws=${draws} />
      </div>
      <div class="notes">
        ${notes.map((note: string) => html`<p class="hint">${paperWords(note)}</p>`)}
      </div>
    </div>
  </div>`
}

/** As in style.css: from here on plots stand in two columns. */
const TWO_COLUMNS = '(min-width: 1700px)'

interface ShownPlots {
  readonly rows: readonly (readonly Plot[])[]
  /** Those that are folded. */
  readonly asides: readonly Plot[]
}

/** In two columns the first of those beside the document's fills a place that would be empty. */
export function shownOf(plots: readonly Plot[], isInColumns: boolean): ShownPlots {
  const asides = plots.filter(({ isAside }) => isAside === true)
  const rows = rowsOf(plots.filter(({ isAside }) => isAside !== true))
  const isFilled = isInColumns && asides.length > 0 && placed(rows).isOdd
  return isFilled
    ? { rows: [...rows, asides.slice(0, 1)], asides: asides.slice(1) }
    : { rows, asides }
}

/** So many checks are about as tall as a plot, in half of a wide screen. */
const FEW_CHECKS = 7

/**
 * On a wide screen plots stand in two columns. A last one that is alone has the checks beside it,
 * or, where they are long, the notes; the checks then have the whole width below. Notes also stand
 * in the gap before plots that take both columns.
 */
export function placesOf(rows: readonly (readonly Plot[])[], checks: number): string {
  const { isOdd, hasGap } = placed(rows)
  if (hasGap) return 'many gap'
  return `${isOdd ? 'odd' : 'even'} ${checks <= FEW_CHECKS ? 'few' : 'many'}`
}

/** Where plots come to stand, row by row; a tall one has two places, one below the other. */
function placed(rows: readonly (readonly Plot[])[]): { isOdd: boolean; hasGap: boolean } {
  let places = 0
  let hasGap = false
  rows.forEach((row, i) => {
    const isBoth = row.length > 1 || isWide(row[0]!)
    if (isBoth && places % 2 === 1) hasGap = true
    // A last one that begins a row has both places beside it free, as if it were not tall.
    const isTwo = isTall(row[0]!) && !(i === rows.length - 1 && places % 2 === 0)
    places += isBoth ? (places % 2) + 2 : isTwo ? 2 : 1
  })
  return { isOdd: places % 2 === 1, hasGap }
}

/** What is folded, by its titles: who looks for one of them finds it. */
function asidesWords(asides: readonly Plot[]): string {
  const count = asides.length === 1 ? 'One more plot' : `${asides.length} more plots`
  return `${count}, not of the document: ${asides.map(({ title }) => title).join('; ')}`
}

/**
 * As many plots of one kind in a row are read beside each other: of the same axes, or fewer of the
 * same x axis, as measures against load are.
 */
const MULTIPLES_LEAST = 6
const OVER_ONE_LEAST = 4

export function rowsOf(plots: readonly Plot[]): readonly (readonly Plot[])[] {
  const rows: Plot[][] = []
  for (const plot of plots) {
    const last = rows.at(-1)
    if (last !== undefined && isAlike(last[0]!, plot)) last.push(plot)
    else rows.push([plot])
  }
  return rows.flatMap((row) => (row.length < leastOf(row) ? row.map((one) => [one]) : [row]))
}

function leastOf(row: readonly Plot[]): number {
  const isOne = new Set(row.map(({ y }) => y.label)).size === 1
  return isOne ? MULTIPLES_LEAST : OVER_ONE_LEAST
}

function isAlike(a: Plot, b: Plot): boolean {
  const isLines = a.kind === 'lines' || a.kind === 'steps'
  return isLines && a.kind === b.kind && a.x.label === b.x.label
}

interface Claim {
  readonly who: string
  readonly said: string
  readonly found: string
}

/**
 * Who says it, what, and what we found: some claims begin with the first, 'The paper says: ...',
 * and go on with the last, 'Here ...', which nobody but us says.
 */
export function claimOf({ claimant, claim }: Pick<FigureCard, 'claim' | 'claimant'>): Claim {
  const [words, found] = saidAndFound(claim)
  if (claimant !== '') return { who: `${claimant}:`, said: words, found }
  const [who = ''] = /^[A-Z][a-z ]+ says?:/u.exec(words) ?? []
  return { who, said: words.slice(who.length).trimStart(), found }
}

/** Surfaces that stand beside each other. */
function isWide({ kind, curves }: Plot): boolean {
  return kind === 'surface' && curves.filter(isMeasured).length > 1
}
