/** ACCurate's figures, in its order, then what it does not show. */
import type { Figure } from '../figure.ts'
import { ablations } from './ablations.ts'
import { convergence } from './convergence.ts'
import { delivered } from './delivered.ts'
import { fig2 } from './fig2.ts'
import { fig3 } from './fig3.ts'
import { fig4 } from './fig4.ts'
import { fig5 } from './fig5.ts'
import { fixed } from './fixed.ts'
import { queue } from './queue.ts'
import { robustness } from './robustness.ts'

export const figures: readonly Figure[] = [
  fig2,
  fig3,
  fig4,
  fig5,
  convergence,
  delivered,
  ablations,
  robustness,
  queue,
  fixed,
]
