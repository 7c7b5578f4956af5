/** Document E's figures. */
import type { Figure } from '../figure.ts'
import { fig5 } from './fig5.ts'
import { stability } from './stability.ts'

export const figures: readonly Figure[] = [fig5, stability]
