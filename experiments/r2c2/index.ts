/** The figures of R2C2 (P. Costa et al., SIGCOMM 2015), in the paper's order. */
import type { Figure } from '../figure.ts'
import { fig2 } from './fig2.ts'

export const figures: readonly Figure[] = [fig2]
