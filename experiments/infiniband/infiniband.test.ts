/** Document D's figures, small: what each must show, and what is known to differ. */
import { describe, expect, it } from 'vitest'
import { simulate } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { figures } from './index.ts'

/** A shared machine may be slow; nothing here depends on how slow. */
const PATIENCE_MS = 240_000

/** Checks that differ, with their reasons in their notes; a change of this list is news. */
const DIFFERS: Readonly<Record<string, readonly string[]>> = {
  'infiniband/fig9': ['least gain over all sizes'],
  'infiniband/fig10': ['mean of F3, CC on', 'fall of the mean', 'standard deviation, CC on'],
  'infiniband/table3': [
    'natural ring latency, congestion, CC off',
    'random ring latency, congestion, CC off',
    'natural ring bandwidth, improvement',
    'random ring bandwidth, no congestion',
    'random ring bandwidth, congestion, CC on',
    'random ring bandwidth, improvement',
    'PTRANS, congestion, CC off',
    'PTRANS, congestion, CC on',
    'PTRANS, improvement',
    'MPIRandomAccess, improvement',
  ],
  'infiniband/tune': ['share of all settings that Table I beats on victim and fairness together'],
}

describe("document D's figures", () => {
  /** Several figures show the same run. */
  const runs = new Map<string, Result>()
  const once = (spec: ValidSpec): Promise<Result> => {
    const key = JSON.stringify(spec)
    const result = runs.get(key) ?? simulate(spec)
    runs.set(key, result)
    return Promise.resolve(result)
  }

  it('have names of their own', () => {
    expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length)
  })

  it.each(figures.map((figure) => [figure.id, figure] as const))(
    '%s shows what it must, and draws curves without holes',
    async (id, figure) => {
      const result = await figure.reproduce({
        size: 'quick',
        simulate: once,
        progress: () => undefined,
      })
      const differing = result.checks.filter(({ verdict }) => verdict === 'differs')
      expect(differing.map(({ name }) => name)).toEqual(DIFFERS[id] ?? [])
      for (const { note } of differing) expect(note).not.toBe('')
      for (const { curves, kind } of result.plots) {
        for (const { x, y, z } of curves) {
          expect(y).toHaveLength(x.length)
          if (kind === 'surface') expect(z).toHaveLength(x.length)
          expect([...y, ...(z ?? [])].every((value) => Number.isFinite(value))).toBe(true)
        }
      }
    },
    PATIENCE_MS,
  )
})
