/** The TCP figures of the lecture, small: what each must show. */
import { describe, expect, it } from 'vitest'
import { simulate } from '@weir/sim'
import type { Figure, FigureResult } from '../figure.ts'
import { dctcpConvergence } from './dctcp-convergence.ts'
import { dctcpCuts } from './dctcp-cuts.ts'
import { dctcpMarking } from './dctcp-marking.ts'
import { dctcpQueue } from './dctcp-queue.ts'
import { incast } from './incast.ts'

/** A shared machine may be slow; nothing here depends on how slow. */
const PATIENCE_MS = 240_000

function quick(figure: Figure): Promise<FigureResult> {
  return figure.reproduce({
    size: 'quick',
    simulate: (spec) => Promise.resolve(simulate(spec)),
    progress: () => undefined,
  })
}

const differing = ({ checks }: FigureResult): string[] =>
  checks.filter(({ verdict }) => verdict === 'differs').map(({ name }) => name)

describe('the TCP figures of the lecture', () => {
  it.each([incast, dctcpCuts, dctcpMarking, dctcpQueue].map((figure) => [figure.id, figure]))(
    '%s agrees with what is published, and draws curves without holes',
    async (_id, figure) => {
      const result = await quick(figure)
      expect(differing(result)).toEqual([])
      expect(result.checks.length).toBeGreaterThan(2)
      for (const { curves } of result.plots) {
        for (const { x, y } of curves) {
          expect(y).toHaveLength(x.length)
          expect(y.every((value) => Number.isFinite(value))).toBe(true)
        }
      }
    },
    PATIENCE_MS,
  )

  it(
    'lecture/dctcp-convergence: DCTCP is fairer than TCP and loses nothing',
    async () => {
      const result = await quick(dctcpConvergence)
      expect(differing(result).filter((name) => !name.startsWith('variation'))).toEqual([])
    },
    PATIENCE_MS,
  )
})
