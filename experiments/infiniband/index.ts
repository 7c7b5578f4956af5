/** The figures and tables of Gran et al. 2010, in their order, then what it does not show. */
import type { Figure } from '../figure.ts'
import { fig10 } from './fig10.ts'
import { fig13 } from './fig13.ts'
import { fig7a, fig7b, fig8 } from './fig7.ts'
import { fig9 } from './fig9.ts'
import { fig11, fig12, fig14 } from './surfaces.ts'
import { threshold, victimMask } from './switch-parameters.ts'
import { table3 } from './table3.ts'
import { tune } from './tune.ts'

export const figures: readonly Figure[] = [
  fig7a,
  fig7b,
  fig8,
  fig9,
  fig10,
  table3,
  fig11,
  fig12,
  fig13,
  fig14,
  threshold,
  victimMask,
  tune,
]
