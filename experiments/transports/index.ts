import type { Figure } from '../figure.ts'
import { homaFigure } from './homa.ts'
import { ndpFigure } from './ndp.ts'
import { swiftFigure } from './swift.ts'

export const figures: readonly Figure[] = [ndpFigure, homaFigure, swiftFigure]
