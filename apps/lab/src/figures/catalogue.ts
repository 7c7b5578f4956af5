/** The reproduced figures, in a chunk of their own: the list is short, the programs are not. */
import { figures } from '../../../../experiments/index.ts'
import { claimantOf } from '../../../../experiments/shown.ts'

export interface FigureCard {
  readonly id: string
  readonly title: string
  readonly cite: string
  readonly claim: string
  readonly claimant: string
  readonly headline?: string | undefined
}

export const catalogue: readonly FigureCard[] = figures.map((figure) => {
  const { id, title, cite, claim, headline } = figure
  return { id, title, cite, claim, headline, claimant: claimantOf(figure) }
})
