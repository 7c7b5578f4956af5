import type { Figure } from '../figure.ts'

export const figures: readonly Figure[] = []
