/** The reproduced figures, in a chunk of their own: the list is short, the programs are not. */
import { figures } from '../../../../experiments/index.ts'

export interface FigureCard {
  readonly id: string
  readonly title: string
  readonly cite: string
  readonly claim: string
}

export const catalogue: readonly FigureCard[] = figures.map(({ id, title, cite, claim }) => ({
  id,
  title,
  cite,
  claim,
}))
