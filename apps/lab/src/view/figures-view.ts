/**
 * The reproduction gallery: each document's figure as we measure it, with the published numbers.
 */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Check, Plot } from '../../../../experiments/figure.ts'
import type { FigureCard } from '../figures/catalogue.ts'
import { reproduceFigure } from '../figures/reproduce.ts'
import type { FigureState } from '../figures/reproduce.ts'
import { plain } from '../model/compare.ts'
import type { Session } from '../model/session.ts'
import { FigurePlot } from './figure-plot.ts'
import { html } from './html.ts'

function useCatalogue(): readonly FigureCard[] | undefined {
  const [cards, setCards] = useState<readonly FigureCard[] | undefined>(undefined)
  useEffect(() => {
    void import('../figures/catalogue.ts').then(({ catalogue }) => setCards(catalogue))
  }, [])
  return cards
}

function List({ figure, choose }: { figure: string; choose(id: string): void }): VNode {
  const cards = useCatalogue()
  return html`<section class="figures" aria-label="Figures">
    <h2>Figures</h2>
    <p class="hint">
      What the documents published, measured again here. A figure is drawn from runs, never from
      numbers typed in.
    </p>
    <ul class="cards">
      ${cards?.map(
        ({ id, title, cite }) =>
          html`<li key=${id}>
            <button
              class="card"
              aria-current=${id === figure ? 'true' : undefined}
              onClick=${() => choose(id)}
              data-figure=${id}
            >
              <strong>${title}</strong><span>${cite}</span>
            </button>
          </li>`,
      )}
    </ul>
  </section>`
}

interface FiguresProps {
  readonly figure: string
  readonly session: Session
}

export const FiguresView: ((props: FiguresProps) => VNode) & { readonly List: typeof List } =
  Object.assign(Figure, { List })

function Figure({ figure, session }: FiguresProps): VNode {
  const cards = useCatalogue()
  const card = cards?.find(({ id }) => id === figure)
  const [state, setState] = useState<FigureState | undefined>(undefined)
  const [size, setSize] = useState<'quick' | 'full'>('quick')
  useEffect(() => {
    setState(undefined)
    if (card === undefined) return undefined
    return reproduceFigure(card.id, size, setState)
  }, [card, size])
  // The experiment goes on meanwhile: it is there when its tab is opened again.
  if (card === undefined) {
    return html`<div class="figure">
      <p class="hint">Choose a figure: its quick version runs here.</p>
    </div>`
  }
  return html`<article class="figure" aria-label=${card.title}>
    <h2>${card.title}</h2>
    <p class="hint">${card.cite} · <code>./weir reproduce ${card.id} --${size}</code></p>
    <p>${card.claim}</p>
    ${
      size === 'quick' &&
      html`<button onClick=${() => setSize('full')}>Run it in full, as published</button>`
    }
    <${Outcome} state=${state} session=${session} />
  </article>`
}

function Outcome({ state, session }: { state: FigureState | undefined; session: Session }): VNode {
  if (state === undefined || state.type === 'progress') {
    return html`<p role="status">
      <progress value=${state?.fraction ?? 0} max="1" aria-label="Progress"></progress>
      ${state?.doing ?? 'starting'}
    </p>`
  }
  if (state.type === 'failed') return html`<p class="failure" role="alert">${state.sentence}</p>`
  const { checks, plots, notes, draws = '' } = state.result
  return html`<div id="figure-done">
    <${Checks} checks=${checks} draws=${draws} />
    ${plots.map((plot: Plot, i: number) => html`<${FigurePlot} key=${i} plot=${plot} session=${session} />`)}
    ${notes.map((note: string) => html`<p class="hint">${note}</p>`)}
  </div>`
}

function Checks({ checks, draws }: { checks: readonly Check[]; draws: string }): VNode {
  const shown = (value: number | string, unit: string): string =>
    typeof value === 'number' ? `${plain(value)} ${unit}` : value
  const measuredText = ({ measured, half = NaN, unit, verdict }: Check): string => {
    if (verdict === 'needs --full') return ''
    return Number.isNaN(half)
      ? shown(measured, unit)
      : `${plain(measured)} ± ${plain(half)} ${unit}`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Published and measured">
    <table>
      <thead>
        <tr>
          <th scope="col">what</th>
          <th scope="col">published</th>
          <th scope="col">measured</th>
          <th scope="col">verdict</th>
          <th scope="col">draws</th>
          <th scope="col">note</th>
        </tr>
      </thead>
      <tbody>
        ${checks.map(
          (check) =>
            html`<tr>
              <th scope="row">${check.name}</th>
              <td>${shown(check.published, check.unit)}</td>
              <td>${measuredText(check)}</td>
              <td class=${check.verdict}>${check.verdict}</td>
              <td>${check.draws ?? draws}</td>
              <td>${check.note}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
