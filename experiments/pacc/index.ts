/** PACC's figures, in its order, then which readings would give them, and stability. */
import type { Figure } from '../figure.ts'
import { fig1 } from './fig1.ts'
import { fig2 } from './fig2.ts'
import { fig3 } from './fig3.ts'
import { fig5 } from './fig5.ts'
import { fig6 } from './fig6.ts'
import { fig7, fig8 } from './fig7-to-10.ts'
import { readings } from './readings.ts'
import { stability } from './stability.ts'

export const figures: readonly Figure[] = [
  ...[fig1, fig2, fig3, fig5, fig6, fig7, fig8],
  ...[readings, stability],
]
