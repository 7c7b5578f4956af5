/** Figures in tests: run small, and held to what is known to differ. */
import { simulate } from '@weir/sim'
import { expect } from 'vitest'
import type { Figure } from '../figure.ts'

/** Everything in one process, at the size of the everyday suite. */
export const quickly: Parameters<Figure['reproduce']>[0] = {
  size: 'quick',
  simulate: (spec) => Promise.resolve(simulate(spec)),
  progress: () => undefined,
}

/** What differs is what is known to, and says why; every curve is whole. */
export async function expectAgrees(figure: Figure, known: readonly string[]): Promise<void> {
  const { checks, plots } = await figure.reproduce(quickly)
  const differing = checks.filter(({ verdict }) => verdict === 'differs')
  expect(differing.map(({ name }) => name)).toEqual(known)
  for (const { note } of differing) expect(note).not.toBe('')
  for (const { curves } of plots) {
    for (const { x, y } of curves) expect(y).toHaveLength(x.length)
  }
}
